import { assertNever } from "../../base/errors.ts";
import {
  type BlockStatement,
  type Declaration,
  type Declarator,
  declaratorParts,
  type Expr,
  type FunctionDefinition,
  type InitDeclarator,
  initializerParts,
  type ParameterDeclaration,
  partsOf,
  type Specifiers,
  type Statement,
  type TranslationUnit,
} from "../ast.ts";

/** Variables that `&` is applied to, directly or to a member. All other scalars can live in a register. */
export type AddressTaken = {
  /** File-level variables by name, and K&R parameters without a declaration as `f(x)`. */
  readonly names: Set<string>;
  readonly declarations: Set<InitDeclarator | ParameterDeclaration>;
  /**
   * Variables that are copied as a whole, from a variable without an initialiser or from memory: the members that
   * surely have a value in every copy.
   */
  readonly copied: Map<InitDeclarator | ParameterDeclaration, ReadonlySet<string>>;
};

/** A declaration, a file-level or K&R name, or null if irrelevant here. */
type Meaning = InitDeclarator | ParameterDeclaration | string | null;
type Names = { readonly parent: Names | null; readonly map: Map<string, Meaning> };

type Walk = AddressTaken & {
  scope: Names;
  /** By variable: the members that statements of its own block have set so far. */
  readonly members: Map<InitDeclarator | ParameterDeclaration, Set<string>>;
};

/** One walk over the whole unit; types do not matter. */
export function findAddressTaken(unit: TranslationUnit): AddressTaken {
  const walk: Walk = {
    names: new Set(),
    declarations: new Set(),
    copied: new Map(),
    members: new Map(),
    scope: { parent: null, map: new Map() },
  };
  for (const item of unit.items) {
    if (item.kind === "declaration") walkDeclaration(walk, item, true);
    else if (item.kind === "functionDefinition") walkFunction(walk, item);
  }
  const { scope: _, members: __, ...found } = walk;
  return found;
}

export function implicitParameterKey(functionName: string, parameter: string): string {
  return `${functionName}(${parameter})`;
}

export function declaredName(declarator: Declarator): string | null {
  let at = declarator;
  while (at.kind !== "name") at = at.of;
  return at.name;
}

export function functionDeclarator(declarator: Declarator): (Declarator & { kind: "function" }) | null {
  let found: (Declarator & { kind: "function" }) | null = null;
  for (let at = declarator; at.kind !== "name"; at = at.of) if (at.kind === "function") found = at;
  return found;
}

function lookup({ scope }: Walk, name: string): Meaning {
  for (let at: Names | null = scope; at !== null; at = at.parent) {
    const meaning = at.map.get(name);
    if (meaning !== undefined) return meaning;
  }
  return name;
}

function scoped(walk: Walk, body: () => void): void {
  const outer = walk.scope;
  walk.scope = { parent: outer, map: new Map() };
  body();
  walk.scope = outer;
}

function take(walk: Walk, name: string): void {
  const meaning = lookup(walk, name);
  if (typeof meaning === "string") walk.names.add(meaning);
  else if (meaning !== null) walk.declarations.add(meaning);
}

/** Iterative: sums of thousands of terms nest deeply. */
function walkExpression(walk: Walk, whole: Expr): void {
  const work: Expr[] = [whole];
  for (let e = work.pop(); e !== undefined; e = work.pop()) {
    if (isAddress(e)) walkAddress(walk, e.operand);
    else if (e.kind === "unary" && e.operator === "*" && isAddress(e.operand)) work.push(e.operand.operand);
    else if (e.kind === "member" && e.arrow) work.push(pointedTo(e.object));
    else if (e.kind === "statementExpression") walkBlock(walk, e.body);
    else {
      if (e.kind === "assignment" && e.operator === null) copy(walk, e.left, e.right);
      else if (e.kind === "call") for (const argument of e.arguments) copy(walk, null, argument);
      work.push(...partsOf(e));
    }
  }
}

/** A whole value goes from one place to another; null stands for memory. */
function copy(walk: Walk, to: Expr | InitDeclarator | null, from: Expr): void {
  const source = from.kind === "identifier" ? lookup(walk, from.name) : null;
  const variable = source === null || typeof source === "string" ? null : source;
  const isLocal = variable !== null && "initializer" in variable;
  const isNew = isLocal && variable.initializer === null;
  const own = isNew ? new Set(walk.members.get(variable)) : isLocal ? walk.copied.get(variable) : undefined;
  if (isNew) addCopy(walk, variable, own);
  if (to === null) return;
  const target = "declarator" in to ? to : to.kind === "identifier" ? lookup(walk, to.name) : null;
  if (target === null || typeof target === "string") return;
  // Static variables have values from the start.
  const isStatic = from.kind === "identifier" && typeof source === "string";
  if (isLocal) addCopy(walk, target, own);
  else if (!isStatic && mayBeInMemory(from)) addCopy(walk, target, new Set());
}

function addCopy(
  { copied }: Walk,
  variable: InitDeclarator | ParameterDeclaration,
  members: ReadonlySet<string> | undefined,
): void {
  if (members === undefined) return;
  const known = copied.get(variable);
  copied.set(variable, known === undefined ? members : new Set([...known].filter((member) => members.has(member))));
}

/**
 * True if a struct is copied that may have a member without a value. Only memory can copy such a member; reading it from
 * a register is undefined.
 */
export function mayCopyUnset({ copied }: AddressTaken, variable: InitDeclarator, fields: readonly string[]): boolean {
  const members = copied.get(variable);
  return members !== undefined && fields.some((field) => !members.has(field));
}

/** `x.a = x.b = 0;` as a statement of the block that declares `x`. */
function setMembers(walk: Walk, e: Expr): void {
  for (let at = e; at.kind === "assignment" && at.operator === null; at = at.right) {
    const { left } = at;
    if (left.kind !== "member" || left.arrow || left.object.kind !== "identifier") continue;
    const variable = walk.scope.map.get(left.object.name);
    if (variable === undefined || variable === null || typeof variable === "string") continue;
    walk.members.set(variable, (walk.members.get(variable) ?? new Set()).add(left.field));
  }
}

/** A compound literal sets all members. */
function mayBeInMemory(e: Expr): boolean {
  return e.kind !== "compoundLiteral" && e.kind !== "number" && e.kind !== "binary";
}

/** The operand of `&`: marks the variable that contains the place. */
function walkAddress(walk: Walk, operand: Expr): void {
  let at = operand;
  for (let outer = outerPlace(at); outer !== null; outer = outerPlace(at)) at = outer;
  if (at.kind === "identifier") take(walk, at.name);
  else walkExpression(walk, at);
}

/** The place that a place is in: `x` for `x.f` and `(&x)->f`, also for `*&x`; null if a pointer leads to it. */
function outerPlace(e: Expr): Expr | null {
  if (e.kind === "member" && !e.arrow) return e.object;
  const pointer = e.kind === "member" ? e.object : e.kind === "unary" && e.operator === "*" ? e.operand : null;
  return pointer !== null && isAddress(pointer) ? pointer.operand : null;
}

/** `(&x)->f` is `x.f`. */
function pointedTo(object: Expr): Expr {
  return isAddress(object) ? object.operand : object;
}

function walkDeclaration(walk: Walk, item: Declaration, isOfFile: boolean): void {
  const { map } = walk.scope;
  declareEnumerators(item.specifiers, map);
  for (const init of item.declarators) {
    const name = declaredName(init.declarator);
    for (const length of declaratorParts(init.declarator)) walkExpression(walk, length);
    if (name !== null && !isOfFile) map.set(name, meaningOf(item.specifiers, init, name));
    if (init.initializer === null) continue;
    if (init.initializer.kind === "expression" && !isOfFile) copy(walk, init, init.initializer.value);
    for (const value of initializerParts(init.initializer)) walkExpression(walk, value);
  }
}

function walkFunction(walk: Walk, definition: FunctionDefinition): void {
  scoped(walk, () => {
    const { map } = walk.scope;
    const name = declaredName(definition.declarator) ?? "";
    const list = functionDeclarator(definition.declarator);
    for (const identifier of list?.identifiers ?? []) map.set(identifier, implicitParameterKey(name, identifier));
    for (const parameter of list?.parameters ?? []) {
      const parameterName = declaredName(parameter.declarator);
      if (parameterName !== null) map.set(parameterName, parameter);
      for (const length of declaratorParts(parameter.declarator)) walkExpression(walk, length);
    }
    for (const item of definition.parameterDeclarations) walkDeclaration(walk, item, false);
    walkBlock(walk, definition.body);
  });
}

function walkBlock(walk: Walk, body: BlockStatement): void {
  scoped(walk, () => {
    for (const item of body.items) {
      if (item.kind === "declaration") walkDeclaration(walk, item, false);
      else if (item.kind !== "staticAssert") walkStatement(walk, item);
      if (item.kind === "expressionStatement") setMembers(walk, item.expression);
    }
  });
}

/** Iterative along chains of `else if` and labels. */
function walkStatement(walk: Walk, first: Statement): void {
  let statement: Statement | null = first;
  while (statement !== null) statement = walkStep(walk, statement);
}

/** Walks a statement except for its last part, which it returns. */
function walkStep(walk: Walk, s: Statement): Statement | null {
  switch (s.kind) {
    case "block":
      walkBlock(walk, s);
      return null;
    case "expressionStatement":
      walkExpression(walk, s.expression);
      return null;
    case "if":
      walkExpression(walk, s.condition);
      walkStatement(walk, s.then);
      return s.else;
    case "while":
    case "doWhile":
      walkExpression(walk, s.condition);
      return s.body;
    case "for":
      walkFor(walk, s);
      return null;
    case "switch":
      walkExpression(walk, s.value);
      return s.body;
    case "case":
    case "default":
    case "label":
      return s.body;
    case "watch":
      walkExpression(walk, s.condition);
      return null;
    case "stated":
      // Stated conditions take no addresses.
      return null;
    case "return":
      if (s.value === null) return null;
      copy(walk, null, s.value);
      walkExpression(walk, s.value);
      return null;
    case "choice":
      for (const alternative of s.alternatives) scoped(walk, () => walkStatement(walk, alternative));
      return s.otherwise;
    case "empty":
    case "goto":
    case "computedGoto":
    case "break":
    case "continue":
    case "asm":
      return null;
    default:
      return assertNever(s, "statement");
  }
}

function walkFor(walk: Walk, { init, condition, update, body }: Statement & { kind: "for" }): void {
  scoped(walk, () => {
    if (init?.kind === "declaration") walkDeclaration(walk, init, false);
    else if (init !== null) walkExpression(walk, init);
    if (condition !== null) walkExpression(walk, condition);
    if (update !== null) walkExpression(walk, update);
    walkStatement(walk, body);
  });
}

function isAddress(e: Expr): e is Expr & { kind: "unary" } {
  return e.kind === "unary" && e.operator === "&";
}

function meaningOf(specifiers: Specifiers, init: InitDeclarator, name: string): Meaning {
  if (specifiers.storage === "typedef") return null;
  const isFunction = init.declarator.kind !== "name" && functionDeclarator(init.declarator)?.of.kind === "name";
  return specifiers.storage === "extern" || isFunction ? name : init;
}

function declareEnumerators(specifiers: Specifiers, map: Map<string, Meaning>): void {
  if (specifiers.type.kind !== "enum") return;
  for (const enumerator of specifiers.type.enumerators ?? []) map.set(enumerator.name, null);
}
