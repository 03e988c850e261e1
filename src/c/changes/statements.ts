import type { Statement } from "../ast.ts";
import { type Draft, insertion, operatorBetween } from "./draft.ts";
import { endOf, type FunctionSites, type StatementSite, startOf } from "./sites.ts";
import { plus } from "./values.ts";

export function proposeStatements(draft: Draft, sites: FunctionSites): void {
  for (const site of sites.statements) {
    if (!site.executed || site.node.kind === "empty") continue;
    if (site.node.kind === "case" || site.node.kind === "default" || site.node.kind === "label") continue;
    deleteStatement(draft, site);
    changeControl(draft, site);
    swapWithNext(draft, site);
    moveStatement(draft, sites, site);
  }
}

function deleteStatement(draft: Draft, { node, inBlock }: StatementSite): void {
  draft.add("deletedStatement", node.range.line, [draft.replace(node, inBlock ? "" : ";")]);
}

function changeControl(draft: Draft, site: StatementSite): void {
  const { node, next, inBlock } = site;
  const { file } = draft.sites;
  const { line } = node.range;
  const start = startOf(file, node.range);
  const word = (text: string, now: string) =>
    file.text.startsWith(text, start) ? [{ start, end: start + text.length, text: now }] : [];
  switch (node.kind) {
    case "if": {
      const then = startOf(file, node.then.range);
      const end = endOf(file, node.then.range);
      const rest = node.else === null ? [] : [{ start: end, end: endOf(file, node.else.range), text: "" }];
      draft.add("unguarded", line, [{ start, end: then, text: "" }, ...rest]);
      draft.add("ifToWhile", line, word("if", "while"));
      if (node.else !== null) {
        const other = node.else.range;
        draft.add("droppedElse", other.line, [{ start: end, end: startOf(file, other), text: " " }]);
        draft.add("deletedElse", other.line, [{ start: end, end: endOf(file, other), text: "" }]);
      } else if (next !== null && inBlock) {
        const at = startOf(file, next.range);
        draft.add("addedElse", [next.range.line, node.range.endLine], [{ start: at, end: at, text: "else " }]);
      }
      return;
    }
    case "for":
      return shiftLoop(draft, node);
    case "while":
      return draft.add("whileToIf", line, word("while", "if"));
    case "break":
    case "continue":
      draft.add("otherJump", line, [draft.replace(node, node.kind === "break" ? "continue;" : "break;")]);
      return draft.add("otherJump", line, [draft.replace(node, "return 0;")]);
    default:
      return;
  }
}

/** `for (i = 0; i < n; …)` and `for (i = 1; i <= n; …)` are mistaken for each other. */
function shiftLoop(draft: Draft, node: Statement & { readonly kind: "for" }): void {
  const { init, condition } = node;
  const start = init?.kind === "declaration" ? init.declarators[0]?.initializer : init;
  const first = start?.kind === "expression" ? start.value : start?.kind === "assignment" ? start.right : null;
  if (first?.kind !== "number" || condition?.kind !== "binary") return;
  const place = operatorBetween(draft, condition.left, condition.right, condition.operator);
  const shift =
    condition.operator === "<" ? { by: 1, to: "<=" } : condition.operator === "<=" ? { by: -1, to: "<" } : null;
  if (place === null || shift === null) return;
  draft.add("shiftedLoop", node.range.line, [
    draft.replace(first, plus(first.text, shift.by)),
    { ...place, text: shift.to },
  ]);
}

function swapWithNext(draft: Draft, { node, next, inBlock }: StatementSite): void {
  if (next === null || !inBlock) return;
  draft.add(
    "swappedStatements",
    [node.range.line, next.range.line],
    [draft.replace(node, draft.text(next)), draft.replace(next, draft.text(node))],
  );
}

/** A statement is moved at most this many places. */
const farthest = 8;
const longestMoved = 400;

function moveStatement(draft: Draft, { positions }: FunctionSites, { node, inBlock }: StatementSite): void {
  const { file } = draft.sites;
  const text = draft.text(node);
  if (text.length >= longestMoved) return;
  const [start, end] = [startOf(file, node.range), endOf(file, node.range)];
  const offset = (i: number) => {
    const at = positions[i]?.at;
    return at === undefined ? -1 : at.kind === "offset" ? at.offset : startOf(file, at.statement.range);
  };
  const own = positions.findIndex((_, i) => offset(i) >= start);
  for (let i = Math.max(0, own - farthest); i <= own + farthest; i++) {
    const position = positions[i];
    if (position === undefined || (offset(i) >= start && offset(i) <= end)) continue;
    if (position.at.kind !== "offset") {
      const { range } = position.at.statement;
      if (startOf(file, range) <= start && endOf(file, range) >= end) continue;
    }
    draft.add(
      "movedStatement",
      [node.range.line, ...position.lines],
      [{ start, end, text: inBlock ? "" : ";" }, ...insertion(draft, position, text)],
    );
  }
}
