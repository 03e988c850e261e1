import { isFunction, type Node, withoutTypes } from "../../../recorder/syntax.ts";
import { memberName, methodName } from "../makers.ts";
import type { RecordedFunction } from "../recordedFile.ts";
import type { Context } from "./context.ts";
import { type Family, followed } from "./memory.ts";
import { bindingAt } from "./variables.ts";

/** The function that a call which did not run would call: the only one of its name among those that ran. */
export function resolveCall(cx: Context, node: Node): RecordedFunction | null {
  if (node.type !== "CallExpression") return null;
  const callee = withoutTypes(node.callee);
  const name = callee.type === "Identifier" ? callee.name : methodName(node);
  if (name === null) return null;
  const isMethod = callee.type === "MemberExpression";
  const found = [...cx.model.evidence.ran].filter(({ sites, node: fn }) => {
    const isOwn = sites.name === name || sites.name.endsWith(`.${name}`);
    return isOwn && isMethod === (sites.kind === "method") && !fn.generator && !fn.async;
  });
  return found.length === 1 ? found[0]! : null;
}

/** What an expression that did not run would read from, as far as its variable shows elsewhere. */
export function unexecutedFamily(cx: Context, member: Node): Family {
  const object = withoutTypes(member.object);
  if (object.type === "ThisExpression")
    return cx.model.fieldNames.has(memberName(member) ?? "") ? "object" : "stranger";
  if (object.type !== "Identifier" && object.type !== "MemberExpression") return "stranger";
  const { evidence } = cx.model;
  const families = new Set<Family>();
  for (const [node, values] of evidence.values) {
    if (!isSamePlace(cx, object, node)) continue;
    for (const value of values) families.add(followed(cx.model, value) ?? "stranger");
  }
  const [only] = families;
  if (families.size !== 1 || only === undefined) return "stranger";
  return only === "object" && !cx.model.fieldNames.has(memberName(member) ?? "") ? "stranger" : only;
}

/** The same variable, or the same field of the same kind of object. */
function isSamePlace(cx: Context, a: Node, b: Node): boolean {
  if (a.type !== b.type || isFunction(b)) return false;
  if (a.type === "Identifier") {
    const binding = bindingAt(cx, a);
    return binding !== null && bindingAt(cx, b) === binding;
  }
  return !a.computed && !b.computed && memberName(a) === memberName(b) && a.object.type === b.object.type;
}
