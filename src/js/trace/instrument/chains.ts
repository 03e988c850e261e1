import { type Node, withoutTypes } from "../../recorder/syntax.ts";
import { runtimeName } from "../runtimeName.ts";
import { argumentParts, isSpecial, keep, keyParts, rewriteExpression, setEvent } from "./expressions.ts";
import { lastEvent, type Rewriter, type Rewritten } from "./rewriter.ts";

type Guard = { readonly test: string; readonly event: string };

/** `a?.b.c(d)`: one test for each `?.`, then the rest. */
export function rewriteChain(to: Rewriter, chain: Node): Rewritten {
  const guards: Guard[] = [];
  const last = isFollowed(chain.expression) ? link(to, chain.expression, guards) : null;
  if (last === null)
    return { value: to.runtime("unary", [to.siteOf("value", chain), keep(to, chain), 0], chain), event: lastEvent };
  const text = guards.reduceRight(
    (rest, { test, event }) => `((${test})==null?${runtimeName}.read(undefined,${event}):${rest})`,
    setEvent(last),
  );
  return { value: text + to.missingLines(chain, text), event: lastEvent };
}

function isFollowed(node: Node): boolean {
  const inner = withoutTypes(node);
  if (inner.type === "MemberExpression") return !isSpecial(inner) && isFollowed(inner.object);
  if (inner.type === "CallExpression") return inner.callee.type !== "Super" && isFollowed(inner.callee);
  return inner.type !== "Super" && inner.type !== "Import" && inner.type !== "MetaProperty";
}

/** Null where no variable can be declared. */
function link(to: Rewriter, node: Node, guards: Guard[]): Rewritten | null {
  const inner = withoutTypes(node);
  if (inner.type === "MemberExpression") {
    const object = guarded(to, link(to, inner.object, guards), inner.optional, guards);
    if (object === null) return null;
    const parts = [to.siteOf("value", inner), object.value, object.event, ...keyParts(to, inner)];
    return { value: `${runtimeName}.get(${parts.join(",")})`, event: lastEvent };
  }
  if (inner.type !== "CallExpression") return rewriteExpression(to, inner);
  const callee = withoutTypes(inner.callee);
  const site = to.site("call", callee.start, inner.end, to.raw(callee));
  if (callee.type !== "MemberExpression") {
    const called = guarded(to, link(to, callee, guards), inner.optional, guards);
    if (called === null) return null;
    const parts = [site, called.value, called.event, ...argumentParts(to, inner)];
    return { value: `${runtimeName}.call(${parts.join(",")})`, event: lastEvent };
  }
  const object = guarded(
    to,
    link(to, callee.object, guards),
    callee.optional || inner.optional,
    guards,
    callee.optional,
  );
  if (object === null) return null;
  if (!inner.optional) {
    const parts = [site, object.value, object.event, ...keyParts(to, callee), ...argumentParts(to, inner)];
    return { value: `${runtimeName}.callMember(${parts.join(",")})`, event: lastEvent };
  }
  const get = [to.siteOf("value", callee), object.value, object.event, ...keyParts(to, callee)];
  const method = guarded(to, { value: `${runtimeName}.get(${get.join(",")})`, event: lastEvent }, true, guards);
  if (method === null) return null;
  const parts = [site, method.value, method.event, object.value, object.event, ...argumentParts(to, inner)];
  return { value: `${runtimeName}.callWith(${parts.join(",")})`, event: lastEvent };
}

/** Keeps the value in a variable if it is tested or used twice. */
function guarded(
  to: Rewriter,
  part: Rewritten | null,
  isKept: boolean,
  guards: Guard[],
  isTested = isKept,
): Rewritten | null {
  if (part === null || !isKept) return part;
  const [value, event] = [to.temp(), to.temp()];
  if (value === null || event === null) return null;
  const store = `${value}=${part.value},${event}=${part.event}`;
  // Without a test the value is stored by one that never decides.
  guards.push({ test: isTested ? `${store},${value}` : `${store},0`, event });
  return { value, event };
}
