import { keyName } from "../recorder/functionShape.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";

/** Literals whose making the program model follows: every part has its own place. */
export function isMaker(given: Node): boolean {
  const node = withoutTypes(given);
  if (node.type === "ArrayExpression")
    return node.elements.every((element) => element !== null && element.type !== "SpreadElement");
  if (node.type === "ObjectExpression")
    return node.properties.every(
      (property) => property.type === "SpreadElement" || (!property.computed && property.kind === "init"),
    );
  return collectionOf(node) !== null && (collectionEntries(node) ?? [{ key: node }]).every(({ key }) => isKey(key));
}

/** A key that stands in the source as it is. */
function isKey({ type, value }: Node): boolean {
  return type === "Literal" && (typeof value === "string" || typeof value === "number");
}

export function collectionOf(given: Node): "map" | "set" | null {
  const node = withoutTypes(given);
  if (node.type !== "NewExpression" || node.callee.type !== "Identifier") return null;
  return node.callee.name === "Map" ? "map" : node.callee.name === "Set" ? "set" : null;
}

/** The entries that a collection is made with, where literals say them; null where only the run could tell. */
export function collectionEntries(given: Node): readonly { readonly key: Node; readonly value: Node | null }[] | null {
  const node = withoutTypes(given);
  const [first] = node.arguments;
  if (first === undefined) return [];
  const list = withoutTypes(first);
  if (list.type !== "ArrayExpression" || !isMaker(list)) return null;
  if (collectionOf(node) === "set") return list.elements.map((key) => ({ key: key!, value: null }));
  const pairs = list.elements.map((element) => withoutTypes(element!));
  const isPair = (pair: Node) => pair.type === "ArrayExpression" && isMaker(pair) && pair.elements.length === 2;
  return pairs.every(isPair) ? pairs.map(({ elements: [key, value] }) => ({ key: key!, value: value! })) : null;
}

/** The parts of a literal with their places; for a Map or Set, the values by key. */
export function literalParts(literal: Node): readonly (readonly [string | number, Node])[] {
  if (collectionOf(literal) !== null)
    return (collectionEntries(literal) ?? []).map(({ key, value }) => [
      key.value as unknown as string | number,
      value ?? key,
    ]);
  if (literal.type === "ArrayExpression")
    return literal.elements.flatMap((element, i) =>
      element === null || element.type === "SpreadElement" ? [] : [[i, element] as const],
    );
  return literal.properties.flatMap((property) => {
    const key = property.type === "Property" ? keyName(property) : null;
    return key === null ? [] : [[key, property.value] as const];
  });
}

/** The fields that a class gives its objects, with what they hold first. */
export function initialFields(classNode: Node): readonly (readonly [string, Node])[] {
  return classNode.body.body.flatMap((member) => {
    const key = member.type === "PropertyDefinition" && !member.static ? keyName(member) : null;
    return key === null || member.value === null ? [] : [[key, member.value] as const];
  });
}

/** `items.map(f)` and the like, which call `f` for each element in order. */
export const eachMethods: ReadonlySet<string> = new Set([
  "map",
  "filter",
  "forEach",
  "some",
  "every",
  "find",
  "findIndex",
  "reduce",
]);

/** Methods of the language that change their object in a way that the program model does not follow. */
export const mutators: ReadonlySet<string> = new Set([
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "copyWithin",
  "assign",
]);

/** The name of a method that a call calls; null where it is no plain one. */
export function methodName(call: Node): string | null {
  const callee = withoutTypes(call.callee);
  if (callee.type !== "MemberExpression" || callee.computed) return null;
  return callee.property.type === "PrivateIdentifier" ? `#${callee.property.name}` : callee.property.name;
}

/** `x.name`, `x.#name`; null where the key is computed. */
export function memberName(member: Node): string | null {
  if (member.computed) return null;
  return member.property.type === "PrivateIdentifier" ? `#${member.property.name}` : member.property.name;
}

/** `expect(actual).not.toBe(expected)`, `assert.equal(actual, expected)`, `assert(actual)`. */
export type Matcher = {
  readonly name: string;
  readonly negated: boolean;
  /** `resolves` or `rejects`: the value that a promise ended with. */
  readonly settled: boolean;
  readonly actual: Node | null;
  readonly expected: readonly Node[];
  /** The call of `expect` itself; null where there is none. */
  readonly expect: Node | null;
};

/** The assertion that a call makes; null where it makes none. */
export function matcherOf(call: Node): Matcher | null {
  if (call.type !== "CallExpression") return null;
  const callee = withoutTypes(call.callee);
  if (callee.type === "Identifier") return callee.name === "assert" ? assertion("ok", call) : null;
  if (callee.type !== "MemberExpression") return null;
  const name = memberName(callee);
  if (name === null) return null;
  let negated = false;
  let settled = false;
  let at = withoutTypes(callee.object);
  while (at.type === "MemberExpression") {
    const modifier = memberName(at);
    if (modifier === "not") negated = !negated;
    else if (modifier === "resolves" || modifier === "rejects") settled = true;
    else break;
    at = withoutTypes(at.object);
  }
  if (at.type === "CallExpression" && at.callee.type === "Identifier" && at.callee.name === "expect")
    return { name, negated, settled, actual: at.arguments[0] ?? null, expected: call.arguments, expect: at };
  return at.type === "Identifier" && at.name === "assert" ? assertion(name, call) : null;
}

export function isMatcher(node: Node): boolean {
  return matcherOf(node) !== null;
}

/** Assertions of Node, in the words of the matchers that mean the same. */
const assertions: Readonly<Record<string, readonly [string, boolean]>> = {
  ok: ["toBeTruthy", false],
  equal: ["toBe", false],
  strictEqual: ["toBe", false],
  notEqual: ["toBe", true],
  notStrictEqual: ["toBe", true],
  deepEqual: ["toEqual", false],
  deepStrictEqual: ["toEqual", false],
  throws: ["toThrow", false],
};

function assertion(name: string, call: Node): Matcher {
  const [matcher, negated] = assertions[name] ?? [name, false];
  const [actual, ...expected] = call.arguments;
  return { name: matcher, negated, settled: false, actual: actual ?? null, expected, expect: null };
}
