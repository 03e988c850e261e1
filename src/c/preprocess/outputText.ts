import { lastAtOrBefore } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { type Invocation, type PpToken, rangeOfPpToken } from "./ppToken.ts";
import { TokenKind } from "./scanToken.ts";
import type { SplicedFile } from "./splicedFile.ts";
import { strayToken } from "./strayToken.ts";

/** Collects the expanded tokens as text and remembers where each came from. */
export type OutputText = {
  readonly add: (token: PpToken) => void;
  readonly finish: () => { text: string; rangeOf: (start: number, end: number) => SourceRange };
};

/** Where a token of the output stands in the user's files. */
type Place = {
  readonly source: SplicedFile;
  readonly start: number;
  readonly end: number;
  readonly invocation: Invocation | null;
};

const TOKENS_PER_LINE = 16;

/** `path` names the file in places of a text without tokens. A stray token has no place in C, so it ends the work. */
export function createOutputText(path: string): OutputText {
  const pieces: string[] = [];
  const starts: number[] = [];
  const places: Place[] = [];
  // How many tokens up to here come from macro bodies: tells in one step whether a stretch is all user text.
  const bodies: number[] = [];
  let length = 0;
  let bodyCount = 0;

  const add = (token: PpToken): void => {
    if (token.kind === TokenKind.other) throw strayToken(token.text, rangeOfPpToken(token));
    starts.push(length);
    const { source, start, end, invocation } = token;
    places.push(
      token.fromBody && invocation !== null ? { ...invocation, invocation } : { source, start, end, invocation },
    );
    if (token.fromBody) bodyCount++;
    bodies.push(bodyCount);
    pieces.push(token.text, starts.length % TOKENS_PER_LINE === 0 ? "\n" : " ");
    length += token.text.length + 1;
  };

  const finish = () => ({
    text: pieces.join(""),
    rangeOf: (start: number, end: number) => rangeOf({ path, starts, places, bodies }, start, end),
  });

  return { add, finish };
}

type Index = {
  readonly path: string;
  readonly starts: readonly number[];
  readonly places: readonly Place[];
  readonly bodies: readonly number[];
};

function rangeOf(index: Index, start: number, end: number): SourceRange {
  const first = findToken(index.starts, start);
  const place = index.places[first];
  if (place === undefined) return { file: index.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  if (end <= start) {
    const whole = place.source.rangeOf(place.start, place.end);
    if (start <= index.starts[first]!) return { ...whole, endLine: whole.line, endColumn: whole.column };
    return { ...whole, line: whole.endLine, column: whole.endColumn };
  }
  const last = Math.max(first, findToken(index.starts, end - 1));
  const lastPlace = index.places[last]!;
  if (first === last) return place.source.rangeOf(place.start, place.end);
  const spelled = index.bodies[first] === index.bodies[last] && !isBody(index, first);
  const sameUse = place.invocation === lastPlace.invocation;
  const from = sameUse && spelled ? place : outer(place);
  const to = sameUse && spelled ? lastPlace : outer(lastPlace);
  if (from.source !== to.source || to.end <= from.start) return from.source.rangeOf(from.start, from.end);
  return from.source.rangeOf(from.start, to.end);
}

function isBody(index: Index, token: number): boolean {
  return index.bodies[token] !== (token === 0 ? 0 : index.bodies[token - 1]);
}

/** Seen from outside a macro, everything it makes stands at its invocation. */
function outer(place: Place): { source: SplicedFile; start: number; end: number } {
  return place.invocation ?? place;
}

/** The token at an offset; the first one for what stands before it. */
function findToken(starts: readonly number[], offset: number): number {
  return Math.max(0, lastAtOrBefore(starts, offset));
}
