import { joinConjuncts } from "../jobs/conjuncts.ts";
import { freeVariablesOf } from "../logic/freeVariables.ts";
import { cStyle, printSource } from "../logic/printSource.ts";
import type { Variable } from "../logic/term.ts";
import type { InputCondition } from "./explainReport.ts";
import type { ExplainedRun } from "./explainRun.ts";

/** The condition on the inputs in source syntax and in words. */
export function describeInputCondition({ condition, trace }: ExplainedRun): InputCondition {
  const names = inputNames(condition.inputs, trace);
  const verb = trace.program.watched === undefined ? "fails" : "holds";
  const style = { ...cStyle, nameOf: (variable: Variable) => names.get(variable) ?? variable.name };
  const formulas = condition.formulas.map((formula) => printSource(formula, style));
  const mentioned = new Set(freeVariablesOf(condition.formulas));
  const irrelevant = condition.inputs.flatMap((variable, index) =>
    (variable === null ? condition.sameWay : mentioned.has(variable)) ? [] : [index],
  );
  return {
    formulas,
    proved: condition.proved,
    irrelevant,
    text: sentence(formulas, irrelevant, condition, names, verb),
  };
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
  if (formulas.length === 0) return `${verb} the same way whatever the inputs are, if the run takes the same way`;
  const way = condition.sameWay ? " and the run takes the same way" : "";
  const main = `${verb} the same way whenever ${shortened(formulas)}${way}`;
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
