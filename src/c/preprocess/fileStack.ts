import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { isIdentifierStart, skipBlank } from "./scanToken.ts";
import { isPunctuator, type PpToken, rangeOfPpToken, readLine, readPpToken, type SplicedFile } from "./tokens.ts";

export type OpenCondition = {
  readonly open: PpToken;
  /** A group has been chosen already. */
  chosen: boolean;
  elseSeen: boolean;
};

export type FileFrame = {
  readonly source: SplicedFile;
  at: number;
  lineStart: boolean;
  readonly conditions: OpenCondition[];
  /** The shift of line numbers by `#line`, and the file name that it gave. */
  lineShift: number;
  presumedFile: string;
};

export type Directive = { readonly hash: PpToken; readonly tokens: readonly PpToken[] };

export function createFrame(source: SplicedFile): FileFrame {
  return { source, at: 0, lineStart: true, conditions: [], lineShift: 0, presumedFile: source.path };
}

/** The next token or directive of one file; null at its end. */
export function readFrame(frame: FileFrame): PpToken | Directive | null {
  const { text } = frame.source;
  const from = frame.at;
  for (;;) {
    const before = frame.at;
    const at = skipBlank(text, before, true);
    if (at >= text.length) {
      checkEnd(frame, before);
      return null;
    }
    if (text.charCodeAt(at) === 10) {
      frame.at = at + 1;
      frame.lineStart = true;
      continue;
    }
    const token = readPpToken(frame.source, at, at > from);
    frame.at = token.end;
    if (frame.lineStart && isPunctuator(token, "#")) {
      const line = readLine(frame.source, token.end);
      frame.at = line.end;
      return { hash: token, tokens: line.tokens };
    }
    frame.lineStart = false;
    return token;
  }
}

/** Skips to the next directive that may end a group that was not chosen; nested conditions are skipped. */
export function skipGroup(frame: FileFrame): Directive {
  const { text } = frame.source;
  for (let depth = 0; ; ) {
    const at = skipBlank(text, frame.at, false);
    if (at >= text.length) {
      checkEnd(frame, frame.at);
      throw openCondition(frame);
    }
    const isHash = text.charCodeAt(at) === 35 || text.startsWith("%:", at);
    const line = readSkippedLine(frame, at, isHash);
    if (line === null) continue;
    switch (line.tokens[0]?.text) {
      case "if":
      case "ifdef":
      case "ifndef":
        depth++;
        break;
      case "endif":
        if (depth === 0) return line;
        depth--;
        break;
      case "elif":
      case "elifdef":
      case "elifndef":
      case "else":
        if (depth === 0) return line;
    }
  }
}

/** Skips the line at `at`; returns it if it is a conditional directive. */
function readSkippedLine(frame: FileFrame, at: number, isHash: boolean): Directive | null {
  const { text } = frame.source;
  if (isHash) {
    const hash = readPpToken(frame.source, at, false);
    const word = skipBlank(text, hash.end, true);
    if (isIdentifierStart(text.charCodeAt(word))) {
      const line = readLine(frame.source, hash.end);
      frame.at = line.end;
      return { hash, tokens: line.tokens };
    }
  }
  frame.at = readLine(frame.source, at).end;
  return null;
}

function checkEnd(frame: FileFrame, blankFrom: number): void {
  const { source } = frame;
  // Only blanks are left; an open comment means that the file ends inside it.
  for (let at = blankFrom; ; ) {
    const open = source.text.indexOf("/*", at);
    const line = source.text.indexOf("//", at);
    if (line >= 0 && (open < 0 || line < open)) {
      const newline = source.text.indexOf("\n", line);
      if (newline < 0) break;
      at = newline;
      continue;
    }
    if (open < 0) break;
    const close = source.text.indexOf("*/", open + 2);
    if (close < 0) {
      const range = source.rangeOf(open, open + 2);
      throw new TracefoldError({ code: "TF101", message: "this comment is not closed", range });
    }
    at = close + 2;
  }
  if (frame.conditions.length > 0) throw openCondition(frame);
}

function openCondition(frame: FileFrame): TracefoldError {
  const { open } = nth(frame.conditions, frame.conditions.length - 1);
  const message = `this #${open.text} has no #endif`;
  return new TracefoldError({ code: "TF115", message, range: rangeOfPpToken(open) });
}
