import { nth } from "../../base/checked.ts";
import { evaluateAll } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import type { Candidates, Task } from "./engine.ts";
import { candidatesAt, conditionsAt, type HeadSamples, heldAlways, samplesAt } from "./headCandidates.ts";
import { octagon, polynomialEquations } from "./polynomials.ts";

const mostGuards = 24;
const mostAtoms = 60;
const mostValues = 12;
/** The highest degree of equations between values. */
const mostDegree = 3;
const mostPhases = 16;

/** Equations between products of values, everywhere and in the phases of a loop; beside them what is simple. */
export function polynomialCandidates(task: Task): Candidates {
  return candidatesWith(task, (samples, conditions) => [
    ...polynomialEquations(task.model.terms, samples, mostDegree),
    ...octagon(task.model.terms, samples),
    ...phases(task, samples, conditions.slice(0, mostPhases)),
  ]);
}

export function guardedCandidates(task: Task): Candidates {
  return candidatesWith(task, (samples, conditions) => implications(task, samples, conditions));
}

function candidatesWith(
  task: Task,
  more: (samples: HeadSamples, conditions: readonly Term[]) => readonly Term[],
): Candidates {
  const at = new Map<string, readonly Term[]>();
  for (const head of task.model.heads.values()) {
    const samples = samplesAt(task, head);
    const own = samples.rows.length === 0 ? [] : heldAlways(samples, more(samples, conditionsAt(task, head)));
    at.set(head.key, [...new Set([...candidatesAt(task, head, "extended").slice(0, 400), ...own])].slice(0, 1600));
  }
  return { at };
}

function implications(task: Task, samples: HeadSamples, conditions: readonly Term[]): readonly Term[] {
  const { terms } = task.model;
  const values = valuesOf(task, samples);
  const guards = [...new Set([...conditions.slice(0, mostGuards), ...values])].slice(0, 2 * mostGuards);
  const atoms = [...new Set([...conditions, ...values, ...polynomialEquations(terms, samples, 2)])].slice(0, mostAtoms);
  return guards.flatMap((guard) =>
    atoms
      // An implication between values of one place is no information.
      .filter((atom) => freeVariablesOf([guard, atom]).length > 1)
      .map((atom) => terms.implies(guard, atom))
      .filter(({ kind }) => kind !== "bool"),
  );
}

/** `state = 3` for variables with few values. */
function valuesOf(task: Task, { observables, rows }: HeadSamples): readonly Term[] {
  const { terms } = task.model;
  return observables.flatMap((term, o) => {
    const values = new Set(rows.map((row) => nth(row, o)));
    if (values.size > mostValues) return [];
    return [...values].flatMap((value) => [terms.eq(term, terms.int(value)), terms.ne(term, terms.int(value))]);
  });
}

/** Equations that hold where a condition does, and not everywhere: the phases of a loop. */
function phases(task: Task, samples: HeadSamples, guards: readonly Term[]): readonly Term[] {
  const { terms } = task.model;
  const everywhere = new Set(polynomialEquations(terms, samples, 2));
  return guards.flatMap((guard) => {
    const held = evaluateEach(samples, guard);
    const rows = samples.rows.filter((_, i) => held[i] === true);
    if (rows.length === samples.rows.length) return [];
    return polynomialEquations(terms, { ...samples, rows }, 2)
      .filter((equation) => !everywhere.has(equation))
      .map((equation) => terms.implies(guard, equation));
  });
}

function evaluateEach({ assignments }: HeadSamples, formula: Term): readonly unknown[] {
  return assignments.map((assignment) => evaluateAll([formula], assignment)[0]);
}
