import type { SourceRange } from "../../base/sourceRange.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import type { Edit } from "./edit.ts";
import { rangeOfPlace } from "./executedPlaces.ts";

/** Where an edit changes the program. */
export type EditSite = {
  readonly function: Function;
  readonly edges: readonly Edge[];
  readonly range: SourceRange;
};

export function siteOfEdit(edit: Edit): EditSite {
  switch (edit.kind) {
    case "connective": {
      const { function: fn, left } = edit.connective;
      return { function: fn, edges: [left], range: left.range };
    }
    case "arguments": {
      const { function: fn, call, range } = edit.swap;
      return { function: fn, edges: [call], range };
    }
    default: {
      const { place } = edit;
      const edges = place.kind === "statement" ? place.edges : [place.edge];
      return { function: place.function, edges, range: rangeOfPlace(place) };
    }
  }
}

/** Edits that are no variation of one place: the changed program has to be compiled. */
export type Rewriting = Extract<Edit, { readonly kind: "connective" | "arguments" }>;

export function isRewriting(edit: Edit): edit is Rewriting {
  return edit.kind === "connective" || edit.kind === "arguments";
}

export function rewrittenBy(edit: Rewriting, program: Program): Program {
  return edit.kind === "connective" ? edit.connective.rewritten(program) : edit.swap.rewritten(program);
}
