import type { ChangeKind } from "../../changes/kinds.ts";
import { type AtomsAt, evenly } from "./conditions.ts";
import { type Draft, insertion, isSimpleStatement, isVisible, numericNames } from "./draft.ts";
import { visibleNames } from "./scope.ts";
import { type FunctionSites, type Position, startOf } from "./sites.ts";

const longestCopiedIf = 120;
/** The number of insertions of one kind in a function, before the final selection, and the least at one place. */
const mostInsertions = 300;
const leastAtPlace = 4;

/** Missing code: copies of near statements, jumps, assignments, each also under a condition. */
export function proposeInsertions(
  draft: Draft,
  sites: FunctionSites,
  atomsAt: AtomsAt,
  expectedWords: readonly string[],
): void {
  const owner = new Set(sites.expressions.flatMap(({ scope }) => visibleNames(scope).map(({ name }) => name)));
  const isCopied = sites.statements.filter(
    ({ node }) => isSimpleStatement(node) || (node.kind === "if" && draft.text(node).length < longestCopiedIf),
  );
  const positions = sites.positions.filter(({ executed }) => executed);
  const share = Math.max(leastAtPlace, Math.ceil(mostInsertions / Math.max(1, positions.length)));
  for (const [turn, position] of positions.entries()) {
    const offset =
      position.at.kind === "offset" ? position.at.offset : startOf(draft.sites.file, position.at.statement.range);
    const distance = (node: { readonly range: Parameters<typeof startOf>[1] }) =>
      Math.abs(startOf(draft.sites.file, node.range) - offset);
    const near = isCopied
      .map(({ node }) => node)
      .filter((node) => isVisible(draft, node, owner, position.scope))
      .sort((a, b) => distance(a) - distance(b));
    const copies = [...new Map(near.map((node) => [draft.text(node), node])).values()];
    const some = <T>(list: readonly T[]) => evenly(list, share, turn);
    insertAt(draft, sites, position, some(copies), some, atomsAt, expectedWords);
  }
}

function insertAt(
  draft: Draft,
  { returnsValue }: FunctionSites,
  position: Position,
  copies: readonly FunctionSites["statements"][number]["node"][],
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
  const jumps = [...(inLoop ? ["break;", "continue;"] : []), ...(returnsValue ? ["return 0;"] : ["return;"])];
  for (const jump of [...jumps, ...(returnsValue ? ["return 1;"] : [])]) insert("insertedJump", jump);
  const names = numericNames(scope);
  if (returnsValue) for (const { name } of names) insert("insertedJump", `return ${name};`);
  for (const { name } of names) {
    insert("insertedReset", `${name} = 0;`);
    for (const value of ["1", "-1"]) insert("insertedSmallValue", `${name} = ${value};`);
    for (const update of ["++", "--"]) insert("insertedUpdate", `${name}${update};`);
  }
  const pairs = names.flatMap(({ name }) =>
    names.flatMap((other) => (other.name === name ? [] : [[name, other.name]])),
  );
  for (const [name, other] of some(pairs)) {
    insert("insertedAssignment", `${name} = ${other};`);
    for (const operator of ["<", ">"])
      insert("insertedMinMax", `if (${name} ${operator} ${other}) ${name} = ${other};`);
  }
  for (const { name, type } of visibleNames(scope)) {
    if (type.isArray) insert("insertedReset", `memset(${name}, 0, sizeof ${name});`);
  }
  const words = expectedWords.map((word) => `printf("${word}");`);
  for (const output of ['printf("\\n");', 'printf(" ");', "getchar();", ...words]) insert("insertedOutput", output);
  const texts = copies.filter(({ kind }) => kind === "expressionStatement").map(draft.text);
  const outputs = texts.filter((text) => /^(printf|puts)\s*\(\s*"[^%]*"/.test(text)).slice(0, 3);
  const updates = texts.filter((text) => /^[\w[\]]+(\+\+|--|\s*[-+]?=[^=].{0,20});$/.test(text)).slice(0, 6);
  for (const atom of some(atomsAt(scope).plain)) {
    for (const jump of jumps) insert("insertedGuardedJump", `if (${atom}) ${jump}`);
    for (const output of outputs) insert("insertedGuardedOutput", `if (${atom}) { ${output} ${jumps.at(-1)} }`);
    for (const update of updates) insert("insertedGuardedCopy", `if (${atom}) ${update}`);
  }
}
