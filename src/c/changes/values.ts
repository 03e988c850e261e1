import { tokenCount } from "../../base/text.ts";
import type { TextEdit } from "../../changes/change.ts";
import { type ChangeDraft, evenly, isVisible, numericNames } from "./draft.ts";
import {
  type ExpressionPlace,
  type FunctionPlaces,
  isNumeric,
  type NameScope,
  namesWithin,
  sameShape,
  visibleNames,
} from "./sites.ts";

/** What the file offers as replacements. */
export type ConstantPool = {
  readonly numbers: readonly string[];
  readonly characters: readonly string[];
  /** The names of macros that are numbers. */
  readonly macros: readonly string[];
};

export function valuePool(draft: ChangeDraft, functions: readonly FunctionPlaces[]): ConstantPool {
  const nodes = functions.flatMap(({ expressions }) => expressions.map(({ node }) => node));
  const texts = (kind: string) => [...new Set(nodes.filter((node) => node.kind === kind).map(draft.text))];
  return {
    numbers: texts("number").filter((text) => /^[\d.]/.test(text)),
    characters: texts("character").filter((text) => text.startsWith("'")),
    macros: [...draft.sites.file.text.matchAll(numericMacro)].flatMap(([, name]) => name ?? []),
  };
}

const numericMacro = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?[\d.][\w.+*-]*\)?[ \t\r]*$/gm;

/** At most this many other constants are tried at one place. */
const mostConstants = 10;
const mostMacros = 4;

export function proposeValues(draft: ChangeDraft, site: ExpressionPlace, pool: ConstantPool): void {
  const { node, role } = site;
  if (role === "label") return;
  if (node.kind === "number") changeNumber(draft, site, node.text, pool);
  else if (node.kind === "character") changeCharacter(draft, site, pool);
  else if (node.kind === "identifier") changeVariable(draft, site, node.name, pool);
  else if (node.kind === "member") changeField(draft, site);
}

function changeNumber(draft: ChangeDraft, site: ExpressionPlace, text: string, pool: ConstantPool): void {
  const { numbers, macros } = pool;
  const { node, role, scope } = site;
  if (draft.text(node) !== text) return;
  const { line } = node.range;
  const put = (now: string) => [draft.replace(node, now)];
  if (role === "arraySize") {
    for (const size of largerSizes(text)) draft.add("arraySize", line, put(size));
    return;
  }
  const isFloating = /[.eE]/.test(text) && !/^0x/i.test(text);
  const kind = role === "initial" || role === "entry" || role === "static" ? "initialValue" : "constantByOne";
  for (const delta of [1, -1]) draft.add(kind, line, put(plus(text, delta)));
  if (role === "entry") return;
  for (const small of ["0", "1", "-1"]) draft.add("smallConstant", line, put(small));
  for (const other of [...nearestNumbers(numbers, text).slice(0, mostConstants), ...macros.slice(0, mostMacros)])
    draft.add("otherConstant", line, put(other));
  for (const scaled of [
    `(${text} * 2)`,
    `(${text} / 2)`,
    `(${text} * 10)`,
    `(${text} / 10)`,
    ...(text.length >= 3 ? [`(${text} * 100)`] : []),
    plus(text, 2),
    plus(text, -2),
  ]) {
    draft.add("scaledConstant", line, put(scaled));
  }
  draft.add("scaledConstant", line, put(`(-${text})`));
  const isStart = role === "initial" || role === "static" || role === "assigned";
  if (isFloating || isStart || /^\d{3,}/.test(text)) {
    const large = ["2147483647", "1000000000", "(-1000000000)", ...(isStart ? [] : ["9000000000000000000LL", "1e-9"])];
    for (const value of large) draft.add("largeConstant", line, put(value));
  }
  if (role === "static") return;
  for (const { name } of numericNames(scope)) draft.add("variableForConstant", line, put(name));
  if (role !== "index") for (const element of elementsAt(scope)) draft.add("elementForConstant", line, put(element));
}

/** The number of variables that are tried as an index. */
const mostIndices = 3;

function elementsAt(scope: NameScope): readonly string[] {
  const indices = numericNames(scope).filter(({ type }) => type.base === "integer");
  return visibleNames(scope).flatMap(({ name, type }) =>
    type.depth === 1 && (type.base === "integer" || type.base === "floating") && !type.isFunction
      ? indices.slice(0, mostIndices).map((index) => `${name}[${index.name}]`)
      : [],
  );
}

/** An array that is a little larger often suffices for the tests, but not for other inputs, so it comes later. */
function largerSizes(text: string): readonly string[] {
  return [times(text, 10), times(text, 2), plus(text, 10), plus(text, 1), times(text, 100), "100005", "1000005"];
}

function times(text: string, factor: number): string {
  return /^[1-9]\d{0,9}$/.test(text) ? `${Number(text) * factor}` : `(${text} * ${factor})`;
}

/** The literal plus a small number, computed if it is a plain integer. */
export function plus(text: string, delta: number): string {
  if (/^\d{1,15}$/.test(text) && !/^0\d/.test(text)) return `${Number(text) + delta}`;
  return `(${text} ${delta < 0 ? "-" : "+"} ${Math.abs(delta)})`;
}

function nearestNumbers(numbers: readonly string[], text: string): readonly string[] {
  const value = Number.parseFloat(text);
  const distance = (other: string) => Math.abs(Number.parseFloat(other) - value);
  return numbers.filter((other) => other !== text).sort((a, b) => distance(a) - distance(b));
}

const usualCharacters = ["'0'", "'\\n'", "' '", "'\\0'", "'a'", "'A'"];

function changeCharacter(draft: ChangeDraft, { node }: ExpressionPlace, { characters }: ConstantPool): void {
  const text = draft.text(node);
  if (!text.startsWith("'")) return;
  const { line } = node.range;
  const letter = /^'([A-Za-z])'$/.exec(text)?.[1];
  const other =
    letter === undefined ? [] : [`'${letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()}'`];
  for (const now of [
    ...other,
    ...characters.slice(0, mostConstants),
    ...usualCharacters,
    `(${text} + 1)`,
    `(${text} - 1)`,
  ]) {
    draft.add("character", line, [draft.replace(node, now)]);
  }
}

function changeVariable(draft: ChangeDraft, site: ExpressionPlace, name: string, pool: ConstantPool): void {
  const { node, role, scope, parent } = site;
  if (role === "callee" || draft.text(node) !== name) return;
  const names = visibleNames(scope);
  const own = names.find((each) => each.name === name);
  if (own === undefined || own.type.isFunction) return;
  const { line } = node.range;
  const put = (text: string): readonly TextEdit[] => [draft.replace(node, text)];
  for (const other of names) {
    if (other.name !== name && !/^arg[cv]$/.test(other.name) && sameShape(own.type, other.type))
      draft.add("otherVariable", line, put(other.name));
  }
  if (!isNumeric(own.type) || role === "target" || role === "arraySize") return;
  for (const constant of ["0", "1", ...pool.numbers.slice(0, 6), ...pool.macros.slice(0, mostMacros)])
    draft.add("constantForVariable", line, put(constant));
  if (parent?.kind === "unary" && parent.operator === "&") return;
  for (const { name: array, type } of names) {
    if (type.depth === 1 && type.base !== "struct" && type.base !== "void" && !type.isFunction) {
      draft.add("elementForVariable", line, put(`${array}[${name}]`));
    }
  }
}

function changeField(draft: ChangeDraft, { node }: ExpressionPlace): void {
  if (node.kind !== "member") return;
  const text = draft.text(node);
  if (!text.endsWith(node.field)) return;
  const before = text.slice(0, -node.field.length);
  for (const field of draft.sites.fields) {
    if (field !== node.field) draft.add("otherField", node.range.endLine, [draft.replace(node, before + field)]);
  }
}

/** The number of variables that an operand is combined with. */
const mostFactors = 5;

/** Off by one, scaled, with another term: for values that are more than a literal. */
export function proposeTerms(draft: ChangeDraft, site: ExpressionPlace, { numbers, macros }: ConstantPool): void {
  const { node, role, scope, parent } = site;
  if (!isValue(site) || node.kind === "number" || node.kind === "string" || node.kind === "character") return;
  const { line } = node.range;
  const text = draft.operand(node);
  const put = (now: string) => [draft.replace(node, now)];
  const isBound = role === "compared" && parent?.kind === "binary" && /^[<>]/.test(parent.operator);
  const byOne = role === "index" ? "indexByOne" : isBound ? "boundByOne" : "valueByOne";
  for (const offset of characterOffsets(site, text)) draft.add("characterOffset", line, put(`${text} ${offset}`));
  for (const now of [`${text} + 1`, `${text} - 1`]) draft.add(byOne, line, put(role === "operand" ? `(${now})` : now));
  if (node.kind === "subscript") draft.add("indexForElement", line, put(draft.operand(node.index)));
  if (role === "operand") {
    for (const { name } of numericNames(scope).slice(0, mostFactors)) {
      for (const operator of name === text ? ["*"] : ["*", "+", "-"])
        draft.add("addedTerm", line, put(`(${text} ${operator} ${name})`));
    }
    return;
  }
  const moduli = [...numbers.filter((number) => /^\d{4,}[lL]*$/.test(number)), ...macros].slice(0, mostMacros);
  for (const modulus of moduli) draft.add("addedTerm", line, put(`${text} % ${modulus}`));
  for (const now of [`${text} * 2`, `${text} / 2`, `${text} + 2`, `${text} - 2`, `${text} % 2`]) {
    draft.add("scaledValue", line, put(now));
  }
  if (node.kind !== "identifier") {
    for (const small of ["0", "1", "-1"]) draft.add("smallConstant", line, put(small));
  }
  if (node.kind === "subscript") addElements(draft, site, text);
  draft.add("absolute", line, put(`abs(${draft.text(node)})`));
  draft.add("negated", line, put(`-${text}`));
  if (role !== "index" && role !== "compared") draft.add("clamped", line, put(`(${text} < 0 ? 0 : ${text})`));
  for (const { name } of numericNames(scope)) {
    if (role !== "compared" && name !== text) {
      for (const operator of ["<", ">"])
        draft.add("clamped", line, put(`(${text} ${operator} ${name} ? ${name} : ${text})`));
    }
    // `x - x`, `x / x` and `x % x` are constants.
    for (const operator of name === text ? ["+", "*"] : ["+", "-", "*", "/", "%"])
      draft.add("addedTerm", line, put(`${text} ${operator} ${name}`));
    if (name !== text) draft.add("addedTerm", line, put(`${name} - ${text}`));
  }
}

/** From letters and digits to numbers, and between small and capital letters. */
function characterOffsets({ node, role, scope }: ExpressionPlace, text: string): readonly string[] {
  if (role === "index") return ["- 'a'", "- 'A'", "- '0'"];
  if (role === "operand") return [];
  const array = node.kind === "subscript" && node.array.kind === "identifier" ? node.array.name : null;
  const own = visibleNames(scope).find(({ name }) => name === (array ?? text))?.type;
  if (own?.base !== "character" || own.depth !== (array === null ? 0 : 1)) return [];
  return ["- 32", "+ 32", "- '0'", "+ '0'", "- 'a'", "- 'A'"];
}

/** Elements of other arrays with the same index as further terms. */
function addElements(draft: ChangeDraft, { node, scope }: ExpressionPlace, text: string): void {
  if (node.kind !== "subscript" || node.array.kind !== "identifier") return;
  const { name } = node.array;
  const index = draft.text(node.index);
  for (const { name: array, type } of visibleNames(scope)) {
    if (array === name || type.depth !== 1 || (type.base !== "integer" && type.base !== "floating")) continue;
    for (const operator of ["+", "-"])
      draft.add("addedTerm", node.range.line, [draft.replace(node, `${text} ${operator} ${array}[${index}]`)]);
  }
}

function isValue({ node, role, parent }: ExpressionPlace): boolean {
  switch (role) {
    case "index":
    case "compared":
    case "assigned":
    case "initial":
    case "returned":
    case "operand":
      return node.kind !== "assignment";
    case "argument":
      return !(parent?.kind === "call" && parent.callee.kind === "identifier" && /scanf|gets/.test(parent.callee.name));
    default:
      return false;
  }
}

/** In tokens. */
const longestExpression = 16;
/** Large functions have more expressions than can be tried for each other. */
const mostOffers = 60;
const mostPlaces = 300;

/** Other expressions of the same function. */
export function proposeExpressions(draft: ChangeDraft, sites: FunctionPlaces): void {
  const owner = namesWithin(sites);
  const isOffered = (site: ExpressionPlace) => isValue(site) && site.role !== "operand";
  const offers = new Map<string, ExpressionPlace>();
  for (const site of sites.expressions) {
    const text = draft.text(site.node);
    if (isOffered(site) && tokenCount(text) < longestExpression) offers.set(text, site);
  }
  const offered = evenly([...offers.values()], mostOffers);
  const asked = sites.expressions.filter((site) => site.executed && isOffered(site) && site.node.kind !== "string");
  for (const site of evenly(asked, mostPlaces)) {
    for (const { node } of offered) {
      if (node.kind === "string" || !isVisible(draft, node, owner, site.scope)) continue;
      draft.add("otherExpression", site.node.range.line, [draft.replace(site.node, draft.operand(node))]);
    }
  }
}
