import { nth } from "../../base/checked.ts";
import { isObject, type Recorded, type RecordedObject } from "../../js/recorder/readLog.ts";
import type { Binding } from "../../js/recorder/scopes.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import { applyUnary, type Concrete, unknownValue } from "../../js/recorder/valueRules.ts";
import {
  call,
  constant,
  type EntryExpr,
  element,
  field,
  foldBinary,
  fresh,
  isPlace,
  mapParts,
  negated,
  type ShadowValue,
  someExpr,
  unary,
} from "../expr.ts";
import { isPure, type Summary } from "../summary.ts";
import type { CallItem } from "./cursor.ts";
import {
  addCondition,
  bounded,
  type CallFrame,
  freshOpaque,
  type ReplayedFunction,
  readFree,
  rememberEntry,
  writeFree,
} from "./frame.ts";
import { elementName } from "./heap.ts";

export type Invocation = {
  readonly item: CallItem;
  readonly fn: ReplayedFunction;
  readonly name: string;
  readonly receiver: ShadowValue | null;
  readonly args: readonly ShadowValue[];
  readonly node: Node;
};

/** Callees with more paths than this are referred to, not spelled out: else cases multiply. */
const inlinedPaths = 4;

/**
 * What a recorded callee does, in the caller's terms: places of the callee's entry state are looked up in the caller's
 * current state (linear in the size of summaries, not times depth). The result's concrete value comes from the log.
 */
export function compose(frame: CallFrame, invocation: Invocation): EntryExpr {
  const summary = frame.world.summaryOf(invocation.item);
  if (summary === null) return opaqueCall(frame, invocation);
  if (isRecursive(frame, invocation.fn)) return recursiveCall(frame, invocation, summary);
  const substitute = substitution(frame, invocation, summary);
  const kept = keptCall(frame, invocation, summary, substitute);
  if (kept !== null) return kept;
  if (frame.world.pathsOf(invocation.fn) > inlinedPaths && !isPure(summary))
    return referTo(frame, invocation, summary, substitute);
  const conditions = summary.conditions.map((one) => ({ ...one, expr: substitute(one.expr).term }));
  const exact = invocation.item.kind === "call";
  const writes = [...summary.freshCells, ...summary.writes].map((write) => {
    const { concrete, term } = substitute(write.value);
    const value: ShadowValue = { concrete: exact ? write.concrete : concrete, term };
    return { write, base: baseOf(write.place, substitute), value };
  });
  const result = summary.outcome.kind === "return" ? substitute(summary.outcome.result).term : constant(undefined);
  for (const one of conditions) addCondition(frame, one.expr, one.point, one.kind);
  for (const { write, base, value } of writes) applyWrite(frame, invocation, write.place, base, substitute, value);
  for (const text of summary.delegated) frame.delegated.add(text);
  return result;
}

/** The callee's contract says what it does: here the places that it writes are no longer known, nothing more. */
function referTo(
  frame: CallFrame,
  invocation: Invocation,
  summary: Summary,
  substitute: (expr: EntryExpr) => ShadowValue,
): EntryExpr {
  const name = describe(invocation);
  frame.delegated.add(name);
  for (const text of summary.delegated) frame.delegated.add(text);
  const exact = invocation.item.kind === "call";
  const writes = [...summary.freshCells, ...summary.writes];
  const bases = writes.map(({ place }) => baseOf(place, substitute));
  writes.forEach(({ place, concrete }, at) => {
    const value: ShadowValue = {
      concrete: exact ? concrete : unknownValue,
      term: freshOpaque(frame, `as after ${name}`),
    };
    applyWrite(frame, invocation, place, bases[at]!, substitute, value);
  });
  return freshOpaque(frame, name);
}

function describe({ name, receiver, args }: Invocation): string {
  const on = receiver === null || receiver.term.kind === "this" ? "" : `${receiver.term.key}.`;
  return `${on}${name}(${args.map((one) => one.term.key).join(", ")})`;
}

function isRecursive(frame: CallFrame, fn: ReplayedFunction): boolean {
  for (let at: typeof frame.call | null = frame.call; at !== null; at = at.parent)
    if (at.file === fn.file && at.enter === fn.sites.enter?.index) return true;
  return false;
}

function opaqueCall(frame: CallFrame, invocation: Invocation): EntryExpr {
  frame.delegated.add(describe(invocation));
  return freshOpaque(frame, describe(invocation));
}

/** A recursive call stays a call, pure or not (§4.2.2): that is what makes recursive contracts. */
function recursiveCall(frame: CallFrame, invocation: Invocation, summary: Summary): EntryExpr {
  for (const write of summary.writes) foreignWrite(frame, write.object, write.name, write.concrete, write.place);
  if (!isPure(summary)) frame.delegated.add(describe(invocation));
  const { receiver, args } = invocation;
  const readable = [...args, ...(receiver === null ? [] : [receiver])].every((one) => isReadable(one.term));
  if (!readable || frame.heap.writeCount > 0) return freshOpaque(frame, describe(invocation));
  return call(
    invocation.name,
    receiver?.term ?? null,
    args.map((one) => one.term),
  );
}

const isReadable = (expr: EntryExpr): boolean => !someExpr(expr, (one) => one.kind === "opaque" || one.kind === "new");

/** Inline a pure call whose result is a place; keep it as a call otherwise: then all paths agree on one form. */
function keptCall(
  frame: CallFrame,
  invocation: Invocation,
  summary: Summary,
  substitute: (expr: EntryExpr) => ShadowValue,
): EntryExpr | null {
  const { outcome } = summary;
  const { receiver, args, name } = invocation;
  if (outcome.kind === "throw" || !isPure(summary) || summary.freshObjects.size > 0) return null;
  if (isPlace(outcome.result) || outcome.result.kind === "opaque") return null;
  if (outcome.result.kind === "const" && summary.conditions.length === 0) return null;
  if (frame.heap.hasWritten() || frame.freeWritten.size > 0 || invocation.fn.sites.kind === "constructor") return null;
  const operands = [...args, ...(receiver === null ? [] : [receiver])];
  if (!operands.every((one) => isReadable(one.term) && one.term.kind !== "loop")) return null;
  if (readsLocals(frame, invocation, summary)) return null;
  const isGetter = invocation.fn.sites.kind === "getter" && receiver !== null;
  const term = isGetter
    ? field(receiver.term, name)
    : call(
        name,
        receiver?.term ?? null,
        args.map((one) => one.term),
      );
  const definition = substitute(outcome.result);
  if (summary.conditions.length === 0 && isReadable(definition.term))
    frame.definitions.set(term.key, { term, definition: definition.term });
  const concrete = invocation.item.kind === "call" ? outcome.concrete : definition.concrete;
  if (concrete !== unknownValue) rememberEntry(frame, term, concrete);
  return term;
}

/** A term of the callee as a value of the caller. */
function substitution(frame: CallFrame, invocation: Invocation, summary: Summary): (expr: EntryExpr) => ShadowValue {
  const known = new Map<string, ShadowValue>();
  let varies = false;
  const given = parameterValues(frame, invocation);
  const exact = invocation.item.kind === "call";
  const loggedOf = (expr: EntryExpr): Concrete => {
    const found = exact ? summary.entry.get(expr.key) : undefined;
    return found === undefined ? unknownValue : found.value;
  };
  const freshTerms = new Map<string, ShadowValue>();
  for (const [object, term] of summary.freshObjects) {
    if (term.kind !== "new") continue;
    const made = fresh(frame.fresh++, term.className, term.text);
    freshTerms.set(term.key, { concrete: exact ? object : unknownValue, term: made });
    if (exact) frame.heap.markFresh(object, made);
  }

  function look(expr: EntryExpr): ShadowValue {
    switch (expr.kind) {
      case "const":
        return { concrete: expr.value, term: expr };
      case "this":
        return invocation.receiver ?? { concrete: loggedOf(expr), term: freshOpaque(frame, "this") };
      case "param":
        return given.get(expr.name) ?? { concrete: loggedOf(expr), term: freshOpaque(frame, expr.name) };
      case "free":
        return localOf(frame, invocation, expr) ?? readOuter(frame, invocation, expr, loggedOf(expr));
      case "field": {
        const base = substitute(expr.base);
        return frame.heap.read(base, expr.name, field(base.term, expr.name), loggedOf(expr));
      }
      case "element": {
        const base = substitute(expr.base);
        const index = substitute(expr.index);
        if (typeof index.concrete !== "number")
          return { concrete: loggedOf(expr), term: element(base.term, index.term) };
        return frame.heap.read(base, elementName(index.concrete), element(base.term, index.term), loggedOf(expr));
      }
      case "unary": {
        const operand = substitute(expr.operand);
        const concrete = applyUnary(expr.operator, operand.concrete);
        if (expr.operator === "!") return { concrete, term: negated(operand.term) };
        return { concrete, term: unary(expr.operator, operand.term) };
      }
      case "binary":
        return foldBinary(expr.operator, substitute(expr.left), substitute(expr.right));
      case "call": {
        const term = mapParts(expr, (part) => substitute(part).term);
        const concrete = loggedOf(expr);
        if (frame.heap.hasWritten()) return { concrete, term: freshOpaque(frame, term.key) };
        if (concrete !== unknownValue) rememberEntry(frame, term, concrete);
        return { concrete, term };
      }
      case "new":
        return freshTerms.get(expr.key) ?? { concrete: unknownValue, term: freshOpaque(frame, expr.text) };
      case "loop":
        // Rounds of the callee's loops are nothing to its callers.
        varies = true;
        return { concrete: unknownValue, term: freshOpaque(frame, expr.name) };
      case "opaque":
        return { concrete: unknownValue, term: freshOpaque(frame, expr.text) };
    }
  }

  function substitute(expr: EntryExpr): ShadowValue {
    let value = known.get(expr.key);
    if (value === undefined) {
      const outer = varies;
      varies = false;
      value = bounded(frame, look(expr), () => expr.kind);
      // A value that a loop of the callee changes may differ at each mention.
      if (!varies) known.set(expr.key, value);
      varies ||= outer;
    }
    return value;
  }
  return substitute;
}

type Free = Extract<EntryExpr, { kind: "free" }>;

/** A function inside of this one reads this one's locals. */
function localOf(frame: CallFrame, invocation: Invocation, variable: Free): ShadowValue | null {
  const binding = bindingOf(frame, invocation, variable);
  return binding === null ? null : (frame.locals.get(binding) ?? null);
}

function bindingOf(frame: CallFrame, invocation: Invocation, { key, name }: Free): Binding | null {
  if (invocation.fn.sites.parent !== frame.fn.sites || key !== `^${name}`) return null;
  for (const binding of frame.locals.keys()) if (binding.name === name) return binding;
  return null;
}

/** The name of a variable of the callee for the caller: variables of other files carry their file. */
function outerName(frame: CallFrame, { fn }: Invocation, { key, name }: Free): string {
  const id = key.slice(1);
  const file = id === name ? fn.file : Number(id.slice(0, id.indexOf(":")));
  return file === frame.fn.file ? name : `${file}:${name}`;
}

/** A variable of another file has no name here: the test that passes a callback would be in the contract. */
function readOuter(frame: CallFrame, invocation: Invocation, variable: Free, logged: Concrete): ShadowValue {
  const name = outerName(frame, invocation, variable);
  if (name === variable.name || frame.free.has(name)) return readFree(frame, name, logged);
  return { concrete: logged, term: freshOpaque(frame, name) };
}

/** And writes them: nobody outside sees that. */
function writeOuter(frame: CallFrame, invocation: Invocation, variable: Free, value: ShadowValue): void {
  const binding = bindingOf(frame, invocation, variable);
  if (binding === null) writeFree(frame, outerName(frame, invocation, variable), value);
  else frame.locals.set(binding, value);
}

/** Its value is one of now, not of the beginning. */
function readsLocals(frame: CallFrame, invocation: Invocation, summary: Summary): boolean {
  if (invocation.fn.sites.parent !== frame.fn.sites) return false;
  for (const { term } of summary.entry.values())
    if (term.kind === "free" && bindingOf(frame, invocation, term) !== null) return true;
  return false;
}

function parameterValues(frame: CallFrame, { fn, args }: Invocation): ReadonlyMap<string, ShadowValue> {
  const values = new Map<string, ShadowValue>();
  fn.sites.node.params.forEach((param, at) => {
    const name = param.type === "TSParameterProperty" ? param.parameter : param;
    const missing: ShadowValue = { concrete: undefined, term: constant(undefined) };
    if (name.type === "Identifier") values.set(name.name, args[at] ?? missing);
    else if (name.type === "AssignmentPattern" && name.left.type === "Identifier") {
      const given = args[at];
      if (given !== undefined && given.concrete !== undefined) values.set(name.left.name, given);
      else values.set(name.left.name, { concrete: unknownValue, term: freshOpaque(frame, name.left.name) });
    }
  });
  return values;
}

function baseOf(place: EntryExpr, substitute: (expr: EntryExpr) => ShadowValue): ShadowValue | null {
  if (place.kind === "field" || place.kind === "element") return substitute(place.base);
  return place.kind === "call" && place.receiver !== null ? substitute(place.receiver) : null;
}

function applyWrite(
  frame: CallFrame,
  invocation: Invocation,
  place: EntryExpr,
  base: ShadowValue | null,
  substitute: (expr: EntryExpr) => ShadowValue,
  value: ShadowValue,
): void {
  if (place.kind === "free") writeOuter(frame, invocation, place, value);
  if (base === null) return;
  if (place.kind === "field") frame.heap.write(base, place.name, field(base.term, place.name), value);
  else if (place.kind === "element") {
    const index = substitute(place.index);
    if (typeof index.concrete === "number")
      frame.heap.write(base, elementName(index.concrete), element(base.term, index.term), value);
    else frame.heap.scramble(base, value.term.kind === "opaque" ? value.term.text : "changed");
  } else if (place.kind === "call") {
    const key = substitute(nth(place.args, 0));
    const name = `${place.name}:${isObject(key.concrete as Recorded) ? `#${(key.concrete as RecordedObject).number}` : key.term.key}`;
    frame.heap.write(base, name, call(place.name, base.term, [key.term]), value);
  }
}

/** A write by code whose terms are not followed: a callback, a getter that native code called. */
export function foreignWrite(
  frame: CallFrame,
  object: RecordedObject | null,
  name: string,
  concrete: Concrete,
  place: EntryExpr,
): void {
  if (object === null) return;
  const known = frame.entryObjects.get(object);
  const term = known ?? frame.heap.freshObjects().get(object) ?? freshOpaque(frame, "an object");
  const base = { concrete: object, term };
  // The index is the callee's; Maps and Sets have cells without a name.
  const isCell = place.kind === "element" || place.kind === "call";
  const at = isCell ? element(term, constant("*")) : field(term, name);
  frame.heap.write(base, name, at, { concrete, term: freshOpaque(frame, name) });
}
