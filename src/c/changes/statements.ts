import { tokenCount } from "../../base/text.ts";
import type { ChangeKind } from "../../changes/kinds.ts";
import type { Statement } from "../ast.ts";
import type { AtomsAt } from "./conditions.ts";
import {
  type ChangeDraft,
  evenly,
  insertion,
  isSimpleStatement,
  isVisible,
  namesIn,
  numericNames,
  operatorBetween,
} from "./draft.ts";
import {
  type CoarseType,
  endOf,
  type FunctionPlaces,
  type InsertionPlace,
  isNumeric,
  type NameScope,
  namesWithin,
  type StatementPlace,
  sameShape,
  startOf,
  visibleNames,
} from "./sites.ts";
import { plus } from "./values.ts";

export function proposeStatements(draft: ChangeDraft, sites: FunctionPlaces, expectedWords: readonly string[]): void {
  for (const site of sites.statements) {
    if (!site.executed || site.node.kind === "empty") continue;
    if (site.node.kind === "case" || site.node.kind === "default" || site.node.kind === "label") continue;
    deleteStatement(draft, site);
    changeControl(draft, site, expectedWords);
    swapWithNext(draft, site);
    moveStatement(draft, sites, site);
  }
}

function deleteStatement(draft: ChangeDraft, { node, next, inBlock }: StatementPlace): void {
  draft.add("deletedStatement", node.range.line, [draft.replace(node, inBlock ? "" : ";")]);
  // Output that was meant for its author has often several lines.
  const isOutput = (each: Statement) => /^(printf|puts)\b/.test(draft.text(each));
  if (inBlock && next !== null && isOutput(node) && isOutput(next))
    draft.add("deletedStatement", node.range.line, [draft.replace(node, ""), draft.replace(next, "")]);
}

function changeControl(draft: ChangeDraft, site: StatementPlace, expectedWords: readonly string[]): void {
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
      if (node.else === null) addElse(draft, node, end, expectedWords);
      return;
    }
    case "for":
      return shiftLoop(draft, node, site.scope);
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

/** What the branch writes is reset in the other case; if it prints, the other case prints what is expected. */
function addElse(
  draft: ChangeDraft,
  { then, range }: Statement & { readonly kind: "if" },
  end: number,
  expectedWords: readonly string[],
): void {
  if (/\b(printf|puts|putchar)\b/.test(draft.text(then))) {
    for (const word of expectedWords)
      draft.add("insertedElse", range.endLine, [{ start: end, end, text: ` else printf("${word}");` }]);
  }
  const statements = then.kind === "block" ? then.items : [then];
  const targets = statements.flatMap((each) =>
    each.kind === "expressionStatement" && each.expression.kind === "assignment"
      ? [draft.text(each.expression.left)]
      : each.kind === "expressionStatement" && each.expression.kind === "increment"
        ? [draft.text(each.expression.operand)]
        : [],
  );
  for (const target of new Set(targets)) {
    for (const value of ["0", "1", "-1"])
      draft.add("insertedElse", range.endLine, [{ start: end, end, text: ` else ${target} = ${value};` }]);
    for (const update of ["++", "--"])
      draft.add("insertedElse", range.endLine, [{ start: end, end, text: ` else ${target}${update};` }]);
  }
}

/** The operator and the start that belong together: `i = 0; i < n` and `i = 1; i <= n`, `i = n; i > 0` and `i = n - 1; i >= 0`. */
const shifts: Readonly<Record<string, { readonly by: number; readonly to: string }>> = {
  "<": { by: 1, to: "<=" },
  "<=": { by: -1, to: "<" },
  ">": { by: -1, to: ">=" },
  ">=": { by: 1, to: ">" },
};

/** The start and the bound of a loop are shifted together. */
function shiftLoop(draft: ChangeDraft, node: Statement & { readonly kind: "for" }, scope: NameScope): void {
  const { init, condition } = node;
  const start = init?.kind === "declaration" ? init.declarators[0]?.initializer : init;
  const first = start?.kind === "expression" ? start.value : start?.kind === "assignment" ? start.right : null;
  if (first == null || condition?.kind !== "binary") return;
  const place = operatorBetween(draft, condition.left, condition.right, condition.operator);
  const shift = shifts[condition.operator];
  if (place === null || shift === undefined) return;
  const { line } = node.range;
  draft.add("shiftedLoop", line, [
    draft.replace(first, plus(draft.operand(first), shift.by)),
    { ...place, text: shift.to },
  ]);
  // Both ends of the range are wrong.
  const bound = condition.right;
  const names = numericNames(scope).map(({ name }) => name);
  const isBound = (name: string) => !namesIn(draft.text(condition.left)).includes(name) && name !== draft.text(bound);
  const starts = [plus(draft.operand(first), 1), plus(draft.operand(first), -1), "0", "1"];
  for (const start of new Set(starts)) {
    if (start === draft.text(first)) continue;
    for (const name of names.filter(isBound).slice(0, mostBounds))
      draft.add("otherRange", line, [draft.replace(first, start), draft.replace(bound, name)]);
    for (const by of [1, -1])
      draft.add("otherRange", line, [
        draft.replace(first, start),
        draft.replace(bound, plus(draft.operand(bound), by)),
      ]);
  }
}

/** The number of other variables that a loop may end at. */
const mostBounds = 5;

function swapWithNext(draft: ChangeDraft, { node, next, inBlock }: StatementPlace): void {
  if (next === null || !inBlock) return;
  draft.add(
    "swappedStatements",
    [node.range.line, next.range.line],
    [draft.replace(node, draft.text(next)), draft.replace(next, draft.text(node))],
  );
}

/** A statement is moved at most this many places. */
const farthest = 8;
/** In tokens. */
const longestMoved = 160;

function moveStatement(draft: ChangeDraft, { positions }: FunctionPlaces, { node, inBlock }: StatementPlace): void {
  const { file } = draft.sites;
  const text = draft.text(node);
  if (tokenCount(text) >= longestMoved) return;
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

/** In tokens. */
const longestCopiedIf = 50;
const longestUpdate = 12;
/** Functions with more places get insertions at some of them, from the statements around. */
const mostPositions = 150;
const mostNear = 60;
/** The number of insertions of one kind in a function, before the final selection, and the least at one place. */
const mostInsertions = 300;
const leastAtPlace = 4;
/** The number of written array elements and fields that are changed at one place. */
const mostCells = 4;

/** Missing code: copies of near statements, jumps, assignments, each also under a condition. */
export function proposeInsertions(
  draft: ChangeDraft,
  sites: FunctionPlaces,
  atomsAt: AtomsAt,
  expectedWords: readonly string[],
): void {
  const owner = namesWithin(sites);
  const isCopied = sites.statements.filter(
    ({ node }) => isSimpleStatement(node) || (node.kind === "if" && tokenCount(draft.text(node)) < longestCopiedIf),
  );
  const targets = sites.expressions.flatMap(({ node, role }) =>
    role === "target" && (node.kind === "subscript" || node.kind === "member") ? [node] : [],
  );
  const written = [...new Map(targets.map((node) => [draft.text(node), node])).values()];
  const positions = evenly(
    sites.positions.filter(({ executed }) => executed),
    mostPositions,
  );
  const share = Math.max(leastAtPlace, Math.ceil(mostInsertions / Math.max(1, positions.length)));
  for (const [turn, position] of positions.entries()) {
    const offset =
      position.at.kind === "offset" ? position.at.offset : startOf(draft.sites.file, position.at.statement.range);
    const found = isCopied.findIndex(({ node }) => startOf(draft.sites.file, node.range) >= offset);
    const own = found === -1 ? isCopied.length : found;
    const around = Math.max(0, own - mostNear / 2);
    const near = isCopied
      .slice(around, around + mostNear)
      .map(({ node }, i) => ({ node, distance: Math.abs(around + i - own) }))
      .filter(({ node }) => isVisible(draft, node, owner, position.scope))
      .sort((a, b) => a.distance - b.distance);
    const copies = [...new Map(near.map(({ node }) => [draft.text(node), node])).values()];
    const some = <T>(list: readonly T[]) => evenly(list, share, turn);
    const cells = written.filter((node) => isVisible(draft, node, owner, position.scope)).map(draft.text);
    insertAt(draft, sites, position, some(copies), cells.slice(0, mostCells), some, atomsAt, expectedWords);
  }
}

/** Statements that leave a function, with results that its type allows. */
function returnsOf(fn: string, result: CoarseType | null, scope: NameScope): readonly string[] {
  if (result === null) return ["return"];
  // A program that returns something else has failed.
  if (fn === "main") return ["return 0"];
  const isPointer = result.depth > 0;
  if (!isPointer && !isNumeric(result)) return [];
  const names = isPointer ? visibleNames(scope).filter(({ type }) => sameShape(type, result)) : numericNames(scope);
  return ["0", ...(isPointer ? [] : ["1"]), ...names.map(({ name }) => name)].map((value) => `return ${value}`);
}

function insertAt(
  draft: ChangeDraft,
  { result, name: fn }: FunctionPlaces,
  position: InsertionPlace,
  copies: readonly FunctionPlaces["statements"][number]["node"][],
  cells: readonly string[],
  some: <T>(list: readonly T[]) => readonly T[],
  atomsAt: AtomsAt,
  expectedWords: readonly string[],
): void {
  const { scope, inLoop, lines } = position;
  const insert = (kind: ChangeKind, text: string) => draft.add(kind, lines, insertion(draft, position, text));
  for (const node of copies) {
    const kind =
      node.kind === "if" ? "insertedCopyOfIf" : node.kind === "expressionStatement" ? "insertedCopy" : "insertedJump";
    insert(kind, draft.text(node));
  }
  const names = numericNames(scope);
  const jumps = [...(inLoop ? ["break", "continue"] : []), ...returnsOf(fn, result, scope)];
  for (const jump of jumps) insert("insertedJump", `${jump};`);
  for (const { name } of names) {
    insert("insertedReset", `${name} = 0;`);
    for (const value of ["1", "-1"]) insert("insertedSmallValue", `${name} = ${value};`);
    for (const update of ["++", "--"]) insert("insertedUpdate", `${name}${update};`);
  }
  for (const cell of cells) {
    insert("insertedReset", `${cell} = 0;`);
    for (const update of ["++", "--"]) insert("insertedUpdate", `${cell}${update};`);
  }
  const pairs = names.flatMap(({ name }) =>
    names.flatMap((other) => (other.name === name ? [] : [[name, other.name]])),
  );
  for (const [name, other] of some(pairs)) {
    insert("insertedAssignment", `${name} = ${other};`);
    for (const operator of ["%=", "+=", "-=", "*="]) insert("insertedCombination", `${name} ${operator} ${other};`);
    for (const operator of ["<", ">"])
      insert("insertedMinMax", `if (${name} ${operator} ${other}) ${name} = ${other};`);
  }
  for (const { name, type } of visibleNames(scope)) {
    if (type.isArray) insert("insertedReset", `memset(${name}, 0, sizeof ${name});`);
  }
  const words = expectedWords.map((word) => `printf("${word}");`);
  for (const output of ['printf("\\n");', 'printf(" ");', "getchar();", ...words]) insert("insertedOutput", output);
  const texts = copies.filter(({ kind }) => kind === "expressionStatement").map(draft.text);
  const outputs = [
    ...texts.filter((text) => /^(printf|puts)\s*\(\s*"[^%]*"/.test(text)).slice(0, 3),
    ...words.slice(0, 1),
  ];
  const isUpdate = (text: string) => /^[\w[\]]+(\+\+|--|\s*[-+]?=[^=].*);$/.test(text);
  const updates = texts.filter((text) => isUpdate(text) && tokenCount(text) <= longestUpdate).slice(0, 6);
  for (const atom of some(atomsAt(scope).plain)) {
    for (const jump of jumps) insert("insertedGuardedJump", `if (${atom}) ${jump}`);
    for (const output of outputs) insert("insertedGuardedOutput", `if (${atom}) { ${output} ${jumps.at(-1)} }`);
    for (const update of updates) insert("insertedGuardedCopy", `if (${atom}) ${update}`);
  }
}
