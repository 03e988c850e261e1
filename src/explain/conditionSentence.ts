import { joinConjuncts } from "../jobs/conjuncts.ts";
import type { Variable } from "../logic/term.ts";
import type { InputCondition } from "./explanation.ts";
import { openText } from "./openClaims.ts";

/** What is claimed of other inputs: `fails the same way whenever n >= 1; input 2 does not matter`. */
export function conditionSentence(
  formulas: readonly string[],
  irrelevant: readonly number[],
  inputs: readonly (Variable | null)[],
  open: InputCondition["open"],
  names: ReadonlyMap<Variable, string>,
  verb: "fails" | "holds",
): string {
  const indifferent =
    irrelevant.length === 0
      ? ""
      : `${listInputs(irrelevant, inputs, names)} ${irrelevant.length === 1 ? "does" : "do"} not matter`;
  const whenever = formulas.length === 0 ? "whatever the inputs are" : `whenever ${shortened(formulas)}`;
  const main = `${verb} the same way ${whenever}${openText(open)}`;
  return indifferent === "" ? main : `${main}; ${indifferent}`;
}

/** In a sentence; what is longer, or more, is in the report's list. */
const longestFormula = 80;
const mostFormulas = 10;
const fewestAlike = 3;

function shortened(all: readonly string[]): string {
  const formulas = withTheirLike(all);
  const short = formulas.filter((formula) => formula.length <= longestFormula).slice(0, mostFormulas);
  const rest = formulas.length - short.length;
  if (rest === 0) return joinConjuncts(short);
  const more = `${rest} more ${rest === 1 ? "condition" : "conditions"} (--format json has them)`;
  return short.length === 0 ? more : `${joinConjuncts(short)} && ${more}`;
}

/** The same said of inputs one after the other is said once: `inputs 1 to 12 != 0`. */
function withTheirLike(formulas: readonly string[]): readonly string[] {
  const parts = formulas.map((formula) => /^(input|byte) (\d+) ((?:(?!input|byte|\|\|).)*)$/.exec(formula));
  const said: string[] = [];
  for (let i = 0; i < formulas.length; ) {
    const [, word, first, rest] = parts[i] ?? [];
    let end = i + 1;
    const isNext = (k: number) =>
      parts[k]?.[1] === word && parts[k]?.[3] === rest && Number(parts[k]?.[2]) === Number(first) + k - i;
    if (parts[i] !== null) while (end < formulas.length && isNext(end)) end++;
    if (end - i >= fewestAlike) said.push(`${word}s ${first} to ${Number(first) + end - i - 1} ${rest}`);
    else said.push(...formulas.slice(i, end));
    i = end;
  }
  return said;
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
