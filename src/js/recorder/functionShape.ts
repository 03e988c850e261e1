import { present } from "../../base/checked.ts";
import type { FunctionKind } from "./site.ts";
import { boundIdentifiers, children, isFunction, type Node, withoutTypes } from "./syntax.ts";

/** The surroundings of a function that decide its name and its initial values. */
export type Holder = {
  readonly kind: FunctionKind;
  readonly name: string | null;
  readonly classNode: Node | null;
  readonly className: string | null;
  readonly static: boolean;
};

export const plainHolder: Holder = { kind: "function", name: null, classNode: null, className: null, static: false };

/** The node and its descendants, functions inside of it left out. */
function* ownNodes(node: Node): Generator<Node> {
  yield node;
  for (const child of children(node)) if (!isFunction(child)) yield* ownNodes(child);
}

/** Constructs whose meaning our wrappers would change, or whose course the log cannot follow. */
export function leftOutBecause(fn: Node): string | null {
  if (fn.async && fn.generator) return "an async generator";
  for (const node of [...fn.params, fn.body].flatMap((part) => [...ownNodes(part)])) {
    if (node.type === "WithStatement") return "contains `with`";
    if (node.type === "ForOfStatement" && node.await) return "contains `for await`";
    if (node.type === "YieldExpression" && node.delegate) return "contains `yield*`";
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "eval")
      return "calls `eval`";
    if (node.type === "VariableDeclaration" && node.kind.includes("using")) return "contains `using`";
  }
  if (fn.body.type === "BlockStatement" && declaresTwice(fn)) return "declares a function and a variable of one name";
  return null;
}

/**
 * A compiler of TypeScript puts parameters that are properties, and fields, behind a `super()` that is a statement of the constructor itself. Around it the
 * recorder has a `try`: they would come before it, where there is no `this`.
 */
export function movesBehindSuper(constructor: Node, classNode: Node, typed: boolean): boolean {
  const hasProperties = constructor.params.some((param) => param.type === "TSParameterProperty");
  const hasOwn = classNode.body.body.some(
    (member) => (member.type === "PropertyDefinition" && !member.static) || member.key?.type === "PrivateIdentifier",
  );
  return hasProperties || (typed && hasOwn);
}

/** The body becomes a block, where a function and a `var` of the same name, or two functions, may not stand together. */
function declaresTwice(fn: Node): boolean {
  const functions = fn.body.body
    .filter((statement) => statement.type === "FunctionDeclaration" && statement.id !== null)
    .map((statement) => present(statement.id).name);
  if (functions.length === 0) return false;
  const names = new Set(functions);
  if (names.size < functions.length) return true;
  for (const node of ownNodes(fn.body))
    if (node.type === "VariableDeclaration" && node.kind === "var")
      for (const declarator of node.declarations)
        if (boundIdentifiers(present(declarator.id)).some((bound) => names.has(bound.name))) return true;
  return false;
}

export function usesThis(fn: Node): boolean {
  const uses = (node: Node): boolean => {
    if (node.type === "ThisExpression" || node.type === "Super") return true;
    if (node.type === "FunctionExpression" || node.type === "FunctionDeclaration") return false;
    if (node.type === "ClassBody") return false;
    return children(node).some(uses);
  };
  return [...fn.params, fn.body].some(uses);
}

/** Fields that a base class gives its objects before the constructor's body runs. */
export function initialFields(classNode: Node): readonly string[] {
  const accessors = new Set(
    classNode.body.body
      .filter((member) => member.type === "MethodDefinition" && member.kind !== "method")
      .map((member) => keyName(member)),
  );
  return classNode.body.body
    .filter((member) => member.type === "PropertyDefinition" && !member.static && !member.computed && !member.declare)
    .map((member) => keyName(member))
    .filter((name): name is string => name !== null && !accessors.has(name) && /^#?[\w$]+$/.test(name));
}

export function privateFields(classNode: Node): readonly string[] {
  return initialFields(classNode).filter((name) => name.startsWith("#"));
}

export function keyName(member: Node): string | null {
  if (member.computed) return null;
  if (member.key.type === "PrivateIdentifier") return `#${member.key.name}`;
  if (member.key.type === "Identifier") return member.key.name;
  return member.key.type === "Literal" ? String(member.key.value) : null;
}

export function propertyKind(property: Node): FunctionKind {
  if (property.kind === "constructor") return "constructor";
  if (property.kind === "get") return "getter";
  return property.kind === "set" ? "setter" : "method";
}

/** The name that a function or class takes from where it stands. */
export function nameFor(parent: Node, child: Node): string | null {
  if (parent.type === "VariableDeclarator" && parent.init === child)
    return present(parent.id).type === "Identifier" ? present(parent.id).name : null;
  if (parent.type === "AssignmentExpression" && parent.right === child) {
    const target = withoutTypes(parent.left);
    if (target.type === "Identifier") return target.name;
    if (target.type === "MemberExpression" && !target.computed) return target.property.name;
  }
  if (parent.type === "Property" || parent.type === "PropertyDefinition") return keyName(parent);
  return parent.type === "ExportDefaultDeclaration" ? (child.id?.name ?? "default") : null;
}

const lengthChanging = new Set(["push", "pop", "shift", "unshift", "splice", "fill", "sort", "reverse", "copyWithin"]);

/** A call that may change an array: its length afterwards is logged, as with elements. */
export function changesLength(node: Node): boolean {
  const callee = withoutTypes(node.callee);
  if (node.type !== "CallExpression" || node.optional || callee.type !== "MemberExpression" || callee.computed)
    return false;
  return lengthChanging.has(callee.property.name) && callee.object.type !== "Super" && !callee.optional;
}

/** The names by which a file exports its functions and classes; `default` also for `module.exports = f`. */
export function exportNames(program: Node): ReadonlyMap<Node, string> {
  const declared = declarationsOf(program.body);
  const names = new Map<Node, string>();
  /** An expression that is exported: a function or class, or the name of one. */
  const add = (given: Node | null | undefined, name: string): void => {
    const value = given == null ? null : withoutTypes(given);
    const node = value?.type === "Identifier" ? declared.get(value.name) : value;
    if (node != null && !names.has(node)) names.set(node, name);
  };
  for (const statement of program.body) {
    if (statement.type === "ExportDefaultDeclaration") add(statement.declaration, "default");
    if (statement.type === "ExportNamedDeclaration" && statement.source === null) {
      if (statement.declaration !== null)
        for (const [name, node] of declarationsOf([statement.declaration])) names.set(node, name);
      for (const { local, exported } of statement.specifiers) add(local, exportedName(exported));
    }
    if (statement.type === "ExpressionStatement") addCommonJs(statement.expression, add);
  }
  return names;
}

function exportedName({ type, name, value }: Node): string {
  return type === "Identifier" ? name : String(value);
}

/** Functions and classes of statements, by their names. */
function declarationsOf(statements: readonly Node[]): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of statements) {
    const node = /^Export/.test(statement.type) ? (statement.declaration ?? statement) : statement;
    if (node.type === "VariableDeclaration") {
      for (const { id, init } of node.declarations)
        if (id?.type === "Identifier" && init !== null) found.set(id.name, withoutTypes(init));
    } else if (/^(Function|Class)Declaration$/.test(node.type) && node.id !== null) found.set(node.id.name, node);
  }
  return found;
}

/** `module.exports = f`, `module.exports = { f, g }`, `exports.f = f`, and chains of them. */
function addCommonJs(expression: Node, add: (value: Node, name: string) => void): void {
  if (expression.type !== "AssignmentExpression") return;
  const targets: Node[] = [];
  let value = expression;
  while (value.type === "AssignmentExpression") {
    targets.push(withoutTypes(value.left));
    value = withoutTypes(value.right);
  }
  for (const target of targets) {
    if (isExports(target)) {
      if (value.type !== "ObjectExpression") add(value, "default");
      else
        for (const property of value.properties) {
          const name = property.type === "Property" ? keyName(property) : null;
          if (name !== null) add(property.value, name);
        }
    } else if (target.type === "MemberExpression" && !target.computed && isExports(target.object))
      add(value, target.property.name);
  }
}

function isExports(node: Node): boolean {
  if (node.type === "Identifier") return node.name === "exports";
  return (
    node.type === "MemberExpression" &&
    !node.computed &&
    node.object.type === "Identifier" &&
    node.object.name === "module" &&
    node.property.name === "exports"
  );
}
