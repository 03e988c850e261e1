import { present } from "../../base/checked.ts";
import { children, isFunction, type Node } from "../../js/recorder/syntax.ts";

/** Whether a condition is the test of a branch, one side of which does nothing but throw. */
export function otherWayThrows(fn: Node, point: Node): boolean {
  let found = false;
  const visit = (node: Node): void => {
    if (node.type === "IfStatement" && contains(present(node.test), point))
      found ||= throws(node.consequent) || (node.alternate !== null && throws(node.alternate));
    for (const child of children(node)) if (!isFunction(child)) visit(child);
  };
  visit(fn.body);
  return found;
}

function contains(node: Node, point: Node): boolean {
  return node.start <= point.start && point.end <= node.end;
}

function throws(statement: Node): boolean {
  if (statement.type === "BlockStatement") return statement.body.length > 0 && throws(present(statement.body.at(-1)));
  return statement.type === "ThrowStatement";
}
