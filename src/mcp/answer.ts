import type { SourceRange } from "../base/sourceRange.ts";
import { oneLine } from "../render/phrases.ts";
import type { RecordedLine } from "../render/recordingText.ts";
import { estimateTokens, mostTokens } from "./tokens.ts";

/** What a tool has to say: claims of one line each, the most important ones first. */
export type ToolAnswer = {
  readonly lines: readonly string[];
  /** What to do next; it is part of the first page. */
  readonly next?: string;
};

/** How it is known: by a checked proof, by a run that was made again with a change, or by the run as it was. */
export type ClaimEvidence = "proved" | "re-run" | "observed";

export function claim(text: string, evidence: ClaimEvidence): string {
  return `${line(text)} [${evidence}]`;
}

/** `cart.ts:12`. */
export function placeOf({ file, line: number }: Pick<SourceRange, "file" | "line">): string {
  return `${file}:${number}`;
}

/** A line about the recorded run. */
export function recordedClaim({ text, evidence }: RecordedLine): string {
  return evidence === null ? line(text) : claim(text, evidence);
}

const mostCharacters = 280;
const mostTokensOfLine = 250;

/** One line of an answer; long ones say how much they leave out. */
export function line(text: string): string {
  const whole = text.startsWith(" ") ? ` ${oneLine(text.trimStart())}` : oneLine(text);
  return shortened(whole, mostCharacters, mostTokensOfLine);
}

/** The beginning of a text, and how much is left out. */
export function shortened(text: string, characters: number, tokens: number): string {
  let most = characters;
  while (most > 1 && estimateTokens(text.slice(0, most)) > tokens) most = Math.floor(most / 2);
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… (${(text.length - most).toLocaleString("en-US")} more characters)`;
}

/** Tokens for the sentence that says what was left out. */
const reserved = 40;

/** The page of lines from one of them on: as many as fit, and how to get the rest. */
export function pageOf({ lines, next }: ToolAnswer, from: number, answerId: string): string {
  const shown: string[] = [];
  const closing = next === undefined || from > 0 ? "" : `next: ${next}`;
  let left = mostTokens - reserved - estimateTokens(closing);
  for (const each of lines.slice(from)) {
    left -= estimateTokens(`${each}\n`);
    if (left < 0 && shown.length > 0) break;
    shown.push(each);
  }
  const rest = lines.length - from - shown.length;
  const more =
    rest === 0
      ? ""
      : `left out: ${rest} of ${lines.length} lines; more {"answer":"${answerId}","from":${from + shown.length}}`;
  return [...shown, more, closing].filter((each) => each !== "").join("\n");
}
