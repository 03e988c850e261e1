import type { Edit } from "../../src/analyses/counterfactual/edit.ts";
import { assertNever } from "../../src/base/errors.ts";
import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { EditKind, ForbiddenEdit } from "./forbiddenEdits.ts";
import { type SourceText, sourceText } from "./sourceText.ts";

/** Which of the experiments' edits are not to be tried, for a mutant's forbidden edits and its text. */
export function forbidsOf(
  forbidden: readonly ForbiddenEdit[],
  text: string,
): (edit: Edit, range: SourceRange) => boolean {
  const source = sourceText(text);
  return (edit, range) => {
    const kind = editKind(edit, range, source);
    return forbidden.some((each) => each.edit === kind && (each.line === null || isOn(range, each.line)));
  };
}

function isOn({ line, endLine }: SourceRange, wanted: number): boolean {
  return line <= wanted && wanted <= endLine;
}

/** What an edit of the experiments is called here; null for one that undoes no kind of mutation. */
function editKind(edit: Edit, range: SourceRange, source: SourceText): EditKind | null {
  switch (edit.kind) {
    case "comparison":
    case "connective":
    case "variable":
    case "skip":
      return edit.kind;
    case "order":
    case "arguments":
      return "order";
    case "case":
      return "constant";
    case "truth":
      return edit.to === "negated" ? "negation" : null;
    case "operator":
      return changesDirection(range, source) ? "direction" : "arithmetic";
    case "constant":
      return changesDirection(range, source) ? "direction" : "constant";
    case "value":
      return edit.place.use === "index" ? "index" : "value";
    default:
      return assertNever(edit);
  }
}

/** `i++` is lowered to a sum, whose operator and constant stand where it does. */
function changesDirection(range: SourceRange, source: SourceText): boolean {
  return /\+\+|--|[+-]=/.test(source.at(range));
}
