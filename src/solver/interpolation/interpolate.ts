import { isAtom, type Term } from "../../logic/term.ts";
import { sizeOf } from "../../logic/traverse.ts";
import { type Unknown, unknown } from "../solver.ts";
import { checkTrace, relevantSteps } from "./checkTrace.ts";
import { interpolateFarkas } from "./farkas.ts";
import type {
  Interpolants,
  InterpolationProblem,
  InterpolationResult,
  Method,
  Strength,
} from "./interpolationProblem.ts";
import { interpolateForwards } from "./postcondition.ts";
import { interpolateBackwards } from "./precondition.ts";
import { cutWithSpacer } from "./spacerCut.ts";
import { shapeOfTrace, type TraceShape } from "./traceShape.ts";
import { validateInterpolants } from "./validateInterpolants.ts";
import { weakenInterpolants } from "./weakenInterpolants.ts";

/** Traces up to this many steps are worth several questions per step for a simpler result. */
const shortTrace = 64;

/**
 * Sequence interpolants for an infeasible trace, by the shape of what contradicts:
 *
 * 1. `farkas` where all of it, or an unsat core of it, is a conjunction of linear constraints over integer variables;
 * 2. `precondition`: weakest preconditions of an unsat core, for arrays, division, choices, disequalities;
 * 3. `spacer` at the positions where a variable cannot be eliminated.
 *
 * The assertions that the solver has already hold throughout, as axioms. Every sequence is validated before it is
 * returned; one that is not valid is a failure of that way, not an answer.
 */
export function interpolate(problem: InterpolationProblem): InterpolationResult {
  const { terms, solver, steps, options = {} } = problem;
  const strength = options.strength ?? "any";
  const { method, limits } = options;
  const whole = shapeOfTrace(terms, steps, options.isInitial);
  if (strength === "any" && allows(method, "farkas")) {
    const sequence = interpolateFarkas(terms, whole, strength, solver, limits);
    if (sequence !== null) return finish(problem, whole, sequence, "farkas", true);
  }
  const check = checkTrace(terms, whole, solver, limits);
  if (check.kind === "unknown") return check;
  if (check.kind === "sat") return { kind: "feasible", model: check.model };
  const relevant = relevantSteps(whole, new Set(check.core));
  const shape = shapeOfTrace(terms, relevant, options.isInitial);
  if (allows(method, "farkas") && (strength === "any" || method === "farkas")) {
    const sequence = interpolateFarkas(terms, shape, strength, solver, limits);
    if (sequence !== null) return finish(problem, shape, sequence, "farkas", strength === "any");
    if (method === "farkas") return unknown("incomplete", "the trace has no linear rational refutation");
  }
  if (method === "spacer") return atCuts(problem, shape);
  switch (strength) {
    case "strongest":
      return strongest(problem, whole, shape);
    case "weakest":
      return weakest(problem, whole, shape);
    case "any":
      return simplest(problem, shape);
  }
}

function allows(chosen: Method | undefined, method: Method): boolean {
  return chosen === undefined || chosen === method;
}

/** The strongest formulas over the shared variables, else any. */
function strongest(problem: InterpolationProblem, whole: TraceShape, core: TraceShape): InterpolationResult {
  const { sequence, exact } = interpolateForwards(problem.terms, whole);
  if (exact) return finish(problem, whole, sequence, "precondition", true);
  return inexact(simplest(problem, core));
}

/** The weakest formulas over the shared variables, else any. */
function weakest(problem: InterpolationProblem, whole: TraceShape, core: TraceShape): InterpolationResult {
  const backwards = interpolateBackwards(problem.terms, whole, () => null);
  if (backwards !== null) return finish(problem, whole, backwards.sequence, "precondition", true);
  return inexact(simplest(problem, core));
}

function inexact(result: InterpolationResult): InterpolationResult {
  return result.kind === "interpolants" ? { ...result, exact: false } : result;
}

/** Weakest preconditions of the core; where they are no atoms, the postconditions if those turn out simpler. */
function simplest(problem: InterpolationProblem, shape: TraceShape): InterpolationResult {
  const { terms, options = {} } = problem;
  const cut = allows(options.method, "spacer") ? spacerAt(problem, shape) : () => null;
  const backwards = interpolateBackwards(terms, shape, cut);
  const result: InterpolationResult =
    backwards === null
      ? unknown("incomplete", "a variable of the trace cannot be eliminated, nor does Spacer find an interpolant")
      : finish(problem, shape, backwards.sequence, backwards.obstacles.length > 0 ? "spacer" : "precondition", true);
  if (result.kind === "interpolants" && result.sequence.every(isSimple)) return result;
  if (shape.steps > shortTrace) return result;
  const forwards = interpolateForwards(terms, shape);
  const other = finish(problem, shape, forwards.sequence, "precondition", true);
  if (other.kind !== "interpolants") return result;
  return result.kind !== "interpolants" || weight(other) < weight(result) ? other : result;
}

function isSimple(formula: Term): boolean {
  return isAtom(formula) || formula.kind === "not";
}

function weight(interpolants: Interpolants): number {
  return interpolants.sequence.reduce((total, formula) => total + sizeOf(formula), 0);
}

/** Spacer at three positions at most, preconditions between them. */
function atCuts(problem: InterpolationProblem, shape: TraceShape): InterpolationResult {
  const cut = spacerAt(problem, shape);
  const positions = new Set([1, 2, 3].map((part) => Math.floor((shape.steps * part) / 4)).filter((p) => p >= 1));
  const backwards = interpolateBackwards(problem.terms, shape, cut, positions);
  if (backwards === null) return unknown("incomplete", "Spacer does not find an interpolant");
  return finish(problem, shape, backwards.sequence, "spacer", true);
}

function spacerAt({ terms, solver, options = {} }: InterpolationProblem, shape: TraceShape) {
  return (position: number): Term | null => {
    const before = shape.items.filter((item) => item.step <= position).map((item) => item.formula);
    const behind = shape.items.filter((item) => item.step > position).map((item) => item.formula);
    return cutWithSpacer(terms, solver, before, behind, options.isInitial ?? (() => false), options.limits);
  };
}

/** Weakens where that is wanted, and validates. Farkas sequences were verified by exact arithmetic as they were made. */
function finish(
  { terms, solver, options = {} }: InterpolationProblem,
  shape: TraceShape,
  found: readonly Term[],
  method: Method,
  exact: boolean,
): Interpolants | Unknown {
  const strength: Strength = options.strength ?? "any";
  const wanted = options.weaken ?? (shape.steps <= shortTrace && method !== "farkas");
  if (method !== "farkas") {
    const validation = validateInterpolants(terms, shape, found, solver, options.limits);
    if (validation.kind === "unknown") return validation;
    if (validation.kind === "invalid")
      return unknown("incomplete", `no interpolants by ${method}: not inductive at step ${validation.step}`);
  }
  if (strength !== "any" || !wanted) return { kind: "interpolants", sequence: found, method, exact };
  const weakened = weakenInterpolants(terms, shape, found, solver, options.limits);
  const check = validateInterpolants(terms, shape, weakened, solver, options.limits);
  return { kind: "interpolants", sequence: check.kind === "valid" ? weakened : found, method, exact };
}
