import { nth, present } from "../../base/checked.ts";
import type { LoggedCall, Recorded, RecordedObject } from "../recorder/readLog.ts";
import type { Binding } from "../recorder/scopes.ts";
import type { LogSite } from "../recorder/site.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { type Concrete, objectOf, unknownValue } from "../recorder/valueRules.ts";
import { addTo, type FailurePoint, type RecordedAllocation, type ReplayEvidence } from "./evidence.ts";
import { collectionOf, initialFields, isMaker, isMatcher, literalParts } from "./makers.ts";
import type { RecordedFunction } from "./recordedFile.ts";

/** The replay of one call. */
export type ReplayFrame = {
  readonly function: RecordedFunction;
  readonly call: LoggedCall;
  /** The next item of the call. */
  at: number;
  /** Calls that were passed since the last value: those of the value that comes next. */
  pending: LoggedCall[];
  /** How many `try` statements with a `finally` block are around. */
  finalizers: number;
  readonly locals: Map<Binding, Concrete>;
  self: Concrete;
  readonly replay: Replay;
};

export type Replay = {
  readonly evidence: ReplayEvidence;
  functionOf(call: LoggedCall): RecordedFunction | null;
  /** Follows a call that a place made. */
  follow(call: LoggedCall): void;
  /** The class of a name, where the project has exactly one. */
  classOf(name: string): Node | null;
  /** The variable itself, of one that may be imported. */
  globalOf(binding: Binding): Binding;
  /** The number of values that may still be followed. */
  budget: number;
};

/** An exception of the program, on its way up. */
export class Thrown extends Error {
  readonly value: Recorded;
  /** The statement that threw it; null where an expression did. */
  readonly origin: Pick<FailurePoint, "node" | "function"> | null;

  constructor(value: Recorded, origin: Thrown["origin"] = null) {
    super("thrown");
    this.value = value;
    this.origin = origin;
  }
}

/** The log is not what the syntax tree says: this call cannot be followed. */
export class Lost extends Error {}

export type Taken = { readonly value: Recorded; readonly calls: readonly LoggedCall[]; readonly length: number | null };

/** The next value of the log without taking it, past the calls before it. */
export function peek(frame: ReplayFrame): { readonly site: number; readonly value: Recorded } | null {
  const { items } = frame.call;
  for (let at = frame.at; at < items.length; at++) {
    const item = nth(items, at);
    if (item.kind === "value") return item;
  }
  return null;
}

/** Takes the value of a site. Where the log has another one next, an exception passed by. */
export function take(frame: ReplayFrame, site: LogSite, node: Node): Taken {
  const { items } = frame.call;
  if (frame.replay.budget-- <= 0) throw new Lost("too much to follow");
  for (; frame.at < items.length; frame.at++) {
    const item = nth(items, frame.at);
    if (item.kind === "call") frame.pending.push(item.call);
    else if (item.kind === "value") {
      if (item.site !== site.index) break;
      frame.at++;
      const calls = frame.pending;
      frame.pending = [];
      return { value: item.value, calls, length: item.length };
    }
  }
  throw raise(frame, node);
}

/** The exception that ended the evaluation of a node, with the call that it came from followed. */
function raise(frame: ReplayFrame, node: Node): Thrown | Lost {
  const { evidence, functionOf } = frame.replay;
  const calls = frame.pending;
  frame.pending = [];
  const child = calls.at(-1);
  const next = peek(frame);
  const { outcome } = frame.call;
  const isCaught = next !== null && frame.function.file.table.sites[next.site]?.kind === "caught";
  const error = isCaught ? next.value : outcome.kind === "threw" ? outcome.error : null;
  // A `finally` block goes on, and may even return.
  const isEnd = next === null && outcome.kind === "threw";
  if (!isCaught && !isEnd && frame.finalizers === 0) return new Lost("the log has another value next");
  addTo(evidence.throws, node, true);
  const plan = evidence.plans.get(node);
  const callee = child === undefined ? null : functionOf(child);
  const isFatal = isUncaught(frame);
  if (callee !== null && calls.length === 1 && plan?.kind !== "each" && !callee.node.generator) {
    const functions = plan === undefined ? new Set<RecordedFunction>() : plan.functions;
    functions.add(callee);
    evidence.plans.set(node, { kind: "call", functions });
    addTo(evidence.callees, node, callee);
    if (child!.outcome.kind === "threw" && !isFatal) evidence.threw.add(callee);
    frame.replay.follow(child!);
  } else if (plan?.kind === "each") {
    for (const call of calls) {
      addTo(evidence.rounds, node, { value: undefined });
      frame.replay.follow(call);
    }
  }
  if (child?.outcome.kind === "threw" && !isMatcher(node)) return new Thrown(child.outcome.error);
  if (isFatal) evidence.failure ??= { node, function: frame.function, error: error ?? undefined };
  return new Thrown(error ?? undefined);
}

/** Does what is thrown here leave the test? */
export function isUncaught(frame: ReplayFrame): boolean {
  for (let call: LoggedCall | null = frame.call; call !== null; call = call.parent) {
    if (call.outcome.kind !== "threw") return false;
    if (call.parent !== null && peekAfter(call)) return false;
  }
  return true;
}

/** Did the caller go on after the call threw? */
function peekAfter(call: LoggedCall): boolean {
  const { items } = present(call.parent);
  const at = items.findIndex((item) => item.kind === "call" && item.call === call);
  return items.slice(at + 1).some((item) => item.kind === "value");
}

export function record(frame: ReplayFrame, node: Node, value: Concrete): Concrete {
  addTo(frame.replay.evidence.values, node, value);
  return value;
}

export function noteReceiver(frame: ReplayFrame, node: Node, receiver: Concrete): void {
  const { receivers } = frame.replay.evidence;
  let known = receivers.get(node);
  if (known === undefined) {
    known = new Set();
    receivers.set(node, known);
  }
  if (receiver !== unknownValue) known.add(receiver as Recorded);
}

/** The program model makes an object here. Initialisers of its class make the objects in its fields. */
export function noteMade(frame: ReplayFrame, value: Concrete, maker: Node): void {
  const { evidence } = frame.replay;
  const object = objectOf(value);
  if (object !== null && evidence.made.has(object)) return;
  const made = allocate(evidence, maker, object);
  if (maker.type === "NewExpression" && maker.callee.type === "Identifier")
    allocateFields(frame.replay, made, maker.callee.name);
}

function allocate(evidence: ReplayEvidence, maker: Node, object: RecordedObject | null): RecordedAllocation {
  const made: RecordedAllocation = { maker, object, parts: new Map(), keys: new Set() };
  evidence.allocations.push(made);
  if (object !== null) evidence.made.set(object, made);
  return made;
}

/** Fields of the base class come first. */
function allocateFields(replay: Replay, made: RecordedAllocation, className: string): void {
  const node = replay.classOf(className);
  if (node === null) return;
  if (node.superClass?.type === "Identifier") allocateFields(replay, made, node.superClass.name);
  for (const [key, part] of initialFields(node)) allocatePart(replay.evidence, made, key, part);
}

/** A literal that nobody saw being evaluated: the outer object, then its parts. */
export function allocateSilently(evidence: ReplayEvidence, literal: Node): RecordedAllocation {
  const made = allocate(evidence, literal, null);
  if (literal.type === "ArrayExpression")
    evidence.longestArray = Math.max(evidence.longestArray, literal.elements.length);
  for (const [key, part] of literalParts(literal)) {
    if (collectionOf(literal) !== null) addKey(evidence, made, key);
    allocatePart(evidence, made, key, part);
  }
  return made;
}

/** A Map or a Set has an entry of this key from now on. */
export function addKey(evidence: ReplayEvidence, made: RecordedAllocation, key: Concrete): void {
  made.keys.add(key);
  evidence.keys.add(key);
  evidence.longestArray = Math.max(evidence.longestArray, made.keys.size);
}

function allocatePart(evidence: ReplayEvidence, made: RecordedAllocation, key: string | number, part: Node): void {
  const inner = withoutTypes(part);
  if (isMaker(inner)) made.parts.set(key, allocateSilently(evidence, inner));
}

/** The object of an allocation is seen for the first time. */
export function identify(evidence: ReplayEvidence, made: RecordedAllocation | undefined, value: Concrete): void {
  const object = objectOf(value);
  if (made === undefined || made.object !== null || object === null || evidence.made.has(object)) return;
  made.object = object;
  evidence.made.set(object, made);
}
