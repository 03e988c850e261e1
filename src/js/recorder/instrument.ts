import { isAbsolute, relative, sep } from "node:path";
import MagicString from "magic-string";
import { findSites } from "./findSites.ts";
import { sitesPerFile } from "./logFormat.ts";
import type { FunctionSites, LogSite } from "./site.ts";
import { noteSkipped, numberSource } from "./sources.ts";
import { children, languageOf, type Node, parseSource, type SourceKind, withoutTypes } from "./syntax.ts";

export type Instrumented =
  | { readonly kind: "instrumented"; readonly text: MagicString }
  | { readonly kind: "skipped"; readonly reason: string };

/** A text that has been through here: a second pass would not compile. */
const mark = "/*tracefold*/";

/**
 * Wraps every site of a file in a call that logs the value and returns it. The wrappers are globals (`runtime.ts`),
 * since hoisted code runs before any import. Outer nodes come first; prefixes are appended at the start of a node and
 * suffixes prepended at its end, so those of inner nodes end up inside.
 */
export function instrument(path: string, text: string, sourceKind: SourceKind, fileNumber: number): Instrumented {
  if (text.includes(mark)) return { kind: "skipped", reason: "is instrumented already" };
  const parsed = parseSource(path, text, sourceKind);
  if (parsed.kind === "refused") return { kind: "skipped", reason: `does not parse: ${parsed.message}` };
  const table = findSites(parsed);
  if (table.sites.length >= sitesPerFile) return { kind: "skipped", reason: "is too large" };
  const out = new MagicString(text);
  const number = (site: LogSite): number => fileNumber * sitesPerFile + site.index;

  /** `return[x]` must not become `returntf$L(`. */
  function before(position: number, code: string): void {
    const glued = position > 0 && /[\w$]/.test(text[position - 1]!);
    out.appendRight(position, glued ? ` ${code}` : code);
  }

  function wrap(node: Node, prefix: string, suffix = ")"): void {
    const sequence = node.type === "SequenceExpression";
    before(node.start, sequence ? `${prefix}(` : prefix);
    out.prependLeft(node.end, sequence ? `)${suffix}` : suffix);
  }

  function wrapValue(node: Node, site: LogSite): void {
    const suffix = site.test === null ? ")" : `,${site.test})`;
    switch (site.kind) {
      case "element":
      case "store":
        wrap(node, `tf$G(${number(site)},`, suffix);
        wrap(accessed(node).object, "tf$H(");
        return;
      case "resume":
        wrap(node, `tf$R(${number(site)},tf$d,`, node.argument === null ? ` tf$P(tf$d)${suffix}` : suffix);
        if (node.argument !== null) wrap(node.argument, "tf$P(tf$d,");
        return;
      default:
        wrap(node, `${site.test === null ? "tf$L" : "tf$V"}(${number(site)},`, suffix);
    }
  }

  const log = (site: LogSite, code: string): string => `tf$L(${number(site)},${code});`;
  const logNames = (sites: readonly LogSite[]): string => sites.map((site) => log(site, site.name!)).join("");

  const logParams = (sites: readonly LogSite[]): string =>
    sites.map((site) => `tf$A(${number(site)},${site.name});`).join("");

  function head(fn: FunctionSites): string {
    const self = fn.thisSite === null ? "" : log(fn.thisSite, "this");
    const fields = fn.fields.map((site) => log(site, `this.${site.name}`)).join("");
    return `const tf$d=tf$E(${number(fn.enter!)});try{${self}${logParams(fn.params)}${fields}`;
  }

  /** Objects may be called with a `this` that lacks the private fields. */
  function tail(fn: FunctionSites): string {
    const values = fn.privates.map((name) => `this.${name}`).join(",");
    const names = fn.privates.map((name) => `"${name}"`).join(",");
    const privates = fn.privates.length === 0 ? "" : `,[${names}],tf$I(this)&&${fn.privates[0]} in this?[${values}]:[]`;
    const exit = fn.thisSite === null ? "tf$X(tf$d)" : `if(tf$X(tf$d))tf$O(this${privates})`;
    return `}catch(tf$e){throw tf$T(tf$d,tf$e)}finally{${exit}}`;
  }

  function editFunction(node: Node, fn: FunctionSites): void {
    const body = node.body;
    if (body.type !== "BlockStatement") {
      // Parentheses around the body are not part of its node; a line break after `return` would end the statement.
      before(afterArrow(text, node, body), `{${head(fn)}return(`);
      out.prependLeft(node.end, `);${tail(fn)}}`);
      return;
    }
    const directives = body.body.filter((statement) => statement.directive != null);
    const start = directives.at(-1)?.end ?? body.start + 1;
    const empty = start === body.end - 1;
    out.appendRight(start, `${directives.length > 0 ? ";" : ""}${head(fn)}${empty ? tail(fn) : ""}`);
    if (!empty) out.prependLeft(body.end - 1, tail(fn));
  }

  function editBinding(node: Node, sites: readonly LogSite[]): void {
    const code = logNames(sites);
    if (node.type === "VariableDeclaration") out.prependLeft(node.end, `;${code}`);
    else if (node.type === "AssignmentExpression")
      out.prependLeft(node.end, `,${sites.map((site) => log(site, site.name!).slice(0, -1)).join(",")}`);
    else if (node.body.type === "BlockStatement") out.appendRight(node.body.start + 1, code);
    else {
      before(node.body.start, `{${code}`);
      out.prependLeft(node.body.end, "}");
    }
  }

  function editTry(node: Node, waits: boolean): void {
    const caught = node.handler === null ? undefined : table.caught.get(node.handler);
    if (caught !== undefined) {
      const error = caught.name === null ? "" : `,${caught.name}`;
      out.appendRight(node.handler!.body.start + 1, `tf$C(${number(caught)},tf$d${error});`);
    }
    if (waits && node.finalizer !== null) out.appendRight(node.finalizer.start + 1, "tf$K(tf$d);");
  }

  function edit(node: Node, waits: boolean): void {
    const returned = table.returns.get(node);
    if (returned !== undefined) wrap(returned.node, `tf$L(${number(returned)},`);
    const value = table.values.get(node);
    const test = table.tests.get(node);
    if (value !== undefined) wrapValue(node, value);
    else if (test !== undefined)
      wrap(node, `${test.kind === "test" ? "tf$B" : "tf$V"}(${number(test)},`, `,${test.test})`);
    const fn = table.functions.get(node);
    if (fn !== undefined && fn.enter !== null) editFunction(node, fn);
    const inside = fn === undefined ? waits : fn.enter !== null && (node.async || node.generator);
    const bound = table.bound.get(node);
    if (node.type === "TryStatement") editTry(node, inside);
    if (bound !== undefined) editBinding(node, bound);
    for (const child of children(node)) {
      if (node.type === "Property" && node.shorthand && child === node.value && table.values.has(child))
        out.appendRight(child.start, `${child.name}:`);
      if (node.type === "Property" && node.shorthand && child === node.key) continue;
      edit(child, inside);
    }
  }

  edit(parsed.program, false);
  out.append(`\n${mark}`);
  return { kind: "instrumented", text: out };
}

/** The member expression of an element, of a store to one, or of a call that changes an array. */
function accessed(node: Node): Node {
  if (node.type === "AssignmentExpression") return node.left;
  return node.type === "CallExpression" ? withoutTypes(node.callee) : node;
}

/** The position after `=>`: between it and the body there are only blanks, comments and parentheses. */
function afterArrow(text: string, arrow: Node, body: Node): number {
  const afterHead = Math.max(arrow.start, ...arrow.params.map((param) => param.end));
  for (let at = afterHead; at < body.start; at++) {
    if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 1;
    else if (text.startsWith("//", at)) at = text.indexOf("\n", at);
    else if (text.startsWith("=>", at)) return at + 2;
  }
  return body.start;
}

/** Files of the project: below its root, in a language we read, and not somebody else's package. */
export function isRecorded(path: string, root: string): boolean {
  const inside = relative(root, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return false;
  return languageOf(path) !== null && !inside.split(sep).includes("node_modules");
}

/** The instrumented text; null: the file is left as it is, and the recording says why. */
export function transform(directory: string, path: string, text: string, kind: SourceKind): MagicString | null {
  const number = numberSource(directory, path, text, kind);
  if (number === null) return null;
  const result = instrument(path, text, kind, number);
  if (result.kind === "instrumented") return result.text;
  noteSkipped(directory, number, path, text, kind, result.reason);
  return null;
}
