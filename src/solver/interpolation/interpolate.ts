import { isAtom, type Term } from "../../logic/term.ts";
import { sizeOf } from "../../logic/traverse.ts";
import { type Unknown, unknown } from "../solver.ts";
import { checkTrace, relevantSteps } from "./checkTrace.ts";
import { interpolateFarkas } from "./farkas.ts";
import type { Interpolants, InterpolationProblem, InterpolationResult } from "./interpolationProblem.ts";
import { interpolateForwards } from "./postcondition.ts";
import { interpolateBackwards } from "./precondition.ts";
import { cutWithSpacer } from "./spacerCut.ts";
import { shapeOfTrace, type TraceShape } from "./traceShape.ts";
import { validateInterpolants } from "./validateInterpolants.ts";
import { weakenInterpolants } from "./weakenInterpolants.ts";

/** Traces up to this length are worth several queries per step for a simpler result. */
const shortTrace = 64;

/**
 * Sequence interpolants for an infeasible trace. The shape of the contradiction decides how they are found: 1. Farkas,
 * if the trace or an unsat core of it is a conjunction of linear constraints over integer variables; 2. weakest
 * preconditions of an unsat core, for arrays, division, choices, disequalities; 3. Spacer at the positions where a
 * variable cannot be eliminated. The assertions that the solver already has hold throughout, as axioms. Every sequence
 * is validated before it is returned: Farkas sequences by exact arithmetic as they are made, the others by the solver.
 */
export function interpolate(problem: InterpolationProblem): InterpolationResult {
  const { terms, solver, steps, limits } = problem;
  const whole = shapeOfTrace(terms, steps);
  const linear = interpolateFarkas(terms, whole, solver, limits);
  if (linear !== null) return { kind: "interpolants", sequence: linear };
  const check = checkTrace(terms, whole, solver, limits);
  if (check.kind === "unknown") return check;
  if (check.kind === "sat") return { kind: "feasible", model: check.model };
  const shape = shapeOfTrace(terms, relevantSteps(whole, new Set(check.core)));
  const linearCore = interpolateFarkas(terms, shape, solver, limits);
  return linearCore === null ? simplest(problem, shape) : { kind: "interpolants", sequence: linearCore };
}

/** Weakest preconditions of the core; if they are no atoms, the postconditions if simpler. */
function simplest(problem: InterpolationProblem, shape: TraceShape): InterpolationResult {
  const { terms, solver, limits } = problem;
  const backwards = interpolateBackwards(terms, shape, (position) => {
    const before = shape.items.filter((item) => item.step <= position).map((item) => item.formula);
    const behind = shape.items.filter((item) => item.step > position).map((item) => item.formula);
    return cutWithSpacer(terms, solver, before, behind, limits);
  });
  const result: InterpolationResult =
    backwards === null
      ? unknown("incomplete", "a variable of the trace cannot be eliminated, nor does Spacer find an interpolant")
      : validated(problem, shape, backwards);
  if (result.kind === "interpolants" && result.sequence.every(isSimple)) return result;
  if (shape.steps > shortTrace) return result;
  const other = validated(problem, shape, interpolateForwards(terms, shape));
  if (other.kind !== "interpolants") return result;
  return result.kind !== "interpolants" || weight(other) < weight(result) ? other : result;
}

function isSimple(formula: Term): boolean {
  return isAtom(formula) || formula.kind === "not";
}

function weight(interpolants: Interpolants): number {
  return interpolants.sequence.reduce((total, formula) => total + sizeOf(formula), 0);
}

/** Validates a sequence; also weakens that of a short trace. */
function validated(
  { terms, solver, limits }: InterpolationProblem,
  shape: TraceShape,
  found: readonly Term[],
): Interpolants | Unknown {
  const validation = validateInterpolants(terms, shape, found, solver, limits);
  if (validation.kind === "unknown") return validation;
  if (validation.kind === "invalid")
    return unknown("incomplete", `no interpolants: not inductive at step ${validation.step}`);
  if (shape.steps > shortTrace) return { kind: "interpolants", sequence: found };
  const weakened = weakenInterpolants(terms, shape, found, solver, limits);
  const check = validateInterpolants(terms, shape, weakened, solver, limits);
  return { kind: "interpolants", sequence: check.kind === "valid" ? weakened : found };
}
