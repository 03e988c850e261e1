import { loopRange } from "../ir/loopRange.ts";
import { joinConjuncts } from "../jobs/conjuncts.ts";
import { freeVariablesOf } from "../logic/freeVariables.ts";
import { cStyle, printSource } from "../logic/printSource.ts";
import type { Variable } from "../logic/term.ts";
import type { ExplainedRun } from "./explainRun.ts";
import type { InputCondition } from "./explanation.ts";

/** The condition on the inputs in source syntax and in words. */
export function describeInputCondition({ condition, trace, proof }: ExplainedRun): InputCondition {
  const names = inputNames(condition.inputs, trace);
  const verb = trace.program.watched === undefined ? "fails" : "holds";
  const style = { ...cStyle, nameOf: (variable: Variable) => names.get(variable) ?? variable.name };
  const formulas = condition.formulas.map((formula) => printSource(formula, style));
  const mentioned = new Set(freeVariablesOf(condition.formulas));
  const irrelevant = condition.inputs.flatMap((variable, index) =>
    (variable === null ? condition.sameWay : mentioned.has(variable)) ? [] : [index],
  );
  const open = openPoints(condition);
  const text = sentence(formulas, irrelevant, condition, names, verb);
  // A claim about runs like this one is worth as much as the proof about this one.
  const proved = condition.proved && proof.checked;
  if (!condition.proved) return { formulas, claims: "none", open: [], proved: false, irrelevant: [], text };
  const claims = condition.sameWay ? "samePath" : open.length > 0 ? "ifTerminates" : "total";
  return { formulas, claims, open, proved, irrelevant, text };
}

function openPoints({ openLoops }: ExplainedRun["condition"]): InputCondition["open"] {
  const points = new Map<string, InputCondition["open"][number]>();
  for (const { activation } of openLoops) {
    const location = loopRange(activation.function, activation.loop);
    points.set(`${location.file}:${location.line}:${location.column}`, {
      text: "the loop ends and does nothing undefined",
      location,
    });
  }
  return [...points.values()];
}

/** `, if the loop at line 12 ends and does nothing undefined`. */
function openText(condition: ExplainedRun["condition"]): string {
  const lines = [...new Set(openPoints(condition).map(({ location }) => location.line))];
  if (lines.length === 0) return "";
  if (lines.length === 1) return `, if the loop at line ${lines[0]} ends and does nothing undefined`;
  const shown = `${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`;
  return `, if the loops at lines ${shown} end and do nothing undefined`;
}

/** The variable that an input was read into, where that is one input's alone; else its number. */
function inputNames(inputs: readonly (Variable | null)[], trace: ExplainedRun["trace"]): Map<Variable, string> {
  const { program } = trace;
  const targets = trace.inputs.map(({ function: fn, edge }) => {
    const { operation } = program.functions[fn]!.edges[edge]!;
    return operation.kind === "input" ? program.variables[operation.target]!.name : "";
  });
  const names = new Map<Variable, string>();
  inputs.forEach((variable, i) => {
    if (variable === null) return;
    const name = targets[i]!;
    const unique = name !== "" && !name.startsWith("$") && targets.filter((other) => other === name).length === 1;
    names.set(variable, unique ? name : `input ${i + 1}`);
  });
  return names;
}

function sentence(
  formulas: readonly string[],
  irrelevant: readonly number[],
  condition: ExplainedRun["condition"],
  names: ReadonlyMap<Variable, string>,
  verb: "fails" | "holds",
): string {
  const { inputs, proved } = condition;
  if (inputs.length === 0) return `the program reads no inputs: it always ${verb} like this`;
  if (!proved) return "it is not proved for which other inputs the same happens";
  const indifferent =
    irrelevant.length === 0
      ? ""
      : `${listInputs(irrelevant, inputs, names)} ${irrelevant.length === 1 ? "does" : "do"} not matter`;
  const way = condition.sameWay ? " and the run takes the same way outside of the folded loops" : "";
  const whenever = formulas.length === 0 ? `whatever the inputs are${way}` : `whenever ${shortened(formulas)}${way}`;
  const main = `${verb} the same way ${whenever}${openText(condition)}`;
  return indifferent === "" ? main : `${main}; ${indifferent}`;
}

/** In a sentence; what is longer, or more, is in the report's list. */
const longestFormula = 80;
const mostFormulas = 10;

function shortened(formulas: readonly string[]): string {
  const short = formulas.filter((formula) => formula.length <= longestFormula).slice(0, mostFormulas);
  const rest = formulas.length - short.length;
  if (rest === 0) return joinConjuncts(short);
  const more = `${rest} more ${rest === 1 ? "condition" : "conditions"} (--format json has them)`;
  return short.length === 0 ? more : `${joinConjuncts(short)} && ${more}`;
}

/** `n`, `inputs 2 and 3`, `inputs 2 to 41`. */
function listInputs(
  indices: readonly number[],
  inputs: readonly (Variable | null)[],
  names: ReadonlyMap<Variable, string>,
): string {
  const [first] = indices;
  if (indices.length === 1) {
    const variable = inputs[first!];
    return variable == null ? `input ${first! + 1}` : (names.get(variable) ?? `input ${first! + 1}`);
  }
  const last = indices[indices.length - 1]!;
  if (last - first! + 1 === indices.length) return `inputs ${first! + 1} to ${last + 1}`;
  return `inputs ${indices.map((index) => index + 1).join(", ")}`;
}
