import { remembered } from "../../base/memo.ts";
import type { Instances } from "../../cutpoints/houdini.ts";
import {
  type Head,
  type ModelExit,
  type ModelRegion,
  type ProgramModel,
  termsOf,
} from "../../cutpoints/programModel.ts";
import { absolute } from "../../logic/linear.ts";
import { isAtom, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { createSubstituter, freeVariablesOf, postOrder, substitute } from "../../logic/traverse.ts";
import type { Candidates, RegionTransition, Task } from "./engine.ts";

const mostBodies = 24;
const mostEnds = 8;
const mostCandidates = 900;
const mostOrdered = 300;
/** Larger conditions say nothing simple about a cell. */
const mostParts = 40;

/**
 * Candidates about all cells of a part of an array, `forall k. 0 <= k < i => a[k] = 0`. The index k is a ghost: an
 * arbitrary constant, so that Houdini finds what holds for every index without a quantifier. Known facts before a
 * region are used for the ghost and for the indices of the region.
 */
export function cellCandidates({ model }: Task): Candidates | string {
  const { terms } = model;
  const heads = [...model.heads.values()];
  if (!heads.some(({ live }) => live.some(({ sort }) => sort === "Array"))) return "no array";
  const ghost = terms.fresh("k", "Int");
  const facts = cellFacts(model, ghost);
  const landmarks = landmarksOf(model);
  if (facts.length + landmarks.length === 0) return "nothing is said about cells";
  return {
    at: new Map(heads.map((head) => [head.key, cellCandidatesAt(model, head, facts, ghost, landmarks)])),
    ghost: {
      instances: instancesFor(model, ghost),
      forAll: (formula) => (mentions(formula, ghost) ? terms.forall([ghost], formula) : formula),
    },
  };
}

/** Formulas about the cell at the ghost index that may hold at some head, without a range of indices. */
function cellFacts(model: ProgramModel, ghost: Variable): readonly Term[] {
  const { terms } = model;
  const found = new Set<Term>();
  for (const region of model.regions) {
    for (const atom of atomsWithCells(region)) {
      for (const index of indexVariables(atom)) {
        const about = withoutWraps(terms, substitute(terms, atom, new Map([[index, ghost]])));
        found.add(about);
        found.add(terms.not(about));
      }
    }
    for (const fact of storedFacts(model, region, ghost)) found.add(fact);
  }
  return [...found].filter(({ kind }) => kind !== "bool").slice(0, 4 * mostBodies);
}

/** Conditions of the code that read cells. */
function atomsWithCells(region: ModelRegion): readonly Term[] {
  const errors = region.errors.map(({ guard }) => guard);
  return postOrder([...errors, ...termsOf(region)]).filter(
    (term) =>
      isAtom(term) &&
      (term.kind === "eq" || term.kind === "le") &&
      postOrder([term]).length <= mostParts &&
      postOrder([term]).some(({ kind }) => kind === "select") &&
      !isRange(term),
  );
}

/** The ghost is no program variable that could wrap: `k - 1` is `k - 1`. */
function withoutWraps(terms: Terms, formula: Term): Term {
  const replaced = new Map<Term, Term>();
  for (const part of postOrder([formula])) {
    if (part.kind !== "sum") continue;
    const choice = part.monomials.find(({ term }) => term.kind === "ite");
    if (choice?.term.kind !== "ite") continue;
    const sums = [choice.term.whenTrue, choice.term.whenFalse].map((branch) =>
      terms.add(terms.sub(part, terms.scale(choice.coefficient, choice.term)), terms.scale(choice.coefficient, branch)),
    );
    const [one, other] = sums as [Term, Term];
    const apart = terms.sub(one, other);
    if (apart.kind !== "int" || absolute(apart.value) < 256n) continue;
    replaced.set(part, absolute(constantIn(one)) <= absolute(constantIn(other)) ? one : other);
  }
  return replaced.size === 0 ? formula : substitute(terms, formula, replaced);
}

function constantIn(term: Term): bigint {
  return term.kind === "sum" ? term.constant : term.kind === "int" ? term.value : 0n;
}

/** A type range of a cell is no information. */
function isRange(term: Term): boolean {
  const limits = [7n, 8n, 15n, 16n, 31n, 32n, 63n, 64n].map((bits) => 1n << bits);
  return term.kind === "le" && limits.some((limit) => term.bound === limit || term.bound === limit - 1n);
}

/** The variables that index its cells. */
function indexVariables(term: Term): readonly Variable[] {
  const indices = postOrder([term]).flatMap((part) => (part.kind === "select" ? [part.index] : []));
  return freeVariablesOf(indices).filter(({ sort }) => sort === "Int");
}

/** `a[i] = v` in a loop over `i`: the written value may still be there. */
function storedFacts({ terms }: ProgramModel, region: ModelRegion, ghost: Variable): readonly Term[] {
  return region.exits.flatMap(({ next }) =>
    [...next].flatMap(([place, value]) => {
      if (place.sort !== "Array") return [];
      return postOrder([value]).flatMap((part) => {
        if (part.kind !== "store" || part.index.kind !== "variable" || postOrder([part.value]).length > mostParts) {
          return [];
        }
        const written = substitute(terms, part.value, new Map<Term, Term>([[part.index, ghost]]));
        return [terms.eq(terms.select(place, ghost), written)];
      });
    }),
  );
}

/** The facts at one head, each for indices in a part of the array between numbers of the program. */
function cellCandidatesAt(
  model: ProgramModel,
  head: Head,
  facts: readonly Term[],
  ghost: Variable,
  landmarks: readonly Landmark[],
): readonly Term[] {
  const { terms } = model;
  const live = new Set<Term>([...head.live, ghost]);
  const here = facts.filter((fact) => freeVariablesOf([fact]).every((variable) => live.has(variable)));
  const bodies = here.filter((fact) => freeVariablesOf([fact]).includes(ghost)).slice(0, mostBodies);
  const ends = head.live.filter(({ sort }) => sort === "Int").filter((place) => isNumber(model, place));
  const chosen = ends.slice(0, mostEnds);
  const pairs = chosen.flatMap((low) => chosen.filter((high) => high !== low).map((high) => [low, high] as const));
  const [zero, one] = [terms.int(0n), terms.int(1n)];
  const from = (low: Term) => terms.le(low, ghost);
  const below = (high: Term) => terms.lt(ghost, high);
  const behind = (low: Term) => terms.lt(low, ghost);
  const upTo = (high: Term) => terms.le(ghost, high);
  const parts = [
    ...chosen.map((end) => terms.and(from(zero), below(end))),
    ...chosen.map((end) => terms.and(behind(zero), below(end))),
    ...chosen.map((end) => terms.and(from(zero), terms.le(ghost, end))),
    ...chosen.map(behind),
    ...chosen.map(from),
    ...pairs.map(([low, high]) => terms.and(from(low), below(high))),
    ...pairs.map(([low, high]) => terms.and(behind(low), below(high))),
    from(zero),
    ...pairs.map(([low, high]) => terms.and(behind(terms.add(low, one)), upTo(high))),
  ];
  const numbers = new Set(
    facts.flatMap((fact) => postOrder([fact]).flatMap((part) => (part.kind === "int" ? [part.value] : []))),
  );
  const sized = [...numbers].filter((number) => number > 1n && number < 1n << 20n).slice(0, 4);
  for (const size of sized) parts.push(terms.and(from(zero), below(terms.int(size))));
  // An order of the cells holds for one more of them when a hole has moved on.
  const ordered = bodies
    .filter((body) => postOrder([body]).filter(({ kind }) => kind === "select").length > 1)
    .flatMap((body) =>
      pairs.flatMap(([low, high]) => {
        const hasMoved = terms.lt(terms.add(low, one), high);
        return chosen.map((end) => terms.implies(terms.all([hasMoved, behind(zero), upTo(end)]), body));
      }),
    )
    .slice(0, mostOrdered);
  const inParts = bodies
    .flatMap((body) => parts.map((part) => terms.implies(part, body)))
    .filter(({ kind }) => kind !== "bool")
    .slice(0, mostCandidates);
  return [...landmarkCandidates(model, head, landmarks, chosen), ...inParts, ...ordered];
}

function isNumber({ symbols }: ProgramModel, place: Variable): boolean {
  const cell = symbols.cellOf(place);
  if (cell === null || (cell.kind !== "register" && cell.kind !== "region")) return false;
  const type = cell.kind === "register" ? cell.type : cell.region.type;
  return type.kind === "int";
}

type Landmark = { readonly array: Term; readonly index: Term; readonly value: Term };

const mostLandmarks = 6;
/** Larger terms are computed from cells. */
const mostPlainParts = 12;

/** The single cells that some region writes, expressed by places that still exist after it. */
function landmarksOf({ terms, regions }: ProgramModel): readonly Landmark[] {
  const found = new Map<Term, Landmark>();
  for (const { exits } of regions) {
    for (const exit of exits) {
      const said = inPlaces(terms, exit);
      for (const [array, value] of exit.next) {
        if (array.sort !== "Array") continue;
        for (const part of postOrder([value])) {
          if (part.kind !== "store" || postOrder([part.index, part.value]).length > mostPlainParts) continue;
          const [index, written] = [said(part.index), said(part.value)];
          const places = new Set<Term>(exit.next.keys());
          if (!freeVariablesOf([index, written]).every((variable) => places.has(variable))) continue;
          found.set(terms.eq(terms.select(array, index), written), { array, index, value: written });
        }
      }
    }
  }
  return [...found.values()].slice(0, mostLandmarks);
}

/** A value in terms of places after the exit: `n / 2` for half of the value of `n`. */
function inPlaces(terms: ProgramModel["terms"], { next }: ModelExit): (term: Term) => Term {
  const places = new Map<Term, Term>();
  for (const [place, value] of next) {
    if (place.sort === "Int" && value.kind !== "int" && !places.has(value)) places.set(value, place);
  }
  return createSubstituter(terms, places);
}

/** Candidates: the cell still has its value, and the loop indices are on one side of it. */
function landmarkCandidates(
  { terms }: ProgramModel,
  { live }: Head,
  landmarks: readonly Landmark[],
  indices: readonly Term[],
): readonly Term[] {
  const here = new Set<Term>(live);
  return landmarks
    .filter(({ array, index, value }) => freeVariablesOf([array, index, value]).every((variable) => here.has(variable)))
    .flatMap(({ array, index, value }) => [
      terms.eq(terms.select(array, index), value),
      ...indices.flatMap((place) => [terms.le(place, index), terms.lt(place, index), terms.ge(place, index)]),
    ])
    .filter(({ kind }) => kind !== "bool");
}

const mostIndices = 8;
/** Instances of a formula for the ghost and for the indices that a region uses. */
function instancesFor({ terms }: ProgramModel, ghost: Variable): Instances<RegionTransition> {
  const known = new Map<ModelRegion, readonly Term[]>();
  const indicesOf = (region: ModelRegion): readonly Term[] => {
    return remembered(known, region, () => {
      const used = postOrder(termsOf(region)).flatMap((part) =>
        part.kind === "select" || part.kind === "store" ? [part.index] : [],
      );
      return [...new Set(used)].filter((index) => postOrder([index]).length <= mostPlainParts).slice(0, mostIndices);
    });
  };
  return ({ region }, formula) =>
    mentions(formula, ghost)
      ? [formula, ...indicesOf(region).map((index) => substitute(terms, formula, new Map([[ghost, index]])))]
      : [formula];
}

function mentions(formula: Term, variable: Variable): boolean {
  return freeVariablesOf([formula]).includes(variable);
}
