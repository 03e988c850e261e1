import type { SourceStatement } from "../../ir/program.ts";
import { children, isFunction, type Node } from "../recorder/syntax.ts";
import type { RecordedFile } from "../replay/recordedFile.ts";

/** The statements of a function as a reader sees them, outer ones first. Those of functions inside of it are theirs. */
export function sourceStatements(file: RecordedFile, body: Node): readonly SourceStatement[] {
  const found: SourceStatement[] = [];
  const add = (kind: SourceStatement["kind"], node: Node, end: number): void => {
    found.push({ kind, range: file.rangeOf(node), head: file.rangeOf({ start: node.start, end }) });
  };
  const visit = (node: Node): void => {
    switch (node.type) {
      case "BlockStatement":
        return node.body.forEach(visit);
      case "IfStatement":
        add("if", node, (node.consequent as Node).start);
        visit(node.consequent as Node);
        return node.alternate === null ? undefined : visit(node.alternate);
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
      case "WhileStatement":
        add("loop", node, node.body.start);
        return visit(node.body);
      case "DoWhileStatement":
        found.push({
          kind: "loop",
          range: file.rangeOf(node),
          head: file.rangeOf({ start: node.body.end, end: node.end }),
        });
        return visit(node.body);
      case "SwitchStatement":
        add("switch", node, node.discriminant.end + 1);
        for (const one of node.cases) one.consequent.forEach(visit);
        return;
      case "TryStatement":
        visit(node.block);
        if (node.handler !== null) visit(node.handler.body);
        return node.finalizer === null ? undefined : visit(node.finalizer);
      case "LabeledStatement":
        return visit(node.body);
      case "ReturnStatement":
        return add("return", node, headEnd(node));
      case "VariableDeclaration":
        return add("declaration", node, headEnd(node));
      case "BreakStatement":
      case "ContinueStatement":
        return add("jump", node, node.end);
      default:
        if (!isFunction(node)) add("simple", node, headEnd(node));
    }
  };
  if (body.type === "BlockStatement") visit(body);
  else add("return", body, headEnd(body));
  return found;
}

/** The block of a function inside of a statement is not shown with it. */
function headEnd(node: Node): number {
  let end = node.end;
  const visit = (at: Node): void => {
    if (isFunction(at) && at.body.type === "BlockStatement") end = Math.min(end, at.body.start + 1);
    else children(at).forEach(visit);
  };
  visit(node);
  return end;
}
