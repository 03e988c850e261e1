import type {
  ContractDifference,
  InferReport,
  ReportedCase,
  ReportedClass,
  ReportedFunction,
  WrittenProperties,
} from "../commands/infer/result.ts";
import { throwText } from "../commands/infer/statements.ts";
import { type LanguageName, languages } from "../ir/language.ts";
import type { Paint } from "./layout.ts";

/** Lines of a function that are shown without `--all`. */
const shownLines = 3;

/** Prints contracts file by file: classes with their methods, then functions, exported ones first. */
export function inferText(report: InferReport, paint: Paint, all = false): string {
  const functions = all ? report.functions : report.functions.filter(({ name }) => !isNameless(name));
  const shown = { ...report, functions };
  const files = [...new Set([...shown.classes, ...functions].map((one) => one.file))];
  const sections = files.map((file) => fileText(shown, file, { paint, all }));
  const hidden = report.functions.length - functions.length;
  return `${[...sections, closingText(report, hidden, paint)].join("\n")}\n`;
}

/** A callback inside of another function. */
function isNameless(name: string): boolean {
  return name.endsWith("<anonymous>");
}

type Style = { readonly paint: Paint; readonly all: boolean };

function fileText(report: InferReport, file: string, style: Style): string {
  const lines: string[] = [style.paint.bold(file), ""];
  const own = report.functions.filter((one) => one.file === file);
  const functions = [...own.filter(({ exported }) => exported !== null), ...own.filter((one) => one.exported === null)];
  const classes = report.classes.filter((one) => one.file === file);
  for (const one of classes) {
    lines.push(...classLines(one, style.paint), "");
    for (const method of functions.filter((other) => other.className === one.name))
      lines.push(...functionLines(method, report, style).map((line) => `  ${line}`), "");
  }
  const shown = new Set(classes.map((one) => one.name));
  for (const one of functions.filter(({ className }) => className === null || !shown.has(className)))
    lines.push(...functionLines(one, report, style), "");
  return lines.join("\n");
}

function classLines(one: ReportedClass, paint: Paint): readonly string[] {
  const fields = one.fields.filter((field) => field.seen !== "").map((field) => `${field.name}: ${field.seen}`);
  return [
    `${paint.bold(`class ${one.name}`)}${fields.length > 0 ? `  { ${fields.join(", ")} }` : ""}`,
    ...one.invariants.map((text) => `  invariant  ${text}`),
    paint.dim(`  in ${plural(one.states, "recorded state")}`),
  ];
}

/** As the language declares functions; in C the types are the source's own. */
export function signatureOf(one: ReportedFunction, language: LanguageName = "typescript"): string {
  if (languages[language].contracts.typesFirst) {
    const params = one.params.map(({ name, seen }) => (seen === "" ? name : seen));
    const result = one.returns === "" || one.returns === "undefined" ? "void" : one.returns;
    return `${result}${result.endsWith("*") ? "" : " "}${one.name}(${params.length === 0 ? "void" : params.join(", ")})`;
  }
  const params = one.params.map(({ name, seen }) => (seen === "" ? name : `${name}: ${seen}`)).join(", ");
  const name = one.className === null ? one.name : one.name.slice(one.className.length + 1);
  const kind = one.kind === "getter" ? "get " : one.kind === "setter" ? "set " : "";
  const prefix = `${one.static ? "static " : ""}${one.async ? "async " : ""}${kind}`;
  return `${prefix}${name}(${params})${one.returns === "" || one.returns === "undefined" ? "" : `: ${one.returns}`}`;
}

/** A line of a contract, `requires   n > 0`; lines with a lower rank say more. */
export type ContractLine = {
  /** `requires`, `ensures`, or how the language says that a call fails. */
  readonly word: string;
  readonly text: string;
  readonly rank: number;
  /** True for a condition that no recorded call broke, although nothing in the code needs it. */
  readonly isObserved: boolean;
};

const rank = { ensures: 0, throws: 1, requires: 2, case: 3, effects: 4, observed: 5, partial: 6, calls: 7, unsaid: 8 };

/** Order: types seen, throws, requires, ensures, modifies or pure, evidence. */
function functionLines(one: ReportedFunction, { language }: InferReport, { paint, all }: Style): readonly string[] {
  const lines = contractLines(one, language);
  const best = [...lines].sort((a, b) => a.rank - b.rank).slice(0, shownLines);
  const shown = all ? lines : lines.filter((line) => best.includes(line));
  const hidden = lines.length - shown.length;
  const evidence = `${evidenceText(one, language)}${hidden === 0 ? "" : `; --all has ${plural(hidden, "more line")}`}`;
  return [
    paint.bold(signatureOf(one, language)),
    ...shown.map((line) => lineText(line, paint)),
    paint.dim(`  ${evidence}`),
  ];
}

function lineText({ word, text, isObserved }: ContractLine, paint: Paint): string {
  return text === "" ? `  ${word}` : `  ${word.padEnd(10)} ${text}${isObserved ? paint.dim("  (observed)") : ""}`;
}

/** A contract in the order in which people read it. */
export function contractLines(one: ReportedFunction, language: LanguageName): readonly ContractLine[] {
  const { failure } = languages[language].contracts;
  const line = (word: string, text: string, rank: number) => ({ word, text, rank, isObserved: false });
  return [
    ...one.throws.map((thrown) => line(failure.trimEnd(), throwText(thrown), rank.throws)),
    ...one.pre.map(({ condition, origin }) =>
      origin === "observed"
        ? { ...line("requires", condition, rank.observed), isObserved: true }
        : line("requires", condition, rank.requires),
    ),
    ...one.post.map((text) => line("ensures", text, rank.ensures)),
    ...caseLines(one),
    ...(one.pure ? [line("pure", "", rank.effects)] : []),
    ...(!one.pure && one.modifies.length > 0 ? [line("modifies", one.modifies.join(", "), rank.effects)] : []),
    ...(one.calls.length > 0 ? [line("calls", one.calls.join(", "), rank.calls)] : []),
  ];
}

function caseLines(one: ReportedFunction): readonly ContractLine[] {
  // Cases without guard and effects only say that the contract is partial.
  const cases = one.cases.filter(({ guard, effects }) => guard.length > 0 || effects.length > 0);
  let least = 0;
  return cases.map((each, at) => {
    const own = each.effects.length === 0 ? rank.unsaid : each.partial ? rank.partial : rank.case;
    // A case that assumes that the earlier ones do not hold is shown with them only.
    const isLast = at > 0 && at === cases.length - 1 && each.guard.length === 0;
    least = Math.max(least, own);
    return {
      word: "ensures",
      text: caseText(each, at, { ordered: one.ordered, cases }),
      rank: one.ordered || isLast ? least : own,
      isObserved: false,
    };
  });
}

function caseText(
  one: ReportedCase,
  at: number,
  { ordered, cases }: Pick<ReportedFunction, "ordered" | "cases">,
): string {
  const guard = one.guard.join(" && ");
  const word = ordered && at > 0 ? "else if" : "if";
  const bare = at > 0 && at === cases.length - 1 ? "otherwise" : "sometimes";
  const head = guard === "" ? bare : `${word} ${guard}`;
  const effects = one.effects.length === 0 ? "what terms do not say" : one.effects.join(", ");
  const more = one.partial && one.effects.length > 0 && head !== "sometimes";
  return `${head}: ${effects}${more ? " (under more conditions than these)" : ""}`;
}

/** `7 calls, 3 paths, 2 tests`. */
export function evidenceText(one: ReportedFunction, language: LanguageName): string {
  const parts = [
    plural(one.evidence.calls, "call"),
    plural(one.paths, "path"),
    plural(one.evidence.tests, languages[language].contracts.evidence),
  ];
  if (one.withheld > 0) parts.push(`${plural(one.withheld, "term")} withheld that disagreed with the run`);
  if (one.rounds) parts.push("$x: the value in some round of a loop");
  return parts.join(", ");
}

function closingText(report: InferReport, hidden: number, paint: Paint): string {
  const { recording, without, tests, unknowns } = report;
  const { integers } = languages[report.language].contracts;
  const lines = [
    `${plural(report.functions.length, "contract")} from ${plural(recording.calls, "call")}; ${integers}` +
      `${recording.lost > 0 ? `; ${plural(recording.lost, "call")} could not be followed` : ""}`,
  ];
  if (hidden > 0) lines.push(paint.dim(`--all shows ${plural(hidden, "callback")} without a name, too`));
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of without) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  for (const [reason, names] of reasons)
    lines.push(
      paint.dim(`without a contract, ${reason}: ${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}`),
    );
  if (tests !== null && tests.exitCode !== 0)
    lines.push(paint.yellow(`the tests ended with exit code ${tests.exitCode}`));
  if (report.properties !== null && report.properties.count > 0) lines.push(...propertiesLines(report.properties));
  for (const { reason, help } of unknowns) lines.push(`unknown: ${reason} (${help})`);
  return lines.join("\n");
}

function propertiesLines({ path, count, failed, notRun }: WrittenProperties): readonly string[] {
  const run = notRun === null ? "they pass" : `they were not run: ${notRun}`;
  const others = failed.map((name) => `left out, because other values fail: ${name}`);
  return [`${path} has ${count === 1 ? "1 property" : `${count} properties`}; ${run}`, ...others];
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Prints the differences between an earlier result of `infer` and this one. */
export function inferDiffText(
  { gone, new: added, removed, added: functions }: ContractDifference,
  paint: Paint,
): string {
  const lines = [
    ...gone.map(({ name, file, statement }) => paint.red(`no longer: ${file} ${name}: ${statement}`)),
    ...added.map(({ name, file, statement }) => paint.green(`new:       ${file} ${name}: ${statement}`)),
    ...removed.map(({ name, file }) => `not called: ${file} ${name}`),
    ...functions.map(({ name, file }) => `first seen: ${file} ${name}`),
  ];
  return `${lines.length === 0 ? "the contracts are the same" : lines.join("\n")}\n`;
}
