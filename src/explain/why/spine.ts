import { isHandedOn } from "./handedOn.ts";
import type { Operand } from "./root.ts";
import type { Wish } from "./selectVisits.ts";
import type { Why } from "./whyExplanation.ts";

/** So many lines for the value that the likeliest suspect has to do with; the others are mostly what was expected. */
const mostHops = 4;
const otherHops = 1;

/** Ways of long runs are long: so many steps, the nearest to the failure, are asked. */
const mostSteps = 2_000;

/**
 * Each value that failed has its answer: who wrote it, and who wrote what it was made of, hop by hop and a line each, without those that
 * only hand a value on. For a block that was used after its end, where that was comes first.
 */
export function spine(why: Why, suspect: number | null): readonly Wish[] {
  const { graph, root, paths, visits, hidden } = why;
  const wishes: Wish[] = [root.death, root.choice].flatMap((step) =>
    step === null ? [] : [{ step, withPath: false }],
  );
  const leading = (suspect === null ? null : operandOf(why, suspect)) ?? root.operands[0];
  const room = new Map(root.operands.map((operand) => [operand, operand === leading ? mostHops : otherHops]));
  const seen = new Set<number>();
  for (const step of paths.steps().slice(0, mostSteps)) {
    if ([...room.values()].every((left) => left === 0)) break;
    const visit = visits.of(step);
    if (visit === -1 || hidden.has(visit) || seen.has(visits.unit(visit).id) || !isMadeOf(why, step)) continue;
    const operand = operandOf(why, step);
    const left = operand === null ? 0 : room.get(operand)!;
    if (left === 0 || isHandedOn(graph, visits, visit)) continue;
    seen.add(visits.unit(visit).id);
    room.set(operand!, left - 1);
    wishes.push({ step, withPath: false });
  }
  return wishes;
}

/** Which of the values that failed the way from a step to the root leads to. */
function operandOf({ root, paths }: Why, step: number): Operand | null {
  const found = new Set(root.operands.filter(({ writers }) => writers.has(step)));
  paths.walk(step, (to) => {
    for (const operand of root.operands) if (operand.writers.has(to)) found.add(operand);
    return true;
  });
  return root.operands.find((operand) => found.has(operand)) ?? null;
}

/** The step's value went into the failing one, through nothing but values. */
function isMadeOf({ paths, visits }: Why, step: number): boolean {
  let from = step;
  return paths.walk(step, (to, kind) => {
    const isValue = kind === "data" || visits.of(to) === visits.of(from);
    from = to;
    return isValue;
  });
}
