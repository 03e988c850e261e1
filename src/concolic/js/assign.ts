import { present } from "../../base/checked.ts";
import { isObject, type Recorded } from "../../js/recorder/readLog.ts";
import type { LogSite } from "../../js/recorder/site.ts";
import { type Node, withoutTypes } from "../../js/recorder/syntax.ts";
import { applyStep, type Concrete, isPrimitive, unknownValue } from "../../js/recorder/valueRules.ts";
import { constant, type EntryExpr, element, field, foldBinary, plusInteger, type ShadowValue } from "../expr.ts";
import { throughSetter } from "./calls.ts";
import { evaluate, memberName } from "./evaluate.ts";
import { bounded, type CallFrame, freshOpaque, readFree, sourceOf, writeFree } from "./frame.ts";
import { elementName } from "./heap.ts";
import { className, lengthOf } from "./natives.ts";

type Target = {
  readonly base: ShadowValue;
  readonly name: string;
  readonly place: EntryExpr;
  readonly key: ShadowValue | null;
};

export function assign(frame: CallFrame, node: Node): ShadowValue {
  const target = withoutTypes(node.left);
  if (node.operator !== "=") return compound(frame, node, target);
  if (target.type === "Identifier") {
    const value = evaluate(frame, node.right);
    setVariable(frame, target, value);
    return value;
  }
  if (target.type === "MemberExpression") return store(frame, node, target);
  const value = evaluate(frame, node.right);
  bindPattern(frame, target, value, frame.table.bound.get(node) ?? []);
  return value;
}

export function setVariable(frame: CallFrame, name: Node, value: ShadowValue): void {
  const binding = frame.table.bindingOf.get(name) ?? null;
  if (binding === null || binding.owner !== frame.fn.sites.node) writeFree(frame, name.name, value);
  else frame.locals.set(binding, value);
}

function store(frame: CallFrame, node: Node, target: Node): ShadowValue {
  const base = target.object.type === "Super" ? frame.receiver : evaluate(frame, target.object);
  const key = target.computed ? evaluate(frame, target.property) : null;
  const value = evaluate(frame, node.right);
  const site = frame.table.values.get(node);
  if (key === null) {
    const name = memberName(target);
    if (!throughSetter(frame, base, name, value, node)) frame.heap.write(base, name, field(base.term, name), value);
    return value;
  }
  const item = site === undefined ? null : frame.cursor.take(site);
  if (typeof key.concrete === "number" && item?.length != null) storeElement(frame, base, key, value, item.length);
  else if (isPrimitive(key.concrete)) frame.heap.write(base, String(key.concrete), element(base.term, key.term), value);
  else if (isObject(base.concrete as Recorded)) frame.heap.scramble(base, sourceOf(frame, node));
  return value;
}

/** A store beyond the end makes the array longer; the length in the log is the one afterwards. */
function storeElement(frame: CallFrame, base: ShadowValue, key: ShadowValue, value: ShadowValue, after: number): void {
  const index = key.concrete as number;
  const known = frame.heap.peek(base.concrete, "length");
  frame.heap.write(base, elementName(index), element(base.term, key.term), value);
  if (known !== null && known.concrete !== after)
    frame.heap.write(base, "length", field(base.term, "length"), { concrete: after, term: plusInteger(key.term, 1) });
  else if (known === null && index + 1 === after && !frame.heap.isFresh(base.concrete)) return;
  else lengthOf(frame, base, after);
}

/** The place that a compound assignment or update reads and writes; the old value is not in the log. */
function memberTarget(frame: CallFrame, target: Node): Target {
  const base = target.object.type === "Super" ? frame.receiver : evaluate(frame, target.object);
  if (!target.computed) {
    const name = memberName(target);
    return { base, name, place: field(base.term, name), key: null };
  }
  const key = evaluate(frame, target.property);
  const isElement = typeof key.concrete === "number" && className(base.concrete) === "Array";
  const name = isElement ? elementName(key.concrete as number) : String(isPrimitive(key.concrete) ? key.concrete : "?");
  return { base, name, place: element(base.term, key.term), key };
}

function compound(frame: CallFrame, node: Node, target: Node): ShadowValue {
  const operator = node.operator.slice(0, -1);
  const site = frame.table.values.get(node);
  const lazy = operator === "&&" || operator === "||" || operator === "??";
  if (target.type === "Identifier") {
    if (lazy) {
      const after: Concrete = site === undefined ? unknownValue : frame.cursor.take(site).value;
      const value: ShadowValue = { concrete: after, term: freshOpaque(frame, sourceOf(frame, node)) };
      setVariable(frame, target, value);
      return value;
    }
    const right = evaluate(frame, node.right);
    const after = site === undefined ? null : frame.cursor.take(site).value;
    const before = variableBefore(frame, target, after === null ? unknownValue : undo(operator, after, right.concrete));
    const value = bounded(frame, foldBinary(operator, before, right), () => sourceOf(frame, node));
    const final = after === null ? value : { concrete: after, term: value.term };
    setVariable(frame, target, final);
    return final;
  }
  const place = memberTarget(frame, target);
  const right = lazy ? null : evaluate(frame, node.right);
  const after: Concrete = site === undefined ? unknownValue : frame.cursor.take(site).value;
  if (right === null) {
    const value: ShadowValue = { concrete: after, term: freshOpaque(frame, sourceOf(frame, node)) };
    frame.heap.write(place.base, place.name, place.place, value);
    return value;
  }
  const before = frame.heap.read(place.base, place.name, place.place, undo(operator, after, right.concrete));
  const { term } = foldBinary(operator, before, right);
  const value = bounded(frame, { concrete: after, term }, () => sourceOf(frame, node));
  frame.heap.write(place.base, place.name, place.place, value);
  return value;
}

/** The operand before, for integers: `after - right`. */
function undo(operator: string, after: Concrete, right: Concrete): Concrete {
  if (!Number.isSafeInteger(after) || !Number.isSafeInteger(right)) return unknownValue;
  if (operator === "+") return (after as number) - (right as number);
  return operator === "-" ? (after as number) + (right as number) : unknownValue;
}

function variableBefore(frame: CallFrame, name: Node, before: Concrete): ShadowValue {
  const binding = frame.table.bindingOf.get(name) ?? null;
  if (binding === null || binding.owner !== frame.fn.sites.node) return readFree(frame, name.name, before);
  return frame.locals.get(binding) ?? { concrete: unknownValue, term: freshOpaque(frame, name.name) };
}

export function update(frame: CallFrame, node: Node): ShadowValue {
  const target = withoutTypes(present(node.argument));
  const site = frame.table.values.get(node);
  const step = node.operator === "++" ? 1 : -1;
  const one: ShadowValue = { concrete: 1, term: constant(1) };
  const operator = step === 1 ? "+" : "-";
  const next = (before: ShadowValue): ShadowValue =>
    typeof before.concrete === "bigint"
      ? { concrete: applyStep(step, before.concrete), term: freshOpaque(frame, sourceOf(frame, node)) }
      : foldBinary(operator, before, one);
  if (target.type === "Identifier") {
    const logged = site === undefined ? unknownValue : frame.cursor.take(site).value;
    const before = variableBefore(frame, target, beforeUpdate(node, step, logged));
    const after = next(before);
    setVariable(frame, target, after);
    return node.prefix ? after : before;
  }
  const place = memberTarget(frame, target);
  const logged = site === undefined ? unknownValue : frame.cursor.take(site).value;
  const before = frame.heap.read(place.base, place.name, place.place, beforeUpdate(node, step, logged));
  const after = next(before);
  frame.heap.write(place.base, place.name, place.place, after);
  return node.prefix ? after : before;
}

function beforeUpdate(node: Node, step: number, logged: Concrete): Concrete {
  if (typeof logged !== "number") return node.prefix ? unknownValue : logged;
  return node.prefix ? logged - step : logged;
}

/** Names that a pattern binds, with the values that the log has for them; terms for simple patterns. */
export function bindPattern(frame: CallFrame, pattern: Node, value: ShadowValue, sites: readonly LogSite[]): void {
  const values = new Map(sites.map((site) => [site.node, frame.cursor.take(site).value]));
  const bind = (target: Node, known: ShadowValue | null, read: ((logged: Concrete) => ShadowValue) | null): void => {
    switch (target.type) {
      case "Identifier": {
        const logged = values.has(target) ? (values.get(target) as Recorded) : (known?.concrete ?? unknownValue);
        const term = read?.(logged).term ?? known?.term ?? freshOpaque(frame, target.name);
        setVariable(frame, target, { concrete: logged, term });
        return;
      }
      case "AssignmentPattern":
        return bind(target.left, null, null);
      case "RestElement":
        return bind(present(target.argument), null, null);
      case "ObjectPattern":
        for (const property of target.properties) {
          if (property.type === "RestElement") bind(property, null, null);
          else if (property.computed || known === null || !isObject(known.concrete as Recorded))
            bind(property.value, null, null);
          else {
            const name = property.key.type === "Identifier" ? property.key.name : String(property.key.value);
            bind(property.value, null, (logged) => frame.heap.read(known, name, field(known.term, name), logged));
          }
        }
        return;
      case "ArrayPattern":
        for (const [at, one] of target.elements.entries()) {
          if (one === null) continue;
          const isArray = known !== null && className(known.concrete) === "Array";
          const cell = isArray ? frame.heap.peek(known.concrete, elementName(at)) : null;
          if (!isArray || cell !== null) bind(one, cell, null);
          else
            bind(one, null, (logged) =>
              frame.heap.read(known, elementName(at), element(known.term, constant(at)), logged),
            );
        }
        return;
      case "MemberExpression":
        storeSilently(frame, target, known);
    }
  };
  bind(pattern, value, null);
}

/** A member as a target inside of a pattern: its parts are not in the log, so only what is known anyway serves. */
function storeSilently(frame: CallFrame, target: Node, value: ShadowValue | null): void {
  const base = silently(frame, target.object);
  const key = target.computed ? silently(frame, target.property) : null;
  if (base === null || (target.computed && key === null)) return;
  const written = value ?? { concrete: unknownValue, term: freshOpaque(frame, sourceOf(frame, target)) };
  if (key === null) frame.heap.write(base, memberName(target), field(base.term, memberName(target)), written);
  else if (typeof key.concrete === "number")
    frame.heap.write(base, elementName(key.concrete), element(base.term, key.term), written);
}

function silently(frame: CallFrame, given: Node): ShadowValue | null {
  const node = withoutTypes(given);
  if (node.type === "ThisExpression") return frame.receiver;
  if (node.type === "Literal")
    return { concrete: node.value as unknown as number, term: constant(node.value as unknown as number) };
  if (node.type === "Identifier") {
    const binding = frame.table.bindingOf.get(node) ?? null;
    return binding === null ? null : (frame.locals.get(binding) ?? frame.free.get(node.name) ?? null);
  }
  if (node.type === "BinaryExpression") {
    const left = silently(frame, node.left);
    const right = silently(frame, node.right);
    return left === null || right === null ? null : foldBinary(node.operator, left, right);
  }
  if (node.type !== "MemberExpression" || node.computed) return null;
  const base = silently(frame, node.object);
  return base === null ? null : frame.heap.peek(base.concrete, memberName(node));
}
