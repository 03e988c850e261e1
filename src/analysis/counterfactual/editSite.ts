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

/** The changed program, for edits that are no variation of the usual one: it has to be compiled. */
export function rewrittenBy(edit: Edit, program: Program): Program | null {
  if (edit.kind === "connective") return edit.connective.rewritten(program);
  return edit.kind === "arguments" ? edit.swap.rewritten(program) : null;
}
