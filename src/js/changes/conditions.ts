import { present } from "../../base/checked.ts";
import { children, type Node } from "../recorder/syntax.ts";
import { type Draft, put } from "./draft.ts";
import { type ExpressionSite, localNames } from "./sites.ts";

/** At most this many other conditions are combined with one. */
const most = 5;
const longestAtom = 60;

/** Changes of a condition of a statement or of `?:`. */
export function proposeConditions(draft: Draft, site: ExpressionSite): void {
  const { node, role, scope } = site;
  if (role !== "condition" || node.type === "Literal") return;
  const whole = draft.operand(node);
  const isEquality = node.type === "BinaryExpression" && /^[!=]==?$/.test(node.operator);
  if (!isEquality && node.operator !== "!") put(draft, "negatedCondition", site, `!${whole}`);
  for (const now of ["true", "false"]) put(draft, "constantCondition", site, now);
  if (node.end - node.start > 200) return;
  const known = new Set(localNames(scope, node.start).map(({ name }) => name));
  for (const atom of atomsNear(draft, site, known)) {
    for (const [operator, kind] of [
      ["&&", "addedCondition"],
      ["||", "addedCondition"],
    ] as const) {
      put(draft, kind, site, `${whole} ${operator} ${atom}`);
      put(draft, "addedRichCondition", site, `${whole} ${operator} !${atom.startsWith("(") ? atom : `(${atom})`}`);
    }
    put(draft, "otherCondition", site, atom);
  }
  const mentioned = namesIn(node).filter((name) => known.has(name));
  const rest = [...known].filter((name) => !mentioned.includes(name)).slice(0, 3);
  for (const name of [...new Set(mentioned)].slice(0, 3)) {
    put(draft, "addedRichCondition", site, `${whole} && ${name} != null`);
    put(draft, "addedRichCondition", site, `${whole} || ${name} == null`);
  }
  for (const name of rest) {
    for (const text of [`&& ${name}`, `&& !${name}`, `|| ${name}`, `|| !${name}`])
      put(draft, "addedRichCondition", site, `${whole} ${text}`);
  }
}

/** Other conditions of the function whose variables are visible here, nearest first. */
function atomsNear(
  draft: Draft,
  { node, function: owner }: ExpressionSite,
  known: ReadonlySet<string>,
): readonly string[] {
  const own = draft.text(node);
  const near = owner.conditions
    .filter((each) => each.end - each.start < longestAtom && !hasEffect(each) && !own.includes(draft.text(each)))
    .filter((each) => namesIn(each).every((name) => known.has(name) || !isOwnName(owner.node, name)))
    .toSorted((a, b) => Math.abs(a.start - node.start) - Math.abs(b.start - node.start));
  return [...new Set(near.map(draft.operand))].slice(0, most);
}

/** True if the function declares the name somewhere. */
function isOwnName(owner: Node, name: string): boolean {
  const visit = (node: Node): boolean => {
    if (node.type === "VariableDeclarator" && namesIn(present(node.id)).includes(name)) return true;
    return children(node).some(visit);
  };
  return (owner.params ?? []).some((param) => namesIn(param).includes(name)) || visit(owner);
}

function namesIn(node: Node): readonly string[] {
  if (node.type === "Identifier") return [node.name];
  if (node.type === "MemberExpression" && !node.computed) return namesIn(node.object);
  return children(node).flatMap(namesIn);
}

function hasEffect(node: Node): boolean {
  if (/^(Assignment|Update|Await|Yield|Function|ArrowFunction)/.test(node.type)) return true;
  return children(node).some(hasEffect);
}
