import { nth } from "../../base/checked.ts";
import { constant, type EntryExpr, element, someExpr } from "../../concolic/expr.ts";
import type { Summary } from "../../concolic/summary.ts";
import type { ContractCase, ContractEffect } from "./contract.ts";
import { elsewhere, newText } from "./printExpr.ts";
import type { ContractReasoner } from "./reasoner.ts";

const isOpaque = (expr: EntryExpr): boolean => someExpr(expr, (one) => one.kind === "opaque");

/** True for terms about an object that the call made: they mean nothing at entry. */
const isAboutNew = (expr: EntryExpr): boolean => someExpr(expr, (one) => one.kind === "new");

/** `a new Array.join("&")` is useless, because the object's content is unknown at entry. */
const isUnsaid = (expr: EntryExpr): boolean => isOpaque(expr) || (expr.kind !== "new" && isAboutNew(expr));

/** A literal or `new` is never missing. */
function isPlain(expr: EntryExpr): boolean {
  if (expr.kind === "binary" && expr.right.kind === "const" && expr.right.value == null) return isPlain(expr.left);
  return expr.kind === "new" && /^(new |[[{])/.test(expr.text);
}

/** The postcondition of one path: the result and the changed places (paper 002 §4.2.2, step 3). */
export function caseOf(summary: Summary, hasResult: boolean): ContractCase {
  // A loop's index is obviously inside of its array.
  const told = summary.conditions.filter((one) => one.kind !== "bounds" || !mentionsLoop(one.expr));
  const guard = told.map((one) => one.expr).filter((one) => !isPlain(one));
  const { outcome } = summary;
  const effects: ContractEffect[] = [];
  if (outcome.kind === "return" && hasResult && !isUnsaid(outcome.result))
    effects.push({ kind: "result", value: outcome.result });
  for (const { place, value } of summary.writes) {
    if (isElsewhere(place)) effects.push({ kind: "changed", place: elsewhere });
    else if (
      value.kind === "opaque" ||
      isUnsaid(value) ||
      isOpaque(place) ||
      mentionsLoop(place) ||
      mentionsLoop(value)
    )
      effects.push({ kind: "changed", place: wholePlace(place) });
    else effects.push({ kind: "write", place, value });
  }
  // The length or size of a new object that was stored.
  for (const write of summary.writes)
    for (const cell of summary.freshCells)
      if (write.value.kind === "new" && cell.place.kind === "field" && cell.place.base.key === write.value.key)
        if (["length", "size"].includes(cell.place.name) && !isOpaque(cell.value))
          effects.push({ kind: "shape", place: write.place, name: cell.place.name, value: cell.value });
  const opaqueResult = outcome.kind === "return" && hasResult && isUnsaid(outcome.result);
  return {
    guard: uniqueExprs(guard.filter((one) => !isOpaque(one) && !isAboutNew(one))),
    outcome: outcome.kind,
    error: outcome.kind === "throw" ? outcome.error : null,
    effects: [...new Map(effects.map((effect) => [effectKey(effect), effect])).values()],
    calls: 1,
    partial: guard.some((one) => isOpaque(one) || isAboutNew(one)) || opaqueResult,
    unsaid: opaqueResult,
  };
}

/** True for a place of an object that terms do not reach, or of a variable of another file. */
function isElsewhere(place: EntryExpr): boolean {
  let root = place;
  while (root.kind === "field" || root.kind === "element") root = root.base;
  if (root.kind === "free" && root.key !== `^${root.name}`) return true;
  return root.kind === "opaque" || (root.kind === "call" && root.receiver !== null && isOpaque(root.receiver));
}

/** Cells that a loop visits, or that terms do not distinguish: the whole array changes. */
function wholePlace(place: EntryExpr): EntryExpr {
  if (place.kind !== "element" || !(mentionsLoop(place.index) || isUnsaid(place.index))) return place;
  return element(place.base, constant("*"));
}

function mentionsLoop(expr: EntryExpr): boolean {
  return someExpr(expr, (one) => one.kind === "loop");
}

export function uniqueExprs(exprs: readonly EntryExpr[]): readonly EntryExpr[] {
  return [...new Map(exprs.map((one) => [one.key, one])).values()];
}

/** Callers cannot distinguish the new objects of a call. */
function valueKey(value: EntryExpr): string {
  return value.kind === "new" ? newText(value) : value.key;
}

export function effectKey(effect: ContractEffect): string {
  switch (effect.kind) {
    case "result":
      return `= ${valueKey(effect.value)}`;
    case "write":
      return `${effect.place.key} := ${valueKey(effect.value)}`;
    case "shape":
      return `${effect.place.key}.${effect.name} := ${effect.value.key}`;
    case "contains":
      return `${effect.place.key} has ${effect.value.key}`;
    case "changed":
      return `${effect.place.key} changed`;
  }
}

export function outcomeKey(one: ContractCase): string {
  return `${one.outcome} ${one.error} ${one.effects.map(effectKey).sort().join("; ")}`;
}

/** Merges equal cases. */
export function joinEqual(cases: readonly ContractCase[]): readonly ContractCase[] {
  const joined = new Map<string, ContractCase>();
  for (const one of cases) {
    const key = `${one.guard
      .map((c) => c.key)
      .sort()
      .join("&")} ${outcomeKey(one)}`;
    const known = joined.get(key);
    joined.set(key, known === undefined ? one : { ...known, ...together([known, one]) });
  }
  return [...joined.values()];
}

/** Drops conjuncts that the others and the background imply; bounds and null checks are tried first. */
export function simplifyGuard(guard: readonly EntryExpr[], reasoner: ContractReasoner): readonly EntryExpr[] {
  let kept = [...guard];
  const order = [...guard].sort((a, b) => cost(b) - cost(a));
  for (const one of order) {
    const rest = kept.filter((other) => other !== one);
    if (reasoner.implies(rest, one)) kept = rest;
  }
  return kept;
}

/**
 * Conditions on `$i` may come from different rounds. If they contradict each other, they are dropped, and the case is
 * partial.
 */
export function consistent(one: ContractCase, reasoner: ContractReasoner): ContractCase {
  if (!one.guard.some(mentionsLoop) || !reasoner.implies(one.guard, constant(false))) return one;
  return { ...one, guard: one.guard.filter((expr) => !mentionsLoop(expr)), partial: true };
}

/** The cost of reading: expensive conjuncts are dropped first. */
function cost(expr: EntryExpr): number {
  if (expr.kind === "binary" && expr.operator === "!=" && expr.right.kind === "const") return 1000;
  const bounds = expr.kind === "binary" && (expr.operator === ">=" || expr.operator === "<") ? 100 : 0;
  return bounds + expr.key.length;
}

/** Merges cases with the same outcome if their guards together are equivalent to their common part. */
export function mergeCases(cases: readonly ContractCase[], reasoner: ContractReasoner): readonly ContractCase[] {
  const groups = new Map<string, ContractCase[]>();
  for (const one of cases) groups.set(outcomeKey(one), [...(groups.get(outcomeKey(one)) ?? []), one]);
  return [...groups.values()].flatMap((group) => mergeGroup(group, reasoner));
}

function mergeGroup(group: readonly ContractCase[], reasoner: ContractReasoner): readonly ContractCase[] {
  let cases = [...group];
  for (let changed = true; changed; ) {
    changed = false;
    const all = tryMerge(cases, reasoner);
    if (cases.length > 1 && all !== null) return [all];
    for (let a = 0; a < cases.length && !changed; a++)
      for (let b = a + 1; b < cases.length && !changed; b++) {
        const merged = tryMerge([nth(cases, a), nth(cases, b)], reasoner);
        if (merged === null) continue;
        cases = [...cases.filter((_, at) => at !== a && at !== b), merged];
        changed = true;
      }
  }
  return cases;
}

function tryMerge(cases: readonly ContractCase[], reasoner: ContractReasoner): ContractCase | null {
  const [first] = cases;
  if (first === undefined || cases.length > 24) return null;
  const common = cases
    .flatMap((one) => one.guard)
    .filter((conjunct, at, all) => all.findIndex((other) => other.key === conjunct.key) === at)
    .filter((conjunct) =>
      cases.every((one) => one.guard.some((c) => c.key === conjunct.key) || reasoner.implies(one.guard, conjunct)),
    );
  if (
    !reasoner.covers(
      common,
      cases.map((one) => one.guard),
    )
  )
    return null;
  return {
    ...first,
    guard: simplifyGuard(common, reasoner),
    ...together(cases),
  };
}

function together(cases: readonly ContractCase[]): Pick<ContractCase, "calls" | "partial" | "unsaid"> {
  return {
    calls: cases.reduce((sum, one) => sum + one.calls, 0),
    partial: cases.some((one) => one.partial),
    unsaid: cases.some((one) => one.unsaid),
  };
}

/** More cases with the same guard are reduced to their common part. */
const mostAlike = 2;

/** Joins cases whose printed conditions are equal. */
export function joinAlike(cases: readonly ContractCase[]): readonly ContractCase[] {
  const groups = new Map<string, ContractCase[]>();
  for (const one of cases) {
    const guard = one.guard.map((expr) => expr.key).sort();
    const key = `${one.outcome} ${one.error} ${guard.join("&")}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    if (group.length <= mostAlike || nth(group, 0).outcome === "throw") return group;
    const common = commonEffects(group);
    const isUnsaid = !common.some(({ kind }) => kind === "result");
    return [{ ...nth(group, 0), ...together(group), effects: common, partial: true, unsaid: isUnsaid }];
  });
}

export function commonEffects([first, ...others]: readonly ContractCase[]): readonly ContractEffect[] {
  if (first === undefined) return [];
  return first.effects.filter((effect) =>
    others.every((one) => one.effects.some((other) => effectKey(other) === effectKey(effect))),
  );
}
