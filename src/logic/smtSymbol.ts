/**
 * Names of SMT-LIB. A variable keeps its name where that is a plain symbol; other names are quoted. A name that SMT-LIB
 * or a solver gives a meaning to (`select`, `div`, …) gets a mark behind it, since quoting does not change a symbol.
 */
const mark = "!v";

const plain = /^[A-Za-z_@$.&^<>?/~+*%=-][A-Za-z0-9_@$.&^<>?/~+*%=!-]*$/;

const reserved = new Set(
  `_ ! as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING true false not and or xor ite if iff
   implies distinct div mod rem abs min max divisible to_real to_int is_int select store const map array Array Int Real
   Bool String pi euler root-obj int2bv bv2int bv2nat nat2bv concat extract repeat lambda choice pow pow2 iand sin cos
   tan exp sqrt set union member subset complement transpose join product default ext as-array seq re str model sat
   unsat unknown error success unsupported assert declare define check push pop exit reset echo
   = < > <= >= + - * / ^ % ~ => .`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Symbols with these beginnings belong to theories of the solvers, to solver internals, or to our printer. */
const reservedPrefix = /^(bv|fp\.|fp_|str\.|re\.|seq\.|set\.|bag\.|int\.|sep\.|rel\.|tuple|k!|tf!|@|\.)/;

export function printSymbol(name: string): string {
  const marked = reserved.has(name) || reservedPrefix.test(name) || name.endsWith(mark) ? `${name}${mark}` : name;
  return plain.test(marked) ? marked : `|${marked}|`;
}

/** The name that `printSymbol` printed; `symbol` is a token as read, with its bars. */
export function parseSymbol(symbol: string): string {
  const name = symbol.startsWith("|") && symbol.endsWith("|") ? symbol.slice(1, -1) : symbol;
  return name.endsWith(mark) ? name.slice(0, -mark.length) : name;
}
