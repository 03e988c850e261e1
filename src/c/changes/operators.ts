import type { Expr } from "../ast.ts";
import { type ChangeDraft, isEnclosed, operatorBetween, oppositeOf } from "./draft.ts";
import { type ExpressionPlace, endOf, isComparison, startOf } from "./sites.ts";

const groups: readonly (readonly string[])[] = [
  ["<", "<=", ">", ">=", "==", "!="],
  ["+", "-", "*", "/", "%"],
  ["&&", "||"],
  ["&", "|", "^", "<<", ">>"],
];

export function proposeOperators(draft: ChangeDraft, site: ExpressionPlace): void {
  switch (site.node.kind) {
    case "binary":
      return changeBinary(draft, site.node, site);
    case "assignment":
      return changeAssignment(draft, site.node, site);
    case "increment":
      return changeUpdate(draft, site.node, site);
    case "unary":
      if (site.node.operator === "&" || site.node.operator === "*") return;
      return draft.add("droppedUnary", site.node.range.line, [draft.replace(site.node, draft.text(site.node.operand))]);
    case "cast":
      return draft.add("droppedCast", site.node.range.line, [
        draft.replace(site.node, draft.operand(site.node.operand)),
      ]);
    default:
      return;
  }
}

type Binary = Expr & { readonly kind: "binary" };

function kindOf(from: string, to: string) {
  if (isComparison(from)) {
    if (oppositeOf(from) === to) return "oppositeComparison";
    return /^[<>]/.test(from) && from[0] === to[0] ? "boundary" : "comparison";
  }
  if (groups[1]?.includes(from)) return "arithmetic";
  return from === "&&" || from === "||" ? "connective" : "bitwise";
}

function changeBinary(draft: ChangeDraft, node: Binary, { parent, role }: ExpressionPlace): void {
  const { operator, left, right } = node;
  const place = operatorBetween(draft, left, right, operator);
  if (place === null) return;
  const { line } = place;
  const put = (text: string) => [{ ...place, text }];
  const whole = (text: string) => [draft.replace(node, text)];
  const [a, b] = [draft.operand(left), draft.operand(right)];
  const [first, last] = isEnclosed(draft.text(node)) ? ["(", ")"] : ["", ""];
  for (const other of groups.find((group) => group.includes(operator)) ?? []) {
    if (other === operator) continue;
    draft.add(kindOf(operator, other), line, put(other));
    // An operator that binds otherwise may have been meant for the same operands.
    const same = `${a} ${other} ${b}`;
    if (a !== draft.text(left) || b !== draft.text(right))
      draft.add(kindOf(operator, other), line, whole(`${first}${same}${last}`));
  }
  if (operator === "&" || operator === "|") draft.add("bitwise", line, put(operator + operator));
  if (operator === "==") {
    draft.add("equalsOrAssigns", line, put("="));
    if (left.kind !== "number" && right.kind !== "number" && right.kind !== "character")
      draft.add("divisible", line, whole(`${first}${a} % ${b} == 0${last}`));
  }
  // `a[i] != a[j]` compares elements; `i != j` may have been meant.
  if (isComparison(operator) && left.kind === "subscript" && right.kind === "subscript") {
    const [i, j] = [draft.operand(left.index), draft.operand(right.index)];
    if (i !== j) draft.add("indexForElement", line, whole(`${first}${i} ${operator} ${j}${last}`));
  }
  // `i + 2` as a statement does nothing; `i += 2` was meant.
  if (role === "discarded" && groups[1]?.includes(operator)) draft.add("equalsOrAssigns", line, put(`${operator}=`));
  if (operator === "&&" || operator === "||") {
    draft.add("droppedConjunct", left.range.line, whole(draft.text(right)));
    draft.add("droppedConjunct", right.range.line, whole(draft.text(left)));
  } else if (!isComparison(operator)) {
    draft.add("droppedOperand", node.range.line, whole(a));
    draft.add("droppedOperand", node.range.line, whole(b));
  }
  if (/^([-/%]|[<>]=?)$/.test(operator)) {
    draft.add("swappedOperands", node.range.line, whole(`${first}${b} ${operator} ${a}${last}`));
  }
  regroup(draft, node, parent);
  if (/^([-+*]|<<)$/.test(operator)) draft.add("widerCast", line, [draft.replace(left, `(long long)${a}`)]);
  if (operator === "/") {
    draft.add("floatingCast", line, [draft.replace(left, `(double)${a}`)]);
    draft.add("roundedUp", line, whole(`((${a} + ${b} - 1) / ${b})`));
  }
  if (operator === "%") draft.add("positiveRemainder", line, whole(`((${a} % ${b} + ${b}) % ${b})`));
}

/** `(a + b) * c` and `a + b * c`. */
function regroup(draft: ChangeDraft, node: Binary, parent: Expr | null): void {
  const { left, right, operator } = node;
  if (parent?.kind !== "binary") return;
  const [a, b] = [draft.operand(left), draft.operand(right)];
  const text =
    parent.left === node
      ? `${a} ${operator} (${b} ${parent.operator} ${draft.operand(parent.right)})`
      : `(${draft.operand(parent.left)} ${parent.operator} ${a}) ${operator} ${b}`;
  const [first, last] = isEnclosed(draft.text(parent)) ? ["(", ")"] : ["", ""];
  draft.add("regrouped", parent.range.line, [draft.replace(parent, `${first}${text}${last}`)]);
  const own = draft.text(node);
  if (own.startsWith("(") && own.endsWith(")")) {
    draft.add("regrouped", node.range.line, [draft.replace(node, own.slice(1, -1))]);
  }
}

function changeAssignment(
  draft: ChangeDraft,
  node: Expr & { readonly kind: "assignment" },
  { role }: ExpressionPlace,
): void {
  const operator = `${node.operator ?? ""}=`;
  const place = operatorBetween(draft, node.left, node.right, operator);
  if (place === null) return;
  for (const other of ["=", "+=", "-=", "*=", "/=", "%="]) {
    if (other !== operator) draft.add("assignmentOperator", place.line, [{ ...place, text: other }]);
  }
  if (operator === "=" && role !== "discarded") draft.add("equalsOrAssigns", place.line, [{ ...place, text: "==" }]);
}

function changeUpdate(
  draft: ChangeDraft,
  node: Expr & { readonly kind: "increment" },
  { role }: ExpressionPlace,
): void {
  const { operand, operator, prefix } = node;
  const { file } = draft.sites;
  const { line } = node.range;
  const text = draft.text(operand);
  const other = operator === "++" ? "--" : "++";
  const isWritten = prefix
    ? file.text.startsWith(operator, startOf(file, node.range))
    : file.text.slice(0, endOf(file, node.range)).endsWith(operator);
  if (!isWritten) return;
  draft.add("updateDirection", line, [draft.replace(node, prefix ? `${other}${text}` : `${text}${other}`)]);
  if (role === "discarded") {
    draft.add("updateStep", line, [draft.replace(node, `${text} ${operator[0]}= 2`)]);
    return;
  }
  draft.add("updatePosition", line, [draft.replace(node, prefix ? `${text}${operator}` : `${operator}${text}`)]);
  draft.add("droppedUpdate", line, [draft.replace(node, text)]);
}
