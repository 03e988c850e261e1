import { nth, present } from "../../base/checked.ts";
import type { Recorded } from "../../js/recorder/readLog.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import { applyBinary, sameValue, unknownValue } from "../../js/recorder/valueRules.ts";
import { binary, constant, type ShadowValue } from "../expr.ts";
import { bindPattern, setVariable } from "./assign.ts";
import { LostCall, ProgramThrow } from "./cursor.ts";
import { evaluate, evaluateClass, evaluateTest } from "./evaluate.ts";
import { addCondition, type CallFrame, freshOpaque } from "./frame.ts";
import { executeLoop, executeLoopOver } from "./loops.ts";

/** How a statement ended. */
export type Completion =
  | { readonly kind: "normal" }
  | { readonly kind: "return"; readonly value: ShadowValue }
  | { readonly kind: "break" | "continue"; readonly label: string | null };

export const normal: Completion = { kind: "normal" };
const nothing: ShadowValue = { concrete: undefined, term: constant(undefined) };

export function executeAll(frame: CallFrame, statements: readonly Node[]): Completion {
  for (const statement of statements) {
    const completion = execute(frame, statement);
    if (completion.kind !== "normal") return completion;
  }
  return normal;
}

export function execute(frame: CallFrame, node: Node, label: string | null = null): Completion {
  switch (node.type) {
    case "ExpressionStatement":
      if (node.directive == null) evaluate(frame, node.expression);
      return normal;
    case "VariableDeclaration":
      declare(frame, node);
      return normal;
    case "ReturnStatement":
      return { kind: "return", value: node.argument === null ? nothing : returned(frame, node, node.argument) };
    case "IfStatement":
      if (evaluateTest(frame, present(node.test))) return execute(frame, node.consequent);
      return node.alternate === null ? normal : execute(frame, node.alternate);
    case "BlockStatement":
      return executeAll(frame, node.body);
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return executeLoop(frame, node, label);
    case "ForOfStatement":
    case "ForInStatement":
      return executeLoopOver(frame, node, label);
    case "ThrowStatement": {
      const value = evaluate(frame, present(node.argument));
      throw new ProgramThrow(value.concrete === unknownValue ? undefined : value.concrete);
    }
    case "TryStatement":
      return executeTry(frame, node);
    case "SwitchStatement":
      return executeSwitch(frame, node);
    case "LabeledStatement": {
      const completion = execute(frame, node.body, present(node.label).name);
      return completion.kind === "break" && completion.label === present(node.label).name ? normal : completion;
    }
    case "BreakStatement":
    case "ContinueStatement":
      return { kind: node.type === "BreakStatement" ? "break" : "continue", label: node.label?.name ?? null };
    case "ClassDeclaration":
      evaluateClass(frame, node);
      return normal;
    case "FunctionDeclaration":
    case "EmptyStatement":
    case "DebuggerStatement":
      return normal;
    default:
      if (node.type.startsWith("TS")) return normal;
      throw new LostCall(`${node.type} is not followed`);
  }
}

export function returned(frame: CallFrame, holder: Node, expression: Node): ShadowValue {
  const value = evaluate(frame, expression);
  const site = frame.table.returns.get(holder);
  if (site === undefined) return value;
  const logged = frame.cursor.take(site).value;
  if (value.concrete !== unknownValue && !sameValue(value.concrete, logged)) frame.checks.disagreed++;
  return { concrete: logged, term: value.term };
}

export function declare(frame: CallFrame, node: Node): void {
  const patterns: { readonly pattern: Node; readonly value: ShadowValue }[] = [];
  for (const declarator of node.declarations) {
    if (declarator.init === null) {
      if (node.kind !== "var" && present(declarator.id).type === "Identifier")
        setVariable(frame, present(declarator.id), nothing);
      continue;
    }
    const value = evaluate(frame, declarator.init);
    if (present(declarator.id).type === "Identifier") setVariable(frame, present(declarator.id), value);
    else patterns.push({ pattern: present(declarator.id), value });
  }
  const sites = frame.table.bound.get(node) ?? [];
  if (patterns.length === 1) bindPattern(frame, nth(patterns, 0).pattern, nth(patterns, 0).value, sites);
  else
    for (const site of sites) {
      const { value } = frame.cursor.take(site);
      setVariable(frame, site.node, { concrete: value, term: freshOpaque(frame, present(site.name)) });
    }
}

function executeTry(frame: CallFrame, node: Node): Completion {
  let completion: Completion | null = null;
  let thrown: ProgramThrow | null = null;
  try {
    completion = execute(frame, node.block);
  } catch (error) {
    if (!(error instanceof ProgramThrow)) throw error;
    thrown = error;
  }
  if (thrown !== null && node.handler !== null) {
    try {
      completion = executeCatch(frame, node.handler);
      thrown = null;
    } catch (error) {
      if (!(error instanceof ProgramThrow)) throw error;
      thrown = error;
    }
  }
  if (node.finalizer !== null) {
    const last = execute(frame, node.finalizer);
    if (last.kind !== "normal") return last;
  }
  if (thrown !== null) throw thrown;
  return completion ?? normal;
}

function executeCatch(frame: CallFrame, handler: Node): Completion {
  const site = frame.table.caught.get(handler);
  if (site === undefined) throw new LostCall("a catch clause that is no site");
  const { value } = frame.cursor.take(site);
  const error: ShadowValue = { concrete: value as Recorded, term: freshOpaque(frame, "the error") };
  if (handler.param?.type === "Identifier") setVariable(frame, handler.param, error);
  else if (handler.param !== null) bindPattern(frame, handler.param, error, frame.table.bound.get(handler) ?? []);
  return execute(frame, handler.body);
}

function executeSwitch(frame: CallFrame, node: Node): Completion {
  const value = evaluate(frame, node.discriminant);
  const site = frame.table.tests.get(node.discriminant);
  const own = site !== undefined && !frame.table.values.has(node.discriminant);
  const concrete = own ? frame.cursor.take(site).value : value.concrete;
  const chosen = chooseCase(frame, node, { concrete, term: value.term });
  if (chosen < 0) return normal;
  for (const one of node.cases.slice(chosen)) {
    const completion = executeAll(frame, one.consequent);
    if (completion.kind === "break" && completion.label === null) return normal;
    if (completion.kind !== "normal") return completion;
  }
  return normal;
}

function chooseCase(frame: CallFrame, node: Node, value: ShadowValue): number {
  const passed: { readonly point: Node; readonly test: ShadowValue }[] = [];
  for (const [at, one] of node.cases.entries()) {
    if (one.test === null) continue;
    const test = evaluate(frame, one.test);
    const equal = applyBinary("===", value.concrete, test.concrete);
    if (equal === unknownValue) throw new LostCall("a case without a value");
    if (equal === true) {
      addCondition(frame, binary("===", value.term, test.term), one, "branch");
      return at;
    }
    passed.push({ point: one, test });
  }
  for (const { point, test } of passed) addCondition(frame, binary("!==", value.term, test.term), point, "branch");
  return node.cases.findIndex((one) => one.test === null);
}
