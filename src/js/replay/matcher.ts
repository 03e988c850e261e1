import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { memberName } from "./makers.ts";

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
