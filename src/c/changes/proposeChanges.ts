import type { SourceFile } from "../../base/sourceFile.ts";
import type { Change } from "../../changes/change.ts";
import { type ChangeKind, changeKinds } from "../../changes/kinds.ts";
import type { ProposeOptions } from "../../frontEnd/frontEnd.ts";
import type { TranslationUnit } from "../ast.ts";
import { proposeCalls, proposeTexts } from "./calls.ts";
import { atomsOf, proposeConditions, proposeGuards } from "./conditions.ts";
import { proposeDeclarations } from "./declarations.ts";
import { evenly, newDraft } from "./draft.ts";
import { repeatChanges, swapVariables } from "./everywhere.ts";
import { proposeOperators } from "./operators.ts";
import { sitesOf } from "./sites.ts";
import { proposeInsertions, proposeStatements } from "./statements.ts";
import { proposeExpressions, proposeTerms, proposeValues, valuePool } from "./values.ts";

/** At most this many changes of one kind, by stage; more of those that name the fault most often. */
const mostOfStage = { 1: 400, 2: 160, 3: 80 } as const;
const mostOfKind: Partial<Readonly<Record<ChangeKind, number>>> = {
  otherVariable: 600,
  constantForVariable: 240,
  addedRichCondition: 160,
  otherRichCondition: 100,
  insertedGuardedOutput: 40,
  insertedOutput: 40,
};

/** Small changes of a file that the run executed, by stage. Not all of them compile. */
export function proposeChanges(file: SourceFile, tree: TranslationUnit, options: ProposeOptions): readonly Change[] {
  const sites = sitesOf(file, tree, options.executed);
  const { expectedWords = [] } = options;
  const draft = newDraft(sites);
  const groups = [sites.globals, ...sites.functions];
  const pool = valuePool(draft, groups);
  for (const { expressions } of groups) {
    for (const site of expressions) {
      if (!site.executed) continue;
      proposeOperators(draft, site);
      proposeValues(draft, site, pool);
      proposeTerms(draft, site);
      proposeCalls(draft, site);
    }
  }
  proposeTexts(draft, sites, expectedWords);
  proposeDeclarations(draft, sites);
  for (const fn of sites.functions) {
    const atomsAt = atomsOf(draft, fn, pool.numbers);
    proposeConditions(draft, fn, atomsAt);
    proposeStatements(draft, fn);
    proposeExpressions(draft, fn);
    proposeGuards(draft, fn, atomsAt);
    proposeInsertions(draft, fn, atomsAt, expectedWords);
  }
  for (const fn of sites.functions) swapVariables(draft, fn);
  repeatChanges(draft, groups);
  const byKind = draft.changes();
  return (Object.keys(changeKinds) as ChangeKind[]).flatMap((kind) =>
    evenly(byKind.get(kind) ?? [], mostOfKind[kind] ?? mostOfStage[changeKinds[kind].stage]),
  );
}
