import { present } from "../../base/checked.ts";
import type { Binding } from "../recorder/scopes.ts";
import { boundIdentifiers, children, isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { parentsOf, type StatementInstance, type StatementInstances, unitOf } from "./instances.ts";
import { memberName, methodName } from "./makers.ts";
import type { RecordedFunction } from "./recordedFile.ts";

/** A part of a slice: an execution that the log shows, or a statement that it cannot show. */
export type SlicePart = Pick<StatementInstance, "order" | "call" | "function" | "node" | "values"> & {
  /** How far from the failure; conditions count more than values. */
  readonly distance: number;
};

const controlStep = 1.5;

/**
 * What led to an execution, by names: variables to their last assignment, fields to the last write to a field of that name, calls to
 * what the callee returned, parameters to the caller, statements to the conditions around them. It is what the log shows and the source says; objects are not told
 * apart, so it may name too much.
 */
export function sliceOf(instances: StatementInstances, from: StatementInstance, most: number): readonly SlicePart[] {
  const found = new Map<string, SlicePart>();
  const queue: { readonly instance: StatementInstance; readonly distance: number }[] = [
    { instance: from, distance: 0 },
  ];
  const seen = new Map<StatementInstance, number>([[from, 0]]);
  const writers = writersOf(instances);
  const reach = (instance: StatementInstance | undefined | null, distance: number): void => {
    if (instance == null || instance.order > from.end || (seen.get(instance) ?? Number.POSITIVE_INFINITY) <= distance)
      return;
    seen.set(instance, distance);
    queue.push({ instance, distance });
  };
  const show = (part: SlicePart): void => {
    const key = `${part.function.file.path}:${part.node.start}`;
    const known = found.get(key);
    if (known === undefined || part.distance < known.distance) found.set(key, part);
  };
  while (queue.length > 0 && found.size < most * 3) {
    queue.sort((a, b) => b.distance - a.distance);
    const { instance, distance } = present(queue.pop());
    if (instance.node !== instance.function.node) show({ ...instance, distance });
    for (const call of instance.calls) for (const one of results(instances, call)) reach(one, distance + 1);
    if (instance.node === instance.function.node) {
      reach(instances.callerOf(instance.call), distance + 1);
      continue;
    }
    for (const binding of readNames(instance)) {
      if (isParameter(instance.function, binding)) reach(instances.callerOf(instance.call), distance + 1);
      reach(lastBefore(writers.names.get(binding), instance, binding.owner === instance.function.node), distance + 1);
      // Assignments that the log has nothing of: they are where the source has them.
      for (const node of silentWrites(instance.function, binding)) {
        for (const test of conditionsAround(instances, { ...instance, node })) reach(test, distance + controlStep);
        show({ ...instance, order: instance.order - 0.5, node, values: [], distance: distance + 1 });
      }
    }
    for (const name of readFields(instance.node))
      reach(lastBefore(writers.fields.get(name), instance, false), distance + 1);
    for (const test of conditionsAround(instances, instance)) reach(test, distance + controlStep);
  }
  return [...found.values()].sort((a, b) => a.distance - b.distance).slice(0, most);
}

/** The end of a call: its return, or the throw. */
function results(instances: StatementInstances, call: StatementInstance["call"]): readonly StatementInstance[] {
  const own = instances.of(call).filter((one) => one.node !== one.function.node);
  const last = own.at(-1);
  const returned = own.findLast(({ node, function: fn }) => node.type === "ReturnStatement" || node === fn.node.body);
  return [returned, last].filter(
    (one, at, both) => one !== undefined && both.indexOf(one) === at,
  ) as StatementInstance[];
}

type Writers = {
  readonly names: ReadonlyMap<Binding, readonly StatementInstance[]>;
  readonly fields: ReadonlyMap<string, readonly StatementInstance[]>;
};

function writersOf({ all }: StatementInstances): Writers {
  const names = new Map<Binding, StatementInstance[]>();
  const fields = new Map<string, StatementInstance[]>();
  const add = <K>(map: Map<K, StatementInstance[]>, key: K, instance: StatementInstance): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [instance]);
    else known.push(instance);
  };
  for (const instance of all) {
    if (instance.node === instance.function.node) continue;
    const { bindingOf } = instance.function.file.table;
    for (const name of writtenNames(instance.node)) {
      const binding = bindingOf.get(name);
      if (binding != null) add(names, binding, instance);
    }
    for (const field of writtenFields(instance.node)) add(fields, field, instance);
  }
  return { names, fields };
}

function lastBefore(
  list: readonly StatementInstance[] | undefined,
  at: StatementInstance,
  isOwn: boolean,
): StatementInstance | null {
  return list?.findLast((one) => one.order < at.end && one !== at && (!isOwn || one.call === at.call)) ?? null;
}

function isParameter(fn: RecordedFunction, binding: Binding): boolean {
  const { bindingOf } = fn.file.table;
  return fn.sites.params.some(({ node }) => bindingOf.get(node) === binding);
}

/** The node and what is inside of it; the bodies of loops and functions are units of their own. */
function parts(node: Node): readonly Node[] {
  const skipped = /^For(Of|In)Statement$/.test(node.type) ? node.body : null;
  return [node, ...children(node).flatMap((child) => (isFunction(child) || child === skipped ? [] : parts(child)))];
}

function readNames({ node, function: fn }: StatementInstance): ReadonlySet<Binding> {
  const { bindingOf } = fn.file.table;
  const found = new Set<Binding>();
  for (const part of parts(node)) {
    const binding = part.type === "Identifier" ? bindingOf.get(part) : undefined;
    if (binding != null) found.add(binding);
  }
  return found;
}

function writtenNames(node: Node): readonly Node[] {
  return parts(node).flatMap((part) => {
    if (part.type === "VariableDeclarator") return boundIdentifiers(present(part.id));
    if (part.type === "AssignmentExpression") return boundIdentifiers(part.left);
    if (part.type === "UpdateExpression") return boundIdentifiers(withoutTypes(present(part.argument)));
    return [];
  });
}

const elements = "[]";
const changing = new Set([
  "push",
  "unshift",
  "pop",
  "shift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "set",
  "add",
  "delete",
  "clear",
]);

function fieldOf(node: Node): string {
  return memberName(node) ?? elements;
}

function writtenFields(node: Node): readonly string[] {
  return parts(node).flatMap((part) => {
    if (part.type === "AssignmentExpression" || part.type === "UpdateExpression") {
      const target = withoutTypes(part.type === "UpdateExpression" ? present(part.argument) : part.left);
      return target.type === "MemberExpression" ? [fieldOf(target)] : [];
    }
    if (part.type === "Property" && part.key?.type === "Identifier") return [part.key.name];
    if (part.type === "ArrayExpression") return [elements];
    return part.type === "CallExpression" && changing.has(methodName(part) ?? "") ? [elements] : [];
  });
}

function readFields(node: Node): ReadonlySet<string> {
  const found = new Set<string>();
  for (const part of parts(node)) {
    if (part.type === "MemberExpression") found.add(fieldOf(part));
    if (part.type === "CallExpression" && methodName(part) !== null) found.add(elements);
    if (part.type === "ForOfStatement" || part.type === "SpreadElement") found.add(elements);
  }
  return found;
}

/** Assignments of a variable in statements without anything that is logged. */
function silentWrites(fn: RecordedFunction, binding: Binding): readonly Node[] {
  // Code outside of functions is not logged at all.
  const isGlobal = binding.owner === null;
  if (binding.owner !== fn.node && !isGlobal) return [];
  const { bindingOf, sites } = fn.file.table;
  const logged = new Set(sites.map((site) => site.node));
  const found = new Set<Node>();
  const visit = (node: Node): void => {
    if (isFunction(node)) return;
    if (/^(VariableDeclarator|AssignmentExpression|UpdateExpression)$/.test(node.type)) {
      const isWritten = writtenNames(node).some((name) => bindingOf.get(name) === binding);
      const unit = isWritten && !isGlobal ? unitOf(fn, node) : isWritten ? node : null;
      if (unit !== null && (isGlobal || !parts(unit).some((part) => logged.has(part)))) found.add(unit);
    }
    children(node).forEach(visit);
  };
  children(isGlobal ? fn.file.program : fn.node).forEach(visit);
  return [...found];
}

/** The last decisions of the conditions that a statement is inside of, and of those before it that may have left. */
function conditionsAround(instances: StatementInstances, instance: StatementInstance): readonly StatementInstance[] {
  const { function: fn, call, order } = instance;
  const known = parentsOf(fn.file);
  const tests: Node[] = [];
  for (let at: Node | undefined = instance.node; at !== undefined && at !== fn.node; at = known.get(at)) {
    const parent = known.get(at);
    if (parent === undefined) break;
    if (parent.test != null && parent.test !== at) tests.push(parent.test);
    if (/^For(Of|In)Statement$/.test(parent.type)) tests.push(parent);
    if (parent.type === "BlockStatement") {
      const before = parent.body.slice(0, parent.body.indexOf(at));
      tests.push(
        ...before.filter((one) => one.type === "IfStatement" && mayLeave(one)).map((one) => present(one.test)),
      );
    }
  }
  const own = instances.of(call);
  return tests.flatMap((test) => own.findLast((one) => one.node === test && one.order < order) ?? []);
}

function mayLeave(node: Node): boolean {
  return parts(node).some(({ type }) => /^(Return|Throw|Break|Continue)Statement$/.test(type));
}
