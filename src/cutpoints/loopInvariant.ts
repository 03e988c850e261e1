import { present } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import { mulberry32 } from "../interpreter/inputs.ts";
import { type Assignment, arrayValue, evaluate, evaluateAll, type Value } from "../logic/evaluate.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { Prover } from "../solver/solver.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { BlockEnd } from "./block.ts";
import { type Annotation, houdini } from "./houdini.ts";
import { type LoopBlock, type LoopSystem, transitionsOf } from "./loopSystem.ts";

/**
 * The greatest inductive subset of the candidates at a loop's cut points. A model that refutes one is followed through further
 * rounds, where it refutes more.
 */
export function loopInvariant(
  symbols: Symbols,
  prover: Prover,
  system: LoopSystem,
  candidates: Annotation,
  isEnough?: (alive: ReadonlyMap<string, ReadonlySet<Term>>) => boolean,
): Annotation {
  return houdini(symbols.terms, prover, transitionsOf(symbols, system), candidates, {
    ...(isEnough === undefined ? {} : { isEnough }),
    explore: ({ from }, model, alive, refute) => walkLoop(symbols, system, alive, from, model, refute),
  });
}

/** Rounds that one walk may take, and how many of them in a row may refute nothing. */
const longest = 24;
const fruitless = 4;

/**
 * Goes on from a state that satisfies all candidates of its cut point, by computing what the blocks do to it. Every
 * state on the way is one that the candidates allow, so what is false there is no part of an invariant: one model
 * of a solver refutes what otherwise takes many.
 */
export function walkLoop(
  symbols: Symbols,
  system: LoopSystem,
  alive: ReadonlyMap<string, ReadonlySet<Term>>,
  from: string,
  state: Assignment,
  refute: (cutPoint: string, candidate: Term) => void,
): void {
  const next = mulberry32(1);
  let cutPoint = from;
  let values = completed(symbols, state);
  let idle = 0;
  for (let round = 0; round < longest && idle < fruitless; round++) {
    // The first round is the model's own; later ones get other unknowns.
    const chosen = round === 0 ? values : withUnknowns(symbols, values, next);
    const step = stepOver(present(system.blocks.get(cutPoint)), chosen);
    if (step === null) {
      idle++;
      continue;
    }
    cutPoint = nodeKey(step.end.node);
    values = step.values;
    const candidates = [...present(alive.get(cutPoint))];
    const truths = evaluateAll(candidates, values);
    idle++;
    for (const [i, candidate] of candidates.entries()) {
      if (truths[i] !== false) continue;
      refute(cutPoint, candidate);
      idle = 0;
    }
    if (truths.includes(null)) return;
  }
}

/** Places that a model says nothing about may hold anything of their type; addresses are left open. */
function completed(symbols: Symbols, state: Assignment): Assignment {
  return (variable) => {
    const known = state(variable);
    const cell = symbols.cellOf(variable);
    if (known !== undefined || cell === null || cell.kind === "address") return known;
    if (variable.sort === "Array") return arrayValue();
    return clamp(symbols, variable, 0n);
  };
}

function clamp(symbols: Symbols, variable: Variable, value: bigint): bigint {
  const { min, max } = symbols.range(variable);
  return min !== null && value < min ? min : max !== null && value > max ? max : value;
}

/** The end that a block comes to from a state, and the state there; null where the run leaves the loop, or unknown. */
function stepOver(block: LoopBlock, values: Assignment): { end: BlockEnd; values: Assignment } | null {
  const guards = new Map<Variable, Value | undefined>();
  const assignment: Assignment = (variable) => {
    const guard = block.guards.get(variable);
    if (guard === undefined) return values(variable);
    if (!guards.has(variable)) guards.set(variable, evaluate(guard, assignment) ?? undefined);
    return guards.get(variable);
  };
  const end = block.ends.find(({ guard }) => evaluate(guard, assignment) === true);
  if (end === undefined) return null;
  const written = [...end.state.values];
  const results = evaluateAll(
    written.map(([, value]) => value),
    assignment,
  );
  const after = new Map(written.map(([place], i) => [place, results[i] ?? undefined]));
  const clobbered = end.state.clobbers.length > 0;
  return {
    end,
    values: (variable) => {
      if (after.has(variable)) return after.get(variable);
      // Memory that something unknown may have written has no known value any more.
      return clobbered ? undefined : values(variable);
    },
  };
}

/** Inputs and other unknowns of a block get values of their own in every round. */
function withUnknowns(symbols: Symbols, values: Assignment, next: () => number): Assignment {
  const chosen = new Map<Variable, Value>();
  return (variable) => {
    if (symbols.cellOf(variable) !== null || variable.sort !== "Int") return values(variable);
    return remembered(chosen, variable, () => clamp(symbols, variable, BigInt(Math.floor(next() * 9)) - 4n));
  };
}
