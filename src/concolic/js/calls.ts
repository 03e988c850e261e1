import { present } from "../../base/checked.ts";
import { isObject, type Recorded, type RecordedObject } from "../../js/recorder/readLog.ts";
import type { LogSite } from "../../js/recorder/site.ts";
import { type Node, withoutTypes } from "../../js/recorder/syntax.ts";
import { unknownValue } from "../../js/recorder/valueRules.ts";
import { binary, constant, field, fresh, type ShadowValue } from "../expr.ts";
import { compose, foreignWrite } from "./compose.ts";
import { type CallItem, ProgramThrow } from "./cursor.ts";
import { evaluate, memberName } from "./evaluate.ts";
import { addCondition, type CallFrame, freshOpaque, type ReplayedFunction, sourceOf } from "./frame.ts";
import { className, lengthOf, nativeCall, resultOf } from "./natives.ts";

type Callee = { readonly name: string; readonly receiver: ShadowValue | null };

export function evaluateCall(frame: CallFrame, node: Node, site: LogSite): ShadowValue {
  const callee = evaluateCallee(frame, node);
  const args = node.arguments.map(
    (argument): ShadowValue =>
      argument.type === "SpreadElement"
        ? {
            concrete: unknownValue,
            term: freshOpaque(frame, `...${sourceOf(frame, evaluateSpread(frame, argument))}`),
          }
        : evaluate(frame, argument),
  );
  const spread = node.arguments.some((argument) => argument.type === "SpreadElement");
  const items = frame.cursor.calls();
  const direct = spread ? null : directCallee(frame, items, callee, args);
  if (direct === null) return indirect(frame, node, site, callee, args, items);
  const { item, fn } = direct;
  const term = compose(frame, { item, fn, name: callee.name, receiver: callee.receiver, args, node });
  const { value } = frame.cursor.take(site);
  return isObject(value) && term.kind === "opaque" ? freshOrKnown(frame, value, term) : { concrete: value, term };
}

function freshOrKnown(frame: CallFrame, value: RecordedObject, term: ShadowValue["term"]): ShadowValue {
  return { concrete: value, term: frame.entryObjects.get(value) ?? term };
}

function evaluateSpread(frame: CallFrame, argument: Node): Node {
  evaluate(frame, present(argument.argument));
  return present(argument.argument);
}

function evaluateCallee(frame: CallFrame, node: Node): Callee {
  const callee = withoutTypes(node.callee);
  if (callee.type === "Super") return { name: "super", receiver: null };
  if (callee.type === "Identifier") return { name: callee.name, receiver: null };
  if (callee.type === "MemberExpression") {
    const receiver = callee.object.type === "Super" ? frame.receiver : evaluate(frame, callee.object);
    if (!callee.computed) return { name: memberName(callee), receiver };
    const key = evaluate(frame, callee.property);
    return { name: String(typeof key.concrete === "symbol" ? "?" : key.concrete), receiver };
  }
  if (callee.type === "ChainExpression") return { name: "?", receiver: null };
  evaluate(frame, callee);
  return { name: "<function>", receiver: null };
}

/** The one call that the expression itself made, not one that native code made on its behalf. */
function directCallee(
  frame: CallFrame,
  items: readonly CallItem[],
  callee: Callee,
  args: readonly ShadowValue[],
): { readonly item: CallItem; readonly fn: ReplayedFunction } | null {
  const [item] = items;
  if (item === undefined || items.length > 1) return null;
  const fn = frame.world.functionOf(item);
  if (fn === null) return null;
  const own = fn.sites.name.split(".").at(-1);
  if (own === callee.name || callee.name === "super") return { item, fn };
  const kind = callee.receiver === null ? null : className(callee.receiver.concrete);
  if (kind === "Array" || kind === "Map" || kind === "Set" || kind === "Promise" || item.kind !== "call") return null;
  // Under another name: what was given is what was passed, as far as that is known.
  const entry = frame.world.summaryOf(item)?.entry;
  const pairs = fn.sites.params.flatMap(({ name }, at) => {
    const [given, passed] = [entry?.get(name!), args[at]];
    return given === undefined || passed === undefined || passed.concrete === unknownValue
      ? []
      : [given.value === passed.concrete];
  });
  return pairs.length > 0 && !pairs.includes(false) ? { item, fn } : null;
}

/** Code that is not recorded, perhaps with callbacks into code that is. */
function indirect(
  frame: CallFrame,
  node: Node,
  site: LogSite,
  callee: Callee,
  args: readonly ShadowValue[],
  items: readonly CallItem[],
): ShadowValue {
  for (const item of items) foreign(frame, item);
  const item = frame.cursor.take(site);
  if (items.length === 0) {
    const { name, receiver } = callee;
    return nativeCall(frame, { node, name, receiver, args, logged: item.value, length: item.length });
  }
  const text = sourceOf(frame, node);
  const kind = callee.receiver === null ? null : className(callee.receiver.concrete);
  if (callee.receiver !== null && kind === "Array" && item.length !== null) {
    frame.heap.scramble(callee.receiver, text);
    lengthOf(frame, callee.receiver, item.length);
  }
  return resultOf(frame, callee.name, item.value, text);
}

/** A call that the replay did not expect here: its effects count, its terms do not. */
export function foreign(frame: CallFrame, item: CallItem): void {
  const summary = frame.world.summaryOf(item);
  const fn = frame.world.functionOf(item);
  if (summary === null) {
    frame.delegated.add(`${fn?.sites.name ?? "a function"}()`);
    return;
  }
  // Objects that a callback made are new to its caller's caller, too.
  if (item.kind === "call")
    for (const [object, term] of summary.freshObjects)
      if (!frame.heap.isFresh(object) && term.kind === "new")
        frame.heap.markFresh(object, fresh(frame.fresh++, term.className, term.text));
  for (const write of summary.writes)
    if (item.kind === "call") foreignWrite(frame, write.object, write.name, write.concrete, write.place);
    else frame.delegated.add(`${fn?.sites.name ?? "a function"}()`);
  for (const text of summary.delegated) frame.delegated.add(text);
}

export function evaluateNew(frame: CallFrame, node: Node, site: LogSite): ShadowValue {
  const args = node.arguments.map((argument) =>
    argument.type === "SpreadElement" ? evaluate(frame, present(argument.argument)) : evaluate(frame, argument),
  );
  const name = sourceOf(frame, withoutTypes(node.callee));
  const text = `new ${name}(${args.map((one) => one.term.key).join(", ")})`;
  const items = frame.cursor.calls();
  const direct = items.find((item) => frame.world.functionOf(item)?.sites.kind === "constructor");
  const fn = direct === undefined ? null : frame.world.functionOf(direct);
  if (direct === undefined || fn === null || items.length > 1) {
    for (const item of items) foreign(frame, item);
    const { value } = frame.cursor.take(site);
    return isObject(value)
      ? nativeObject(frame, node, name, args, value, text)
      : { concrete: value, term: freshOpaque(frame, text) };
  }
  const summary = frame.world.summaryOf(direct);
  const made = summary?.entry.get("this")?.value;
  const term = fresh(frame.fresh++, name, text);
  const object = direct.kind === "call" && made !== undefined && isObject(made) ? made : null;
  if (object !== null) frame.heap.markFresh(object, term);
  compose(frame, { item: direct, fn, name, receiver: { concrete: object ?? unknownValue, term }, args, node });
  const { value } = frame.cursor.take(site);
  if (isObject(value) && value !== object) frame.heap.markFresh(value, term);
  return { concrete: value, term };
}

function nativeObject(
  frame: CallFrame,
  node: Node,
  name: string,
  args: readonly ShadowValue[],
  object: RecordedObject,
  text: string,
): ShadowValue {
  const term = fresh(frame.fresh++, object.className, text);
  frame.heap.markFresh(object, term);
  const value = { concrete: object, term };
  const put = (key: string, content: ShadowValue): void => frame.heap.write(value, key, field(term, key), content);
  const [size] = args;
  if (name === "Array" && args.length === 1 && size !== undefined && typeof size.concrete === "number") {
    addCondition(frame, binary(">=", size.term, constant(0)), node, "native");
    put("length", size);
  } else if (name === "Array") put("length", { concrete: args.length, term: constant(args.length) });
  else if ((name === "Map" || name === "Set") && args.length === 0) put("size", { concrete: 0, term: constant(0) });
  return value;
}

/** A property that is read through a recorded getter; null: there was none. */
export function throughGetter(
  frame: CallFrame,
  base: ShadowValue,
  name: string,
  node: Node,
): ShadowValue["term"] | null {
  const item = frame.cursor.takeCall((one) => {
    const fn = frame.world.functionOf(one);
    return fn?.sites.kind === "getter" && fn.sites.name.endsWith(`.${name}`);
  });
  if (item === null) return null;
  const fn = frame.world.functionOf(item)!;
  return compose(frame, { item, fn, name, receiver: base, args: [], node });
}

/** A store through a recorded setter; false: there was none. */
export function throughSetter(
  frame: CallFrame,
  base: ShadowValue,
  name: string,
  value: ShadowValue,
  node: Node,
): boolean {
  const item = frame.cursor.takeCall((one) => {
    const fn = frame.world.functionOf(one);
    return fn?.sites.kind === "setter" && fn.sites.name.endsWith(`.${name}`);
  });
  if (item === null) return false;
  const fn = frame.world.functionOf(item)!;
  compose(frame, { item, fn, name, receiver: base, args: [value], node });
  if (item.kind === "call" && item.call.outcome.kind === "threw")
    throw new ProgramThrow(item.call.outcome.error as Recorded);
  return true;
}
