import { boundIdentifiers, type Node, withoutTypes } from "../../recorder/syntax.ts";
import { runtimeName } from "../runtimeName.ts";
import {
  followed,
  isSpecial,
  keep,
  keyParts,
  rewriteExpression,
  setEvent,
  takesName,
  unfollowed,
} from "./expressions.ts";
import { lastEvent, patternPaths, type Rewriter, type Rewritten } from "./rewriter.ts";

export function rewriteAssignment(to: Rewriter, node: Node): Rewritten {
  const left = withoutTypes(node.left);
  const operator = node.operator.slice(0, -1);
  if (left.type === "Identifier") return assignVariable(to, node, left, operator);
  if (left.type === "MemberExpression") return assignMember(to, node, left, operator);
  return assignPattern(to, node, left);
}

const lazy = new Set(["&&", "||", "??"]);

function assignVariable(to: Rewriter, node: Node, { name }: Node, operator: string): Rewritten {
  const own = to.writableEventOf(name);
  const right = rewriteExpression(to, node.right, name);
  if (own === null) return { value: `(${name}${node.operator}${setEvent(right)})`, event: lastEvent };
  const site = to.siteOf("write", node, name);
  if (lazy.has(operator)) {
    const value = takesName(node.right) ? right.value : setEvent(right);
    const parts = [site, `${runtimeName}.use(${own})`, `${name}${node.operator}${value}`];
    return { value: `(${own}=${to.runtime("assignLazily", parts, node)},${name})`, event: own };
  }
  const parts = [JSON.stringify(operator), name, own, right.value, right.event];
  const [value, event] =
    operator === "" ? [right.value, right.event] : [to.runtime("binary", [site, ...parts], node), lastEvent];
  return { value: `(${own}=${to.runtime("assign", [site, `${name}=${value}`, event], node)},${name})`, event: own };
}

function assignMember(to: Rewriter, node: Node, left: Node, operator: string): Rewritten {
  if (left.object.type === "Super") return unfollowed(to, node);
  const site = to.siteOf("write", node, to.raw(left));
  const object = rewriteExpression(to, left.object);
  if (isSpecial(left)) {
    const name = to.raw(left.property);
    const access = [JSON.stringify(name), `o=>o.${name}`, `(o,v)=>o.${name}=v`];
    const right = rewriteExpression(to, node.right);
    if (lazy.has(operator)) return unfollowed(to, node);
    const parts = [site, object.value, object.event, ...access, JSON.stringify(operator), right.value, right.event];
    return followed(to, "putBy", parts, node);
  }
  const key = keyParts(to, left);
  const right = rewriteExpression(to, node.right);
  const strictness = to.isStrict ? "" : "Sloppy";
  if (operator === "")
    return followed(to, `put${strictness}`, [site, object.value, object.event, ...key, right.value, right.event], node);
  const place = `${runtimeName}.place(${[object.value, object.event, ...key].join(",")})`;
  if (!lazy.has(operator)) {
    const parts = [site, place, JSON.stringify(operator), right.value, right.event];
    return followed(to, `change${strictness}`, parts, node);
  }
  const token = to.temp();
  if (token === null) return unfollowed(to, node);
  const store = `${runtimeName}.fill${strictness}(${site},${token},${right.value},${right.event})`;
  const value = `((${token}=${place},${token}.old)${operator}${store})`;
  return { value: value + to.missingLines(node, value), event: lastEvent };
}

function assignPattern(to: Rewriter, node: Node, left: Node): Rewritten {
  const [value, event] = [to.temp(), to.temp()];
  if (value === null || event === null) return unfollowed(to, node);
  const right = rewriteExpression(to, node.right);
  const stores = patternPaths(left).flatMap(({ target, path }) => {
    const inner = withoutTypes(target);
    if (inner.type === "Identifier") {
      const own = to.writableEventOf(inner.name);
      return own === null ? [] : [`${own}=${fieldText(to, inner, inner.name, value, event, path)}`];
    }
    const { object, property, computed } = inner;
    if (inner.type !== "MemberExpression" || computed || isSpecial(inner)) return [];
    if (object.type !== "ThisExpression" && object.type !== "Identifier") return [];
    const site = to.siteOf("write", inner, to.raw(inner));
    const from = `${site},undefined,${value},${event},${JSON.stringify(path)}`;
    return [`${runtimeName}.written(${to.raw(object)},${JSON.stringify(property.name)},${runtimeName}.field(${from}))`];
  });
  const store = `${value}=${right.value},${event}=${right.event}`;
  const text = [`(${store},${keep(to, left)}=${value})`, ...stores, value].join(",");
  return { value: `(${text}${to.missingLines(node, text)})`, event };
}

/** The event of a variable that a pattern took out of a value. */
export function fieldText(
  to: Rewriter,
  target: Node,
  name: string,
  value: string,
  event: string,
  path: readonly (string | number)[] | null,
): string {
  const site = to.siteOf("write", target, name);
  return `${runtimeName}.field(${site},${name},${value},${event},${JSON.stringify(path)})`;
}

export function rewriteUpdate(to: Rewriter, node: Node): Rewritten {
  const target = withoutTypes(node.argument as Node);
  const { operator, prefix } = node;
  if (target.type === "Identifier") {
    const [own, before] = [to.writableEventOf(target.name), to.temp()];
    if (own === null || before === null) return { value: to.raw(node), event: own ?? "0" };
    const { name } = target;
    const site = to.siteOf("write", node, name);
    const change = `${own}=${runtimeName}.assign(${site},${name},${own})`;
    const value = prefix
      ? `(${operator}${name},${change},${name})`
      : `(${before}=${name}${operator},${change},${before})`;
    return { value, event: own };
  }
  if (target.type !== "MemberExpression" || target.object.type === "Super") return unfollowed(to, node);
  const site = to.siteOf("write", node, to.raw(target));
  const object = rewriteExpression(to, target.object);
  const by = operator === "++" ? 1 : -1;
  if (isSpecial(target)) {
    const name = to.raw(target.property);
    const access = [JSON.stringify(name), `o=>o.${name}`, `(o,v)=>o.${name}=v`];
    return followed(to, "countBy", [site, object.value, object.event, ...access, by, `${prefix}`], node);
  }
  const place = `${runtimeName}.place(${[object.value, object.event, ...keyParts(to, target)].join(",")})`;
  return followed(to, to.isStrict ? "count" : "countSloppy", [site, place, by, `${prefix}`], node);
}

/** What a statement may write: variables, and members of objects that can be named without running code. */
export type Writes = {
  readonly variables: ReadonlySet<string>;
  /** Source text of the object, and the key; null for all of its contents. */
  readonly members: readonly { readonly object: readonly string[]; readonly key: string | null }[];
  /** It may leave the statement list early. */
  readonly jumps: boolean;
};

/** `a.b.c` as its parts; null for anything that may run code. */
export function plainPath(node: Node): readonly string[] | null {
  const inner = withoutTypes(node);
  if (inner.type === "ThisExpression") return ["this"];
  if (inner.type === "Identifier") return [inner.name];
  if (inner.type !== "MemberExpression" || inner.computed || isSpecial(inner)) return null;
  const object = plainPath(inner.object);
  return object === null ? null : [...object, inner.property.name];
}

export function assignedNames(node: Node): readonly string[] {
  return boundIdentifiers(node).map(({ name }) => name);
}
