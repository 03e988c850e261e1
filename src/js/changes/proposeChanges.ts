import { changeKinds } from "../../changes/kinds.ts";
import { type Node, parseSource } from "../recorder/syntax.ts";
import { proposeCalls } from "./calls.ts";
import { proposeConditions } from "./conditions.ts";
import { proposeCopies, snippetsOf } from "./copies.ts";
import { type JsFile, newDraft, type Proposal } from "./draft.ts";
import { proposeOperators } from "./operators.ts";
import { poolOf } from "./pool.ts";
import { type Sites, sitesOf } from "./sites.ts";
import { proposeInsertions, proposeStatements } from "./statements.ts";
import { proposeValues } from "./values.ts";

/** A file that parses, with the places for changes. */
export type SourceToChange = JsFile & { readonly program: Node; readonly sites: Sites };

/** Null if the text is no program. */
export function readSites(file: JsFile): SourceToChange | null {
  for (const kind of ["module", "commonjs"] as const) {
    const parsed = parseSource(file.path, file.text, kind);
    if (parsed.kind === "parsed") return { ...file, program: parsed.program, sites: sitesOf(parsed.program) };
  }
  return null;
}

/** Small changes in some functions of a file, given by their offsets; 0 is the module itself. By stage. */
export function proposeChanges(
  { program, sites, ...file }: SourceToChange,
  functions: ReadonlySet<number>,
): readonly Proposal[] {
  const draft = newDraft(file);
  const pool = poolOf(program, draft.text);
  const isWanted = (site: { readonly function: { readonly start: number } }) => functions.has(site.function.start);
  for (const site of sites.expressions.filter(isWanted)) {
    proposeOperators(draft, site);
    proposeConditions(draft, site);
    proposeCalls(draft, site, pool);
    proposeValues(draft, site, pool);
  }
  for (const site of sites.statements.filter(isWanted)) proposeStatements(draft, site);
  const snippets = snippetsOf(sites.statements, draft.text);
  for (const position of sites.positions.filter(isWanted)) {
    proposeInsertions(draft, position);
    proposeCopies(draft, position, snippets);
  }
  const stage = ({ change }: Proposal) => changeKinds[change.kind].stage;
  return draft.proposals().toSorted((a, b) => stage(a) - stage(b));
}
