import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { type InputSource, type InputValue, parseInputs } from "../interpreter/inputs.ts";

/** The inputs of a test in Test-Comp's exchange format, in order. */
export function readTestCompInputs(text: string, path: string): InputValue[] {
  if (!/<testcase\b/.test(text)) throw notATest(path, "there is no <testcase> in it");
  const values = [...text.matchAll(/<input\b[^>]*>([^<]*)<\/input>/g)].map(([, value]) => value!.trim());
  return values.map((value, i) => {
    // Some tools write characters as they are.
    const character = /^'(.)'$/.exec(value);
    if (character !== null) return BigInt(nth(character, 1).codePointAt(0)!);
    const plain = value.replace(/[uUlLfF]+$/, (suffix) =>
      /^[-+]?0[xX]/.test(value) ? suffix.replace(/[uUlL]+/, "") : "",
    );
    const [number] = plain === "" ? [] : parseInputs(plain);
    if (number === undefined) throw notATest(path, `input ${i + 1} is not a number: ${value}`);
    return number;
  });
}

/** The objects of a KLEE test, as bits: what they mean depends on who reads them (`fromBits`). */
export function readKtestInputs(bytes: Uint8Array, path: string): InputValue[] {
  const data = Buffer.from(bytes);
  let at = 0;
  const take = (count: number): Buffer => {
    if (at + count > data.length) throw notATest(path, "it ends too early");
    at += count;
    return data.subarray(at - count, at);
  };
  const word = () => take(4).readUInt32BE();
  const magic = take(5).toString("latin1");
  if (magic !== "KTEST" && magic !== "BOUT\n") throw notATest(path, "it does not begin with KTEST");
  const version = word();
  for (let i = word(); i > 0; i--) take(word());
  if (version >= 2) take(8);
  const inputs: InputValue[] = [];
  for (let i = word(); i > 0; i--) {
    take(word());
    let bits = 0n;
    for (const byte of take(word()).toReversed()) bits = (bits << 8n) | BigInt(byte);
    inputs.push(bits);
  }
  return inputs;
}

/** Bits as values of the types that ask for them. */
export function fromBits(source: InputSource): InputSource {
  return (request) => {
    const bits = source(request);
    if (typeof bits !== "bigint") return bits;
    const { type } = request;
    if (type.kind === "int") return type.signed ? BigInt.asIntN(type.bits, bits) : BigInt.asUintN(type.bits, bits);
    if (type.kind !== "float") return bits;
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt.asUintN(64, bits), true);
    return type.bits === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  };
}

function notATest(path: string, why: string): TracefoldError {
  return new TracefoldError({
    code: "TF131",
    message: `${path}: this is not a test: ${why}`,
    help: "Inputs are read from Test-Comp's XML, KLEE's .ktest, or a list of numbers.",
  });
}
