import { present } from "../../base/checked.ts";
import { isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { type Concrete, unknownValue } from "../recorder/valueRules.ts";
import { addTo } from "./evidence.ts";
import { assign, takeBound } from "./replayAssignment.ts";
import { evaluate, evaluateClass, evaluateTest } from "./replayExpression.ts";
import { Lost, peek, type ReplayFrame, record, Thrown, take } from "./replayFrame.ts";

/** How a statement ended. */
export type ReplayCompletion =
  | { readonly kind: "normal" }
  | { readonly kind: "break" | "continue"; readonly label: string | null }
  | { readonly kind: "return"; readonly value: Concrete };

const normal: ReplayCompletion = { kind: "normal" };

export function executeBlock(frame: ReplayFrame, statements: readonly Node[]): ReplayCompletion {
  for (const statement of statements) {
    const completion = execute(frame, statement);
    if (completion.kind !== "normal") return completion;
  }
  return normal;
}

export function execute(frame: ReplayFrame, node: Node, label: string | null = null): ReplayCompletion {
  switch (node.type) {
    case "ExpressionStatement":
      if (node.directive == null) evaluate(frame, node.expression as Node);
      return normal;
    case "VariableDeclaration":
      declare(frame, node);
      takeBound(frame, node);
      return normal;
    case "ReturnStatement":
      return returned(frame, node);
    case "BlockStatement":
      return executeBlock(frame, node.body);
    case "IfStatement":
      if (evaluateTest(frame, present(node.test))) return execute(frame, node.consequent as Node);
      return node.alternate === null ? normal : execute(frame, node.alternate);
    case "ForStatement":
      if (node.init?.type === "VariableDeclaration") declare(frame, node.init);
      else if (node.init !== null) evaluate(frame, node.init);
      return loop(frame, node, label, true);
    case "WhileStatement":
      return loop(frame, node, label, true);
    case "DoWhileStatement":
      return loop(frame, node, label, false);
    case "ForOfStatement":
    case "ForInStatement":
      return iterate(frame, node, label);
    case "SwitchStatement":
      return chooseCase(frame, node);
    case "TryStatement":
      return attempt(frame, node);
    case "ThrowStatement": {
      const value = evaluate(frame, present(node.argument));
      throw new Thrown(value === unknownValue ? undefined : value, { node, function: frame.function });
    }
    case "BreakStatement":
      return { kind: "break", label: node.label?.name ?? null };
    case "ContinueStatement":
      return { kind: "continue", label: node.label?.name ?? null };
    case "LabeledStatement": {
      const name = present(node.label).name;
      const completion = execute(frame, node.body, name);
      return completion.kind === "break" && completion.label === name ? normal : completion;
    }
    case "ClassDeclaration":
      evaluateClass(frame, node);
      return normal;
    case "EmptyStatement":
    case "DebuggerStatement":
      return normal;
    default:
      if (isFunction(node) || node.type.startsWith("TS")) return normal;
      throw new Lost(`a ${node.type} is not followed`);
  }
}

function declare(frame: ReplayFrame, node: Node): void {
  for (const declarator of node.declarations) {
    const value = declarator.init === null ? undefined : evaluate(frame, declarator.init);
    if (present(declarator.id).type === "Identifier" && (declarator.init !== null || node.kind !== "var"))
      assign(frame, present(declarator.id), value);
  }
}

function returned(frame: ReplayFrame, node: Node): ReplayCompletion {
  if (node.argument === null) return { kind: "return", value: undefined };
  let value = evaluate(frame, node.argument);
  const site = frame.function.file.table.returns.get(node);
  if (site !== undefined) value = take(frame, site, node.argument).value;
  return { kind: "return", value };
}

/** The completion of a loop after its body completed; null if the loop goes on. */
function leaves(completion: ReplayCompletion, label: string | null): ReplayCompletion | null {
  switch (completion.kind) {
    case "normal":
      return null;
    case "continue":
      return completion.label === null || completion.label === label ? null : completion;
    case "break":
      return completion.label === null || completion.label === label ? normal : completion;
    case "return":
      return completion;
  }
}

function loop(frame: ReplayFrame, node: Node, label: string | null, testFirst: boolean): ReplayCompletion {
  for (let round = 0; ; round++) {
    if ((testFirst || round > 0) && node.test !== null && !evaluateTest(frame, node.test)) return normal;
    const left = leaves(execute(frame, node.body), label);
    if (left !== null) return left;
    if (node.type === "ForStatement" && node.update !== null) evaluate(frame, node.update);
  }
}

/** A round begins where the log has the loop's variable next. */
function iterate(frame: ReplayFrame, node: Node, label: string | null): ReplayCompletion {
  evaluate(frame, node.right);
  const [first] = frame.function.file.table.bound.get(node) ?? [];
  if (first === undefined) throw new Lost("a loop without a variable is not followed");
  for (;;) {
    const next = peek(frame);
    if (next?.site !== first.index) {
      addTo(frame.replay.evidence.rounds, node, null);
      return normal;
    }
    addTo(frame.replay.evidence.rounds, node, { value: next.value });
    passIterator(frame);
    takeBound(frame, node);
    const left = leaves(execute(frame, node.body), label);
    if (left !== null) return left;
  }
}

/** Calls before a round are those of the iterator. */
function passIterator(frame: ReplayFrame): void {
  const { items } = frame.call;
  while (items[frame.at]?.kind === "call") frame.at++;
  frame.pending = [];
}

function chooseCase(frame: ReplayFrame, node: Node): ReplayCompletion {
  const { values, tests } = frame.function.file.table;
  let value = evaluate(frame, node.discriminant);
  const site = tests.get(node.discriminant);
  if (site !== undefined && !values.has(node.discriminant)) value = take(frame, site, node.discriminant).value;
  let chosen = -1;
  for (const [i, one] of node.cases.entries()) {
    if (one.test === null) continue;
    if (evaluate(frame, one.test) === value) {
      chosen = i;
      break;
    }
  }
  if (chosen === -1) chosen = node.cases.findIndex((one) => one.test === null);
  if (chosen === -1) return normal;
  for (const one of node.cases.slice(chosen)) {
    const completion = executeBlock(frame, one.consequent);
    if (completion.kind === "break" && completion.label === null) return normal;
    if (completion.kind !== "normal") return completion;
  }
  return normal;
}

function attempt(frame: ReplayFrame, node: Node): ReplayCompletion {
  let completion: ReplayCompletion = normal;
  let thrown: Thrown | null = null;
  const guarded = (run: () => ReplayCompletion): void => {
    try {
      completion = run();
      thrown = null;
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      thrown = error;
    }
  };
  if (node.finalizer !== null) frame.finalizers++;
  guarded(() => execute(frame, node.block));
  const site = node.handler === null ? undefined : frame.function.file.table.caught.get(node.handler);
  if (thrown !== null && site !== undefined) {
    guarded(() => {
      const { value } = take(frame, site, present(node.handler));
      const { param } = present(node.handler);
      if (param !== null && withoutTypes(param).type === "Identifier") {
        record(frame, param, value);
        assign(frame, param, value);
      } else takeBound(frame, present(node.handler));
      return execute(frame, present(node.handler).body);
    });
  }
  if (node.finalizer !== null) {
    frame.finalizers--;
    const last = execute(frame, node.finalizer);
    if (last.kind !== "normal") return last;
  }
  if (thrown !== null) throw thrown;
  return completion;
}
