import type {
  ContractDifference,
  InferReport,
  ReportedCase,
  ReportedClass,
  ReportedFunction,
} from "../commands/infer/result.ts";
import { type LanguageName, languages } from "../ir/language.ts";
import type { Paint } from "./layout.ts";

/** Prints contracts file by file: classes with their methods, then functions. */
export function inferText(report: InferReport, paint: Paint): string {
  const files = [...new Set([...report.classes, ...report.functions].map((one) => one.file))];
  const sections = files.map((file) => fileText(report, file, paint));
  return `${[...sections, closingText(report, paint)].join("\n")}\n`;
}

function fileText(report: InferReport, file: string, paint: Paint): string {
  const lines: string[] = [paint.bold(file), ""];
  const functions = report.functions.filter((one) => one.file === file);
  const classes = report.classes.filter((one) => one.file === file);
  for (const one of classes) {
    lines.push(...classLines(one, paint), "");
    for (const method of functions.filter((other) => other.className === one.name))
      lines.push(...functionLines(method, report, paint).map((line) => `  ${line}`), "");
  }
  const shown = new Set(classes.map((one) => one.name));
  for (const one of functions.filter(({ className }) => className === null || !shown.has(className)))
    lines.push(...functionLines(one, report, paint), "");
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
  const prefix = one.kind === "getter" ? "get " : one.kind === "setter" ? "set " : one.static ? "static " : "";
  return `${prefix}${name}(${params})${one.returns === "" || one.returns === "undefined" ? "" : `: ${one.returns}`}`;
}

/** Order: types seen, throws, requires, ensures, modifies or pure, evidence. */
function functionLines(one: ReportedFunction, { language }: InferReport, paint: Paint): readonly string[] {
  const lines = [paint.bold(signatureOf(one, language))];
  const { failure: throws } = languages[language].contracts;
  for (const { error, when } of one.throws)
    lines.push(`  ${throws}     ${error}${when.length > 0 ? ` if ${when.join(" && ")}` : ""}`);
  for (const { condition, origin } of one.pre)
    lines.push(`  requires   ${condition}${origin === "observed" ? paint.dim("  (observed)") : ""}`);
  for (const text of one.post) lines.push(`  ensures    ${text}`);
  // Cases without guard and effects only say that the contract is partial.
  const cases = one.cases.filter(({ guard, effects }) => guard.length > 0 || effects.length > 0);
  cases.forEach((each, at) => {
    lines.push(`  ensures    ${caseText(each, at, { ordered: one.ordered, cases })}`);
  });
  if (one.pure) lines.push("  pure");
  else if (one.modifies.length > 0) lines.push(`  modifies   ${one.modifies.join(", ")}`);
  if (one.calls.length > 0) lines.push(`  calls      ${one.calls.join(", ")}`);
  lines.push(paint.dim(`  ${evidenceText(one, language)}`));
  return lines;
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

function evidenceText(one: ReportedFunction, language: LanguageName): string {
  const parts = [
    plural(one.evidence.calls, "call"),
    plural(one.paths, "path"),
    plural(one.evidence.tests, languages[language].contracts.evidence),
  ];
  if (one.withheld > 0) parts.push(`${plural(one.withheld, "term")} withheld that disagreed with the run`);
  if (one.rounds) parts.push("$x: the value in some round of a loop");
  return parts.join(", ");
}

function closingText(report: InferReport, paint: Paint): string {
  const { recording, without, tests, unknowns } = report;
  const { integers } = languages[report.language].contracts;
  const lines = [
    `${plural(report.functions.length, "contract")} from ${plural(recording.calls, "call")}; ${integers}` +
      `${recording.lost > 0 ? `; ${plural(recording.lost, "call")} could not be followed` : ""}`,
  ];
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of without) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  for (const [reason, names] of reasons)
    lines.push(
      paint.dim(`without a contract, ${reason}: ${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}`),
    );
  if (tests !== null && tests.exitCode !== 0)
    lines.push(paint.yellow(`the tests ended with exit code ${tests.exitCode}`));
  for (const { reason, help } of unknowns) lines.push(`unknown: ${reason} (${help})`);
  return lines.join("\n");
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
