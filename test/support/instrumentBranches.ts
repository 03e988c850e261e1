import type { SourceRange } from "../../src/base/sourceRange.ts";
import type {
  BlockItem,
  Declaration,
  Expr,
  Initializer,
  Statement,
  TranslationUnit,
} from "../../src/frontend/c/ast.ts";

/** A place where a C program decides; a switch logs the value that it selects on. */
export type Site =
  | { readonly kind: "branch"; readonly range: SourceRange }
  | { readonly kind: "switch"; readonly range: SourceRange; readonly labels: readonly SourceRange[] };

export type Instrumented = {
  readonly text: string;
  readonly sites: readonly Site[];
  /** Decisions that have no place for a logging call: GNU `a ?: b` decides on the value that it passes on. */
  readonly unlogged: readonly SourceRange[];
};

/**
 * The program with every decision logged: each condition `c` becomes `(tf_branch(site, !!(c)))`, each switch value
 * `(tf_select(site, (v)))`. `&&`, `||`, `!`, `?:` and `,` are taken apart into the conditions that decide them.
 */
export function instrumentBranches(text: string, unit: TranslationUnit): Instrumented {
  const sites: Site[] = [];
  const unlogged: SourceRange[] = [];
  const walk = walker(
    (site) => sites.push(site),
    (range) => unlogged.push(range),
  );
  for (const item of unit.items) if (item.kind === "functionDefinition") walk.statement(item.body);
  return { text: insertAll(text, sites), sites, unlogged };
}

function walker(log: (site: Site) => void, skip: (range: SourceRange) => void) {
  let labels: SourceRange[] = [];

  function statement(s: Statement): void {
    switch (s.kind) {
      case "block":
        for (const item of s.items) blockItem(item);
        return;
      case "expressionStatement":
        return effect(s.expression);
      case "if":
        condition(s.condition);
        statement(s.then);
        if (s.else) statement(s.else);
        return;
      case "while":
      case "doWhile":
        condition(s.condition);
        return statement(s.body);
      case "for":
        if (s.init?.kind === "declaration") declaration(s.init);
        else if (s.init) effect(s.init);
        if (s.condition) condition(s.condition);
        if (s.update) effect(s.update);
        return statement(s.body);
      case "switch":
        return switchStatement(s);
      case "case":
        labels.push(s.from.range);
        return statement(s.body);
      case "default":
        labels.push(defaultWord(s.range));
        return statement(s.body);
      case "label":
        return statement(s.body);
      case "return":
        if (s.value) value(s.value);
        return;
      default:
        return;
    }
  }

  function switchStatement(s: Statement & { kind: "switch" }): void {
    const [outer, own]: SourceRange[][] = [labels, []];
    log({ kind: "switch", range: s.value.range, labels: own! });
    value(s.value);
    labels = own!;
    statement(s.body);
    labels = outer!;
  }

  function blockItem(item: BlockItem): void {
    if (item.kind === "declaration") declaration(item);
    else if (item.kind !== "staticAssert") statement(item);
  }

  function declaration(d: Declaration): void {
    if (d.specifiers.storage === "static" || d.specifiers.storage === "extern") return;
    for (const each of d.declarators) if (each.initializer) initializer(each.initializer);
  }

  function initializer(i: Initializer): void {
    if (i.kind === "expression") value(i.value);
    else for (const item of i.items) initializer(item.value);
  }

  function condition(e: Expr): void {
    if (isLogical(e)) {
      condition(e.left);
      condition(e.right);
    } else if (e.kind === "unary" && e.operator === "!") {
      condition(e.operand);
    } else if (e.kind === "conditional" && e.then !== null) {
      condition(e.condition);
      condition(e.then);
      condition(e.else);
    } else if (e.kind === "comma") {
      effect(e.left);
      condition(e.right);
    } else if (e.kind === "call" && e.callee.kind === "identifier" && e.callee.name === "__builtin_expect") {
      condition(e.arguments[0]!);
    } else {
      log({ kind: "branch", range: e.range });
      value(e);
    }
  }

  /** An expression whose value is not used: the last operand of a logical operator decides nothing then. */
  function effect(e: Expr): void {
    switch (e.kind) {
      case "comma":
        effect(e.left);
        return effect(e.right);
      case "cast":
      case "unary":
        return effect(e.operand);
      case "conditional":
        if (e.then === null) return value(e);
        condition(e.condition);
        effect(e.then);
        return effect(e.else);
      case "binary":
        if (isLogical(e)) condition(e.left);
        else effect(e.left);
        return effect(e.right);
      default:
        return value(e);
    }
  }

  function value(e: Expr): void {
    switch (e.kind) {
      case "unary":
      case "increment":
      case "cast":
        return value(e.operand);
      case "binary":
        if (isLogical(e)) return condition(e);
        value(e.left);
        return value(e.right);
      case "assignment":
        value(e.left);
        return value(e.right);
      case "comma":
        effect(e.left);
        return value(e.right);
      case "conditional":
        if (e.then === null) {
          skip(e.condition.range);
          value(e.condition);
        } else {
          condition(e.condition);
          value(e.then);
        }
        return value(e.else);
      case "compoundLiteral":
        return initializer(e.initializer);
      case "subscript":
        value(e.array);
        return value(e.index);
      case "member":
        return value(e.object);
      case "call":
        value(e.callee);
        for (const argument of e.arguments) value(argument);
        return;
      case "statementExpression":
        return statement(e.body);
      default:
        return;
    }
  }

  return { statement };
}

function defaultWord(range: SourceRange): SourceRange {
  return { ...range, endLine: range.line, endColumn: range.column + "default".length };
}

function isLogical(e: Expr): e is Expr & { kind: "binary" } {
  return e.kind === "binary" && (e.operator === "&&" || e.operator === "||");
}

/** Wraps each range; of ranges that begin or end together the longer one is outside. */
function insertAll(text: string, sites: readonly Site[]): string {
  const starts = lineStarts(text);
  const insertions: { at: number; order: number; text: string }[] = [];
  for (const [index, { kind, range }] of sites.entries()) {
    const from = starts[range.line - 1]! + range.column - 1;
    const to = starts[range.endLine - 1]! + range.endColumn - 1;
    const length = to - from;
    insertions.push({
      at: from,
      order: 1e9 - length,
      text: kind === "branch" ? `(tf_branch(${index}, !!(` : `(tf_select(${index}, (`,
    });
    insertions.push({ at: to, order: length - 1e9, text: ")))" });
  }
  insertions.sort((a, b) => a.at - b.at || a.order - b.order);
  let result = "";
  let done = 0;
  for (const insertion of insertions) {
    result += text.slice(done, insertion.at) + insertion.text;
    done = insertion.at;
  }
  return result + text.slice(done);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
