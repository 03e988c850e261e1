import { nth } from "../base/checked.ts";
import { lineCount } from "../base/sourceFile.ts";
import { formatPlace, type SourceRange } from "../base/sourceRange.ts";
import { characterText, distinctEnds, spelledOut } from "../base/text.ts";
import type {
  ClaimProof,
  Explained,
  ExplanationHead,
  InputCondition,
  ProofFailure,
  ProofResult,
} from "../commands/explain/result.ts";
import type { RunInput, RunStep } from "../commands/run/result.ts";
import type { VerifyReport } from "../commands/verify/result.ts";
import { initializerName } from "../ir/reservedNames.ts";
import type { ByteCondition } from "../search/byteConditions.ts";
import { type Paint, shortened, WIDTH, wrapped } from "./layout.ts";

/** The number of listed inputs; the others are counted. */
const MOST_INPUTS = 20;

export function counted(n: number, what: string): string {
  return `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;
}

/** `all 12 tests pass`, `2 of 12 tests fail`. */
export function testsPhrase(tests: readonly { readonly passes: boolean }[]): string {
  const failing = tests.filter(({ passes }) => !passes).length;
  if (tests.length === 1) return failing === 0 ? "the only test passes" : "the only test fails";
  if (failing === 0) return `all ${tests.length} tests pass`;
  return `${failing} of ${counted(tests.length, "test")} ${failing === 1 ? "fails" : "fail"}`;
}

/** A statement in one line; control characters are escaped. */
export function oneLine(text: string): string {
  return spelledOut(text.replaceAll(/\s*[\n\r]\s*/g, " "), "");
}

/** The heading above the steps of a function. Static variables are initialised by no function. */
export function functionPhrase(name: string, file: string | undefined, mainFile: string | undefined): string {
  const where = name === initializerName ? "at the start" : `in ${name}`;
  return !file || !mainFile || file === mainFile ? where : `${where} (${spelledOut(file, "")})`;
}

export function inputsPhrase(inputs: readonly RunInput[]): string {
  if (inputs.length === 0) return "none";
  const shown = inputs.slice(0, MOST_INPUTS).map(({ value }) => `${value}`);
  const rest = inputs.length - shown.length;
  return shown.join(", ") + (rest > 0 ? `, … (${rest.toLocaleString("en-US")} more)` : "");
}

/** `proof checked (15 triples, cvc5)`, or the problem of the proof. */
export function proofPhrase(proof: ProofResult, unit: "triple" | "condition", paint: Paint, isShort = false): string {
  const size = counted(proof.triples, unit);
  const { failures } = proof;
  const undecided = failures.filter(({ answer }) => answer === "unknown").length;
  const rejected = failures.length - undecided;
  if (rejected > 0) return paint.red(`proof NOT accepted: ${rejected.toLocaleString("en-US")} of ${size} rejected`);
  if (undecided > 0)
    return paint.yellow(
      `proof incomplete: ${(proof.triples - undecided).toLocaleString("en-US")} of ${size} checked, ${undecided.toLocaleString("en-US")} undecided`,
    );
  if (proof.checked)
    return paint.green(`proof checked (${proof.checker === null || isShort ? size : `${size}, ${proof.checker}`})`);
  return proof.triples === 0 ? "no proof" : paint.yellow(`proof not checked (${size})`);
}

/** One line for each obligation that the checker did not accept. */
export function proofFailureLines(failures: readonly ProofFailure[]): string[] {
  return failures.map(
    ({ name, answer, by }) => `  ${answer === "unknown" ? "undecided" : "rejected"}: ${name}: ${answer} (${by})`,
  );
}

/** `f:12`, or `util.c f:12` outside of the main file; `global:3` outside of functions. */
export type CallLabel = (place: { readonly function: string; readonly location: SourceRange }) => string;

export function callLabels(files: readonly { readonly path: string }[], mainFile: string): CallLabel {
  const paths = files.map(({ path }) => path);
  const ends = new Map(distinctEnds(paths).map((end, i) => [nth(paths, i), spelledOut(end, "")]));
  return ({ function: fn, location: { file, line } }) => {
    const names = [file === mainFile ? "" : (ends.get(file) ?? ""), fn === initializerName ? "global" : fn];
    return `${names.filter((name) => name !== "").join(" ")}:${line}`;
  };
}

/** The reliability of the claim about other runs; empty if there is no claim. */
export function claimMark({ claims, proof }: InputCondition, paint: Paint): string {
  if (claims === "none") return "";
  return proof.status === "checked" ? ` ${provedMark(proof, paint)}` : ` ${paint.yellow("(not checked)")}`;
}

/** The only place that prints "proved"; its type requires a checked proof. */
function provedMark(_: ClaimProof & { readonly status: "checked" }, paint: Paint): string {
  return paint.green("(proved)");
}

/** `byte 1 is '0' to '9'; byte 2 is '\\t' to '\\r' or ' ' (each on its own: all values of it were run)`. */
export function bytesPhrase(bytes: readonly ByteCondition[]): string {
  const parts = bytes.map(({ argument, byte, values }) => {
    const where = argument === null ? `byte ${byte}` : `byte ${byte} of argument ${argument}`;
    return `${where} is ${valuesPhrase(values)}`;
  });
  return `${parts.join("; ")} (each on its own: all values of it were run)`;
}

function valuesPhrase(values: ByteCondition["values"]): string {
  const parts = values.map(([first, last]) =>
    first === last ? character(first) : `${character(first)}${last === first + 1 ? ", " : " to "}${character(last)}`,
  );
  if (isAll(values)) return "any";
  return parts.length <= mostRanges
    ? parts.join(", ")
    : `${parts.slice(0, mostRanges - 1).join(", ")} or one of ${countOf(values.slice(mostRanges - 1))} others`;
}

/** More ranges are only counted. */
const mostRanges = 4;

function countOf(values: ByteCondition["values"]): number {
  return values.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

function isAll(values: ByteCondition["values"]): boolean {
  return values.length === 1 && nth(values, 0)[0] <= 1 && (nth(values, 0)[1] === 127 || nth(values, 0)[1] === 255);
}

function character(value: number): string {
  const text = characterText(value);
  return text === null ? `0x${value.toString(16).padStart(2, "0")}` : `'${text}'`;
}

/** `safe if no division-by-zero at file.c:12:3`. */
export function assumptionLines(assumptions: VerifyReport["assumptions"], paint: Paint): readonly string[] {
  const byBehaviour = new Map<string, SourceRange[]>();
  for (const { behaviour, location } of assumptions) {
    byBehaviour.set(behaviour, [...(byBehaviour.get(behaviour) ?? []), location]);
  }
  return [...byBehaviour].map(([behaviour, places]) => {
    const shown = places.slice(0, 4).map(formatPlace).join(", ");
    const more = places.length > 4 ? ` and ${places.length - 4} more places` : "";
    return `${paint.yellow("safe if")} no ${behaviour} at ${shown}${more}`;
  });
}

const OPERATION_WIDTH = 40;

/**
 * One step of a trace: `    12  15  sent = sent + 1     // 3`, with number, line, operation indented by call depth, and
 * value.
 */
export function stepText({ step, depth, text, value, location }: RunStep, place: PlaceText, paint: Paint): string {
  const operation = "  ".repeat(Math.min(depth, 20)) + text;
  const result = value === undefined ? operation : `${operation.padEnd(OPERATION_WIDTH)}  ${paint.cyan(`// ${value}`)}`;
  return `${paint.dim(`${String(step).padStart(6)}  ${place(location)}`)}  ${result}`;
}

export type PlaceText = (location: SourceRange) => string;

/** The line, with the file name if the program has several files; blank outside of files. */
export function placeText(files: readonly { readonly path: string; readonly text: string }[]): PlaceText {
  const ends = distinctEnds(files.map(({ path }) => path));
  const names = new Map(files.map(({ path }, i) => [path, files.length > 1 ? `${ends[i]}:` : ""]));
  const digits = Math.max(...files.map((file) => `${lineCount(file)}`.length), 1);
  const width = Math.max(...[...names.values()].map((name) => name.length), 0) + digits;
  return ({ file, line }) => (names.has(file) ? `${names.get(file)}${line}` : "").padStart(width);
}

/**
 * `tests:  3 of 12 tests fail; this run is neg1; neg2 fails for the same reason, neg7 for another`. The change at the
 * first suspect says which tests have the same reason: they pass with it.
 */
export function testsLines(tests: ExplanationHead["tests"], suspects: Explained["suspects"] = []): readonly string[] {
  if (tests === undefined) return [];
  const { explained, list } = tests;
  const failing = list.filter(({ name, passes }) => !passes && name !== explained).map(({ name }) => name);
  const change = suspects[0]?.changes.find(
    ({ level, confirmed, tests: { broken } }) => level === "passes" && confirmed && broken.length === 0,
  );
  const still = change === undefined ? failing : change.tests.stillFailing;
  const groups = [
    { names: failing.filter((name) => !still.includes(name)), how: "for the same reason" },
    {
      names: failing.filter((name) => still.includes(name)),
      how: change === undefined ? ", too" : "for another reason",
    },
  ].filter(({ names }) => names.length > 0);
  const textWith = (count: number) => {
    const told = groups.map(({ names, how }, i) => {
      const more = names.length - count;
      const nameOf = (name: string) => shortened(oneLine(withoutSuites(name, explained)), longestName);
      const shown = [...names.slice(0, count).map(nameOf), ...(more <= 0 ? [] : [`${more} more`])];
      if (i > 0) return `, ${joinedNames(shown)} for another`;
      const verb = names.length === 1 ? "fails" : "fail";
      return `; ${joinedNames(shown)} ${verb}${how.startsWith(",") ? how : ` ${how}`}`;
    });
    return `tests:  ${testsPhrase(list)}; this run is ${oneLine(explained)}${told.join("")}`;
  };
  let count = Math.max(0, ...groups.map(({ names }) => names.length));
  while (count > 1 && textWith(count).length > WIDTH) count--;
  return wrapped(textWith(count), 8);
}

/** Characters of one name. */
const longestName = 60;

/** Names are told without the suites of the explained one. */
function withoutSuites(name: string, other: string): string {
  const between = " > ";
  const [own, known] = [name.split(between), other.split(between)];
  const first = own.findIndex((part, i) => part !== known[i] || i === own.length - 1);
  return own.slice(Math.max(0, first)).join(between);
}

function joinedNames(names: readonly string[]): string {
  return names.length === 1 ? nth(names, 0) : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
