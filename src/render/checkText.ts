import { formatPlace } from "../base/sourceRange.ts";
import type { CheckReport } from "../commands/check/result.ts";
import type { ArithmeticMode, Property } from "../cutpoints/obligation.ts";
import type { Paint } from "./layout.ts";
import { assumptionLines, counted, oneLine } from "./phrases.ts";

/** Prints what was proved of which program, and whether the proof is accepted. Accepted obligations are not listed. */
export function checkText(report: CheckReport, paint: Paint): string {
  const lines = [...programLines(report), ...claimLines(report)];
  for (const { name, text, answer, by } of report.obligations) {
    if (answer === "proved") continue;
    lines.push(
      `${answer === "unknown" ? paint.yellow("unknown:") : paint.red(`${answer}:`)} ${name} (${by})`,
      `  ${text}`,
    );
  }
  for (const { path, of, problem } of report.problems) {
    lines.push(`${paint.red("wrong:")} ${oneLine(path)} ${problemText(of, problem)}`);
  }
  if (report.status === "failed" && report.refusal !== null) lines.push(`${paint.red("wrong:")} ${report.refusal}`);
  for (const { reason, where, help } of report.unknowns) {
    if (where === null) lines.push(`${paint.yellow("unknown:")} ${reason}`, `  ${help}`);
  }
  const { notChecked } = report;
  if (notChecked.length > 0) {
    const names = notChecked.map(oneLine).join(", ");
    lines.push(`${paint.yellow("not checked:")} ${names} (no part of the proof)`);
  }
  lines.push(...assumptionLines(report.assumptions, paint), verdict(report, paint));
  return `${lines.join("\n")}\n`;
}

function programLines({ program, settings }: CheckReport): readonly string[] {
  const own = program.files.filter(({ path }) => !path.startsWith("<"));
  const builtIn = program.files.length - own.length;
  return [
    ...own.map(({ path, sha256 }) => `file: ${oneLine(path)} (sha-256 ${sha256})`),
    ...(builtIn === 0 ? [] : [`built in: ${counted(builtIn, "header")}`]),
    ...settings.files.flatMap((file) => {
      const options = [
        ...file.defines.map((text) => `-D ${text}`),
        ...file.undefines.map((text) => `-U ${text}`),
        ...file.includeFolders.map((text) => `-I ${text}`),
        ...file.quoteFolders.map((text) => `-iquote ${text}`),
        ...file.headers.map((text) => `-include ${text}`),
        ...(file.standard === null ? [] : [`-std=${file.standard}`]),
        ...(file.common ? ["-fcommon"] : []),
      ];
      const of = settings.files.length === 1 ? "" : `${oneLine(file.path)}: `;
      return options.length === 0 ? [] : [`options: ${of}${oneLine(options.join(" "))}`];
    }),
    `entry: ${program.entry}, data model ${settings.dataModel}${meaningText(settings)}`,
  ];
}

/** The settings of the program that differ from the defaults. */
function meaningText({
  uninitialized,
  undefined: missing,
  subobjectBounds,
  errorFlag,
}: CheckReport["settings"]): string {
  const said = [
    ...(uninitialized === "input" ? ["uninitialised variables hold anything"] : []),
    ...(missing === "input" ? ["functions without a body return anything"] : []),
    ...(subobjectBounds ? [] : ["members of a struct have no bounds of their own"]),
    ...(errorFlag ? ["an error sets err = 1 and the run goes on"] : []),
  ];
  return said.map((text) => `; ${text}`).join("");
}

const propertyTexts: Record<Property, string> = {
  assert: "no run fails an assertion or reaches an error location",
  overflow: "no run has a signed overflow",
  bounds: "no run accesses memory outside of an object",
  null: "no run follows a null pointer",
  "div-by-zero": "no run divides by zero",
  uninitialised: "no run reads an uninitialised variable",
  all: "no run fails an assertion, overflows, leaves an object, follows null, divides by zero or reads what is uninitialised",
};

const arithmeticTexts: Record<ArithmeticMode, string> = {
  stop: "",
  wrap: ", where signed arithmetic wraps",
  unbounded: ", where int and larger types hold every integer",
};

const mostInputs = 12;

function claimLines({ claim, target }: CheckReport): readonly string[] {
  if (claim.kind === "program") {
    return [`property: ${claim.property}: ${propertyTexts[claim.property]}${arithmeticTexts[claim.arithmetic]}`];
  }
  const { inputs, arguments: args, otherRuns } = claim;
  const shown = inputs.slice(0, mostInputs).join(", ") + (inputs.length > mostInputs ? ", …" : "");
  return [
    ...(inputs.length === 0 ? [] : [`inputs: ${shown}`]),
    ...(args.length === 0 ? [] : [`arguments: ${oneLine(args.join(" "))}`]),
    ...(target === null ? [] : [`target: ${target.formula} at ${formatPlace(target.location)}`]),
    ...(otherRuns === null
      ? []
      : [`also: every run with ${otherRuns.condition} fails like this${openText(otherRuns.open)}`]),
  ];
}

function openText(open: readonly string[]): string {
  return open.length === 0 ? "" : `, if ${open.join(" and ")}`;
}

function problemText(of: "program" | "proof", problem: CheckReport["problems"][number]["problem"]): string {
  if (problem === "missing") return "is missing";
  if (problem === "added") return "is read by the program, but not by the one that was proved";
  return of === "program"
    ? "was edited: the proof is about another text"
    : "is not what the program and the claims give";
}

function verdict({ status, obligations, checker, claim, assumptions }: CheckReport, paint: Paint): string {
  const size = `${counted(obligations.length, "obligation")}, ${checker ?? "no solver"}`;
  const about =
    claim.kind === "run"
      ? `a run of ${counted(claim.steps, "step")}`
      : `all runs${assumptions.length > 0 ? ", on this condition" : ""}`;
  switch (status) {
    case "ok":
      return `${paint.green("proof accepted")} (${size}) for ${about}`;
    case "failed":
      return `${paint.red("proof NOT accepted")} (${size}) for ${about}`;
    case "unknown":
      return `${paint.yellow("proof not decided")} (${size}) for ${about}`;
  }
}
