import { present } from "../../base/checked.ts";
import type { Recorded } from "../../js/recorder/readLog.ts";
import { children, isFunction, type Node } from "../../js/recorder/syntax.ts";
import { applyBinary, applyUnary, type Concrete, sameValue, unknownValue } from "../../js/recorder/valueRules.ts";
import type { EntryExpr } from "../expr.ts";
import type { Condition } from "../summary.ts";

/**
 * The conditions of a path, each said once. In a loop the latest condition of a program point wins (paper 002 §4.3). Every
 * event may add one, so nothing here looks through all of them.
 */
export type Conditions = {
  add(condition: Condition): void;
  /** Until the outermost loop ends. */
  inLoop<Result>(run: () => Result): Result;
  /** New conditions are kept aside until it is known whether they count. */
  hold(): void;
  /** It counts, as `change` has it. */
  release(change?: (expr: EntryExpr) => EntryExpr): void;
  /** It does not. */
  drop(): void;
  all(): readonly Condition[];
};

export function createConditions(): Conditions {
  /** By key of the term, in the order in which they were added. */
  const said = new Map<string, Condition>();
  /** Those of the loop that runs, by point and kind. */
  let latest: Map<object, Map<Condition["kind"], string>> | null = null;
  let held: Condition[] | null = null;

  function put(condition: Condition): void {
    const { point, kind, expr } = condition;
    if (expr.kind === "const") return;
    const kinds = latest?.get(point) ?? new Map<Condition["kind"], string>();
    const before = kinds.get(kind);
    if (before !== undefined) {
      said.delete(before);
      kinds.delete(kind);
    }
    if (said.has(expr.key)) return;
    said.set(expr.key, condition);
    if (latest === null) return;
    kinds.set(kind, expr.key);
    latest.set(point, kinds);
  }

  return {
    add(condition) {
      if (held === null) put(condition);
      else held.push(condition);
    },
    inLoop(run) {
      const outer = latest;
      latest ??= new Map();
      try {
        return run();
      } finally {
        latest = outer;
      }
    },
    hold() {
      held = [];
    },
    release(change) {
      const waiting = held ?? [];
      held = null;
      for (const one of waiting) put(change === undefined ? one : { ...one, expr: change(one.expr) });
    },
    drop() {
      held = null;
    },
    all: () => [...said.values()],
  };
}

/** Whether a condition is the test of a branch, one side of which does nothing but throw. */
export function otherWayThrows(fn: Node, point: Node): boolean {
  let found = false;
  const visit = (node: Node): void => {
    if (node.type === "IfStatement" && contains(present(node.test), point))
      found ||= throws(node.consequent) || (node.alternate !== null && throws(node.alternate));
    for (const child of children(node)) if (!isFunction(child)) visit(child);
  };
  visit(fn.body);
  return found;
}

function contains(node: Node, point: Node): boolean {
  return node.start <= point.start && point.end <= node.end;
}

function throws(statement: Node): boolean {
  if (statement.type === "BlockStatement") return statement.body.length > 0 && throws(present(statement.body.at(-1)));
  return statement.type === "ThrowStatement";
}

type Entry = ReadonlyMap<string, { readonly value: Recorded }>;

/**
 * A term's value in the state at entry (paper 002 §3.2: instantiating the symbolic result must give the concrete one).
 * Unknown for loop variables, new objects and what is opaque. Calls have the value that was seen.
 */
export function valueAtEntry(expr: EntryExpr, entry: Entry): Concrete {
  switch (expr.kind) {
    case "const":
      return expr.value;
    case "unary":
      return applyUnary(expr.operator, valueAtEntry(expr.operand, entry));
    case "binary": {
      if (expr.operator === "in" || expr.operator === "instanceof") return unknownValue;
      return applyBinary(expr.operator, valueAtEntry(expr.left, entry), valueAtEntry(expr.right, entry));
    }
    case "param":
    case "this":
    case "free":
    case "field":
    case "element":
    case "call": {
      const found = entry.get(expr.key);
      return found === undefined ? unknownValue : found.value;
    }
    case "new":
    case "loop":
    case "opaque":
      return unknownValue;
  }
}

/** Whether the term has the recorded value: null where that cannot be said. */
export function commutes(expr: EntryExpr, entry: Entry, recorded: Concrete): boolean | null {
  const value = valueAtEntry(expr, entry);
  if (value === unknownValue || recorded === unknownValue) return null;
  return sameValue(value, recorded);
}
