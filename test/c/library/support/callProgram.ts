import { type LibraryFunction, libraryFunctions } from "../../../../src/c/library/table.ts";
import { fileCalls, fileHelpers } from "./fileCalls.ts";
import { handwritten, helpers } from "./handwrittenCalls.ts";
import { moreCalls, moreHelpers } from "./moreCalls.ts";

/**
 * A C program that calls every function of the table on edge cases made from its prototype, and prints for each call the
 * result, `errno` and the bytes of the places that it was given. Functions on streams and blocks have calls of their own.
 */
export function callProgram(functions: Iterable<LibraryFunction> = libraryFunctions()): string {
  const callable = [...functions].filter(({ header }) => header !== null);
  const tests = callable.map((known) => testOf(known));
  // What reads the rest of the input comes last.
  const ordered = callable.toSorted((a, b) => Number(a.name === "feof") - Number(b.name === "feof"));
  const calls = ordered.map(({ name }) => `  test_${name}();`);
  return [
    prelude,
    helpers,
    moreHelpers,
    fileHelpers,
    ...tests,
    `int main(void) {\n${calls.join("\n")}\n  return 0;\n}\n`,
  ].join("\n");
}

export const includes = [
  "stdio",
  "stdlib",
  "string",
  "strings",
  "ctype",
  "math",
  "errno",
  "limits",
  "float",
  "alloca",
  "inttypes",
  "malloc",
  "arpa/inet",
]
  .map((name) => `#include <${name}.h>\n`)
  .map((line, i) => (i === 0 ? `#define _GNU_SOURCE\n${line}` : line))
  .concat("#include <stdarg.h>\nchar *gets(char *);\n")
  .join("");

const prelude = `${includes}
static unsigned char places[3][48];
static int number;
static const char *current;

static void fresh(void) { memset(places, 0xaa, sizeof places); errno = 0; }
static void begin(const char *name) { if (current != name) number = 0; current = name; printf("%s %d: ", name, number++); }
static void finish(void) {
  int code = errno;
  unsigned hash = 2166136261u;
  for (int i = 0; i < 3; i++) for (int k = 0; k < 48; k++) hash = (hash ^ places[i][k]) * 16777619u;
  printf(" errno=%d %08x\\n", code, hash);
  errno = 0;
}
static void integer(long long value) { int code = errno; printf("%lld", value); errno = code; }
static void natural(unsigned long long value) { int code = errno; printf("%llu", value); errno = code; }
static void real(double value) { int code = errno; if (value != value) printf("nan"); else printf("%a", value); errno = code; }
static void place(const void *result, const void *base) {
  int code = errno;
  if (result == 0) printf("null"); else printf("+%d", (int)((const char *)result - (const char *)base));
  errno = code;
}
static char *room(int i, const char *content) { strcpy((char *)places[i], content); return (char *)places[i]; }

static const char *texts[] = { "", "a", "abc", "ABC", "abcabc", "x,y;z", " ab\\t", "\\377\\001" };
static const char *contents[] = { "", "xy" };
static const char *digits[] = { "0", "-1", "+7", "  42abc", "0x1fg", "0X", "077", "9223372036854775807", "9223372036854775808",
  "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615",
  "-18446744073709551616", "2147483647", "2147483648", "-2147483649", "", "-", " + 1", "zz", "1e5", "1e400", "-1e400",
  "1e-320", "4.9e-324", "2e-324", "1e-400", "0x1p-1074", "0x1p-1075", "0x1.8p-1074", "0x1.8p1", "0x1p1024", "inf", "-INFINITY",
  "infinit", "nan", "nan(1)", "nan(", ".5", "5.", ".", "1e", "1e+", "0x.8", "0x.", "2.2250738585072014e-308", "2.2250738585072009e-308",
  "1.7976931348623157e308", "1.7976931348623159e308", "3.4028235e38", "1e39", "1e-45", "0.1", "123456789012345678901234567890" };
static const size_t lengths[] = { 0, 1, 2, 5, 16 };
static const size_t limits[] = { 0, 1, 2, 5, 16, (size_t)-1 };
static const int bytes[] = { 'a', 'z', 0, 256 + 'a', -1, 255 };
static const int bases[] = { 0, 2, 8, 10, 16, 36 };
static const int powers[] = { 0, 1, -1, 52, 1023, 1024, -1022, -1074, -1075, 128, -149, 2000, -2000, INT_MAX, INT_MIN };
static const double reals[] = { 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 0.1, 1e-5, 10.0, 100.0, 710.0, -745.2, -746.0, 1024.0, -1075.0,
  1e10, 4503599627370497.5, 1e300, -1e300, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 89.0, -104.0, 3.4e38, 1.5e-45,
  INFINITY, -INFINITY, NAN };
static const double moderate[] = { 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 0.125, 10.0, 100.0, INFINITY, -INFINITY, NAN };
static const long long whole[] = { 0, 1, -1, 42, INT_MAX, -INT_MAX };
static const long long wide[] = { 0, 1, -1, LONG_MAX, -LONG_MAX };
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
`;

/** Values for a parameter: how many there are, and the one with the index `i`. */
type Choice = { readonly count: string; readonly pick: (i: string) => string };

const from = (array: string): Choice => ({ count: `COUNT(${array})`, pick: (i) => `${array}[${i}]` });

function testOf(known: LibraryFunction): string {
  const { name } = known;
  const own = handwritten[name] ?? fileCalls[name] ?? moreCalls[name];
  if (own !== undefined) return `static void test_${name}(void) {\n${own}\n}`;
  const lines = known.parameters.map((_, k) => `  for (int i${k} = 0; i${k} < ${choiceFor(known, k).count}; i${k}++)`);
  const declared = known.parameters.map(({ type }, k) => {
    const text = choiceFor(known, k).pick(`i${k}`);
    return `    ${type}${type.endsWith("*") ? "" : " "}a${k} = (${type})(${text});`;
  });
  const call = `${name}(${known.parameters.map((_, k) => `a${k}`).join(", ")})`;
  return [
    `static void test_${name}(void) {`,
    ...lines,
    "  {",
    "    fresh();",
    ...declared,
    ...resultLines(known, call),
    "    finish();",
    "  }",
    "}",
  ].join("\n");
}

function resultLines(known: LibraryFunction, call: string): string[] {
  const { result } = known.signature;
  const type = known.prototype.slice(0, known.prototype.indexOf(known.name)).trim();
  const show = {
    void: "",
    pointer: "place(r, a0);",
    string: "place(r, a0);",
    int: "integer(r);",
    "unsigned int": "natural(r);",
    long: "integer(r);",
    "unsigned long": "natural(r);",
    "long long": "integer(r);",
    "unsigned long long": "natural(r);",
    size: "natural(r);",
    float: "real(r);",
    double: "real(r);",
    "long double": "real((double)r);",
  }[result];
  const compute = result === "void" ? `    ${call};` : `    ${type} r = ${call};`;
  // Where an end was stored counts, not its address; the bytes of a long double are not ours.
  const stored = known.parameters.flatMap(({ type: pointed }, k) => {
    if (pointed === "char **") return [`    if (a${k}) { place(*a${k}, a0); *a${k} = 0; }`];
    return pointed === "long double *" ? [`    real((double)*a${k}); memset(a${k}, 0, sizeof *a${k});`] : [];
  });
  return [compute, `    int code = errno; begin("${known.name}"); errno = code;`, `    ${show}`, ...stored];
}

function choiceFor(known: LibraryFunction, k: number): Choice {
  const { name, type } = known.parameters[k]!;
  const kind = known.signature.parameters[k]!;
  const uses = known.memory.filter(
    (use) => ("at" in use && use.at === name) || (use.kind === "copies" && (use.from === name || use.to === name)),
  );
  const isWritten = uses.some(
    (use) => use.kind === "writes" || use.kind === "fills" || (use.kind === "copies" && use.to === name),
  );
  switch (kind) {
    case "string":
      if (isWritten) return { count: "COUNT(contents)", pick: (i) => `room(${k}, contents[${i}])` };
      return known.parameters.length === 1 || known.name.startsWith("strto") ? parsed(known) : from("texts");
    case "pointer":
      if (type.includes("**") || type === "int *" || type.includes("double *") || type.includes("float *")) {
        return type.includes("**")
          ? { count: "2", pick: (i) => `${i} ? places[${k}] : 0` }
          : { count: "1", pick: () => `places[${k}]` };
      }
      return isWritten
        ? { count: "1", pick: () => `places[${k}]` }
        : { count: "COUNT(texts)", pick: (i) => `strncpy((char *)places[${k}], texts[${i}], 16)` };
    case "size":
      return known.memory.some((use) => "extent" in use && use.extent.kind === "bytes")
        ? from("lengths")
        : from("limits");
    case "int":
      if (known.header === "ctype.h") return { count: "257", pick: (i) => `${i} - 1` };
      if (name === "base") return from("bases");
      if (name === "power") return from(known.signature.result === "long double" ? "lengths" : "powers");
      return from(name === "byte" ? "bytes" : "whole");
    case "unsigned int":
    case "long":
    case "long long":
      return from("wide");
    case "double":
    case "float":
      return from("reals");
    case "long double":
      return from("moderate");
    default:
      throw new Error(`no choice for ${known.name}: ${type} ${name}`);
  }
}

/** Functions that read numbers get numbers, others that take one string get both. */
function parsed(known: LibraryFunction): Choice {
  return known.header === "stdlib.h" ? from("digits") : from("texts");
}
