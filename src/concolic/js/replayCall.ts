import { present } from "../../base/checked.ts";
import { isObject, type LoggedCall, type Recorded } from "../../js/recorder/readLog.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import { unknownValue } from "../../js/recorder/valueRules.ts";
import { constant, type EntryExpr, field, free, fresh, opaque, parameter, self, someExpr } from "../expr.ts";
import type { Checks, Condition, Definition, Summary, SummaryOutcome, Write } from "../summary.ts";
import { setVariable } from "./assign.ts";
import { foreign } from "./calls.ts";
import { commutes, createConditions } from "./conditions.ts";
import { createCursor, LostCall, ProgramThrow } from "./cursor.ts";
import { type CallFrame, type ReplayedFunction, rememberEntry, type World } from "./frame.ts";
import { createHeap } from "./heap.ts";
import { executeAll, returned } from "./statements.ts";

export type CallReplay =
  | {
      readonly kind: "followed";
      readonly summary: Summary;
      readonly definitions: ReadonlyMap<string, Definition>;
      readonly wrongDecisions: number;
    }
  | { readonly kind: "lost"; readonly reason: string };

/** Follows one recorded call over its syntax tree. */
export function replayCall(world: World, fn: ReplayedFunction, call: LoggedCall): CallReplay {
  const frame = startFrame(world, fn, call);
  try {
    const outcome = run(frame);
    if (!frame.cursor.done) {
      for (const item of frame.cursor.calls()) foreign(frame, item);
      if (!frame.cursor.done) return { kind: "lost", reason: "events are left over" };
    }
    const summary = summarise(frame, outcome);
    return { kind: "followed", summary, definitions: frame.definitions, wrongDecisions: frame.wrongDecisions.count };
  } catch (error) {
    if (error instanceof LostCall) return { kind: "lost", reason: error.message };
    throw error;
  }
}

function startFrame(world: World, fn: ReplayedFunction, call: LoggedCall): CallFrame {
  const entry: CallFrame["entry"] = new Map();
  const heap = createHeap(
    (term, value) => rememberEntry(frame, term, value),
    () => frame.opaques++,
  );
  const frame: CallFrame = {
    world,
    call,
    fn,
    table: fn.table,
    cursor: createCursor(call, fn.table, (item) => foreign(frame, item)),
    heap,
    locals: new Map(),
    free: new Map(),
    freeWritten: new Set(),
    entry,
    entryObjects: new Map(),
    definitions: new Map(),
    delegated: new Set(),
    rounds: new Map(),
    checks: { agreed: 0, disagreed: 0, open: 0 },
    wrongDecisions: { count: 0 },
    conditions: createConditions(),
    receiver: { concrete: unknownValue, term: self },
    hasWaited: false,
    opaques: 0,
    fresh: 0,
  };
  return frame;
}

function run(frame: CallFrame): SummaryOutcome {
  const { node } = frame.fn.sites;
  try {
    begin(frame);
    if (node.body.type !== "BlockStatement") return returns(returned(frame, node.body, node.body));
    const completion = executeAll(frame, node.body.body);
    if (completion.kind === "return") return returns(completion.value);
    return { kind: "return", result: constant(undefined), concrete: undefined };
  } catch (error) {
    if (!(error instanceof ProgramThrow)) throw error;
    const thrown = frame.call.outcome.kind === "threw" ? frame.call.outcome.error : error.error;
    if (frame.call.outcome.kind !== "threw") throw new LostCall("an exception that did not leave the call");
    return { kind: "throw", error: describeError(thrown), concrete: thrown };
  }
}

function returns({ term, concrete }: { readonly term: EntryExpr; readonly concrete: unknown }): SummaryOutcome {
  return { kind: "return", result: term, concrete: concrete as Recorded };
}

/** `TypeError: text`; other values as they are. */
function describeError(thrown: Recorded): string {
  if (isObject(thrown)) return thrown.className;
  return typeof thrown === "object" && thrown !== null ? thrown.description : String(thrown);
}

/** The initial values of the call: `this`, parameters, fields initialised before the constructor's body. */
function begin(frame: CallFrame): void {
  const { sites } = frame.fn;
  if (sites.thisSite !== null) {
    const { value } = frame.cursor.take(sites.thisSite);
    frame.receiver = { concrete: value, term: self };
    rememberEntry(frame, self, value);
  }
  for (const site of sites.params) {
    const { value } = frame.cursor.take(site);
    const term = parameter(present(site.name));
    rememberEntry(frame, term, value);
    setVariable(frame, site.node, { concrete: value, term });
  }
  for (const site of sites.fields) {
    const { value } = frame.cursor.take(site);
    const primitive = value === null || typeof value !== "object";
    const isNew = isObject(value) && value.kind === "object";
    const other = isNew ? fresh(frame.fresh++, value.className, "") : opaque(frame.opaques++, present(site.name));
    const term = primitive ? constant(value) : other;
    if (isNew) frame.heap.markFresh(value, term);
    frame.heap.write(frame.receiver, present(site.name), field(self, present(site.name)), { concrete: value, term });
  }
  for (const param of sites.node.params) if (param.type === "TSParameterProperty") assignProperty(frame, param);
}

/** `constructor(private x: number)` stores the parameter. */
function assignProperty(frame: CallFrame, param: Node): void {
  const name = param.parameter.type === "AssignmentPattern" ? param.parameter.left : param.parameter;
  const binding = frame.table.bindingOf.get(name) ?? null;
  const value = binding === null ? undefined : frame.locals.get(binding);
  if (value !== undefined) frame.heap.write(frame.receiver, name.name, field(self, name.name), value);
}

/** Every condition, result and write is compared with the run; what disagrees becomes opaque. */
function summarise(frame: CallFrame, outcome: SummaryOutcome): Summary {
  const { checks, entry } = frame;
  const conditions = frame.conditions.all().flatMap((one): Condition[] => {
    const truthful = commutes({ kind: "unary", key: "", operator: "!", operand: one.expr }, entry, false);
    count(checks, truthful);
    return truthful === false ? [{ ...one, expr: opaque(frame.opaques++, one.expr.key) }] : [one];
  });
  const checked = (expr: EntryExpr, concrete: unknown): EntryExpr => {
    if (someExpr(expr, (one) => one.kind === "opaque"))
      return expr.kind === "opaque" ? expr : opaque(frame.opaques++, expr.key);
    const right = commutes(expr, entry, concrete as Recorded);
    count(checks, right);
    return right === false ? opaque(frame.opaques++, expr.key) : expr;
  };
  const written = (write: Write): Write => ({ ...write, value: checked(write.value, write.concrete) });
  const freeWrites = [...frame.freeWritten].map((name): Write => {
    const value = present(frame.free.get(name));
    return { place: free(name), value: value.term, object: null, name, concrete: value.concrete };
  });
  const changed = [...frame.heap.writes(), ...freeWrites].filter((write) => write.value.key !== write.place.key);
  return {
    conditions,
    outcome: outcome.kind === "return" ? { ...outcome, result: checked(outcome.result, outcome.concrete) } : outcome,
    writes: changed.map(written),
    freshCells: frame.heap.freshCells(),
    freshObjects: frame.heap.freshObjects(),
    entry,
    delegated: [...frame.delegated],
    rounds: frame.rounds,
    state: frame.call.state,
    checks,
  };
}

function count(checks: Checks, right: boolean | null): void {
  if (right === null) checks.open++;
  else if (right) checks.agreed++;
  else checks.disagreed++;
}
