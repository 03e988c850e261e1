import { type CToken, cTokens } from "./cTokens.ts";
import { declaredNames, parameterNames } from "./declaredNames.ts";

export type Position = { readonly line: number; readonly column: number };

export type LoopHead = Position & { readonly keyword: "for" | "while" | "do" };

/**
 * What witnesses need to know about a source file: their locations are those of statements and keywords, which the report
 * does not have. Works on tokens, so it may not understand what macros hide; then it finds nothing rather than something
 * wrong.
 */
export type SourceOutline = {
  /** The first character of the innermost statement or full expression that a place is in. */
  statementStart(place: Position): Position | null;
  /** Nothing is evaluated before the place in its statement: it is its beginning, or a declarator behind its type. */
  beginsStatement(place: Position): boolean;
  /** The keyword of the loop whose condition or keyword is at the place. */
  loopHead(place: Position): LoopHead | null;
  /** One variable of this name, and only one, is visible at the place. */
  inScope(place: Position, name: string): boolean;
  /** The closing parenthesis of the first call of `name` at or behind the place, in its statement. */
  endOfCall(place: Position, name: string): Position | null;
  /** The functions (or macros) that the statement of a place calls. */
  callsIn(place: Position): string[];
  /** The first statement that is a call of `name`. */
  callStatement(name: string): Position | null;
};

type Frame = {
  readonly kind: "block" | "group" | "initializer";
  /** Index of the opening bracket; -1 for the file. */
  readonly open: number;
  /** Index of the first token of the current statement; -1 between statements. */
  statement: number;
  /** Of a group behind `if`, `for`, `while`, `switch`: that keyword's index. Its contents are full expressions. */
  readonly control: number;
};

type Declaration = { readonly name: string; readonly at: number; readonly block: number };

export function outlineSource(text: string): SourceOutline {
  const tokens = cTokens(text);
  const lineStarts = startsOfLines(text);
  /** For each token, the first one of its statement, and the keyword of the loop that it steers; -1: none. */
  const statementOf: number[] = [];
  const loopOf: number[] = [];
  /** Whether a token stands in brackets, where no statement begins. */
  const inGroup: boolean[] = [];
  const closing = new Map<number, number>();
  const opening = new Map<number, number>();
  const declarations: Declaration[] = [];
  walk();

  return {
    statementStart: (place) => {
      const token = tokenAt(place);
      const start = token < 0 ? -1 : statementOf[token]!;
      return start < 0 ? null : positionOf(start);
    },
    beginsStatement: (place) => {
      const token = tokenAt(place);
      const start = token < 0 ? -1 : statementOf[token]!;
      if (start < 0 || inGroup[token] || tokens[token]!.start !== offsetOf(place)) return false;
      return tokens.slice(start, token).every(({ text: word, isName }) => isName || word === "*");
    },
    loopHead: (place) => {
      const token = tokenAt(place);
      const loop = token < 0 ? -1 : loopOf[token]!;
      if (loop < 0) return null;
      const keyword = tokens[loop]!.text as LoopHead["keyword"];
      return { ...positionOf(loop), keyword };
    },
    inScope: (place, name) => isInScope(name, tokenAt(place)),
    endOfCall: (place, name) => {
      const first = tokenAt(place);
      if (first < 0) return null;
      for (let i = first; i < tokens.length && statementOf[i] === statementOf[first]; i++) {
        if (tokens[i]!.text !== name || tokens[i + 1]?.text !== "(") continue;
        const end = closing.get(i + 1);
        return end === undefined ? null : positionOf(end);
      }
      return null;
    },
    callsIn: (place) => {
      const token = tokenAt(place);
      const start = token < 0 ? tokens.length : statementOf[token]!;
      const names: string[] = [];
      for (let i = start; i < tokens.length && statementOf[i] === start; i++) {
        if (tokens[i]!.isName && tokens[i + 1]?.text === "(" && tokens[i]!.text !== "sizeof")
          names.push(tokens[i]!.text);
      }
      return names;
    },
    callStatement: (name) => {
      const at = tokens.findIndex(({ text: word }, i) => word === name && statementOf[i] === i && isCall(i));
      return at < 0 ? null : positionOf(at);
    },
  };

  function isCall(i: number): boolean {
    const end = closing.get(i + 1);
    return tokens[i + 1]?.text === "(" && end !== undefined && tokens[end + 1]?.text === ";";
  }

  function walk(): void {
    const frames: Frame[] = [{ kind: "block", open: -1, statement: -1, control: -1 }];
    for (const [i, token] of tokens.entries()) {
      const frame = frames.at(-1)!;
      if (frame.statement < 0) frame.statement = i;
      statementOf.push(frame.statement);
      loopOf.push(steeredLoop(i, frame));
      inGroup.push(frame.kind !== "block");
      switch (token.text) {
        case "(":
        case "[":
          frames.push(group(i, frame));
          break;
        case ")":
        case "]":
          if (frame.kind !== "group") break;
          closing.set(frame.open, i);
          opening.set(i, frame.open);
          frames.pop();
          // What follows a steering group is a statement of its own.
          if (frame.control >= 0) frames.at(-1)!.statement = -1;
          break;
        case "{":
          frames.push(braces(i, frame));
          break;
        case "}":
          if (frames.length === 1) break;
          closing.set(frame.open, i);
          opening.set(i, frame.open);
          frames.pop();
          if (frame.kind === "block") frames.at(-1)!.statement = -1;
          break;
        default:
          endOfStatement(i, token, frame);
      }
    }
  }

  function endOfStatement(i: number, token: CToken, frame: Frame): void {
    if (frame.kind !== "block" && frame.control < 0) return;
    const start = frame.statement;
    if (token.text === ";") {
      if (frame.kind === "block") {
        for (const name of declaredNames(tokens.slice(start, i)))
          declarations.push({ name, at: start, block: frame.open });
      }
      frame.statement = -1;
    } else if (token.text === "else" || token.text === "do") frame.statement = -1;
    else if (token.text === ":" && isLabel(start, i)) frame.statement = -1;
  }

  function isLabel(start: number, colon: number): boolean {
    const first = tokens[start]!.text;
    if (first === "case") return tokens.slice(start, colon).filter((token) => token.text === "?").length === 0;
    return colon === start + 1 && tokens[start]!.isName;
  }

  function group(i: number, parent: Frame): Frame {
    const before = tokens[i - 1]?.text ?? "";
    const steers = tokens[i]!.text === "(" && ["if", "for", "while", "switch"].includes(before);
    if (steers && parent.kind === "block") return { kind: "group", open: i, statement: -1, control: i - 1 };
    return { kind: "group", open: i, statement: parent.statement, control: -1 };
  }

  function braces(i: number, parent: Frame): Frame {
    const before = tokens[i - 1]?.text ?? "";
    const isInitializer = parent.kind !== "block" || before === "=" || before === ",";
    if (isInitializer) return { kind: "initializer", open: i, statement: parent.statement, control: -1 };
    if (parent.open === -1 && before === ")") {
      for (const name of parameterNames(tokens, i - 1)) declarations.push({ name, at: i, block: i });
    }
    const list = opening.get(i - 1);
    if (list !== undefined && tokens[list - 1]?.text === "for") {
      for (const name of declaredNames(firstClause(list))) declarations.push({ name, at: i, block: i });
    }
    return { kind: "block", open: i, statement: -1, control: -1 };
  }

  function firstClause(open: number): CToken[] {
    const rest = tokens.slice(open + 1, closing.get(open));
    return rest.slice(
      0,
      rest.findIndex(({ text: word }) => word === ";"),
    );
  }

  function steeredLoop(i: number, frame: Frame): number {
    const { text: word } = tokens[i]!;
    const keyword = word === "while" || word === "for" || word === "do" ? i : frame.control;
    if (keyword < 0) return enclosingControl(frame);
    if (tokens[keyword]!.text === "while") return doOfWhile(keyword) ?? keyword;
    return tokens[keyword]!.text === "for" || tokens[keyword]!.text === "do" ? keyword : -1;
  }

  /** Brackets inside a steering group belong to it. */
  function enclosingControl(frame: Frame): number {
    if (frame.kind === "block" || frame.open < 0) return -1;
    return loopOf[frame.open]!;
  }

  /** The `do` that this `while` ends. */
  function doOfWhile(keyword: number): number | null {
    const open = opening.get(keyword - 1);
    return open !== undefined && tokens[open - 1]?.text === "do" ? open - 1 : null;
  }

  function isInScope(name: string, at: number): boolean {
    const blocks = declarations
      .filter((declared) => declared.name === name && declared.at < at)
      .map(({ block }) => block)
      .filter((block) => block < 0 || (block < at && (closing.get(block) ?? tokens.length) > at));
    return new Set(blocks).size === 1;
  }

  /** The token that a place is in or, between tokens, the next one. */
  function tokenAt(place: Position): number {
    const offset = offsetOf(place);
    let [low, high] = [0, tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { start, text: word } = tokens[middle]!;
      if (start + word.length <= offset) low = middle + 1;
      else high = middle;
    }
    return low < tokens.length ? low : -1;
  }

  function offsetOf({ line, column }: Position): number {
    return (lineStarts[line - 1] ?? text.length) + column - 1;
  }

  function positionOf(token: number): Position {
    const { start } = tokens[token]!;
    let [low, high] = [0, lineStarts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (lineStarts[middle]! <= start) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: start - lineStarts[low]! + 1 };
  }
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
