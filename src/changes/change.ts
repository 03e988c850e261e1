import { tokensOf } from "../base/text.ts";
import { type ChangeForm, type ChangeKind, changeKinds } from "./kinds.ts";

/** Replaces the text between two offsets; offsets start at 0 and count UTF-16 units. */
export type TextEdit = { readonly start: number; readonly end: number; readonly text: string };

/** A small change of the source text of one file. */
export type Change = {
  readonly kind: ChangeKind;
  readonly file: string;
  /** Sorted by offset; they do not overlap. */
  readonly edits: readonly TextEdit[];
  /** The number of edits and of tokens that were not there before. Lengths of names do not count. */
  readonly size: number;
  /** The lines that it blames; it is shown at the first one. Missing code has no line, so an insertion has two. */
  readonly lines: readonly number[];
};

export function sizeOfEdits(source: string, edits: readonly TextEdit[]): number {
  return edits.reduce((sum, { start, end, text }) => sum + 1 + newTokens(source.slice(start, end), text), 0);
}

/** The tokens of a text between its longest common begin and end with the replaced one. */
function newTokens(before: string, after: string): number {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const most = Math.min(old.length, now.length);
  let first = 0;
  while (first < most && old[first] === now[first]) first++;
  let last = 0;
  while (last < most - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last++;
  return now.length - first - last;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Sorts edits; null if two of them overlap. */
export function orderedEdits(edits: readonly TextEdit[]): readonly TextEdit[] | null {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const edit of sorted) {
    if (edit.start < end) return null;
    end = edit.end;
  }
  return sorted;
}

/** A change in words: ``with `i <= n` instead of `i < n` ``. `short` is for narrow places. */
export type DescribedChange = { readonly text: string; readonly short: string };

/** Longer texts are not quoted in a sentence. */
const longest = 60;

export function describeTextChange(source: string, change: Change): DescribedChange {
  const { was, now } = changedText(source, change);
  switch (changeKinds[change.kind].how) {
    case "deleted": {
      const gone = onOneLine(change.edits.map(({ start, end }) => source.slice(start, end)).join(" "));
      return gone.length > longest ? same("without this") : { text: `without \`${gone}\``, short: "without this" };
    }
    case "inserted": {
      const added = insertedText(source, change);
      return added.length > longest ? same("with a statement added here") : same(`with \`${added}\` added here`);
    }
    case "moved":
      return change.kind === "swappedStatements"
        ? same("with this and the next statement swapped")
        : describeMove(source, change);
    case "replaced":
      if (change.kind === "unguarded") return same("without its condition");
      if (was === "") return same(`with \`${now}\``);
      if (now === "" || now === ";") return same("without this");
      if (was.length > longest || now.length > longest) return same(`with \`${shortened(now)}\``);
      return replacement(was, now);
  }
}

/** True if statements are inserted, moved or replaced, not only a part of one. */
export function changesStatement(kind: string, edits: readonly { readonly text: string }[]): boolean {
  const forms: Readonly<Record<string, { readonly how: ChangeForm }>> = changeKinds;
  const how = forms[kind]?.how;
  if (how === "inserted" || how === "moved") return true;
  return how === "replaced" && (edits.length > 1 || edits.some(({ text }) => /[;{}]/.test(text)));
}

/** A single word alone would not say what it replaces. */
function replacement(was: string, now: string): DescribedChange {
  const text = `with \`${now}\` instead of \`${was}\``;
  return { text, short: tokensOf(now).length === 1 ? text : `with \`${now}\`` };
}

function same(text: string): DescribedChange {
  return { text, short: text };
}

/** The moved statement and its new line: the change is shown at both places. */
function describeMove(source: string, { edits }: Change): DescribedChange {
  const [from] = edits.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const [to] = edits.toSorted((a, b) => b.text.length - a.text.length);
  if (from === undefined || to === undefined) return same("with this moved");
  const lineOf = (offset: number) => source.slice(0, offset).split("\n").length;
  const [line, target] = [lineOf(from.start), lineOf(to.start)];
  const where = line === target ? "moved within its line" : `moved to line ${target}`;
  const statement = onOneLine(source.slice(from.start, from.end));
  const short = `with line ${line} ${where}`;
  return statement.length > longest ? same(short) : { text: `with \`${statement}\` ${where}`, short };
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** The added statement, without braces around it and its neighbour. */
function insertedText(source: string, { edits }: Change): string {
  const added = edits.map(({ start, end, text }) => text.replace(source.slice(start, end), "")).join(" ");
  return onOneLine(edits.length > 1 ? added.replace(/^\{\s*/, "").replace(/\s*\}\s*$/, "") : added);
}

/** The smallest expression or statement around the edits, before and after; both on one line. */
function changedText(source: string, { edits }: Change): { readonly was: string; readonly now: string } {
  const start = Math.min(...edits.map((edit) => edit.start));
  const end = Math.max(...edits.map((edit) => edit.end));
  const context = contextOf(source, start, end);
  const shifted = edits.map((edit) => ({
    start: edit.start - context.start,
    end: edit.end - context.start,
    text: edit.text,
  }));
  const was = source.slice(context.start, context.end);
  return { was: onOneLine(was), now: onOneLine(applyEdits(was, shifted)) };
}

function onOneLine(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/;$/, "");
}

/** Contexts that are longer than this end at `&&` and `||`, too. */
const longContext = 36;

type Extent = { readonly start: number; readonly end: number };

/** Extends a range to the enclosing parenthesis, argument or statement; an index also to its array and beyond. */
function contextOf(source: string, from: number, to: number): Extent {
  const whole = contextUpTo(source, from, to, /[;{}]/);
  const context = isShort(whole) ? whole : contextUpTo(source, from, to, /[;{}&|?]/);
  const element = elementAt(source, context);
  if (element === null) return context;
  const outer = contextOf(source, element.start, element.end);
  return [outer, element].find(isShort) ?? context;
}

function isShort({ start, end }: Extent): boolean {
  return end - start <= longContext;
}

/** The element whose index the range is: `s[i]` for `i`. */
function elementAt(source: string, { start, end }: Extent): Extent | null {
  if (source[start - 1] !== "[" || source[end] !== "]") return null;
  const name = /[\w$.]+$/.exec(source.slice(Math.max(0, start - 1 - longContext), start - 1))?.[0];
  return name === undefined ? null : { start: start - 1 - name.length, end: end + 1 };
}

function contextUpTo(source: string, from: number, to: number, stops: RegExp): Extent {
  // Brackets between the edits belong to pairs that are quoted as a whole.
  const { opened, closed } = unmatched(source.slice(from, to));
  let start = from;
  for (let depth = closed; start > 0; start--) {
    const character = source[start - 1] ?? "";
    if (depth === 0 && (stops.test(character) || /[(,[]/.test(character))) break;
    // The head of an `if` or a loop ends here.
    if (depth === 0 && character === ")" && /^\s*[A-Za-z_]/.test(source.slice(start, start + 80))) break;
    if (/[;{}]/.test(character) || (depth === 0 && endsStatement(source, start - 1))) break;
    if (/[)\]]/.test(character)) depth++;
    if (/[([]/.test(character)) depth--;
  }
  let end = to;
  for (let depth = opened; end < source.length; end++) {
    const character = source[end] ?? "";
    if (depth === 0 && (stops.test(character) || /[),\]]/.test(character))) break;
    if (/[;{}]/.test(character) || (depth === 0 && endsStatement(source, end))) break;
    if (/[([]/.test(character)) depth++;
    if (/[)\]]/.test(character)) depth--;
  }
  return { start, end: Math.max(end, to) };
}

/** The end of a line that does not go on: of a statement without a semicolon. */
function endsStatement(source: string, at: number): boolean {
  if (source[at] !== "\n") return false;
  const before = source.slice(Math.max(0, at - farthest), at).trimEnd();
  const after = source.slice(at, at + farthest).trimStart();
  return !/[=+\-*/%&|^<>?:,.([]$/.test(before) && !/^[=+\-*/%&|^<>?:,.)\]]/.test(after);
}

const farthest = 200;

function unmatched(text: string): { readonly opened: number; readonly closed: number } {
  let [opened, closed] = [0, 0];
  for (const character of text) {
    if (/[([]/.test(character)) opened++;
    else if (/[)\]]/.test(character)) opened > 0 ? opened-- : closed++;
  }
  return { opened, closed };
}
