import type { Expr, Statement } from "../ast.ts";
import {
  type Atoms,
  bare,
  type ChangeDraft,
  comparisonsIn,
  evenly,
  isSimpleStatement,
  isVisible,
  mentions,
  namesIn,
  numericNames,
  oppositeOf,
} from "./draft.ts";
import { type FunctionPlaces, type NameScope, namesWithin, type VisibleName, visibleNames } from "./sites.ts";

/** The conditions that may be added at a place of a function. */
export type AtomsAt = (scope: NameScope) => Atoms;

const smallTests = ["== 0", "!= 0", "> 0", "== 1", "> 1"];
const operators = ["==", "!=", "<", "<=", ">", ">="];
/** The number of conditions with one kind of change in a function, and the least at one place. */
const mostAtoms = 600;
const mostRichAtoms = 180;
const leastAtPlace = 8;
const leastRichAtPlace = 4;
/** At most this many constants are compared with each variable. */
const mostConstants = 8;

export function atomsOf(draft: ChangeDraft, sites: FunctionPlaces, numbers: readonly string[]): AtomsAt {
  const owner = namesWithin(sites);
  const comparisons = comparisonsIn(
    draft,
    sites.expressions.map(({ node }) => node),
  );
  const known = new Map<NameScope, Atoms>();
  return (scope) => {
    let atoms = known.get(scope);
    if (atoms === undefined) {
      const names = numericNames(scope);
      const own = comparisons
        .filter((node) => isVisible(draft, node, owner, scope))
        .flatMap((node) => [
          bare(draft.text(node)),
          `${draft.operand(node.left)} ${oppositeOf(node.operator)} ${draft.operand(node.right)}`,
        ]);
      const plain = [...new Set([...own, ...names.flatMap(({ name }) => smallTests.map((test) => `${name} ${test}`))])];
      const offered = new Set(plain);
      const rich = [...new Set(richAtoms(names, visibleNames(scope), numbers))].filter((atom) => !offered.has(atom));
      atoms = { plain, rich };
      known.set(scope, atoms);
    }
    return atoms;
  };
}

function richAtoms(
  names: readonly VisibleName[],
  visible: readonly VisibleName[],
  numbers: readonly string[],
): readonly string[] {
  const pairs = names.flatMap((first, i) =>
    names.slice(i + 1).flatMap((second) => operators.map((operator) => `${first.name} ${operator} ${second.name}`)),
  );
  const constants = numbers.filter((text) => text !== "0" && text !== "1").slice(0, mostConstants);
  const limits = names.flatMap(({ name }) =>
    constants.flatMap((constant) => ["==", "!=", "<", ">"].map((operator) => `${name} ${operator} ${constant}`)),
  );
  const signs = names.flatMap(({ name, type }) =>
    type.base === "integer" ? ["< 0", ">= 0", "% 2 == 0", "% 2 != 0"].map((test) => `${name} ${test}`) : [],
  );
  const indices = names.filter(({ type }) => type.base === "integer").slice(0, 5);
  const cells = visible
    .filter(({ type }) => type.depth === 1 && (type.base === "integer" || type.base === "character"))
    .flatMap((array) =>
      indices.flatMap((index) => ["== 0", "!= 0", "> 0", "< 0"].map((test) => `${array.name}[${index.name}] ${test}`)),
    );
  return [...pairs, ...signs, ...limits, ...cells];
}

export function proposeConditions(draft: ChangeDraft, sites: FunctionPlaces, atomsAt: AtomsAt): void {
  const conditions = sites.conditions.filter(
    ({ node, executed }) => executed && node.range.file === draft.sites.file.path,
  );
  const share = Math.max(leastRichAtPlace, Math.ceil(mostRichAtoms / Math.max(1, conditions.length)));
  for (const { node, scope } of conditions) {
    const { line } = node.range;
    const text = bare(draft.text(node));
    const put = (now: string) => [draft.replace(node, now)];
    const isCompared = node.kind === "binary" && operators.includes(node.operator);
    if (!isCompared) draft.add("negatedCondition", line, put(`!(${text})`));
    draft.add("constantCondition", line, put("1"));
    draft.add("constantCondition", line, put("0"));
    const atoms = atomsAt(scope);
    const whole = node.kind === "binary" && !operators.includes(node.operator) ? `(${text})` : text;
    for (const [list, added, other] of [
      [atoms.plain, "addedCondition", "otherCondition"],
      [atoms.rich, "addedRichCondition", "otherRichCondition"],
    ] as const) {
      for (const atom of list === atoms.plain ? list : closest(draft, list, node).slice(0, share)) {
        draft.add(added, line, put(`${whole} && ${atom}`));
        draft.add(added, line, put(`${whole} || ${atom}`));
        draft.add(other, line, put(atom));
      }
    }
  }
}

/** Statements that are executed only under a further condition. */
export function proposeGuards(draft: ChangeDraft, sites: FunctionPlaces, atomsAt: AtomsAt): void {
  const places = Math.max(1, sites.statements.length);
  const share = Math.max(leastAtPlace, Math.ceil(mostAtoms / places));
  const richShare = Math.max(leastRichAtPlace, Math.ceil(mostRichAtoms / places));
  for (const [turn, { node, executed, scope, inBlock }] of sites.statements.entries()) {
    if (!executed || node.kind === "empty" || node.kind === "case" || node.kind === "default" || node.kind === "label")
      continue;
    const atoms = atomsAt(scope);
    const { start, end } = draft.replace(node, "");
    // Without braces, an `else` that follows would belong to the new `if`.
    const [open, close] = inBlock ? ["", []] : ["{ ", [{ start: end, end, text: " }" }]];
    const add = (kind: "guarded" | "richlyGuarded", atom: string) =>
      draft.add(kind, node.range.line, [{ start, end: start, text: `${open}if (${atom}) ` }, ...close]);
    for (const atom of evenly(atoms.plain, share, turn)) add("guarded", atom);
    if (!isSimpleStatement(node)) continue;
    for (const atom of closest(draft, atoms.rich, node).slice(0, richShare)) add("richlyGuarded", atom);
  }
}

/** Conditions on the names that the place mentions come first. */
function closest(draft: ChangeDraft, atoms: readonly string[], node: Expr | Statement): readonly string[] {
  const own = new Set(mentions(draft, node));
  const others = (atom: string) => namesIn(atom).filter((name) => !own.has(name)).length;
  return atoms
    .map((atom) => ({ atom, others: others(atom) }))
    .sort((a, b) => a.others - b.others)
    .map(({ atom }) => atom);
}
