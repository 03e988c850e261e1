import { nth } from "../../base/checked.ts";
import { type EntryExpr, field, parameter, self, someExpr } from "../../concolic/expr.ts";
import {
  type Condition,
  type Definition,
  type FunctionRecord,
  isPartOfResult,
  isPure,
  type Subject,
} from "../../concolic/summary.ts";
import { arrayOrders, arrayTemplates } from "./arrayFacts.ts";
import { classInvariants, statesOf } from "./classInvariant.ts";
import {
  type ClassContract,
  type Contract,
  type ContractCase,
  type ContractEffect,
  type Inference,
  type NoContract,
  type Requirement,
  writtenPlaces,
} from "./contract.ts";
import { exampleCalls } from "./exampleCalls.ts";
import {
  caseOf,
  commonEffects,
  consistent,
  effectKey,
  joinAlike,
  joinEqual,
  mergeCases,
  simplifyGuard,
  uniqueExprs,
} from "./joinCases.ts";
import { isSaidByType, kindsOf } from "./kinds.ts";
import { type ContractReasoner, createContractReasoner, type ReasoningTools } from "./reasoner.ts";
import { stateEffects } from "./stateEffects.ts";

export type InferOptions = {
  /** Selects files. */
  readonly wanted: (path: string) => boolean;
  readonly stop: () => boolean;
};

/** More paths are not joined: nobody reads them, and the queries grow quadratically. */
const maxCases = 40;
const readableCases = 6;

export function inferContracts(
  tools: ReasoningTools,
  records: readonly FunctionRecord[],
  options: InferOptions,
): Inference {
  const wanted = records.filter(({ subject }) => options.wanted(subject.path));
  const classes = inferClasses(tools, wanted, options);
  const contracts: Contract[] = [];
  const without: NoContract[] = [];
  for (const record of wanted) {
    const { name, path } = record.subject;
    const reason = options.stop() ? "interrupted" : reasonWithout(record);
    if (reason !== null) without.push({ name, path, reason });
    else contracts.push(inferContract(tools, record, classes.get(classKey(record)) ?? null));
  }
  return { classes: [...classes.values()], contracts, without };
}

function reasonWithout({ subject, summaries, lost }: FunctionRecord): string | null {
  if (subject.leftOut !== null) return subject.leftOut;
  if (summaries.length > 0) return null;
  return lost > 0 ? "its calls could not be followed" : "no call was recorded";
}

function classKey({ subject }: FunctionRecord): string {
  return `${subject.path} ${subject.className}`;
}

function inferClasses(
  tools: ReasoningTools,
  records: readonly FunctionRecord[],
  options: InferOptions,
): ReadonlyMap<string, ClassContract> {
  const groups = new Map<string, FunctionRecord[]>();
  for (const record of records)
    if (record.subject.className !== null && !record.subject.static)
      groups.set(classKey(record), [...(groups.get(classKey(record)) ?? []), record]);
  const classes = new Map<string, ClassContract>();
  for (const [key, group] of groups) {
    if (options.stop()) break;
    const { className, path } = nth(group, 0).subject;
    const states = statesOf(group).filter((state) => state.object.className !== "Function");
    if (states.length === 0) continue;
    const kinds = kindsOf(group.flatMap((record) => record.summaries));
    const reasoner = createContractReasoner(tools, kinds, [], []);
    classes.set(key, {
      name: className!,
      path,
      fields: fieldsSeen(states),
      invariants: classInvariants(group, states, kinds, reasoner),
      templates: arrayTemplates(states),
      orders: arrayOrders(states),
      states: states.length,
      kinds,
    });
  }
  return classes;
}

function fieldsSeen(states: ReturnType<typeof statesOf>): ClassContract["fields"] {
  const names = [...new Set(states.flatMap((state) => [...state.properties.keys()]))];
  return names.map((name) => {
    const values = states.flatMap((state) => {
      const property = state.properties.get(name);
      return property === undefined ? [] : [property.value];
    });
    const term = field(self, name);
    const entry = values.map((value) => new Map([[term.key, { term, value }]]));
    return { name, seen: kindsOf(entry.map((one) => ({ ...noSummary, entry: one }))).describe(term) };
  });
}

const noSummary = {
  conditions: [],
  outcome: { kind: "return", result: self, concrete: undefined },
  writes: [],
  freshCells: [],
  freshObjects: new Map(),
  delegated: [],
  rounds: new Map(),
  state: null,
  checks: { agreed: 0, disagreed: 0, open: 0 },
} as const;

function inferContract(tools: ReasoningTools, record: FunctionRecord, classContract: ClassContract | null): Contract {
  const { subject, summaries } = record;
  const kinds = kindsOf(summaries, subject);
  const assumed = classContract === null || subject.kind === "constructor" ? [] : classContract.invariants;
  const definitions: readonly Definition[] = [...record.definitions.values()];
  const reasoner = createContractReasoner(tools, kinds, assumed, definitions);
  const hasResult = subject.kind !== "constructor" && subject.kind !== "setter";
  const raw = joinEqual(summaries.map((summary) => caseOf(summary, hasResult)));
  const cases = raw.length > maxCases ? commonest(raw) : raw;
  const sound = cases.map((one) => consistent(one, reasoner));
  const simplified = joinEqual(sound.map((one) => ({ ...one, guard: simplifyGuard(one.guard, reasoner) })));
  const merged = mergeCases(simplified, reasoner);
  const requires = requirementsOf(record, merged, reasoner);
  const known = requires.map((one) => one.expr);
  const within = joinAlike(merged.map((one) => ({ ...one, guard: without(one.guard, known, reasoner) })));
  const ordered = within.length > readableCases;
  const final = dropUndefinedResults(
    ordered ? decisionList(within, known, reasoner) : markOverlaps(joinEqual(within), known, reasoner),
  );
  const ensures = [...commonEffects(final.filter((one) => one.outcome === "return")), ...stateEffects(record, final)];
  const shared = new Set(ensures.map(effectKey));
  return {
    subject,
    params: subject.params.map((name) => ({ name, seen: kinds.describe(parameter(name)) })),
    returns: hasResult ? kinds.describe(result) : "",
    // Every caller meets conditions on some round of a loop.
    requires: requires.filter(
      ({ expr, origin }) =>
        !someExpr(expr, (one) => one.kind === "loop") && (origin === "needed" || !isSaidByType(expr, kinds)),
    ),
    ensures,
    cases: final.map((one) => ({ ...one, effects: one.effects.filter((effect) => !shared.has(effectKey(effect))) })),
    ordered,
    modifies: modifiedPlaces(final),
    pure: summaries.every(isPure),
    delegated: [...new Set(summaries.flatMap((summary) => summary.delegated))].slice(0, 5),
    evidence: {
      ...{ calls: record.calls, replayed: summaries.length, paths: raw.length, tests: record.tests.size },
      examples: exampleCalls(record),
    },
    withheld: summaries.reduce((sum, summary) => sum + summary.checks.disagreed, 0),
    kinds,
  };
}

const result: EntryExpr = { kind: "param", key: "result", name: "result" };

function commonest(cases: readonly ContractCase[]): readonly ContractCase[] {
  return [...cases].sort((a, b) => b.calls - a.calls).slice(0, maxCases);
}

function without(
  guard: readonly EntryExpr[],
  known: readonly EntryExpr[],
  reasoner: ContractReasoner,
): readonly EntryExpr[] {
  const keys = new Set(known.map((one) => one.key));
  const rest = guard.filter((one) => !keys.has(one.key));
  return rest.filter(
    (one) =>
      !reasoner.implies([...known, ...rest.filter((other) => other !== one)], one) ||
      isFirst(one, rest, known, reasoner),
  );
}

/** If two conjuncts imply each other, the first one stays. */
function isFirst(
  one: EntryExpr,
  rest: readonly EntryExpr[],
  known: readonly EntryExpr[],
  reasoner: ContractReasoner,
): boolean {
  const later = rest.slice(rest.indexOf(one) + 1);
  return (
    !reasoner.implies([...known, ...rest.slice(0, rest.indexOf(one))], one) &&
    later.some((other) => reasoner.implies([one], other))
  );
}

/** The conjuncts of all cases: the precondition (§4.2.2, step 3). */
function requirementsOf(
  record: FunctionRecord,
  cases: readonly ContractCase[],
  reasoner: ContractReasoner,
): readonly Requirement[] {
  const conditions = record.summaries.flatMap((summary) => summary.conditions);
  // Conditions for a throw are no requirement; those that every other path meets are.
  const returning = cases.filter((one) => one.outcome === "return");
  const [first] = returning;
  if (first === undefined || cases.length > returning.length) return [];
  const common = uniqueExprs(first.guard).filter((conjunct) =>
    returning.every((one) => one.guard.some((c) => c.key === conjunct.key) || reasoner.implies(one.guard, conjunct)),
  );
  return common.map((expr) => ({ expr, origin: originOf(expr, conditions, record.subject) }));
}

function originOf(expr: EntryExpr, conditions: readonly Condition[], subject: Subject): Requirement["origin"] {
  const from = conditions.filter((one) => one.expr.key === expr.key);
  const needed = from.some((one) => one.kind === "native" || one.needed || subject.otherWayThrows(one.point));
  return needed ? "needed" : "observed";
}

/** A case that contains another one needs more conditions than could be expressed. */
function markOverlaps(
  cases: readonly ContractCase[],
  known: readonly EntryExpr[],
  reasoner: ContractReasoner,
): readonly ContractCase[] {
  return cases.map((one) => {
    const others = cases.filter((other) => other !== one && other.outcome === "return");
    const overlaps = others.some((other) =>
      one.guard.every((expr) => reasoner.implies([...known, ...other.guard], expr)),
    );
    return overlaps && one.outcome === "return" ? { ...one, partial: true } : one;
  });
}

/**
 * Each guard is simplified under the assumption that the earlier ones do not hold. Cases that throw are listed apart, so
 * they assume nothing. If an earlier guard holds in a later case, the earlier one needs more conditions.
 */
function decisionList(
  cases: readonly ContractCase[],
  known: readonly EntryExpr[],
  reasoner: ContractReasoner,
): readonly ContractCase[] {
  let done: ContractCase[] = [];
  for (const one of [...cases].sort((a, b) => a.guard.length - b.guard.length)) {
    if (one.outcome === "throw") {
      done.push(one);
      continue;
    }
    const isBefore = (other: ContractCase): boolean => other.outcome === "return" && other.guard.length === 1;
    const holds = (other: ContractCase): boolean => reasoner.implies([...known, ...one.guard], nth(other.guard, 0));
    done = done.map((other) => (isBefore(other) && holds(other) ? { ...other, partial: true } : other));
    const simple = done.filter((other) => isBefore(other) && !other.partial).map(({ guard }) => negate(nth(guard, 0)));
    let guard = one.guard;
    for (const conjunct of one.guard) {
      const rest = guard.filter((other) => other !== conjunct);
      if (rest.length > 0 && reasoner.implies([...known, ...simple, ...rest], conjunct)) guard = rest;
    }
    done.push({ ...one, guard });
  }
  return done;
}

const negate = (expr: EntryExpr): EntryExpr => ({ kind: "unary", key: `!(${expr.key})`, operator: "!", operand: expr });

/** `undefined` is no result if nothing else was ever returned. */
function dropUndefinedResults(cases: readonly ContractCase[]): readonly ContractCase[] {
  const isNothing = (effect: ContractEffect): boolean =>
    effect.kind === "result" && effect.value.kind === "const" && effect.value.value === undefined;
  const returning = cases.filter((one) => one.outcome === "return");
  if (!returning.every((one) => one.effects.some(isNothing))) return cases;
  return cases.map((one) => ({ ...one, effects: one.effects.filter((effect) => !isNothing(effect)) }));
}

function modifiedPlaces(cases: readonly ContractCase[]): readonly EntryExpr[] {
  return uniqueExprs(cases.flatMap((one) => writtenPlaces(one.effects))).filter((place) => !isPartOfResult(place));
}
