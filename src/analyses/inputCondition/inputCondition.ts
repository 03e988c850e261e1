import { nth } from "../../base/checked.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { RecordedInput } from "../../interpreter/machine.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { conjuncts, isTrue, type Term, type Variable } from "../../logic/term.ts";
import type { ByteOfRuns, Piece } from "../../recordedRun/generalized/encodeRuns.ts";
import type { RunsPlan } from "../../recordedRun/generalized/planObligations.ts";
import type { OpenPoint } from "../../recordedRun/generalized/runObligation.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import { isAboutInputs, type Search } from "./search.ts";

/** A set of terms, possibly of all. */
export type SomeTerms = Pick<ReadonlySet<Term>, "has">;

export type ConditionOnInputs =
  | (OnInputs & {
      readonly kind: "claimed";
      /** Inputs that must keep their recorded values. */
      readonly fixed: ReadonlySet<number>;
      readonly open: readonly OpenPoint[];
      /** Conjuncts of the folds' invariants that may not hold on all covered runs. */
      readonly onlyThisRun: SomeTerms;
      /** The plan of the proof, by pieces of the run. */
      readonly plan: RunsPlan;
      readonly pieces: readonly Piece[];
    })
  /** The program reads no inputs: every run is this one. */
  | (OnInputs & { readonly kind: "noInputs" })
  | (OnInputs & { readonly kind: "none" });

type OnInputs = {
  /** Over the variables in `inputs`. */
  readonly formulas: readonly Term[];
  /** One for each recorded input; null for those that are read inside of a folded loop, which are arbitrary. */
  readonly inputs: readonly (Variable | null)[];
  /** The first bytes of standard input; see `EncodedRuns`. */
  readonly bytes: readonly ByteOfRuns[];
};

export function isSettled(condition: ConditionOnInputs): boolean {
  return condition.kind === "claimed" && !condition.open.some(({ kind }) => kind === "way");
}

export function noCondition(inputs: number): ConditionOnInputs {
  return { kind: "none", formulas: [], inputs: new Array(inputs).fill(null), bytes: [] };
}

/**
 * Conjuncts of the folds' invariants that may not hold on the covered runs: facts about places that the loop does not
 * write are true of the recorded inputs, and the claim does not need them.
 */
export function onlyThisRun(search: Search, pieces: readonly Piece[], condition: readonly Term[]): ReadonlySet<Term> {
  const { symbols, prover } = search;
  const found = new Set<Term>();
  const session = prover.open([]);
  for (const piece of pieces) {
    if (piece.kind !== "loop") continue;
    const here = (formula: Term) => inState(symbols, piece.state, formula);
    for (const formula of [...piece.fold.annotation.values()].flat()) {
      // All others are part of the claim.
      if (!isAboutInputs(search, here(formula))) continue;
      for (const part of conjuncts(formula)) {
        if (isTrue(here(part)) || session.implies(condition, here(part)).kind === "proved") continue;
        found.add(part);
      }
    }
  }
  session.close();
  return found;
}

/**
 * Tells whether another run's inputs satisfy the condition of an explanation. Inputs are identified by the place that
 * reads them, because loops may read more or fewer.
 */
export function coveredInputs(
  recorded: readonly RecordedInput[],
  condition: ConditionOnInputs,
): (other: readonly RecordedInput[], stdin?: Uint8Array) => boolean {
  const { formulas, inputs, bytes } = condition;
  const fixed = condition.kind === "claimed" ? [...condition.fixed] : [];
  const findFixed = fixed.map((index) => [nth(recorded, index).value, finder(recorded, inputs, index)] as const);
  const find = new Map<Variable, (other: readonly RecordedInput[]) => InputValue | undefined>();
  for (const [index, variable] of inputs.entries()) {
    if (variable !== null) find.set(variable, finder(recorded, inputs, index));
  }
  const offsets = new Map(bytes.map(({ variable }, offset) => [variable, offset]));
  return (other, stdin) =>
    findFixed.every(([value, find]) => Object.is(find(other), value)) &&
    formulas.every(
      (formula) =>
        evaluate(formula, (variable) => {
          const offset = offsets.get(variable);
          if (offset !== undefined) return BigInt(stdin?.[offset] ?? nth(bytes, offset).value);
          const value = find.get(variable)?.(other);
          return typeof value === "bigint" ? value : undefined;
        }) === true,
    );
}

/**
 * Finds the input of another run that corresponds to one of this run. If folded rounds read at the same place, inputs
 * before them are counted from the start, inputs after them from the end; between two folded loops it is undetermined.
 */
function finder(
  recorded: readonly RecordedInput[],
  inputs: ConditionOnInputs["inputs"],
  index: number,
): (other: readonly RecordedInput[]) => InputValue | undefined {
  const site = nth(recorded, index);
  const isHere = (input: RecordedInput) => input.function === site.function && input.edge === site.edge;
  const isFolded = (input: RecordedInput, i: number) => inputs[i] === null && isHere(input);
  const before = recorded.slice(0, index).filter(isHere).length;
  const behind = recorded.slice(index + 1).filter(isHere).length;
  const isAfterFold = recorded.some((input, i) => i < index && isFolded(input, i));
  const isBeforeFold = recorded.some((input, i) => i > index && isFolded(input, i));
  if (isAfterFold && isBeforeFold) return () => undefined;
  return (other) => {
    const there = other.filter(isHere);
    return there[isAfterFold ? there.length - 1 - behind : before]?.value;
  };
}
