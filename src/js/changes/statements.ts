import { present } from "../../base/checked.ts";
import type { Node } from "../recorder/syntax.ts";
import type { Draft } from "./draft.ts";
import { type InsertionPoint, localNames, type StatementSite } from "./sites.ts";

export function proposeStatements(draft: Draft, site: StatementSite): void {
  const { node, next, inLoop } = site;
  switch (node.type) {
    case "ExpressionStatement":
      if (site.function.start !== 0 || site.function.node.type !== "Program")
        draft.changeStatement("deletedStatement", node, nothing(draft, site));
      if (isPlain(next)) swap(draft, node, present(next));
      if (node.expression.type === "CallExpression" && site.function.node.type !== "Program")
        draft.changeStatement("insertedReturn", node, [{ start: node.start, end: node.start, text: "return " }]);
      return guard(draft, site);
    case "BreakStatement":
    case "ContinueStatement":
      draft.changeStatement("deletedStatement", node, nothing(draft, site));
      if (inLoop && node.label === null)
        draft.changeStatement("otherJump", node, node.type === "BreakStatement" ? "continue;" : "break;");
      return;
    case "ThrowStatement":
    case "ReturnStatement":
      return draft.changeStatement("deletedStatement", node, nothing(draft, site));
    case "IfStatement":
      return changeIf(draft, site);
    case "WhileStatement":
    case "ForStatement":
    case "ForOfStatement":
    case "ForInStatement":
      return draft.changeStatement("deletedStatement", node, nothing(draft, site));
  }
}

/** What is left of a deleted statement: an empty one where the grammar needs it. */
function nothing(draft: Draft, { node, inBlock }: StatementSite): string {
  return inBlock && /[;}]$/.test(draft.text(node)) ? "" : ";";
}

const longestGuard = 60;

/** Puts a statement behind a condition of the function, or behind the equality of the two nearest variables. */
function guard(draft: Draft, site: StatementSite): void {
  const { node, scope, function: owner } = site;
  if (owner.node.type === "Program") return;
  const names = localNames(scope, node.start);
  const known = new Set(names.map(({ name }) => name));
  const [first, second] = names.filter(({ kind }) => kind !== "function");
  const own = owner.conditions
    .filter((each) => each.end - each.start < longestGuard && !/[=]>|\+\+|--|[^=!<>]=[^=]/.test(draft.text(each)))
    .filter((each) => (draft.text(each).match(/(?<![.\w$'"])[A-Za-z_$][\w$]*/g) ?? []).every((name) => known.has(name)))
    .map(draft.text);
  const pair = first === undefined || second === undefined ? [] : [`${first.name} === ${second.name}`];
  for (const condition of [...new Set([...own, ...pair])].slice(0, 4)) {
    draft.changeStatement("guarded", node, [{ start: node.start, end: node.start, text: `if (${condition}) ` }]);
  }
}

function isPlain(node: Node | null): boolean {
  return node !== null && node.type === "ExpressionStatement" && node.directive == null;
}

/** As one change of both statements. */
function swap(draft: Draft, first: Node, second: Node): void {
  const [a, b] = [draft.text(first), draft.text(second)];
  const both = { start: first.start, end: second.end } as Node;
  draft.changeStatement("swappedStatements", both, `${closed(b)} ${closed(a)}`);
}

function closed(text: string): string {
  return text.endsWith(";") ? text : `${text};`;
}

function changeIf(draft: Draft, site: StatementSite): void {
  const { node, next } = site;
  const then = draft.text(node.consequent);
  draft.changeStatement("unguarded", node, then);
  if (node.alternate !== null) {
    const start = node.consequent.end;
    draft.changeStatement("deletedElse", node, [{ start, end: node.end, text: "" }], node.alternate.start);
    draft.changeStatement(
      "droppedElse",
      node,
      `${closed(`if (${draft.text(present(node.test))}) ${then}`)} ${draft.text(node.alternate)}`,
    );
  } else {
    draft.changeStatement("deletedStatement", node, nothing(draft, site));
    if (next?.type === "IfStatement") {
      const both = { start: node.start, end: next.end } as Node;
      draft.changeStatement("addedElse", both, [{ start: next.start, end: next.start, text: "else " }], next.start);
    }
  }
}

/** At most this many variables are set anew at one place. */
const most = 3;

/** Missing code between the statements of functions. */
export function proposeInsertions(draft: Draft, position: InsertionPoint): void {
  const { offset, next, previous, inLoop, scope, function: owner } = position;
  if (owner.node.type === "Program") return;
  const lines = [...new Set([next, previous].flatMap((node) => (node === null ? [] : [draft.line(node.start)])))];
  if (lines.length === 0) return;
  // Behind a jump nothing runs.
  if (previous !== null && /^(Return|Break|Continue|Throw)/.test(previous.type)) return;
  if (inLoop) {
    draft.insert("insertedJump", offset, "break;", lines);
    draft.insert("insertedJump", offset, "continue;", lines);
  }
  const names = localNames(scope, offset);
  const starts = names.filter(
    ({ kind, init }) =>
      (kind === "let" || kind === "var") &&
      init !== null &&
      /^(\[\]|''|""|``|-?\d+|true|false|null|\{\})$/.test(draft.text(init)),
  );
  for (const { name, init } of starts.slice(0, most)) {
    draft.insert("insertedReset", offset, `${name} = ${draft.text(present(init))};`, lines);
    if (/^-?\d+$/.test(draft.text(present(init)))) {
      draft.insert("insertedUpdate", offset, `${name}++;`, lines);
      draft.insert("insertedUpdate", offset, `${name}--;`, lines);
    }
  }
  for (const { name } of names.filter(({ kind }) => kind !== "function").slice(0, most))
    draft.insert("insertedReturn", offset, `return ${name};`, lines);
  for (const text of ["return;", "return true;", "return false;"])
    if (next !== null) draft.insert("insertedReturn", offset, text, lines);
}
