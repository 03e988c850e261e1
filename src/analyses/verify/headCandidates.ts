import { type CandidateFamilies, candidates } from "../../cutpoints/candidates.ts";
import { regionOf } from "../../cutpoints/instance.ts";
import { type Head, termsOf } from "../../cutpoints/programModel.ts";
import { evaluateAll, type Value } from "../../logic/evaluate.ts";
import { isAtom, type Term, type Variable } from "../../logic/term.ts";
import { freeVariablesOf, postOrder } from "../../logic/traverse.ts";
import type { Candidates, Task } from "./engine.ts";

/** The visits of a head, as columns of numbers for the places that had one at every visit. */
export type HeadSamples = {
  readonly observables: readonly Term[];
  readonly rows: readonly (readonly bigint[])[];
  /** The values of all live places at each visit. */
  readonly assignments: readonly ((variable: Variable) => Value | undefined)[];
};

const mostRows = 300;
const mostObservables = 48;

export function samplesAt({ model, knowledge }: Task, head: Head): HeadSamples {
  const all = knowledge.visits.get(head.key) ?? [];
  const stride = Math.max(1, Math.floor(all.length / mostRows));
  const visits = all.filter((_, i) => i % stride === 0 || i < 40).slice(0, mostRows + 40);
  const isNumber = (place: Variable, i: number) => {
    const cell = model.symbols.cellOf(place);
    if (place.sort !== "Int" || cell === null || cell.kind === "address" || cell.kind === "size") return false;
    const type = cell.kind === "register" ? cell.type : cell.kind === "region" ? cell.region.type : null;
    if (type === null || type.kind === "float") return false;
    if (type.kind === "pointer") return false;
    return visits.every(({ values }) => typeof values[i] === "bigint");
  };
  const chosen = head.live
    .map((place, i) => ({ place, i }))
    .filter(({ place, i }) => !head.fixed.has(place) && isNumber(place, i))
    .slice(0, mostObservables);
  return {
    observables: chosen.map(({ place }) => place),
    rows: visits.map(({ values }) => chosen.map(({ i }) => values[i] as bigint)),
    assignments: visits.map(({ values }) => {
      const byPlace = new Map(head.live.map((place, i) => [place, values[i] ?? undefined] as const));
      return (variable: Variable) => byPlace.get(variable);
    }),
  };
}

/** Conditions after a head about its places: branch conditions and error conditions. */
export function conditionsAt({ model }: Task, head: Head): readonly Term[] {
  const region = regionOf(model, head.key);
  const live = new Set<Term>(head.live);
  const found = new Set<Term>();
  const guards = [
    ...region.definitions,
    ...region.exits.map(({ guard }) => guard),
    ...region.errors.map(({ guard }) => guard),
  ];
  for (const term of postOrder(guards)) {
    if (!isAtom(term) || term.kind === "bool" || term.kind === "variable") continue;
    const free = freeVariablesOf([term]);
    if (free.length === 0 || free.length > 4 || !free.every((variable) => live.has(variable))) continue;
    if (postOrder([term]).length > 16) continue;
    found.add(term);
    found.add(model.terms.not(term));
    if (term.kind === "le") found.add(model.terms.le(term.sum, model.terms.int(term.bound + 1n)));
  }
  return [...found];
}

/** Numbers that the program compares with or assigns; large ones are limits of types. */
export function numbersIn({ model }: Task): readonly bigint[] {
  const found = new Set<bigint>([0n, 1n]);
  for (const region of model.regions) {
    for (const term of postOrder(termsOf(region))) {
      const value = term.kind === "int" ? term.value : term.kind === "le" || term.kind === "eq" ? term.bound : null;
      if (value === null || value >= 1n << 31n || value <= -(1n << 31n)) continue;
      found.add(value);
      found.add(-value);
    }
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1)).slice(0, 60);
}

const mostCandidates = 900;

/** Formulas that held at all visits of a head, for every head. */
export function headCandidates(families: CandidateFamilies): (task: Task) => Candidates {
  return (task) => {
    const heads = [...task.model.heads.values()];
    const at = heads.map((head) => [head.key, candidatesAt(task, head, families).slice(0, mostCandidates)] as const);
    return { at: new Map(at) };
  };
}

/** Candidates at a head: formulas that held at all its visits. A head without visits may be unreachable. */
export function candidatesAt(task: Task, head: Head, families: CandidateFamilies): readonly Term[] {
  const { terms } = task.model;
  const samples = samplesAt(task, head);
  if (samples.rows.length === 0) return [terms.bool(false)];
  const lemmas = [...(task.knowledge.lemmas.get(head.key) ?? [])];
  const hints = heldAlways(samples, [...conditionsAt(task, head), ...lemmas]);
  const own = candidates(terms, samples, { families, hints, counter: null });
  const atNumbers = heldAlways(samples, boundsAt(task, samples.observables));
  const wrapping = families === "extended" ? own.flatMap((term) => wrapped(task, term)) : [];
  return [...new Set([...own, ...hints, ...atNumbers, ...wrapping])];
}

/** Equations between wrapping numbers hold up to a multiple of 2^32. */
function wrapped({ model: { terms } }: Task, term: Term): readonly Term[] {
  if (term.kind !== "eq" || term.sum.kind !== "sum" || term.sum.monomials.length < 2) return [];
  if (term.sum.monomials.some(({ term: part }) => part.kind !== "variable")) return [];
  const difference = terms.sub(term.sum, terms.int(term.bound));
  return [terms.eq(terms.mod(difference, terms.int(1n << 32n)), terms.int(0n))];
}

/** Bounds at the program's numbers, for values that no run came near. */
function boundsAt(task: Task, observables: readonly Term[]): readonly Term[] {
  const { terms } = task.model;
  const numbers = numbersIn(task);
  const single = observables.flatMap((term) =>
    numbers.flatMap((number) => [
      terms.le(term, terms.int(number)),
      terms.ge(term, terms.int(number)),
      terms.ne(term, terms.int(number)),
    ]),
  );
  if (observables.length > 12) return single;
  const few = numbers.filter((number) => number >= -2n && number <= 2n);
  const pairs = observables.flatMap((a, i) =>
    observables
      .slice(i + 1)
      .flatMap((b) =>
        few.flatMap((number) => [
          terms.le(terms.sub(a, b), terms.int(number)),
          terms.ge(terms.sub(a, b), terms.int(number)),
        ]),
      ),
  );
  return [...single, ...pairs];
}

export function heldAlways(samples: HeadSamples, formulas: readonly Term[]): readonly Term[] {
  let open = formulas;
  for (const assignment of samples.assignments) {
    const values = evaluateAll(open, assignment);
    open = open.filter((_, i) => values[i] !== false);
  }
  return open;
}
