import { present } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { Binding } from "../../js/recorder/scopes.ts";
import { boundIdentifiers, children, isFunction, type Node } from "../../js/recorder/syntax.ts";
import { type EntryExpr, loopVariable, mapParts, type ShadowValue } from "../expr.ts";
import { setVariable } from "./assign.ts";
import { LostCall } from "./cursor.ts";
import { evaluate, evaluateTest } from "./evaluate.ts";
import { type CallFrame, rememberRound } from "./frame.ts";
import { type Completion, declare, execute, normal } from "./statements.ts";

/** How a round ended, as the loop sees it. */
function leaves(completion: Completion, label: string | null): Completion | null {
  if (completion.kind === "normal") return null;
  const ours = completion.kind !== "return" && (completion.label === null || completion.label === label);
  if (completion.kind === "continue" && ours) return null;
  return completion.kind === "break" && ours ? normal : completion;
}

/**
 * Abstraction for loops (paper 002 §4.3): variables that the loop assigns are symbols `$x` in each round, the latest
 * condition of a program point counts, and the condition to leave counts only if the body was never entered.
 */
export function executeLoop(frame: CallFrame, node: Node, label: string | null): Completion {
  if (node.type === "ForStatement" && node.init !== null) {
    if (node.init.type === "VariableDeclaration") declare(frame, node.init);
    else evaluate(frame, node.init);
  }
  const assigned = assignedLocals(frame, node);
  const before = new Map([...assigned].map((binding) => [binding, frame.locals.get(binding)]));
  return inLoop(frame, (writes) => {
    let rounds = 0;
    for (;;) {
      startRound(frame, assigned, writes);
      const test = node.type === "DoWhileStatement" && rounds === 0 ? null : node.test;
      if (test !== null && !goesOn(frame, test, rounds > 0 ? null : before)) return normal;
      rounds++;
      const left = leaves(execute(frame, node.body), label);
      if (left !== null) return left;
      if (node.type === "ForStatement" && node.update !== null) evaluate(frame, node.update);
    }
  });
}

/** `for`-`of` and `for`-`in`: a round begins where the log has a new value for the variable. */
export function executeLoopOver(frame: CallFrame, node: Node, label: string | null): Completion {
  evaluate(frame, node.right);
  const [first] = frame.table.bound.get(node) ?? [];
  if (first === undefined) throw new LostCall("a loop without a variable");
  const assigned = assignedLocals(frame, node);
  return inLoop(frame, (writes) => {
    while (frame.cursor.isNext(first)) {
      startRound(frame, assigned, writes);
      for (const site of present(frame.table.bound.get(node))) {
        const { value } = frame.cursor.take(site);
        rememberRound(frame, present(site.name), value);
        setVariable(frame, site.node, { concrete: value, term: loopVariable(present(site.name)) });
      }
      const left = leaves(execute(frame, node.body), label);
      if (left !== null) return left;
    }
    return normal;
  });
}

function inLoop(frame: CallFrame, run: (writesBefore: number) => Completion): Completion {
  return frame.conditions.inLoop(() => run(frame.heap.writeCount));
}

/** `before`: values of the assigned variables before the first round; null in later ones. */
function goesOn(frame: CallFrame, test: Node, before: ReadonlyMap<Binding, ShadowValue | undefined> | null): boolean {
  frame.conditions.hold();
  let decided = false;
  try {
    const way = evaluateTest(frame, test);
    decided = true;
    if (way) frame.conditions.release();
    else if (before === null) frame.conditions.drop();
    else neverEntered(frame, before);
    return way;
  } finally {
    // The condition itself threw.
    if (!decided) frame.conditions.release();
  }
}

function startRound(frame: CallFrame, assigned: ReadonlySet<Binding>, writesBefore: number): void {
  for (const binding of assigned) {
    const known = frame.locals.get(binding);
    if (known === undefined) continue;
    rememberRound(frame, binding.name, known.concrete);
    frame.locals.set(binding, { concrete: known.concrete, term: loopVariable(binding.name) });
  }
  frame.heap.startRound(writesBefore);
}

/** The symbols stood for the values before the loop after all. */
function neverEntered(frame: CallFrame, before: ReadonlyMap<Binding, ShadowValue | undefined>): void {
  const values = new Map<string, EntryExpr>();
  for (const [binding, value] of before) {
    if (value === undefined) continue;
    frame.locals.set(binding, value);
    values.set(`$${binding.name}`, value.term);
  }
  const put = (expr: EntryExpr): EntryExpr =>
    expr.kind === "loop" ? (values.get(expr.key) ?? expr) : mapParts(expr, put);
  frame.conditions.release(put);
}

const assignedIn = new WeakMap<Node, readonly Node[]>();

function assignedLocals(frame: CallFrame, loop: Node): ReadonlySet<Binding> {
  const names = remembered(assignedIn, loop, () =>
    [loop.test, loop.update, loop.body].flatMap((part) => (part == null ? [] : assignedNames(part))),
  );
  const bindings = names.map((name) => frame.table.bindingOf.get(name) ?? null);
  return new Set(bindings.filter((one) => one !== null && one.owner === frame.fn.sites.node) as Binding[]);
}

function assignedNames(node: Node): readonly Node[] {
  if (isFunction(node)) return [];
  const own =
    node.type === "AssignmentExpression"
      ? boundIdentifiers(node.left)
      : node.type === "UpdateExpression" && present(node.argument).type === "Identifier"
        ? [present(node.argument)]
        : [];
  return [...own, ...children(node).flatMap(assignedNames)];
}
