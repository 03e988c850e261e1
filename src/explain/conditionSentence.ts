import type { Variable } from "../logic/term.ts";
import type { InputCondition } from "./explanation.ts";
import { openText } from "./openClaims.ts";

/** One conjunct of a condition on inputs. */
export type Conjunct = {
  readonly text: string;
  /** It stands beside `&&` without parentheses. */
  readonly tight: boolean;
  /** Where it compares one input, or one byte, that has no name with a number: which one, and the same of something else. */
  readonly one: { readonly word: "input" | "byte"; readonly number: number; say(what: string): string } | null;
};

/** What is claimed of other inputs: `fails the same way whenever n >= 1; input 2 does not matter`. */
export function conditionSentence(
  conjuncts: readonly Conjunct[],
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
  const whenever = conjuncts.length === 0 ? "whatever the inputs are" : `whenever ${shortened(conjuncts)}`;
  const main = `${verb} the same way ${whenever}${openText(open)}`;
  return indifferent === "" ? main : `${main}; ${indifferent}`;
}

/** In a sentence; what is longer, or more, is in the report's list. */
const longestFormula = 80;
const mostFormulas = 10;
const fewestAlike = 3;

function shortened(all: readonly Conjunct[]): string {
  const grouped = groupedAlike(all);
  const short = grouped.filter(({ text }) => text.length <= longestFormula).slice(0, mostFormulas);
  const texts = short.map(({ text, tight }) => (tight || short.length === 1 ? text : `(${text})`));
  const rest = grouped.length - short.length;
  const more = `${rest} more ${rest === 1 ? "condition" : "conditions"} (--format json has them)`;
  return [...texts, ...(rest === 0 ? [] : [more])].join(" && ");
}

/** The same said of inputs one after the other is said once: `inputs 1 to 12 != 0`. */
function groupedAlike(all: readonly Conjunct[]): readonly Conjunct[] {
  const said: Conjunct[] = [];
  for (let i = 0; i < all.length; ) {
    const first = all[i]!;
    let end = i + 1;
    while (end < all.length && isNext(first, all[end]!, end - i)) end++;
    if (first.one !== null && end - i >= fewestAlike) {
      const { word, number, say } = first.one;
      said.push({ ...first, text: say(`${word}s ${number} to ${number + end - i - 1}`) });
    } else said.push(...all.slice(i, end));
    i = end;
  }
  return said;
}

function isNext({ one: first }: Conjunct, { one: other }: Conjunct, distance: number): boolean {
  if (first === null || other === null) return false;
  return first.word === other.word && other.number === first.number + distance && first.say("it") === other.say("it");
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
