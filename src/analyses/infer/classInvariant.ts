import { nth } from "../../base/checked.ts";
import { binary, type EntryExpr, mapParts, parts, someExpr } from "../../concolic/expr.ts";
import type { Definition, FunctionRecord, Summary } from "../../concolic/summary.ts";
import type { ObjectState } from "../../js/recorder/readLog.ts";
import { truth } from "../../js/recorder/valueRules.ts";
import type { Kinds } from "./kinds.ts";
import type { ContractReasoner } from "./reasoner.ts";
import { valueInState } from "./stateEffects.ts";

export function statesOf(records: readonly FunctionRecord[]): readonly ObjectState[] {
  return records.flatMap(({ subject, summaries }) =>
    summaries
      // A constructor that throws leaves no object.
      .filter(({ outcome }) => subject.kind !== "constructor" || outcome.kind === "return")
      .flatMap(({ state }) => (state === null ? [] : [state])),
  );
}

/**
 * Paper 002 §4.2.2, step 2: conjuncts over `this` alone, from all paths of all methods, that hold in the final state of
 * every recorded call. Beyond the paper: definitions are expanded, equalities weakened to bounds, written constants
 * compared with, and implied conjuncts dropped.
 */
export function classInvariants(
  records: readonly FunctionRecord[],
  states: readonly ObjectState[],
  kinds: Kinds,
  reasoner: ContractReasoner,
): readonly EntryExpr[] {
  if (states.length < 2) return [];
  const candidates = new Map<string, EntryExpr>();
  for (const record of records)
    for (const summary of record.summaries)
      for (const atom of atomsOf(summary, record.definitions))
        for (const one of weakened(atom, kinds)) candidates.set(one.key, one);
  const holding = [...candidates.values()].filter((one) => holdsEverywhere(one, states));
  return dropImplied(holding, reasoner);
}

function holdsEverywhere(expr: EntryExpr, states: readonly ObjectState[]): boolean {
  return states.every((state) => {
    const value = valueInState(expr, state);
    return truth(value) === true;
  });
}

function atomsOf(summary: Summary, definitions: ReadonlyMap<string, Definition>): readonly EntryExpr[] {
  const expand = (expr: EntryExpr): EntryExpr => {
    const known = definitions.get(expr.key);
    return known === undefined ? mapParts(expr, expand) : known.definition;
  };
  // Facts about a parameter hold for the field that it is stored in.
  const stored = new Map(summary.writes.filter(isStoredParameter).map(({ place, value }) => [value.key, place]));
  const restate = (expr: EntryExpr): EntryExpr => stored.get(expr.key) ?? mapParts(expr, restate);
  const conditions = summary.conditions.map((one) => restate(expand(one.expr)));
  const results = summary.outcome.kind === "return" ? [expand(summary.outcome.result)] : [];
  const written = summary.writes
    .filter((write) => write.value.kind === "const" && write.place.kind === "field")
    .map((write) => binary("===", write.place, write.value));
  return [...conditions, ...results, ...written].flatMap(comparisonsIn).filter(isAboutThis);
}

function isStoredParameter({ place, value }: Summary["writes"][number]): boolean {
  return value.kind === "param" && place.kind === "field" && place.base.kind === "this";
}

function comparisonsIn(expr: EntryExpr): readonly EntryExpr[] {
  const here = expr.kind === "binary" && /^([<>]=?|[!=]==?)$/.test(expr.operator) ? [expr] : [];
  return [...here, ...parts(expr).flatMap(comparisonsIn)];
}

function isAboutThis(expr: EntryExpr): boolean {
  const foreign = ["param", "free", "call", "loop", "opaque", "new"];
  return someExpr(expr, (one) => one.kind === "this") && !someExpr(expr, (one) => foreign.includes(one.kind));
}

function weakened(expr: EntryExpr, kinds: Kinds): readonly EntryExpr[] {
  if (expr.kind !== "binary") return [];
  const { left, right } = expr;
  const isInt = kinds.of(left) === "int" && kinds.of(right) === "int";
  // A comparison with a constant of another kind says little.
  const operators = isInt ? ["===", "<=", ">=", "<", ">"] : kinds.of(left) === kinds.of(right) ? ["==="] : [];
  return operators.map((operator) => binary(operator, left, right));
}

/** Equalities first, then bounds: no remaining conjunct is implied by the others. */
export function dropImplied(candidates: readonly EntryExpr[], reasoner: ContractReasoner): readonly EntryExpr[] {
  const rank = (expr: EntryExpr): number =>
    expr.kind === "binary" ? ["===", "<", ">", "<=", ">=", "!=="].indexOf(expr.operator) : 9;
  const kept = [...candidates].sort(
    (a, b) => rank(a) - rank(b) || a.key.length - b.key.length || (a.key < b.key ? -1 : 1),
  );
  for (let at = kept.length - 1; at >= 0; at--) {
    const rest = kept.filter((_, other) => other !== at);
    if (reasoner.implies(rest, nth(kept, at))) kept.splice(at, 1);
  }
  return kept;
}
