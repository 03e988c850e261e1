import { nth } from "../../base/checked.ts";
import type { TextEdit } from "../../changes/change.ts";
import type { WrongWord } from "../../frontEnd/frontEnd.ts";
import type { Expr } from "../ast.ts";
import type { ChangeDraft } from "./draft.ts";
import { type ExpressionPlace, endOf, type FilePlaces, startOf } from "./sites.ts";
import { plus } from "./values.ts";

/** Library functions that are mistaken for each other; an empty name stands for the argument itself. */
const families: readonly (readonly string[])[] = [
  ["floor", "ceil", "round", "trunc", ""],
  ["abs", "fabs", "labs", "llabs", ""],
  ["sqrt", "cbrt", ""],
  ["min", "max"],
  ["fmin", "fmax"],
  ["toupper", "tolower"],
  ["isupper", "islower", "isalpha", "isdigit", "isalnum", "isspace"],
  ["strcmp", "strcasecmp"],
  ["strchr", "strrchr"],
  ["strcpy", "strcat"],
];

const isPrinting = /^(v?(f|s|sn)?printf|(f|s)?scanf)$/;

export function proposeCalls(draft: ChangeDraft, { node, role }: ExpressionPlace): void {
  if (node.kind !== "call" || node.callee.kind !== "identifier") return;
  const { name } = node.callee;
  if (draft.text(node.callee) !== name) return;
  const { line } = node.range;
  for (const family of families) {
    if (!family.includes(name)) continue;
    for (const other of family)
      if (other !== name) draft.add("otherFunction", line, [draft.replace(node.callee, other)]);
  }
  if (draft.sites.defined.includes(name)) {
    for (const other of draft.sites.defined) {
      if (other !== name && other !== "main") draft.add("otherFunction", line, [draft.replace(node.callee, other)]);
    }
  }
  const first = isPrinting.test(name) ? formatIndex(name) + 1 : 0;
  const { arguments: given } = node;
  for (let i = first; i < given.length; i++) {
    for (let j = i + 1; j < given.length; j++) {
      const [a, b] = [nth(given, i), nth(given, j)];
      draft.add("swappedArguments", line, [draft.replace(a, draft.text(b)), draft.replace(b, draft.text(a))]);
    }
  }
  if (first === 0 && given.length === 1 && role !== "discarded") {
    draft.add("otherFunction", line, [draft.replace(node, draft.operand(nth(given, 0)))]);
  }
  if (first > 0) changeFormat(draft, given, name);
}

function formatIndex(name: string): number {
  if (/^v?snprintf$/.test(name)) return 2;
  return /^v?[fs](printf|scanf)$/.test(name) ? 1 : 0;
}

const printed =
  "%d %lld %c %s %ld %u %llu %.0lf %lf %f %.1f %.2f %.3f %.4f %.6f %.9f %.10f %.12f %g %x %02d %03d %2d".split(" ");
const scanned = "%d|%lld|%c| %c|%s|%lf|%f|%ld|%u|%*c|%1d|%hd|%hhd".split("|");
/** Between the numbers of an input. */
const separators = [":", ",", "/", "-", "."];
const conversion = /%[-+0 #]*(?:\*|\d+)?(?:\.\d+)?(?:hh|h|ll|l|I64|L)?[diouxXcsfFeEgG]/g;

function changeFormat(draft: ChangeDraft, given: readonly Expr[], name: string): void {
  const literal = given[formatIndex(name)];
  if (literal?.kind !== "string") return;
  const text = draft.text(literal);
  if (!/^"(?:\\.|[^"\\])*"$/.test(text)) return;
  const scans = name.includes("scanf");
  const start = startOf(draft.sites.file, literal.range);
  const end = endOf(draft.sites.file, literal.range);
  const { line } = literal.range;
  const conversions = [...text.matchAll(conversion)];
  for (const match of conversions) {
    const place = { start: start + match.index, end: start + match.index + match[0].length };
    for (const other of scans ? scanned : printed) draft.add("format", line, [{ ...place, text: other }]);
    if (conversions.length > given.length - formatIndex(name) - 1) draft.add("format", line, [{ ...place, text: "" }]);
  }
  const begin = { start, end: start + 1 };
  const finish = { start: end - 1, end };
  if (scans) {
    if (conversions.length > 1 && text.slice(1, -1).replaceAll(conversion, "").trim() === "") {
      const parts = conversions.map(([part]) => part);
      for (const separator of separators)
        draft.add("format", line, [{ start, end, text: `"${parts.join(separator)}"` }]);
    }
    draft.add("format", line, [{ ...begin, text: '" ' }]);
    draft.add("format", line, [{ ...finish, text: ' "' }]);
    draft.add("format", line, [{ ...finish, text: '%*c"' }]);
    draft.add("format", line, [{ start, end, text: text.replaceAll("\\n", "") }]);
    const addresses = given.slice(formatIndex(name) + 1).flatMap((argument) => {
      const at = startOf(draft.sites.file, argument.range);
      const isVariable = argument.kind === "identifier" || argument.kind === "subscript" || argument.kind === "member";
      return isVariable ? [{ start: at, end: at, text: "&" }] : [];
    });
    for (const edit of addresses) draft.add("addressOf", line, [edit]);
    draft.add("addressOf", line, addresses);
    return;
  }
  for (const [place, now] of [
    [begin, '" '],
    [finish, ' "'],
    [finish, '\\n"'],
    [begin, '"\\n'],
  ] as const) {
    draft.add("outputSpace", line, [{ ...place, text: now }]);
  }
  draft.add("outputSpace", line, [{ start, end, text: text.replaceAll(/\\n| /g, "") }]);
  // Words around the values were meant for the author.
  const [first, last] = [conversions[0], conversions.at(-1)];
  if (first !== undefined && last !== undefined) {
    const until = last.index + last[0].length;
    if (/[A-Za-z]/.test(text.slice(1, first.index).replaceAll(/\\./g, "")))
      draft.add("format", line, [{ start, end, text: `"${text.slice(first.index)}` }]);
    if (/[A-Za-z]/.test(text.slice(until).replaceAll(/\\./g, "")))
      draft.add("format", line, [{ start, end, text: `${text.slice(0, until)}"` }]);
  }
}

/** Other texts of the file, and the words that the test expects. */
export function proposeTexts(
  draft: ChangeDraft,
  sites: FilePlaces,
  expectedWords: readonly string[],
  wrongWord: WrongWord | null,
): void {
  const all = [sites.globals, ...sites.functions].flatMap(({ expressions }) => expressions);
  const literals = all.filter(({ node }) => node.kind === "string" && /^"(?:\\.|[^"\\])*"$/.test(draft.text(node)));
  const texts = [...new Set(literals.map(({ node }) => draft.text(node)))];
  const executed = literals.filter((each) => each.executed).map(({ node }) => node.range.line);
  // All messages are written in the wrong case.
  for (const now of cases)
    draft.add(
      "otherText",
      [...new Set(executed)],
      literals.flatMap(({ node }) => casedWord(draft, node, now)),
    );
  for (const { node, executed: isExecuted } of literals) {
    if (!isExecuted) continue;
    const text = draft.text(node);
    const { line } = node.range;
    for (const other of texts) {
      if (!other.includes("%") && !text.includes("%")) draft.add("otherText", line, [draft.replace(node, other)]);
    }
    changeWord(draft, node, text, expectedWords);
    if (wrongWord !== null) replaceWord(draft, node, text, wrongWord);
    if (text.length > 3) draft.add("otherText", line, [draft.replace(node, `"${text.slice(2)}`)]);
  }
}

/** The word that is printed wrongly may be a typing error in this text. A number is usually computed, so it is no text. */
function replaceWord(draft: ChangeDraft, node: Expr, text: string, { printed, expected }: WrongWord): void {
  const isPlain = (word: string) => /^[ -~]+$/.test(word) && !/["\\%]/.test(word);
  const isComputed = /^-?[\d.]+$/.test(expected) && expected !== "0" && expected !== "-1";
  if (!isPlain(printed) || !isPlain(expected) || isComputed) return;
  const start = startOf(draft.sites.file, node.range);
  for (let at = text.indexOf(printed); at !== -1; at = text.indexOf(printed, at + 1)) {
    const place = { start: start + at, end: start + at + printed.length };
    draft.add("expectedWord", node.range.line, [{ ...place, text: expected }]);
  }
}

const cases: readonly ((word: string) => string)[] = [
  (word) => word.toUpperCase(),
  (word) => word.toLowerCase(),
  (word) => `${word[0]?.toUpperCase()}${word.slice(1).toLowerCase()}`,
];

/** A text without its conversions and escapes, which become blanks, and its first words. */
function firstWords(text: string): { readonly blanked: string; readonly word: string | undefined } {
  const blanked = text.replaceAll(/%[-+0-9.]*[a-zA-Z]+|\\./g, (part) => " ".repeat(part.length));
  return { blanked, word: /[A-Za-z][A-Za-z0-9_'!?. ]*/.exec(blanked)?.[0].trimEnd() };
}

function casedWord(draft: ChangeDraft, node: Expr, now: (word: string) => string): readonly TextEdit[] {
  const { blanked, word } = firstWords(draft.text(node));
  if (word === undefined) return [];
  const start = startOf(draft.sites.file, node.range) + blanked.indexOf(word);
  return [{ start, end: start + word.length, text: now(word) }];
}

function changeWord(draft: ChangeDraft, node: Expr, text: string, expectedWords: readonly string[]): void {
  const { blanked, word } = firstWords(text);
  for (const { 0: number, index } of blanked.matchAll(/\d+/g)) {
    const at = startOf(draft.sites.file, node.range) + index;
    for (const now of [plus(number, 1), plus(number, -1)])
      draft.add("otherText", node.range.line, [{ start: at, end: at + number.length, text: now }]);
  }
  if (word === undefined) return;
  const start = startOf(draft.sites.file, node.range) + blanked.indexOf(word);
  for (const now of [...expectedWords, ...cases.map((change) => change(word))]) {
    draft.add("otherText", node.range.line, [{ start, end: start + word.length, text: now }]);
  }
}
