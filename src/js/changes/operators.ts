import { present } from "../../base/checked.ts";
import type { ChangeKind } from "../../changes/kinds.ts";
import type { Node } from "../recorder/syntax.ts";
import { type Draft, operatorBetween, put } from "./draft.ts";
import { type ExpressionSite, isComparison } from "./sites.ts";

const boundaries: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const opposites: Readonly<Record<string, string>> = {
  ...{ "<": ">=", "<=": ">", ">": "<=", ">=": "<" },
  ...{ "==": "!=", "!=": "==", "===": "!==", "!==": "===" },
};
const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const arithmetic: Readonly<Record<string, readonly string[]>> = {
  ...{ "+": ["-", "*", "%", "/"], "-": ["+", "*", "%", "/"], "*": ["+", "/", "-", "**"] },
  ...{ "/": ["*", "%", "-", "+"], "%": ["/", "*", "-", "+"], "**": ["*"] },
};
const bitwise: Readonly<Record<string, readonly string[]>> = {
  ...{ "&": ["|", "^"], "|": ["&", "^"], "^": ["|", "&"], "<<": [">>"], ">>": ["<<", ">>>"], ">>>": [">>"] },
};
const connectives: Readonly<Record<string, readonly string[]>> = {
  ...{ "&&": ["||"], "||": ["&&", "??"], "??": ["||"] },
};
const assignments: Readonly<Record<string, readonly string[]>> = {
  ...{ "=": ["+="], "+=": ["-=", "=", "*="], "-=": ["+=", "="], "*=": ["/=", "+=", "="], "/=": ["*=", "="] },
  ...{ "%=": ["=", "/="], "||=": ["??=", "&&=", "="], "??=": ["||=", "="], "&&=": ["||="], "|=": ["&=", "="] },
  ...{ "&=": ["|="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="], ">>>=": [">>="], "**=": ["*="] },
};

export function proposeOperators(draft: Draft, site: ExpressionSite): void {
  const { node } = site;
  switch (node.type) {
    case "BinaryExpression":
      return changeBinary(draft, site);
    case "LogicalExpression":
      return changeLogical(draft, site);
    case "UnaryExpression":
      return changeUnary(draft, site);
    case "UpdateExpression":
      return changeUpdate(draft, site);
    case "AssignmentExpression":
      for (const now of assignments[node.operator] ?? []) {
        if (now !== "=" && (/Pattern$/.test(node.left.type) || isPlainStart(node.right))) continue;
        otherOperator(draft, "assignmentOperator", site, now);
      }
      return;
    case "ConditionalExpression": {
      const [then, otherwise] = [draft.text(node.consequent), draft.text(present(node.alternate))];
      put(draft, "conditionalBranch", site, then);
      put(draft, "conditionalBranch", site, otherwise);
      put(
        draft,
        "conditionalBranch",
        site,
        `${draft.operand(present(node.test))} ? ${draft.operand(present(node.alternate))} : ${draft.operand(node.consequent)}`,
      );
    }
  }
}

/** A start value that nothing can be added to. */
function isPlainStart(node: Node): boolean {
  return (
    node.type === "ArrayExpression" || node.type === "ObjectExpression" || /^(true|false|null)$/.test(`${node.raw}`)
  );
}

function otherOperator(draft: Draft, kind: ChangeKind, site: ExpressionSite, now: string): void {
  const { node } = site;
  const edit = operatorBetween(draft, node.left, node.right, node.operator);
  if (edit === null) return;
  const isLower =
    strength(now) < strength(node.operator) && ["operand", "compared", "truth", "object"].includes(site.role);
  const around = isLower
    ? [
        { start: node.start, end: node.start, text: "(" },
        { start: node.end, end: node.end, text: ")" },
      ]
    : [];
  draft.change(kind, node, [...around, { ...edit, text: now }], edit.start);
}

/** How tightly a binary operator binds. */
function strength(operator: string): number {
  const levels = [["||", "??"], ["&&"], ["|"], ["^"], ["&"], ["=="], ["<"], ["<<", ">>", ">>>"], ["+", "-"]];
  if (operator === "**") return levels.length + 1;
  if (/^[!=]==?$/.test(operator)) return 5;
  if (isComparison(operator)) return 6;
  const found = levels.findIndex((level) => level.includes(operator));
  return found === -1 ? levels.length : found;
}

function changeBinary(draft: Draft, site: ExpressionSite): void {
  const { node } = site;
  if (node.left.type === "PrivateIdentifier") return;
  const { operator } = node;
  const [left, right] = [draft.operand(node.left), draft.operand(node.right)];
  const boundary = boundaries[operator];
  if (boundary !== undefined) otherOperator(draft, "boundary", site, boundary);
  const opposite = opposites[operator];
  if (opposite !== undefined) otherOperator(draft, "oppositeComparison", site, opposite);
  const mirror = mirrored[operator];
  if (mirror !== undefined) otherOperator(draft, "comparison", site, mirror);
  if (/^[!=]==?$/.test(operator)) {
    for (const now of operator.startsWith("=") ? ["<=", ">=", ">", "<"] : ["<", ">"])
      otherOperator(draft, "comparison", site, now);
  }
  if (mirror !== undefined) otherOperator(draft, "comparison", site, "===");
  if (mirror !== undefined || /^[!=]==?$/.test(operator)) {
    for (const by of ["+ 1", "- 1"]) {
      const edit = { start: node.right.end, end: node.right.end, text: ` ${by}` };
      if (mirror !== undefined || isNumber(node.right) || node.right.type === "Identifier")
        draft.change("boundByOne", node, bindsAsSum(node.right) ? [edit] : `${left} ${operator} ${right} ${by}`);
    }
  }
  for (const now of arithmetic[operator] ?? []) otherOperator(draft, "arithmetic", site, now);
  for (const now of bitwise[operator] ?? []) otherOperator(draft, "bitwise", site, now);
  if (operator in arithmetic) {
    put(draft, "droppedOperand", site, draft.text(node.left), node.left.start);
    put(draft, "droppedOperand", site, draft.text(node.right), node.right.start);
    if (operator !== "*") put(draft, "swappedOperands", site, `${right} ${operator} ${left}`);
    for (const by of ["+ 1", "- 1"]) put(draft, "valueByOne", site, `${draft.text(node)} ${by}`);
    if (operator !== "+") put(draft, "absolute", site, `Math.abs(${draft.text(node)})`);
    if (operator === "/") {
      put(draft, "roundedUp", site, `Math.floor(${draft.text(node)})`);
      put(draft, "roundedUp", site, `Math.ceil(${draft.text(node)})`);
    }
    for (const [inner, outer] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      if (inner.type !== "BinaryExpression" || !(inner.operator in arithmetic)) continue;
      const [a, b, c] = [draft.operand(inner.left), draft.operand(inner.right), draft.operand(outer)];
      const regrouped =
        inner === node.left
          ? `${a} ${inner.operator} (${b} ${operator} ${c})`
          : `(${c} ${operator} ${a}) ${inner.operator} ${b}`;
      put(draft, "regrouped", site, regrouped);
    }
  }
  if (operator === "in" || operator === "instanceof") put(draft, "negatedCondition", site, `!(${draft.text(node)})`);
}

function isNumber(node: Node): boolean {
  return node.type === "Literal" && /^[\d.]/.test(node.raw ?? "");
}

/** True if `x + 1` needs no parentheses around x. */
function bindsAsSum(node: Node): boolean {
  return /^(Identifier|Literal|MemberExpression|CallExpression)$/.test(node.type);
}

function changeLogical(draft: Draft, site: ExpressionSite): void {
  const { node } = site;
  for (const now of connectives[node.operator] ?? []) {
    // `??` beside another connective needs parentheses; a text that does not parse is dropped later.
    otherOperator(draft, "connective", site, now);
  }
  put(draft, "droppedConjunct", site, draft.text(node.left), node.right.start);
  put(draft, "droppedConjunct", site, draft.text(node.right), node.left.start);
  if (node.operator === "??") return;
  for (const part of [node.left, node.right]) {
    if (part.type === "BinaryExpression" || part.type === "LogicalExpression") continue;
    const negated = part.operator === "!" ? draft.text(present(part.argument)) : `!${draft.operand(part)}`;
    draft.change("negatedCondition", node, [{ start: part.start, end: part.end, text: negated }]);
  }
}

function changeUnary(draft: Draft, site: ExpressionSite): void {
  const { node } = site;
  if (!/^[-+~!]$/.test(node.operator)) return;
  put(draft, node.operator === "!" ? "negatedCondition" : "droppedUnary", site, draft.text(present(node.argument)));
}

function changeUpdate(draft: Draft, site: ExpressionSite): void {
  const { node, role } = site;
  const target = draft.text(present(node.argument));
  const now = node.operator === "++" ? "--" : "++";
  draft.change("updateDirection", node, node.prefix ? `${now}${target}` : `${target}${now}`);
  if (role === "discarded") {
    draft.change("updateStep", node, `${target} ${node.operator[0]}= 2`);
    return;
  }
  put(draft, "updatePosition", site, node.prefix ? `${target}${node.operator}` : `${node.operator}${target}`);
  put(draft, "droppedUpdate", site, target);
}
