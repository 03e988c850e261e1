import type { SourceRange } from "../base/sourceRange.ts";
import {
  type BlockItem,
  type Declaration,
  type Expr,
  type FunctionDefinition,
  initializerParts,
  partsOf,
  type Statement,
  type TranslationUnit,
} from "./ast.ts";
import { declaredName, functionDeclarator } from "./lower/findAddressTaken.ts";

/**
 * The statements, loops, names and calls of a source file, in order: for places in a file, not in the program model.
 */
export type SourceOutline = {
  readonly statements: readonly OutlinedStatement[];
  readonly loops: readonly OutlinedLoop[];
  readonly names: readonly OutlinedName[];
  readonly calls: readonly OutlinedCall[];
};

/** A statement, or the controlling expression of one (not the start of a statement). */
export type OutlinedStatement = {
  readonly range: SourceRange;
  readonly steers: boolean;
  /** The first declarator of a declaration; nothing is evaluated before it. */
  readonly declarator: SourceRange | null;
  /** The `if` or `switch` that it steers: nothing is evaluated before it. */
  readonly begins?: SourceRange;
};

export type OutlinedLoop = {
  readonly keyword: "for" | "while" | "do";
  readonly range: SourceRange;
  readonly body: SourceRange;
};

/** A variable, visible from its declaration to the end of its scope; null: to the end of the file. */
export type OutlinedName = {
  readonly name: string;
  readonly declared: SourceRange;
  readonly scope: SourceRange | null;
};

export type OutlinedCall = {
  readonly name: string;
  readonly callee: SourceRange;
  /** The closing parenthesis. */
  readonly end: { readonly line: number; readonly column: number };
  /** The call is a statement of its own. */
  readonly isStatement: boolean;
};

type Draft = {
  readonly lineAt: (file: string, line: number) => string;
  readonly statements: OutlinedStatement[];
  readonly loops: OutlinedLoop[];
  readonly names: OutlinedName[];
  readonly calls: OutlinedCall[];
};

/** The outlines, by path, of the files that a tree's ranges are in. */
export function outlineTree(
  tree: TranslationUnit,
  lineAt: (file: string, line: number) => string,
): ReadonlyMap<string, SourceOutline> {
  const draft: Draft = { lineAt, statements: [], loops: [], names: [], calls: [] };
  for (const item of tree.items) {
    if (item.kind === "functionDefinition") outlineFunction(draft, item);
    else if (item.kind === "declaration") outlineDeclaration(draft, item, null);
  }
  return byFile(draft);
}

function byFile(draft: Draft): ReadonlyMap<string, SourceOutline> {
  type Parts = Omit<Draft, "lineAt">;
  const files = new Map<string, Parts>();
  const fileOf = ({ file }: SourceRange): Parts => {
    const known = files.get(file) ?? { statements: [], loops: [], names: [], calls: [] };
    files.set(file, known);
    return known;
  };
  for (const statement of draft.statements) fileOf(statement.range).statements.push(statement);
  for (const loop of draft.loops) fileOf(loop.range).loops.push(loop);
  for (const name of draft.names) fileOf(name.declared).names.push(name);
  for (const call of draft.calls) fileOf(call.callee).calls.push(call);
  return files;
}

function outlineFunction(draft: Draft, fn: FunctionDefinition): void {
  const scope = fn.body.range;
  for (const { declarator } of functionDeclarator(fn.declarator)?.parameters ?? [])
    addName(draft, declaredName(declarator), declarator.range, scope);
  for (const declaration of fn.parameterDeclarations) outlineDeclaration(draft, declaration, scope);
  outlineItems(draft, fn.body.items, scope);
}

function outlineItems(draft: Draft, items: readonly BlockItem[], scope: SourceRange): void {
  for (const item of items) {
    if (item.kind === "declaration") outlineDeclaration(draft, item, scope);
    else if (item.kind !== "staticAssert") outlineStatement(draft, item);
  }
}

function outlineDeclaration(draft: Draft, declaration: Declaration, scope: SourceRange | null): void {
  const { declarators, range, specifiers } = declaration;
  const first = declarators[0]?.declarator ?? null;
  draft.statements.push({ range, steers: false, declarator: first === null ? null : first.range });
  for (const { declarator, initializer } of declarators) {
    const isVariable = specifiers.storage !== "typedef" && declarator.kind !== "function";
    if (isVariable) addName(draft, declaredName(declarator), declarator.range, scope);
    if (initializer !== null) outlineExpressions(draft, initializerParts(initializer));
  }
}

function addName(draft: Draft, name: string | null, declared: SourceRange, scope: SourceRange | null): void {
  if (name !== null) draft.names.push({ name, declared, scope });
}

function outlineStatement(draft: Draft, statement: Statement): void {
  const { range } = statement;
  if (statement.kind !== "block") draft.statements.push({ range, steers: false, declarator: null });
  switch (statement.kind) {
    case "block":
      return outlineItems(draft, statement.items, range);
    case "expressionStatement":
      return outlineExpressions(draft, [statement.expression], true);
    case "if":
      steer(draft, statement.condition, range);
      outlineStatement(draft, statement.then);
      if (statement.else !== null) outlineStatement(draft, statement.else);
      return;
    case "while":
      draft.loops.push({ keyword: "while", range, body: statement.body.range });
      steer(draft, statement.condition);
      return outlineStatement(draft, statement.body);
    case "doWhile":
      draft.loops.push({ keyword: "do", range, body: statement.body.range });
      outlineStatement(draft, statement.body);
      return steer(draft, statement.condition);
    case "for":
      draft.loops.push({ keyword: "for", range, body: statement.body.range });
      if (statement.init !== null && statement.init.kind === "declaration") {
        outlineDeclaration(draft, statement.init, range);
      } else steer(draft, statement.init);
      steer(draft, statement.condition);
      steer(draft, statement.update);
      return outlineStatement(draft, statement.body);
    case "switch":
      steer(draft, statement.value, range);
      return outlineStatement(draft, statement.body);
    case "case":
    case "default":
    case "label":
      return outlineStatement(draft, statement.body);
    case "return":
      return statement.value === null ? undefined : outlineExpressions(draft, [statement.value]);
    default:
      return;
  }
}

function steer(draft: Draft, expression: Expr | null, begins?: SourceRange): void {
  if (expression === null) return;
  const of = begins === undefined ? {} : { begins };
  draft.statements.push({ range: expression.range, steers: true, declarator: null, ...of });
  outlineExpressions(draft, [expression]);
}

/** Iterative: sums of thousands of terms nest deeply. */
function outlineExpressions(draft: Draft, expressions: readonly Expr[], isStatement = false): void {
  const work = [...expressions];
  for (let e = work.pop(); e !== undefined; e = work.pop()) {
    if (e.kind === "call" && e.callee.kind === "identifier") {
      const { callee } = e;
      const end = endOfCall(draft.lineAt(callee.range.file, e.range.endLine), e.range, callee.range);
      draft.calls.push({
        name: callee.name,
        callee: callee.range,
        end,
        isStatement: isStatement && e === expressions[0],
      });
    }
    if (e.kind === "statementExpression") outlineStatement(draft, e.body);
    else work.push(...partsOf(e).toReversed());
  }
}

/** The closing parenthesis of a call; the range may include parentheses around the call. */
function endOfCall(written: string, range: SourceRange, callee: SourceRange): OutlinedCall["end"] {
  const [line, column] = [range.endLine, range.endColumn - 1];
  if (range.line !== range.endLine || range.column === callee.column) return { line, column };
  let around = written.slice(range.column - 1, callee.column - 1).split("(").length - 1;
  let at = column;
  while (around > 0 && at > callee.column) {
    at--;
    if (written[at - 1] === ")") around--;
  }
  return { line, column: at };
}
