import type { Edge } from "../../ir/program.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { pointerHints } from "../../run/pointerHints.ts";
import type { Run, RunPoint } from "../../run/run.ts";
import { traceSurroundings } from "../../run/traceSurroundings.ts";
import type { Obligation } from "../../symbolic/obligation.ts";
import { originState } from "../../symbolic/symbolicState.ts";
import { symbolicStep } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/**
 * Is an obligation of the failing operation looked at only behind the one that failed? One operation looks at them in the
 * same order in every run, so what was violated on the recorded run too, and is not what it failed by, comes later: `x.a[9]` is
 * outside of the array before it is outside of the struct.
 */
export function laterObligations(
  symbols: Symbols,
  run: Run,
  at: RunPoint,
  edge: Edge,
): (obligation: Obligation) => boolean {
  const { frame } = at.stack[at.stack.length - 1]!;
  const there = pointerHints(symbols, run, at).until((pointsTo) => {
    const surroundings = traceSurroundings(symbols, run, { pointsTo, note: () => {} })(at.step);
    const { obligations } = symbolicStep(symbols, frame, originState, edge, { ...surroundings, event: () => null });
    return obligations;
  });
  const isViolated = ({ formula }: Obligation) =>
    run.valuesAt(symbols, at, (assignment) => evaluate(formula, assignment)) === false;
  // Of several of one kind it is not known which is which: then all have to be violated.
  return ({ problem }) => {
    const same = there.filter((each) => each.problem === problem);
    return same.length > 0 && same.every(isViolated);
  };
}
