import { boundIdentifiers, children, isFunction, type Node, withoutTypes } from "../../recorder/syntax.ts";
import { isAsyncFunction, isGeneratorFunction, runtimeName } from "../runtimeName.ts";
import { keep, rewriteExpression, takesName } from "./expressions.ts";
import {
  type DeclaredName,
  declaredNames,
  type Edit,
  patternPaths,
  plainKey,
  type Rewriter,
  varNames,
} from "./rewriter.ts";
import { rewriteList } from "./statements.ts";

/** A function that tells the runtime its arguments, its statements and its result. */
export function functionText(to: Rewriter, node: Node, name = "", more = ""): string {
  if (node.body == null) return to.raw(node);
  const title = node.id?.name ?? (name === "" ? "(anonymous)" : name);
  const params = parameterNames(node);
  const hidden = new Map([...params].map(([each]): [string, DeclaredName] => [each, { hasEvent: false, from: 0 }]));
  if (node.type === "FunctionExpression" && node.id !== null) hidden.set(node.id.name, { hasEvent: false, from: 0 });
  const edits = to.withoutTemps(() =>
    to.inScope(hidden, () => node.params.flatMap((each, i) => defaultEdits(to, each, i))),
  );
  const wasStrict = to.isStrict;
  const isBlock = node.body.type === "BlockStatement";
  const body = isBlock ? node.body.body : [];
  if (body.some(({ directive }) => directive === "use strict")) to.isStrict = true;
  const site = to.site("function", node.start, node.body.start, title);
  const names = new Map<string, DeclaredName>([...hidden, ...params, ...varNames(body), ...declaredNames(body)]);
  const { result, temps } = to.inFunction(title, () =>
    to.inScope(
      names,
      () => {
        const flags = (node.async ? isAsyncFunction : 0) | (node.generator ? isGeneratorFunction : 0);
        const start = `const ${to.frame}=${runtimeName}.enter(${site},${flags});`;
        const given = parameterEvents(to, node) + more;
        if (isBlock) return { start, given, rest: rewriteList(to, body) };
        const { value, event } = rewriteExpression(to, node.body);
        const returned = to.site("return", node.body.start, node.body.end, title);
        const at = `${runtimeName}.at(${returned},${to.frame});`;
        const rest = `${at}return ${runtimeName}.returns(${returned},${value},${event},${to.frame});`;
        return { start, given, rest };
      },
      true,
    ),
  );
  to.isStrict = wasStrict;
  const prologue = result.start + (temps.length === 0 ? "" : `let ${temps.join(",")};`) + result.given;
  if (!isBlock) {
    // Parentheses around the body belong to the function.
    const arrow = endOfArrow(to.text, node);
    const text = `{${prologue}${result.rest}`;
    return to.splice(node.start, node.end, [
      ...edits,
      [arrow, node.end, `${text}${to.missingLines({ start: arrow, end: node.end }, text)}}`],
    ]);
  }
  return to.splice(node.start, node.end, [...edits, ...bodyEdits(node.body, body, prologue, result.rest as Edit[])]);
}

/** The offset behind `=>`. */
function endOfArrow(text: string, node: Node): number {
  const { typeParameters, returnType, params, start } = node as Node & Partial<Record<string, Node>>;
  let at = Math.max(start, typeParameters?.end ?? 0, returnType?.end ?? 0, ...params.map(({ end }) => end));
  for (;;) {
    if (text.startsWith("=>", at)) return at + 2;
    if (text.startsWith("//", at)) at = text.indexOf("\n", at);
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
    else at++;
  }
}

/** The prologue goes behind directives. */
function bodyEdits(block: Node, body: readonly Node[], prologue: string, rest: readonly Edit[]): readonly Edit[] {
  const directives = body.filter(({ directive }) => directive != null);
  const at = directives.at(-1)?.end ?? block.start + 1;
  return [[at, at, `${directives.length > 0 ? ";" : ""}${prologue}`], ...rest];
}

function parameterNames({ params }: Node): Map<string, DeclaredName> {
  const names = params.flatMap(boundIdentifiers).filter(({ name }) => name !== "this");
  return new Map(names.map(({ name }) => [name, { hasEvent: true, from: 0 }]));
}

function withoutProperty(param: Node): Node {
  return param.type === "TSParameterProperty" ? param.parameter : param;
}

/** Defaults of whole parameters tell their event; defaults inside of patterns stay as they are. */
function defaultEdits(to: Rewriter, param: Node, index: number): readonly Edit[] {
  const inner = withoutProperty(param);
  if (inner.type !== "AssignmentPattern") return patternEdits(to, inner);
  const { left, right } = inner;
  const name = left.type === "Identifier" ? left.name : "";
  const { value, event } = rewriteExpression(to, right, name);
  const text = takesName(right) ? value : `${runtimeName}.byDefault(${index},${value},${event})`;
  return [...patternEdits(to, left), [right.start, right.end, text]];
}

/** Edits of the functions inside of a pattern. */
function patternEdits(to: Rewriter, pattern: Node): readonly Edit[] {
  if (pattern.type === "Identifier") return [];
  return children(pattern).flatMap((child): readonly Edit[] => {
    if (isFunction(child)) return [[child.start, child.end, functionText(to, child)]];
    if (child.type.startsWith("Class")) return [[child.start, child.end, classText(to, child)]];
    return patternEdits(to, child);
  });
}

function parameterEvents(to: Rewriter, node: Node): string {
  const { params } = node;
  const offset = params[0]?.name === "this" ? 1 : 0;
  const parts = params.flatMap((param, i) => {
    const index = i - offset;
    const inner = withoutProperty(param);
    const pattern = inner.type === "AssignmentPattern" ? inner.left : inner;
    if (pattern.type === "Identifier") {
      if (pattern.name === "this") return [];
      const site = to.siteOf("parameter", inner, pattern.name);
      const own = `${pattern.name}${to.mark}`;
      return [`${own}=${runtimeName}.parameter(${to.frame},${index},${pattern.name},${site})`];
    }
    const method = inner.type === "RestElement" ? "restParameter" : "fieldParameter";
    return patternPaths(pattern).flatMap(({ target, path }) => {
      const { name } = target;
      const site = to.siteOf("parameter", target, name);
      const keys = JSON.stringify(path);
      return [`${name}${to.mark}=${runtimeName}.${method}(${to.frame},${index},${name},${site},${keys})`];
    });
  });
  const given = parts.length === 0 ? "" : `var ${parts.join(",")};`;
  return usesArguments(node) ? `${given}${runtimeName}.ownArguments(${to.frame},arguments);` : given;
}

function usesArguments(node: Node): boolean {
  if (node.type === "ArrowFunctionExpression") return false;
  const visit = (inner: Node): boolean => {
    if (inner.type === "Identifier") return inner.name === "arguments";
    if ((isFunction(inner) && inner.type !== "ArrowFunctionExpression") || inner.type.startsWith("Class")) return false;
    return children(inner).some(visit);
  };
  return node.body.type === "BlockStatement" && node.body.body.some(visit);
}

export function classText(to: Rewriter, node: Node, name = ""): string {
  const title = node.id?.name ?? name;
  const wasStrict = to.isStrict;
  to.isStrict = true;
  const edits: Edit[] = [];
  if (node.superClass !== null) edits.push([node.superClass.start, node.superClass.end, keep(to, node.superClass)]);
  const own = new Map<string, DeclaredName>(node.id === null ? [] : [[node.id.name, { hasEvent: false, from: 0 }]]);
  to.inScope(own, () => {
    for (const member of node.body.body) edits.push(...memberEdits(to, node, member, title));
  });
  to.isStrict = wasStrict;
  return to.splice(node.start, node.end, edits);
}

function memberEdits(to: Rewriter, owner: Node, member: Node, title: string): readonly Edit[] {
  if (member.type === "StaticBlock") {
    const body = member.body as readonly Node[];
    const names = new Map([...varNames(body), ...declaredNames(body)]);
    const site = to.siteOf("function", member, `${title} (static)`);
    const { result, temps } = to.inFunction(`${title} (static)`, () =>
      to.inScope(names, () => rewriteList(to, body), true),
    );
    const at = to.text.indexOf("{", member.start) + 1;
    const start = `const ${to.frame}=${runtimeName}.enter(${site},0);${temps.length === 0 ? "" : `let ${temps.join(",")};`}`;
    return [[at, at, start], ...result];
  }
  const edits: Edit[] = member.computed ? [[member.key.start, member.key.end, keep(to, member.key)]] : [];
  if (member.value === null || member.value === undefined) return edits;
  const { start, end } = member.value;
  const key = plainKey(member);
  if (member.type === "MethodDefinition") {
    const called = member.kind === "constructor" ? title : `${title}${title === "" ? "" : "."}${key ?? "…"}`;
    edits.push([start, end, functionText(to, member.value, called, propertiesFromParameters(to, owner, member))]);
  } else if (member.type === "PropertyDefinition") {
    const inner = withoutTypes(member.value);
    edits.push([start, end, fieldValue(to, member, inner, key, title)]);
  }
  return edits;
}

function fieldValue(to: Rewriter, member: Node, value: Node, key: string | null, title: string): string {
  return to.withoutTemps(() => {
    const inner = rewriteExpression(to, value, key ?? "");
    if (takesName(value) || key === null) return inner.value;
    const before = to.functionName;
    to.functionName = title;
    const site = to.siteOf("write", member, `this.${key}`);
    to.functionName = before;
    return `${runtimeName}.initial(${site},this,${JSON.stringify(key)},${inner.value},${inner.event})`;
  });
}

/** `constructor(private x: number)` also writes `this.x`. */
function propertiesFromParameters(to: Rewriter, owner: Node, { kind, value }: Node): string {
  if (kind !== "constructor" || owner.superClass !== null) return "";
  const names = value.params
    .filter(({ type }) => type === "TSParameterProperty")
    .flatMap((param) => boundIdentifiers(param).map(({ name }) => name));
  return names.map((name) => `${runtimeName}.written(this,${JSON.stringify(name)},${name}${to.mark});`).join("");
}
