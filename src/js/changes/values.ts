import { nth } from "../../base/checked.ts";
import type { Node } from "../recorder/syntax.ts";
import { type Draft, others, put } from "./draft.ts";
import type { Pool } from "./pool.ts";
import { declarationOf, type ExpressionSite, fileNames, localNames, type ScopedName } from "./sites.ts";

/** At most this many names or constants of one sort are tried at a place. */
const most = 8;
const few = 4;

export function proposeValues(draft: Draft, site: ExpressionSite, pool: Pool): void {
  const { node, role } = site;
  if (role === "discarded") return;
  switch (node.type) {
    case "Literal":
      changeLiteral(draft, site, pool);
      break;
    case "Identifier":
      changeName(draft, site, pool);
      break;
    case "MemberExpression":
      changeMember(draft, site, pool);
      break;
    case "TemplateLiteral":
      changeTemplate(draft, node);
      break;
    case "ArrayExpression":
    case "ObjectExpression":
      changeParts(draft, node);
      break;
  }
  proposeOtherValues(draft, site);
}

function changeLiteral(draft: Draft, site: ExpressionSite, pool: Pool): void {
  const { node } = site;
  const raw = node.raw ?? "";
  if (node.regex != null) return changePattern(draft, node, node.regex as { pattern: string; flags: string });
  if (node.bigint != null) return;
  if (raw === "true" || raw === "false") return put(draft, "booleanConstant", site, raw === "true" ? "false" : "true");
  if (raw === "null") return changeNothing(draft, site, "undefined");
  if (/^['"]/.test(raw)) return changeText(draft, site, pool);
  const value = Number(raw.replaceAll("_", ""));
  for (const now of [value + 1, value - 1]) put(draft, "constantByOne", site, printed(now));
  for (const now of ["0", "1", "-1"]) put(draft, "smallConstant", site, now);
  if (value > 1)
    for (const now of [value * 10, value / 10, value * 2, -value]) put(draft, "scaledConstant", site, printed(now));
  for (const now of others(pool.numbers, raw, most)) put(draft, "otherConstant", site, now);
  for (const { name } of candidates(site).slice(0, few)) {
    put(draft, "variableForConstant", site, name);
    if (site.role !== "index") continue;
    put(draft, "variableForConstant", site, `${name} - 1`);
    put(draft, "variableForConstant", site, `${name} + 1`);
  }
}

/** `undefined` or `null` where a value was meant. */
function changeNothing(draft: Draft, site: ExpressionSite, other: string): void {
  put(draft, "emptyValue", site, other);
  if (["returned", "assigned", "argument", "element"].includes(site.role))
    for (const { name } of candidates(site)) put(draft, "variableForConstant", site, name);
}

/** A value that may be missing. */
function addDefault(draft: Draft, site: ExpressionSite): void {
  if (!["returned", "assigned", "argument", "iterated"].includes(site.role)) return;
  for (const now of ["[]", "{}", '""', "0"]) put(draft, "emptyValue", site, `${draft.text(site.node)} ?? ${now}`);
}

function printed(value: number): string {
  return String(Math.round(value * 1e12) / 1e12);
}

function changeText(draft: Draft, site: ExpressionSite, pool: Pool): void {
  const raw = site.node.raw ?? "";
  if (raw.length > 80) return;
  const value = (site.node.value as unknown) ?? "";
  if (typeof value !== "string") return;
  const quote = nth(raw, 0);
  const quoted = (text: string) =>
    quote + JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`) + quote;
  const now = [value.trim(), value.slice(1), value.slice(0, -1), `${value} `, ` ${value}`];
  const letters = [value.toUpperCase(), value.toLowerCase()];
  for (const text of [...(value === "" ? [" ", ", "] : ["", ...now]), ...letters])
    put(draft, "otherText", site, quoted(text));
  for (const text of others(pool.texts, raw, most)) put(draft, "otherText", site, text);
  for (const { name } of candidates(site)) if (name === value) put(draft, "variableForConstant", site, name);
}

/** The parser does not look into regular expressions, and an invalid one breaks the whole file. */
function isPattern(text: string, flags: string): boolean {
  try {
    new RegExp(text, flags);
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

function changePattern(draft: Draft, node: Node, { pattern, flags }: { pattern: string; flags: string }): void {
  const change = (text: string, withFlags = flags): void => {
    if (text !== "" && isPattern(text, withFlags)) draft.change("pattern", node, `/${text}/${withFlags}`);
  };
  for (const flag of ["g", "i"]) change(pattern, flags.includes(flag) ? flags.replace(flag, "") : flags + flag);
  change(pattern.startsWith("^") ? pattern.slice(1) : `^${pattern}`);
  change(pattern.endsWith("$") ? pattern.slice(0, -1) : `${pattern}$`);
  for (const match of [...pattern.matchAll(/[+*?](?!\?)/g)].slice(0, few)) {
    const [before, after] = [pattern.slice(0, match.index), pattern.slice(match.index + 1)];
    for (const now of ["+", "*", ""]) if (now !== match[0]) change(before + now + after);
  }
  for (const match of [...pattern.matchAll(/\](?![+*?{])|\\[dwsDWS](?![+*?{\]-])/g)].slice(0, few)) {
    const end = match.index + match[0].length;
    for (const now of ["+", "*", "?"]) change(pattern.slice(0, end) + now + pattern.slice(end));
  }
}

function changeTemplate(draft: Draft, node: Node): void {
  for (const each of node.expressions.slice(0, few)) {
    draft.change("droppedElement", node, [{ start: each.start - 2, end: each.end + 1, text: "" }], each.start);
  }
}

/** Elements of a list and properties of an object. */
function changeParts(draft: Draft, node: Node): void {
  const parts = node.type === "ArrayExpression" ? node.elements : node.properties;
  if (parts.some((part) => part === null)) return;
  const texts = parts.map((part) => draft.text(part as Node));
  const [open, close] = node.type === "ArrayExpression" ? ["[", "]"] : ["{ ", " }"];
  for (const [i, part] of parts.slice(0, most).entries()) {
    const rest = texts.filter((_, j) => j !== i);
    draft.change("droppedElement", node, open + rest.join(", ") + close, part?.start);
  }
  for (let i = 0; i + 1 < parts.length && i < few; i++) {
    const [a, b] = [nth(parts, i) as Node, nth(parts, i + 1) as Node];
    if (node.type === "ObjectExpression" && a.type !== "SpreadElement" && b.type !== "SpreadElement") continue;
    draft.change("swappedElements", node, [
      { start: a.start, end: a.end, text: draft.text(b) },
      { start: b.start, end: b.end, text: draft.text(a) },
    ]);
  }
}

function changeName(draft: Draft, site: ExpressionSite, pool: Pool): void {
  const { node, role, scope } = site;
  const { name } = node;
  if (name === "undefined") return changeNothing(draft, site, "null");
  const declared = declarationOf(scope, name);
  const isLocal = localNames(scope, node.start).some((each) => each.name === name);
  if (!isLocal) {
    if (role !== "object") for (const each of similarNames(site, name)) put(draft, "otherVariable", site, each);
    return;
  }
  for (const each of candidates(site).filter((other) => other.name !== name))
    put(draft, "otherVariable", site, each.name);
  if (role === "object") return;
  for (const property of pool.propertiesOf(name).slice(0, few)) put(draft, "otherField", site, `${name}.${property}`);
  addDefault(draft, site);
  byOne(draft, site, name);
  if (role === "iterated" || role === "truth" || role === "condition") return;
  wrap(draft, site, pool, name);
  if (declared?.kind !== "function") negate(draft, site);
  for (const now of role === "operand" ? [] : ["0", "1", ...(role === "returned" ? ["-1"] : [])])
    put(draft, "constantForVariable", site, now);
}

/** Behind a sign it would only be another way to write the other operator. */
function negate(draft: Draft, site: ExpressionSite): void {
  const before = draft.file.text.slice(0, site.node.start).trimEnd();
  if (!/[-+]$/.test(before)) put(draft, "negated", site, `-${draft.text(site.node)}`);
}

function byOne(draft: Draft, site: ExpressionSite, text: string): void {
  const kind = site.role === "index" ? "indexByOne" : "valueByOne";
  if (!["index", "argument", "returned", "assigned", "element", "operand"].includes(site.role)) return;
  put(draft, kind, site, `${text} + 1`);
  put(draft, kind, site, `${text} - 1`);
}

/** Forgotten often, whether the file has them or not. */
const usualMethods = ["toLowerCase", "toUpperCase", "trim"];

/** Calls of functions that the file uses on the value. */
export function wrap(draft: Draft, site: ExpressionSite, pool: Pool, text: string): void {
  for (const name of others(pool.wrappers, "", few)) put(draft, "addedCall", site, `${name}(${text})`);
  const methods = site.role === "operand" ? pool.methods : [...pool.methods.slice(0, few), ...usualMethods];
  for (const name of others(methods, "", most)) put(draft, "addedCall", site, `${text}.${name}()`);
}

function changeMember(draft: Draft, site: ExpressionSite, pool: Pool): void {
  const { node, role } = site;
  if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return;
  const [whole, object] = [draft.text(node), draft.operand(node.object)];
  if (node.computed) {
    const property = draft.operand(node.property);
    put(draft, "indexByOne", site, `${object}[${property} + 1]`, node.property.start);
    put(draft, "indexByOne", site, `${object}[${property} - 1]`, node.property.start);
    put(draft, "droppedProperty", site, object);
    put(draft, "droppedProperty", site, draft.text(node.property));
  } else {
    const { name } = node.property;
    const known = [...pool.propertiesOf(draft.text(node.object)), ...pool.properties.slice(0, few)];
    for (const other of others(known, name, most))
      put(draft, "otherField", site, `${object}.${other}`, node.property.start);
    put(draft, "droppedProperty", site, object, node.property.start);
  }
  if (role === "object") return;
  addDefault(draft, site);
  byOne(draft, site, whole);
  if (role === "compared") for (const by of ["+ 1", "- 1"]) put(draft, "valueByOne", site, `${whole} ${by}`);
  if (role === "iterated" || role === "truth" || role === "condition") return;
  wrap(draft, site, pool, whole);
  negate(draft, site);
  if (role === "returned" || role === "argument") put(draft, "negatedCondition", site, `!${whole}`);
}

/** The whole value by a variable: many, and rarely right. */
function proposeOtherValues(draft: Draft, site: ExpressionSite): void {
  const { node, role } = site;
  if (node.type === "Identifier" || (node.type === "Literal" && role !== "returned")) return;
  const isBound = role === "compared" && node.type === "MemberExpression";
  if (!isBound && !["returned", "assigned", "argument", "element"].includes(role)) return;
  for (const { name } of candidates(site).slice(0, few)) put(draft, "variableForExpression", site, name);
  if (role !== "returned") return;
  for (const now of ["true", "false"]) put(draft, "otherExpression", site, now);
  if (/^(Binary|Logical)/.test(node.type)) put(draft, "negatedCondition", site, `!(${draft.text(node)})`);
}

/** The variables that are visible here; not a name that the expression's own function is known by. */
function candidates({ scope, node }: ExpressionSite): readonly ScopedName[] {
  return localNames(scope, node.start)
    .filter(({ kind }) => kind !== "function" && kind !== "class")
    .slice(0, most);
}

/** Names of the module that look like another. */
export function similarNames({ scope }: Pick<ExpressionSite, "scope">, name: string): readonly string[] {
  const likeness = (other: string): number => {
    let [front, back] = [0, 0];
    const most = Math.min(name.length, other.length);
    while (front < most && name[front] === other[front]) front++;
    while (back < most - front && name.at(-1 - back) === other.at(-1 - back)) back++;
    return (front + back) / Math.max(name.length, other.length);
  };
  const names = fileNames(scope).map((each) => each.name);
  return others(names, name, names.length)
    .toSorted((a, b) => likeness(b) - likeness(a))
    .slice(0, few);
}
