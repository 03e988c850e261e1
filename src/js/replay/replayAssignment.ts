import { present } from "../../base/checked.ts";
import type { Recorded } from "../recorder/readLog.ts";
import { boundIdentifiers, type Node, withoutTypes } from "../recorder/syntax.ts";
import { applyBinary, applyStep, applyUnary, type Concrete, objectOf, unknownValue } from "../recorder/valueRules.ts";
import { keyKind, tagOf } from "./encoding.ts";
import { collectionEntries, collectionOf } from "./makers.ts";
import { evaluate, logged } from "./replayExpression.ts";
import { addKey, identify, noteMade, noteReceiver, type ReplayFrame, record, take } from "./replayFrame.ts";

/** Assignments in a replay: what a variable holds is known from then on, what an object holds is in the log. */
export function assignment(frame: ReplayFrame, node: Node): Concrete {
  const target = withoutTypes(node.left);
  const isLogical = /^(&&|\|\||\?\?)=$/.test(node.operator);
  if (target.type === "MemberExpression") {
    const receiver = target.object.type === "Super" ? frame.self : evaluate(frame, target.object);
    if (target.computed) evaluate(frame, target.property);
    noteReceiver(frame, target, receiver);
    const right = isLogical ? unknownValue : evaluate(frame, node.right);
    const taken = logged(frame, node);
    if (taken?.length != null) {
      const { evidence } = frame.replay;
      evidence.longestArray = Math.max(evidence.longestArray, taken.length);
    }
    return taken === null ? right : taken.value;
  }
  if (target.type !== "Identifier") return pattern(frame, node, target);
  const right = isLogical ? unknownValue : evaluate(frame, node.right);
  const taken = logged(frame, node);
  const before = isLogical || node.operator !== "=" ? readLocal(frame, target) : undefined;
  const value =
    taken !== null
      ? taken.value
      : node.operator === "="
        ? right
        : isLogical
          ? unknownValue
          : applyBinary(node.operator.slice(0, -1), before, right);
  return assign(frame, target, value);
}

/** The names that a pattern binds are in the log after it. */
function pattern(frame: ReplayFrame, node: Node, target: Node): Concrete {
  const right = evaluate(frame, node.right);
  takeBound(frame, node);
  return boundIdentifiers(target).length === 0 ? unknownValue : right;
}

export function takeBound(frame: ReplayFrame, node: Node): void {
  for (const site of frame.function.file.table.bound.get(node) ?? []) {
    const { value } = take(frame, site, site.node);
    record(frame, site.node, value);
    assign(frame, site.node, value);
  }
}

export function assign(frame: ReplayFrame, target: Node, value: Concrete): Concrete {
  const binding = frame.function.file.table.bindingOf.get(target);
  if (binding == null) return value;
  frame.locals.set(binding, value);
  const { assigned } = frame.replay.evidence;
  let tags = assigned.get(binding);
  if (tags === undefined) {
    tags = new Set();
    assigned.set(binding, tags);
  }
  if (value !== unknownValue) tags.add(tagOf(value));
  return value;
}

function readLocal(frame: ReplayFrame, target: Node): Concrete {
  const binding = frame.function.file.table.bindingOf.get(target);
  return binding == null || !frame.locals.has(binding) ? unknownValue : frame.locals.get(binding);
}

export function update(frame: ReplayFrame, node: Node): Concrete {
  const target = withoutTypes(present(node.argument));
  if (target.type === "MemberExpression") {
    noteReceiver(frame, target, evaluate(frame, target.object));
    if (target.computed) evaluate(frame, target.property);
    return logged(frame, node)?.value;
  }
  const taken = logged(frame, node);
  const step = node.operator === "++" ? 1 : -1;
  if (taken !== null) {
    const value = taken.value;
    assign(frame, target, node.prefix ? value : applyStep(step, value));
    return value;
  }
  const before = readLocal(frame, target);
  const after = applyStep(step, before);
  assign(frame, target, after);
  if (node.prefix) return after;
  return typeof before === "bigint" ? before : applyUnary("+", before);
}

/** `new Map(…)`: what is in it from the beginning is known where a literal says it. */
export function noteCollection(frame: ReplayFrame, value: Concrete, node: Node): void {
  noteMade(frame, value, node);
  const { evidence } = frame.replay;
  const object = objectOf(value);
  const made = object === null ? undefined : evidence.made.get(object);
  if (made === undefined) return;
  const entries = collectionEntries(node);
  if (entries === null) {
    evidence.tainted.add(object!);
    return;
  }
  for (const { key } of entries) enter(frame, object!, evidence.values.get(key)?.at(-1));
}

/** A Map or a Set is asked, or changed. */
export function noteEntry(
  frame: ReplayFrame,
  method: string,
  receiver: Concrete,
  [key]: readonly Concrete[],
  result: Recorded,
): void {
  const { evidence } = frame.replay;
  const object = objectOf(receiver);
  const made = object === null ? undefined : evidence.made.get(object);
  if (made === undefined || collectionOf(made.maker) === null) return;
  switch (method) {
    case "set":
    case "add":
      return enter(frame, object!, key);
    case "get":
      ask(frame, object!, key);
      if (typeof key === "string" || typeof key === "number") identify(evidence, made.parts.get(key), result);
      return;
    case "delete":
      evidence.shrunk.add(object!);
      ask(frame, object!, key);
      return;
    case "has":
      ask(frame, object!, key);
  }
}

function enter(frame: ReplayFrame, object: NonNullable<ReturnType<typeof objectOf>>, key: Concrete): void {
  const { evidence } = frame.replay;
  if (ask(frame, object, key)) addKey(evidence, present(evidence.made.get(object)), key);
}

/** Is the key of a kind that the model has entries for? */
function ask(frame: ReplayFrame, object: NonNullable<ReturnType<typeof objectOf>>, key: Concrete): boolean {
  const { evidence } = frame.replay;
  const isKnown = keyKind(evidence, key) !== null;
  if (isKnown) evidence.keys.add(key);
  else evidence.tainted.add(object);
  return isKnown;
}
