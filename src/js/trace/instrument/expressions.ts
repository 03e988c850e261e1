import { children, isFunction, isTypeSyntax, type Node, withoutTypes } from "../../recorder/syntax.ts";
import { runtimeName } from "../runtimeName.ts";
import { rewriteAssignment, rewriteUpdate } from "./assignments.ts";
import { rewriteChain } from "./chains.ts";
import { classText, functionText } from "./functions.ts";
import { type Edit, lastEvent, plainKey, type Rewriter, type Rewritten } from "./rewriter.ts";

/** Rewrites an expression so that the runtime knows which events produced its value. */
export function rewriteExpression(to: Rewriter, node: Node, name = ""): Rewritten {
  switch (node.type) {
    case "Identifier":
      return rewriteVariable(to, node);
    case "Literal":
    case "ThisExpression":
      return { value: to.raw(node), event: "0" };
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
    case "TSInstantiationExpression":
      return rewriteExpression(to, node.expression, name);
    case "BinaryExpression": {
      if (node.left.type === "PrivateIdentifier") return unfollowed(to, node);
      const [left, right] = [rewriteExpression(to, node.left), rewriteExpression(to, node.right)];
      const parts = [JSON.stringify(node.operator), left.value, left.event, right.value, right.event];
      return followed(to, "binary", [to.siteOf("value", node), ...parts], node);
    }
    case "UnaryExpression":
      return rewriteUnary(to, node);
    case "LogicalExpression":
      return rewriteBranch(to, node, node.left, (test) => `${test}${node.operator}${set(to, node.right)}`);
    case "ConditionalExpression":
      return rewriteBranch(
        to,
        node,
        node.test as Node,
        (test) => `${test}?${set(to, node.consequent)}:${set(to, node.alternate as Node)}`,
      );
    case "MemberExpression":
      return rewriteMember(to, node);
    case "ChainExpression":
      return rewriteChain(to, node);
    case "CallExpression":
      return rewriteCall(to, node);
    case "NewExpression": {
      if (isForBundlers(to, node)) return { value: to.raw(node), event: "0" };
      const callee = rewriteExpression(to, node.callee);
      const site = to.siteOf("call", node, to.raw(node.callee));
      return followed(to, "construct", [site, callee.value, callee.event, ...argumentParts(to, node)], node);
    }
    case "AssignmentExpression":
      return rewriteAssignment(to, node);
    case "UpdateExpression":
      return rewriteUpdate(to, node);
    case "TemplateLiteral":
      return rewriteTemplate(to, node);
    case "ArrayExpression":
      return rewriteArray(to, node);
    case "ObjectExpression":
      return rewriteObject(to, node);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return { value: functionText(to, node, name), event: "0" };
    case "ClassExpression":
      return { value: classText(to, node, name), event: "0" };
    case "SequenceExpression": {
      const all = node.expressions.map((each) => rewriteExpression(to, each));
      return { value: `(${all.map(({ value }) => value).join(",")})`, event: all.at(-1)?.event ?? "0" };
    }
    case "AwaitExpression": {
      const argument = rewriteExpression(to, node.argument as Node);
      const token = to.temp();
      if (token === null) return { value: `(await ${argument.value})`, event: "0" };
      const site = to.siteOf("value", node);
      const start = `${token}=${runtimeName}.awaiting(${site},${argument.value},${argument.event},${to.frame})`;
      return followed(to, "awaited", [start, `await ${token}.value`], node);
    }
    case "YieldExpression": {
      const argument =
        node.argument === null ? { value: "undefined", event: "0" } : rewriteExpression(to, node.argument);
      if (node.delegate) return { value: `(yield* ${argument.value})`, event: "0" };
      const site = to.siteOf("value", node);
      const out = `yield ${runtimeName}.yielding(${site},${argument.value},${argument.event})`;
      return followed(to, "resumed", [site, out, to.frame], node);
    }
    default:
      return unfollowed(to, node);
  }
}

/** The value, with its event as the last one. */
export function set(to: Rewriter, node: Node): string {
  return setEvent(rewriteExpression(to, node));
}

export function setEvent({ value, event }: Rewritten): string {
  return event === lastEvent ? value : `${runtimeName}.read(${value},${event})`;
}

export function followed(to: Rewriter, method: string, parts: readonly (string | number)[], node: Node): Rewritten {
  return { value: to.runtime(method, parts, node), event: lastEvent };
}

/** The value is known, what it was computed from is not. */
export function unfollowed(to: Rewriter, node: Node): Rewritten {
  return followed(to, "unary", [to.siteOf("value", node), keep(to, node), 0], node);
}

/** The source as it is, except for the functions and classes inside of it. */
export function keep(to: Rewriter, node: Node): string {
  const edits: Edit[] = [];
  const visit = (inner: Node): void => {
    if (isFunction(inner)) edits.push([inner.start, inner.end, functionText(to, inner)]);
    else if (inner.type.startsWith("Class")) edits.push([inner.start, inner.end, classText(to, inner)]);
    else for (const child of children(inner)) visit(child);
  };
  visit(node);
  return to.splice(node.start, node.end, edits);
}

/** A function or class without a name takes the name of the place that it is written to. */
export function takesName(node: Node): boolean {
  const inner = withoutTypes(node);
  return (isFunction(inner) || inner.type === "ClassExpression") && inner.id == null;
}

function rewriteVariable(to: Rewriter, node: Node): Rewritten {
  const declared = to.lookUp(node.name);
  const imported = declared?.imported;
  if (imported === undefined) return { value: node.name, event: to.eventOf(node.name) ?? "0" };
  return { value: node.name, event: `${runtimeName}.imported(${JSON.stringify(imported)},${node.name})` };
}

function rewriteUnary(to: Rewriter, node: Node): Rewritten {
  const argument = withoutTypes(node.argument as Node);
  const site = to.siteOf("value", node);
  if (node.operator === "delete") {
    if (argument.type !== "MemberExpression" || isSpecial(argument)) return unfollowed(to, node);
    const object = rewriteExpression(to, argument.object);
    const parts = [site, object.value, object.event, ...keyParts(to, argument)];
    return followed(to, to.isStrict ? "remove" : "removeSloppy", parts, node);
  }
  if (argument.type === "Identifier" && node.operator === "typeof" && to.lookUp(argument.name) === null)
    return { value: to.raw(node), event: "0" };
  const { value, event } = rewriteExpression(to, argument);
  return followed(to, "unary", [site, `${node.operator} ${value}`, event], node);
}

/** `a && b`, `a ? b : c`: the second part is computed because of the first. */
function rewriteBranch(to: Rewriter, node: Node, test: Node, rest: (test: string) => string): Rewritten {
  const token = to.temp();
  const [site, { value, event }] = [to.siteOf("branch", test), rewriteExpression(to, test)];
  if (token === null) return followed(to, "unary", [to.siteOf("value", node), rest(value), lastEvent], node);
  const chosen = rest(`(${token}=${runtimeName}.branch(${site},${value},${event}),${runtimeName}.v)`);
  return followed(to, "join", [to.siteOf("value", node), chosen, token], node);
}

/** `super.x` and `o.#x`: only code at this place can read them. */
export function isSpecial({ object, property }: Node): boolean {
  return object.type === "Super" || property.type === "PrivateIdentifier";
}

/** The key of a member and its event. */
export function keyParts(to: Rewriter, { property, computed }: Node): readonly string[] {
  if (!computed) return [JSON.stringify(property.name), "0"];
  const { value, event } = rewriteExpression(to, property);
  return [value, event];
}

export function rewriteMember(to: Rewriter, node: Node): Rewritten {
  if (node.object.type === "Super" || hasMeta(node)) return { value: keep(to, node), event: "0" };
  const object = rewriteExpression(to, node.object);
  const site = to.siteOf("value", node);
  if (isSpecial(node)) {
    const name = to.raw(node.property);
    return followed(to, "getBy", [site, object.value, object.event, JSON.stringify(name), `o=>o.${name}`], node);
  }
  return followed(to, "get", [site, object.value, object.event, ...keyParts(to, node)], node);
}

/** `import.meta.…` is replaced by bundlers, which look for this text. */
function hasMeta(node: Node): boolean {
  let inner = node;
  while (inner.type === "MemberExpression") inner = inner.object;
  return inner.type === "MetaProperty";
}

const hoistedCalls = /^(mock|unmock|hoisted|doMock|doUnmock|enableAutomock|disableAutomock|deepUnmock)$/;

/** Calls that bundlers and test runners find by their text: they stay as they are. */
function isForBundlers(to: Rewriter, { callee, arguments: given }: Node): boolean {
  if (callee.type === "Import") return true;
  if (callee.type === "Identifier") {
    if (callee.name === "eval") return true;
    if (callee.name === "require") return to.lookUp("require") === null;
    return (
      /^(URL|Worker|SharedWorker)$/.test(callee.name) && given.some((each) => to.raw(each).includes("import.meta"))
    );
  }
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false;
  return /^(vi|vitest|jest)$/.test(callee.object.name) && hoistedCalls.test(callee.property.name);
}

/** Arguments as pairs of value and event. */
export function argumentParts(to: Rewriter, node: Node): readonly string[] {
  return node.arguments.flatMap((each) => {
    if (each.type !== "SpreadElement") {
      const { value, event } = rewriteExpression(to, each);
      return [value, event];
    }
    const { value, event } = rewriteExpression(to, each.argument as Node);
    return [`${runtimeName}.spread(${value},${event})`, "0"];
  });
}

function rewriteCall(to: Rewriter, node: Node): Rewritten {
  const callee = withoutTypes(node.callee);
  if (isForBundlers(to, node)) return { value: to.raw(node), event: "0" };
  // `(a?.b)()` calls with `a` as its receiver.
  if (callee.type === "ChainExpression") return unfollowed(to, node);
  // A call on several lines is where its method is named.
  const start = callee.type === "MemberExpression" ? callee.property.start : node.start;
  const site = to.site("call", start, node.end, to.raw(callee));
  const given = argumentParts(to, node);
  if (callee.type === "Super")
    return followed(
      to,
      "afterSuper",
      [site, `super(...${runtimeName}.beforeSuper(${[site, ...given].join(",")}))`],
      node,
    );
  if (callee.type !== "MemberExpression") {
    const { value, event } = rewriteExpression(to, callee);
    return followed(to, "call", [site, value, event, ...given], node);
  }
  const { property, computed } = callee;
  if (callee.object.type === "Super") {
    const key = computed ? keep(to, property) : JSON.stringify(property.name);
    return followed(to, "callBy", [site, "this", 0, '"super"', `()=>super[${key}]`, ...given], node);
  }
  if (hasMeta(callee)) return unfollowed(to, node);
  const object = rewriteExpression(to, callee.object);
  if (isSpecial(callee)) {
    const name = to.raw(property);
    const parts = [site, object.value, object.event, JSON.stringify(name), `o=>o.${name}`, ...given];
    return followed(to, "callBy", parts, node);
  }
  return followed(to, "callMember", [site, object.value, object.event, ...keyParts(to, callee), ...given], node);
}

function rewriteTemplate(to: Rewriter, node: Node): Rewritten {
  const parts = node.quasis.flatMap(({ value }, i): readonly string[] => {
    const text = JSON.stringify(value.cooked ?? "");
    const expression = node.expressions[i];
    if (expression === undefined) return [text];
    const inner = rewriteExpression(to, expression);
    return [text, `${runtimeName}.text(${inner.value},${inner.event})`, lastEvent];
  });
  return followed(to, "template", [to.siteOf("value", node), ...parts], node);
}

const manyElements = 24;

function rewriteArray(to: Rewriter, node: Node): Rewritten {
  const site = to.siteOf("literal", node);
  if (node.elements.length > manyElements && node.elements.every((each) => each !== null && isData(each)))
    return followed(to, "made", [site, to.raw(node)], node);
  const parts = node.elements.flatMap((each) => {
    if (each === null) return [`${runtimeName}.hole`, "0"];
    const { value, event } = rewriteExpression(to, each.type === "SpreadElement" ? (each.argument as Node) : each);
    return each.type === "SpreadElement" ? [`${runtimeName}.spread(${value},${event})`, "0"] : [value, event];
  });
  return followed(to, "array", [site, "[]", ...parts], node);
}

/** True for literals of literals: tables of data. */
function isData(node: Node): boolean {
  switch (node.type) {
    case "Literal":
      return true;
    case "ArrayExpression":
      return node.elements.every((each) => each !== null && isData(each));
    case "ObjectExpression":
      return node.properties.every((each) => each.type === "Property" && !each.computed && isData(each.value));
    default:
      return false;
  }
}

function rewriteObject(to: Rewriter, node: Node): Rewritten {
  const site = to.siteOf("literal", node);
  if (node.properties.some(isUnusual)) {
    const edits = node.properties.flatMap((property): Edit[] => {
      const value = property.type === "SpreadElement" ? (property.argument as Node) : property.value;
      const { start, end } = property;
      if (property.method || /^[gs]et$/.test(property.kind ?? "") || property.computed)
        return [[start, end, keep(to, property)]];
      if (property.shorthand) return [];
      return [[value.start, value.end, takesName(value) ? keep(to, value) : rewriteExpression(to, value).value]];
    });
    return followed(to, "made", [site, to.splice(node.start, node.end, edits)], node);
  }
  const parts = node.properties.flatMap((property) => propertyParts(to, property));
  return followed(to, "object", [site, "{}", ...parts], node);
}

/** Key, value and event. */
function propertyParts(to: Rewriter, property: Node): readonly string[] {
  if (property.type === "SpreadElement") {
    const { value, event } = rewriteExpression(to, property.argument as Node);
    return [`${runtimeName}.rest`, `${runtimeName}.copy(${value},${event})`, lastEvent];
  }
  const key = plainKey(property);
  const text = JSON.stringify(key);
  if (property.kind !== "init") return [`${runtimeName}.accessor`, `{${keep(to, property)}}`, "0"];
  if (property.method) return [text, `({${keep(to, property)}})[${text}]`, "0"];
  if (key !== null && takesName(property.value)) {
    const { value } = rewriteExpression(to, withoutTypes(property.value), key);
    return [text, `({${to.raw(property.key)}:${value}})[${text}]`, "0"];
  }
  const { value, event } = rewriteExpression(to, property.value);
  if (key !== null) return [text, value, event];
  return [`${runtimeName}.key(${rewriteExpression(to, property.key).value})`, value, event];
}

/** Properties that only an object literal can make. */
function isUnusual(property: Node): boolean {
  if (property.type === "SpreadElement") return false;
  const key = plainKey(property);
  if (property.method || property.kind !== "init") return key === null || mentionsSuper(property.value);
  if (key === null) return takesName(property.value);
  return key === "__proto__" && !property.shorthand;
}

function mentionsSuper(node: Node): boolean {
  return node.type === "Super" || (!isTypeSyntax(node) && children(node).some(mentionsSuper));
}
