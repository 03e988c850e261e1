import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { libraryFunctions } from "../../../src/c/library/table.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { runWithGcc } from "../../interpreter/gcc.ts";
import { hasTool } from "../../support/tools.ts";
import { callProgram } from "./support/callProgram.ts";
import { undefinedCalls, undefinedProgram } from "./support/undefinedCalls.ts";

/**
 * Every function of the table against glibc: results, `errno` and bytes written, call by call. The transcendental functions
 * are JavaScript's: their results may be off by so many units in the last place.
 */
const unitsAllowed: Readonly<Record<string, number>> = Object.fromEntries(
  "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh expm1 log1p exp exp2 log log2 log10 cbrt pow atan2 hypot"
    .split(" ")
    .flatMap((name) => ["", "f", "l"].map((suffix) => [name + suffix, 2])),
);

const input = "abcdefghijkl\nsecond line\nthird\nfourth line here\n12 xy34 99999999999999999999 8.5;abz\nrest\n";

describe.skipIf(!hasTool("gcc"))("the library does what glibc does", () => {
  it("agrees on edge cases of every function", async () => {
    const source = callProgram();
    const stdin = Buffer.from(input, "latin1");
    const native = runWithGcc(source, stdin);
    const ours = runProgram(await loadCText("calls.c", source), { stdin, maxSteps: 1e9 });
    expect(ours.outcome).toMatchObject({ kind: "exit", code: native.status });
    const expected = linesOf(native.stdout);
    expect(expected.length).toBeGreaterThan(30_000);
    const tested = new Set(expected.map((line) => line.slice(0, line.indexOf(" "))));
    const missing = [...libraryFunctions()].filter(({ name, header }) => header !== null && !tested.has(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
    const found = linesOf(ours.stdout);
    const different = expected.flatMap((line, i) => (agree(line, found[i] ?? "") ? [] : [[line, found[i]]]));
    expect(ofEachFunction(different)).toEqual([]);
    expect(found.length).toBe(expected.length);
    expect(linesOf(ours.stderr)).toEqual(linesOf(native.stderr));
  });

  it("refuses what the address sanitizer refuses", async () => {
    const calls = undefinedCalls();
    const stdin = Buffer.from("a line of text\n");
    expect(calls.length).toBeGreaterThan(100);
    const native = runWithGcc(
      undefinedProgram(calls, forkingMain(calls.length)),
      stdin,
      [],
      ["-fsanitize=address", "-g0"],
    );
    const refused = linesOf(native.stdout)
      .filter((line) => line !== "")
      .map((line) => line === "refused");
    expect(refused.length).toBe(calls.length);
    const program = await loadCText(
      "calls.c",
      undefinedProgram(calls, "int main(int c, char **v) { run(atoi(v[1])); }"),
    );
    const accepted = calls.filter((_, i) => {
      const { outcome } = runProgram(program, { args: [`${i}`], stdin });
      return outcome.kind !== "undefined-behaviour";
    });
    expect(accepted).toEqual([]);
    const alone = calls.filter((_, i) => !refused[i]).map(({ name }) => name);
    expect([...new Set(alone)].toSorted()).toEqual(notIntercepted);
  });
});

/** The first difference of each function. */
function ofEachFunction(different: readonly (readonly (string | undefined)[])[]) {
  return [...new Map(different.toReversed().map((each) => [each[0]?.split(" ")[0], each])).values()].toReversed();
}

/** What these do is undefined too, but the sanitizer does not watch them. */
const notIntercepted =
  "atof bcopy fgetpos fgets fopen fread fsetpos getdelim getenv getline gets memccpy mempcpy nan nanf nanl perror remove rename stpcpy stpncpy strcoll strtod strtof strtok_r strtold strtoul strtoull vfscanf vscanf vsscanf".split(
    " ",
  );

/** Each call in a process of its own, which the sanitizer or a signal ends. */
function forkingMain(count: number): string {
  return `#include <unistd.h>
#include <sys/wait.h>
const char *__asan_default_options(void) { return "symbolize=0:detect_leaks=0:strict_string_checks=1:allocator_may_return_null=1"; }
int main(void) {
  for (int i = 0; i < ${count}; i++) {
    int child = fork(), status;
    if (child == 0) { freopen("/dev/null", "w", stderr); freopen("/dev/null", "w", stdout); run(i); _exit(0); }
    waitpid(child, &status, 0);
    write(1, status != 0 ? "refused\\n" : "accepted\\n", status != 0 ? 8 : 9);
  }
  return 0;
}
`;
}

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString("latin1").split("\n");
}

/** `name number: result errno=… hash`. */
function agree(expected: string, found: string): boolean {
  if (expected === found) return true;
  const [name, number, result, ...rest] = expected.split(" ");
  const [otherName, otherNumber, otherResult, ...otherRest] = found.split(" ");
  if (name !== otherName || number !== otherNumber || rest.join() !== otherRest.join()) return false;
  // C leaves the sign of a zero open there, and x87 chooses otherwise than SSE.
  if (name === "fminl" || name === "fmaxl") return result?.replace("-", "") === otherResult?.replace("-", "");
  const allowed = unitsAllowed[name!];
  if (allowed === undefined || result === undefined || otherResult === undefined) return false;
  // A float's last place is 29 bits above a double's.
  const units = bitsOf(result) - bitsOf(otherResult);
  return Math.abs(Number(units)) / (name!.endsWith("f") ? 2 ** 29 : 1) <= allowed;
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of `-0x1.8p+3` as an integer. */
function bitsOf(text: string): bigint {
  const match = /^(-?)0x(\d)(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(text);
  if (match === null) return 1n << 70n;
  const [, sign, whole, fraction = "", exponent] = match;
  const mantissa = Number.parseInt(`${whole}${fraction}`, 16);
  view.setFloat64(0, mantissa * 2 ** (Number(exponent) - 4 * fraction.length) * (sign === "-" ? -1 : 1));
  return view.getBigInt64(0);
}
