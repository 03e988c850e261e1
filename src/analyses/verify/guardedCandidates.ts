import { nth } from "../../base/checked.ts";
import type { Head } from "../../cutpoints/programModel.ts";
import type { Term } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import type { Candidates, Task } from "./engine.ts";
import { candidatesAt, conditionsAt, type HeadSamples, heldAlways, samplesAt } from "./headCandidates.ts";

const mostGuards = 24;
const mostAtoms = 60;
const mostValues = 12;

export function guardedCandidates(task: Task): Candidates {
  const at = new Map<string, readonly Term[]>();
  for (const head of task.model.heads.values()) {
    const simple = candidatesAt(task, head, "extended").slice(0, 400);
    at.set(head.key, [...simple, ...guarded(task, head)].slice(0, 1600));
  }
  return { at };
}

function guarded(task: Task, head: Head): readonly Term[] {
  const { terms } = task.model;
  const samples = samplesAt(task, head);
  const conditions = conditionsAt(task, head);
  const guards = [...new Set([...conditions.slice(0, mostGuards), ...valuesOf(task, samples)])].slice(
    0,
    2 * mostGuards,
  );
  const atoms = [...new Set([...conditions, ...valuesOf(task, samples), ...quadratics(task, samples)])].slice(
    0,
    mostAtoms,
  );
  const implications = guards.flatMap((guard) =>
    atoms
      // An implication between values of one place is no information.
      .filter((atom) => freeVariablesOf([guard, atom]).length > 1)
      .map((atom) => terms.implies(guard, atom))
      .filter(({ kind }) => kind !== "bool"),
  );
  return heldAlways(samples, [...new Set([...quadratics(task, samples), ...implications])]);
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

/** Equations between a place and products of others, if few numbers change: `2s = i * i + i`. */
function quadratics(task: Task, { observables, rows }: HeadSamples): readonly Term[] {
  const { terms } = task.model;
  const moving = observables.filter((_, o) => rows.some((row) => row[o] !== nth(rows, 0)[o])).slice(0, 4);
  if (rows.length < 4) return [];
  const products = moving.flatMap((a, i) => moving.slice(i).map((b) => terms.mul(a, b)));
  const values = rows.map((row) => {
    const at = (term: Term) => nth(row, observables.indexOf(term));
    return { single: moving.map(at), products: moving.flatMap((a, i) => moving.slice(i).map((b) => at(a) * at(b))) };
  });
  const found: Term[] = [];
  for (const [p, product] of products.entries()) {
    for (const [s, single] of moving.entries()) {
      for (const coefficient of [1n, 2n]) {
        for (const [l, linear] of moving.entries()) {
          for (const sign of [0n, 1n, -1n]) {
            const isSame = values.every(
              (row) => coefficient * nth(row.single, s) === nth(row.products, p) + sign * nth(row.single, l),
            );
            if (!isSame) continue;
            const right = terms.add(product, terms.scale(sign, linear));
            found.push(terms.eq(terms.scale(coefficient, single), right));
          }
        }
      }
    }
  }
  return [...new Set(found)].slice(0, 40);
}
