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
  /** What is added is kept aside until it is settled whether it counts. */
  hold(): void;
  /** It counts, as `change` has it. */
  release(change?: (expr: EntryExpr) => EntryExpr): void;
  /** It does not. */
  drop(): void;
  all(): readonly Condition[];
};

/** One closure: the list and what finds conditions in it. */
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
