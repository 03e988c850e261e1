import { present } from "../../base/checked.ts";
import type { LoggedCall, LogItem } from "../recorder/readLog.ts";
import { children, type Node, withoutTypes } from "../recorder/syntax.ts";
import { type Concrete, objectOf, unknownValue } from "../recorder/valueRules.ts";
import { addTo, type CallPlan, newEvidence, type ReplayEvidence } from "./evidence.ts";
import { globalsOf } from "./globals.ts";
import { eachMethods, isMaker, methodName } from "./makers.ts";
import type { RecordedFile, RecordedFunction } from "./recordedFile.ts";
import { assign } from "./replayAssignment.ts";
import { evaluate } from "./replayExpression.ts";
import {
  allocateSilently,
  identify,
  isUncaught,
  Lost,
  type Replay,
  type ReplayFrame,
  record,
  Thrown,
  take,
} from "./replayFrame.ts";
import { executeBlock } from "./replayStatement.ts";

/** At most this many values of the log are followed. */
const mostValues = 2_000_000;

/** Follows the recorded calls of a test's hooks and of the test itself, and every call below it that the program model can make too. */
export function replayTest(files: readonly RecordedFile[], calls: readonly LoggedCall[]): ReplayEvidence {
  const evidence = newEvidence();
  const byNumber = new Map(files.map((file) => [file.number, file]));
  const functionOf = (call: LoggedCall): RecordedFunction | null =>
    byNumber.get(call.file)?.functions.get(call.enter) ?? null;
  planCalls(calls, functionOf, evidence);
  const classes = classesOf(files);
  const globals = globalsOf(files);
  for (const { binding, init } of globals.initialized) {
    const inner = withoutTypes(init);
    if (isMaker(inner)) evidence.globals.set(binding, allocateSilently(evidence, inner));
  }
  const replay: Replay = {
    evidence,
    functionOf,
    classOf: (name) => classes.get(name) ?? null,
    globalOf: globals.origin,
    follow: (call) => followCall(replay, call),
    budget: mostValues,
  };
  for (const call of calls) followCall(replay, call);
  return evidence;
}

function followCall(replay: Replay, call: LoggedCall): void {
  const fn = replay.functionOf(call);
  if (fn === null) return;
  const { evidence } = replay;
  const frame: ReplayFrame = {
    function: fn,
    call,
    at: 0,
    pending: [],
    finalizers: 0,
    locals: new Map(),
    self: unknownValue,
    replay,
  };
  evidence.ran.add(fn);
  try {
    begin(frame);
    const { body } = fn.node;
    if (body.type === "BlockStatement") {
      const completion = executeBlock(frame, body.body);
      addTo(evidence.results, fn, completion.kind === "return" ? completion.value : undefined);
    } else {
      let value: Concrete = evaluate(frame, body);
      const site = fn.file.table.returns.get(body);
      if (site !== undefined) value = take(frame, site, body).value;
      addTo(evidence.results, fn, value);
    }
  } catch (error) {
    if (error instanceof Lost || isStackOverflow(error)) evidence.lost.add(fn);
    else if (!(error instanceof Thrown)) throw error;
    // Past all `catch` and `finally` of the call, and of those around it.
    else if (error.origin !== null && isUncaught(frame)) evidence.failure ??= { ...error.origin, error: error.value };
  }
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}

/** The initial values of a call: its object, its parameters, the fields of a new object. */
function begin(frame: ReplayFrame): void {
  const { sites, node } = frame.function;
  if (sites.thisSite !== null) {
    frame.self = take(frame, sites.thisSite, node).value;
    record(frame, node, frame.self);
  }
  for (const site of sites.params) {
    const { value } = take(frame, site, site.node);
    record(frame, site.node, value);
    assign(frame, site.node, value);
  }
  for (const site of sites.fields) {
    const { value } = take(frame, site, node);
    const { evidence } = frame.replay;
    const self = objectOf(frame.self);
    if (self !== null) identify(evidence, evidence.made.get(self)?.parts.get(present(site.name)), value);
  }
}

/** Decides for each place that calls something whether its calls are followed: all of them, or none. */
function planCalls(
  calls: readonly LoggedCall[],
  functionOf: (call: LoggedCall) => RecordedFunction | null,
  evidence: ReplayEvidence,
): void {
  const refused = new Set<Node>();
  const visit = (call: LoggedCall): void => {
    const fn = functionOf(call);
    let pending: LoggedCall[] = [];
    for (const item of call.items) {
      if (item.kind === "call") {
        pending.push(item.call);
        visit(item.call);
      } else if (item.kind === "value") {
        if (fn !== null) plan(fn, item, pending);
        pending = [];
      }
    }
  };
  const plan = (fn: RecordedFunction, item: LogItem & { kind: "value" }, calls: readonly LoggedCall[]): void => {
    const node = fn.file.table.sites[item.site]?.node;
    if (node === undefined || fn.file.table.values.get(node)?.index !== item.site || refused.has(node)) return;
    const next = planOf(node, calls.map(functionOf), evidence.plans.get(node));
    if (next === "none") return;
    if (next === "refuse") {
      refused.add(node);
      evidence.plans.delete(node);
    } else evidence.plans.set(node, next);
  };
  calls.forEach(visit);
  for (const node of refused) evidence.plans.delete(node);
}

function planOf(
  node: Node,
  callees: readonly (RecordedFunction | null)[],
  known: CallPlan | undefined,
): CallPlan | "none" | "refuse" {
  const isCall = node.type === "CallExpression";
  const method = isCall ? methodName(node) : null;
  const [first] = callees;
  // A method of the project may have the name of one of the language.
  const isOwn = first?.sites.kind === "method" && first.sites.name.split(".").at(-1) === method;
  if (method !== null && eachMethods.has(method) && !isOwn && known?.kind !== "call" && node.arguments.length > 0) {
    if (callees.some((callee) => callee === null || callee !== first || callee.node.generator)) return "refuse";
    const before = known?.kind === "each" ? known.function : null;
    if (before !== null && first !== undefined && first !== before) return "refuse";
    return { kind: "each", function: first ?? before };
  }
  if (callees.length === 0) return known === undefined ? "none" : "refuse";
  if (callees.length !== 1 || first == null || first.node.generator) return "refuse";
  if (!isCall && !["NewExpression", "MemberExpression", "TaggedTemplateExpression"].includes(node.type))
    return "refuse";
  if (node.type === "MemberExpression" && first.sites.kind !== "getter") return "refuse";
  if (node.type === "NewExpression" && first.sites.kind !== "constructor" && first.sites.kind !== "function")
    return "refuse";
  if (known?.kind === "each") return "refuse";
  const functions = known === undefined ? new Set<RecordedFunction>() : known.functions;
  functions.add(first);
  return { kind: "call", functions };
}

/** Classes whose name is theirs alone. */
function classesOf(files: readonly RecordedFile[]): ReadonlyMap<string, Node | null> {
  const found = new Map<string, Node | null>();
  const visit = (node: Node): void => {
    if ((node.type === "ClassDeclaration" || node.type === "ClassExpression") && node.id !== null)
      found.set(node.id.name, found.has(node.id.name) ? null : node);
    children(node).forEach(visit);
  };
  for (const { program } of files) visit(program);
  return found;
}
