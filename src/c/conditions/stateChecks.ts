import type { SourceRange } from "../../base/sourceRange.ts";
import type { FailureSignals } from "../../frontEnd/frontEnd.ts";
import { sourceTextAt } from "../../ir/source.ts";
import type { BinaryOperatorText, BlockItem, BlockStatement, Expr, Statement, TranslationUnit } from "../ast.ts";
import type { ReadFile } from "../preprocess/preprocess.ts";
import { changeBodies } from "./stateInvariants.ts";

type IfStatement = Statement & { readonly kind: "if" };

/**
 * Makes an assertion of every check that signals its failure by an exit status: `if (!(a == b)) failures++;` fails where
 * it stands, as `assert(a == b)` does.
 */
export function stateChecks(
  trees: readonly TranslationUnit[],
  sources: readonly ReadFile[],
  signals: FailureSignals,
): TranslationUnit[] {
  const files = sources.flatMap(({ source }) => source.files);
  const textOf = (range: SourceRange) => sourceTextAt({ files }, range) ?? "";
  const inBlock = (block: BlockStatement): BlockStatement => ({
    ...block,
    items: block.items.map(
      (item): BlockItem => (item.kind === "declaration" || item.kind === "staticAssert" ? item : single(item)),
    ),
  });
  const single = (statement: Statement): Statement => {
    const asserted = checkedArgument(statement, signals);
    if (asserted !== null) return assertion(asserted, textOf(asserted.range), statement.range);
    if (statement.kind === "choice") return { ...statement, otherwise: single(statement.otherwise) };
    if (statement.kind !== "if") return changeBodies(statement, { block: inBlock, single });
    return checkedIf(statement, signals, textOf) ?? changeBodies(statement, { block: inBlock, single });
  };
  return trees.map((tree) => ({
    ...tree,
    items: tree.items.map((item) =>
      item.kind === "functionDefinition" ? { ...item, body: inBlock(item.body) } : item,
    ),
  }));
}

/** The condition that a statement such as `check(a == b, "…");` passes to a helper that tests it; null for others. */
function checkedArgument(statement: Statement, { helpers }: FailureSignals): Expr | null {
  const call = statement.kind === "expressionStatement" ? statement.expression : null;
  if (call?.kind !== "call" || call.callee.kind !== "identifier") return null;
  const { name } = call.callee;
  const helper = helpers.find((each) => each.function === name && each.parameter !== null);
  return helper?.parameter == null ? null : (call.arguments[helper.parameter] ?? null);
}

/** An `if` with an assertion in place of the branch that signals a failure; null if no branch does. */
function checkedIf(s: IfStatement, signals: FailureSignals, textOf: (range: SourceRange) => string): Statement | null {
  if (signalsFailure(s.then, signals)) {
    return ifElse(s, assertFail(negatedText(s.condition, textOf), headOf(s)), s.else);
  }
  if (s.else === null || !signalsFailure(s.else, signals)) return null;
  return ifElse(s, s.then, assertFail(textOf(s.condition.range), headOf(s)));
}

/** True if a statement signals a failure without another test. */
function signalsFailure(s: Statement, signals: FailureSignals): boolean {
  switch (s.kind) {
    case "block":
      return s.items.some(
        (item) => item.kind !== "declaration" && item.kind !== "staticAssert" && signalsFailure(item, signals),
      );
    case "doWhile":
      return signalsFailure(s.body, signals);
    case "choice":
      return signalsFailure(s.otherwise, signals);
    case "return":
      return isPlace(s.range, signals);
    case "expressionStatement":
      return isSignal(s.expression, signals);
    default:
      return false;
  }
}

function isSignal(e: Expr, signals: FailureSignals): boolean {
  switch (e.kind) {
    case "increment":
      return signals.counters.includes(placeName(e.operand) ?? "");
    case "assignment":
      return signals.counters.includes(placeName(e.left) ?? "") && !isZero(e.right);
    case "call":
      if (isPlace(e.range, signals)) return true;
      return signals.helpers.some(
        ({ function: name, parameter }) =>
          parameter === null && e.callee.kind === "identifier" && e.callee.name === name,
      );
    default:
      return isPlace(e.range, signals);
  }
}

function isPlace(range: SourceRange, { places }: FailureSignals): boolean {
  return places.some(({ file, line, column }) => file === range.file && line === range.line && column === range.column);
}

/** `failures`, or `stats.failed`. */
function placeName(e: Expr): string | null {
  if (e.kind === "identifier") return e.name;
  if (e.kind !== "member" || e.arrow) return null;
  const object = placeName(e.object);
  return object === null ? null : `${object}.${e.field}`;
}

function isZero(e: Expr): boolean {
  return e.kind === "number" && /^0+$/.test(e.text);
}

const opposites: Partial<Record<BinaryOperatorText, BinaryOperatorText>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

/** The negation of a condition, as a user would write it. */
function negatedText(e: Expr, textOf: (range: SourceRange) => string): string {
  if (e.kind === "unary" && e.operator === "!") return textOf(e.operand.range).replace(/^\((.*)\)$/s, unwrapped);
  const opposite = e.kind === "binary" ? opposites[e.operator] : undefined;
  // Parts of a macro all have the text of its call.
  if (e.kind !== "binary" || opposite === undefined || textOf(e.left.range) === textOf(e.range)) {
    return `!(${textOf(e.range)})`;
  }
  return `${textOf(e.left.range)} ${opposite} ${textOf(e.right.range)}`;
}

/** Drops parentheses around a whole text. */
function unwrapped(whole: string, inner: string): string {
  let depth = 0;
  for (const character of inner) {
    if (character === "(") depth++;
    if (character === ")" && --depth < 0) return whole;
  }
  return inner;
}

/** `if (condition)`, without its branches. */
function headOf({ range, condition }: IfStatement): SourceRange {
  const { endLine, endColumn, file } = condition.range;
  if (file !== range.file || endLine < range.line) return range;
  return { ...range, endLine, endColumn };
}

function assertion(condition: Expr, text: string, range: SourceRange): Statement {
  return ifElse({ condition, range }, { kind: "empty", range }, assertFail(text, range));
}

function ifElse(
  { condition, range }: Pick<IfStatement, "condition" | "range">,
  then: Statement,
  otherwise: Statement | null,
): Statement {
  return { kind: "if", condition, then, else: otherwise, range };
}

function assertFail(text: string, range: SourceRange): Statement {
  const callee: Expr = { kind: "identifier", name: "__tf_check_status", range };
  const units = [...Buffer.from(text, "utf8")];
  const call: Expr = { kind: "call", callee, arguments: [{ kind: "string", units, prefix: "", range }], range };
  return { kind: "expressionStatement", expression: call, range };
}
