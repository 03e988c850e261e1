import type { SourceRange } from "../../src/base/sourceRange.ts";
import type {
  BlockItem,
  Declaration,
  Expr,
  Initializer,
  Statement,
  TranslationUnit,
} from "../../src/frontend/c/ast.ts";

/** A place where a C program decides; `value` sites are switches. */
export type Site = { readonly kind: "branch" | "switch"; readonly range: SourceRange };

export type Instrumented = { readonly text: string; readonly sites: readonly Site[] };

/**
 * The program with every decision logged: each condition `c` becomes `(tf_branch(site, !!(c)))`, each switch value
 * `tf_select(site, v)`. `&&`, `||`, `!` and `?:` are taken apart into the conditions that decide them. A condition
 * without names other than enumeration constants decides nothing and is not logged.
 */
export function instrumentBranches(text: string, unit: TranslationUnit): Instrumented {
  const walker = new Walker(enumerators(unit));
  for (const item of unit.items) if (item.kind === "functionDefinition") walker.statement(item.body);
  return { text: insertAll(text, walker.sites), sites: walker.sites };
}

class Walker {
  readonly sites: Site[] = [];
  readonly #constants: ReadonlySet<string>;

  constructor(constants: ReadonlySet<string>) {
    this.#constants = constants;
  }

  statement(s: Statement): void {
    switch (s.kind) {
      case "block":
        for (const item of s.items) this.item(item);
        return;
      case "expressionStatement":
        return this.value(s.expression);
      case "if":
        this.condition(s.condition);
        this.statement(s.then);
        if (s.else) this.statement(s.else);
        return;
      case "while":
      case "doWhile":
        this.condition(s.condition);
        return this.statement(s.body);
      case "for":
        if (s.init) s.init.kind === "declaration" ? this.declaration(s.init) : this.value(s.init);
        if (s.condition) this.condition(s.condition);
        if (s.update) this.value(s.update);
        return this.statement(s.body);
      case "switch":
        if (!this.isConstant(s.value)) this.sites.push({ kind: "switch", range: s.value.range });
        this.value(s.value);
        return this.statement(s.body);
      case "case":
      case "default":
      case "label":
        return this.statement(s.body);
      case "return":
        if (s.value) this.value(s.value);
        return;
      case "empty":
      case "goto":
      case "computedGoto":
      case "break":
      case "continue":
      case "asm":
        return;
    }
  }

  item(item: BlockItem): void {
    if (item.kind === "declaration") this.declaration(item);
    else if (item.kind !== "staticAssert") this.statement(item);
  }

  declaration(d: Declaration): void {
    if (d.specifiers.storage === "static" || d.specifiers.storage === "extern") return;
    for (const { initializer } of d.declarators) if (initializer) this.initializer(initializer);
  }

  initializer(i: Initializer): void {
    if (i.kind === "expression") this.value(i.value);
    else for (const item of i.items) this.initializer(item.value);
  }

  condition(e: Expr): void {
    if (e.kind === "binary" && (e.operator === "&&" || e.operator === "||")) {
      this.condition(e.left);
      this.condition(e.right);
    } else if (e.kind === "unary" && e.operator === "!") {
      this.condition(e.operand);
    } else {
      if (!this.isConstant(e)) this.sites.push({ kind: "branch", range: e.range });
      this.value(e);
    }
  }

  value(e: Expr): void {
    switch (e.kind) {
      case "identifier":
      case "number":
      case "character":
      case "string":
      case "sizeofExpr":
      case "sizeofType":
      case "alignof":
      case "offsetof":
      case "labelAddress":
        return;
      case "unary":
        return this.value(e.operand);
      case "increment":
      case "cast":
        return this.value(e.operand);
      case "binary":
        if (e.operator === "&&" || e.operator === "||") return this.condition(e);
        this.value(e.left);
        return this.value(e.right);
      case "assignment":
      case "comma":
        this.value(e.left);
        return this.value(e.right);
      case "conditional":
        this.condition(e.condition);
        if (e.then) this.value(e.then);
        return this.value(e.else);
      case "compoundLiteral":
        return this.initializer(e.initializer);
      case "subscript":
        this.value(e.array);
        return this.value(e.index);
      case "member":
        return this.value(e.object);
      case "call":
        this.value(e.callee);
        for (const argument of e.arguments) this.value(argument);
        return;
      case "vaArg":
        return this.value(e.list);
      case "generic":
        return;
      case "statementExpression":
        return this.statement(e.body);
    }
  }

  isConstant(e: Expr): boolean {
    switch (e.kind) {
      case "identifier":
        return this.#constants.has(e.name);
      case "number":
      case "character":
      case "sizeofExpr":
      case "sizeofType":
      case "alignof":
      case "offsetof":
        return true;
      case "unary":
        return e.operator !== "*" && e.operator !== "&" && this.isConstant(e.operand);
      case "cast":
        return this.isConstant(e.operand);
      case "binary":
        return this.isConstant(e.left) && this.isConstant(e.right);
      case "conditional":
        return [e.condition, e.then ?? e.condition, e.else].every((part) => this.isConstant(part));
      default:
        return false;
    }
  }
}

function enumerators(unit: TranslationUnit): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("kind" in node && node.kind === "enum" && "enumerators" in node && Array.isArray(node.enumerators)) {
      for (const enumerator of node.enumerators) names.add(enumerator.name);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(unit.items);
  return names;
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
