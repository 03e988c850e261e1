import type { SourceRange } from "../../src/base/sourceRange.ts";
import type {
  BlockItem,
  Declaration,
  Declarator,
  Expr,
  Initializer,
  Statement,
  TranslationUnit,
} from "../../src/c/ast.ts";

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
  const edits: Edit[] = [];
  const walk = walker(
    (site) => sites.push(site),
    (range) => unlogged.push(range),
    (body) => edits.push({ range: body, before: "{ tf_reached(); ", after: "}" }),
  );
  for (const item of unit.items) {
    if (item.kind !== "functionDefinition") continue;
    if (intrinsic.test(nameOf(item.declarator))) edits.push({ range: item.body.range, before: ";/*", after: "*/" });
    else walk.statement(item.body);
  }
  return { text: applyEdits(text, [...sites.map(siteEdit), ...edits]), sites, unlogged };
}

/** Functions that mean the same whether a program defines them or not: the driver has them. */
const intrinsic = /^(__VERIFIER_(assert|assume|error|nondet_\w+)|assume_abort_if_not|reach_error)$/;
const guards = new Set(["__VERIFIER_assert", "__VERIFIER_assume", "assume_abort_if_not", "assert"]);

function nameOf(declarator: Declarator): string {
  return declarator.kind === "name" ? (declarator.name ?? "") : nameOf(declarator.of);
}

function walker(log: (site: Site) => void, skip: (range: SourceRange) => void, reached: (body: SourceRange) => void) {
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
        if (s.name === "ERROR") reached(s.body.range);
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

  /** The verifier's functions convert their argument to a parameter before they test it. */
  function guard(e: Expr, name: string): void {
    const truth =
      e.kind === "unary" ? e.operator === "!" : e.kind === "binary" && /^(&&|\|\||[=!<>]=|[<>])$/.test(e.operator);
    if (truth || name === "assert") return condition(e);
    log({ kind: "branch", range: e.range });
    value(e);
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
        if (e.callee.kind === "identifier" && guards.has(e.callee.name) && e.arguments[0]) {
          return guard(e.arguments[0], e.callee.name);
        }
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

type Edit = { readonly range: SourceRange; readonly before: string; readonly after: string };

function siteEdit(site: Site, index: number): Edit {
  return site.kind === "branch"
    ? { range: site.range, before: `(tf_branch(${index}, !!(`, after: ")))" }
    : { range: site.range, before: `(tf_select(${index}, (`, after: ")))" };
}

/** Writes around each range; of ranges that begin or end together the longer one is outside. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  const starts = lineStarts(text);
  const insertions: { at: number; order: number; text: string }[] = [];
  for (const { range, before, after } of edits) {
    const from = starts[range.line - 1]! + range.column - 1;
    const to = starts[range.endLine - 1]! + range.endColumn - 1;
    insertions.push({ at: from, order: 1e9 - (to - from), text: before });
    insertions.push({ at: to, order: to - from - 1e9, text: after });
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
