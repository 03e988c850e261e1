import type { HeadInvariant } from "../../src/commands/verify/result.ts";
import type { PageData } from "../../src/render/page/pageData.ts";
import { contractsOf, inferReportOf } from "./results/contracts.ts";
import { formulaTexts, verifyReportOf } from "./results/verification.ts";

/** What the source shows above a line: `always here: j >= i`. Keys are the file and the line. */
export type LineNotes = ReadonlyMap<string, readonly string[]>;

export function notesOf(data: PageData): LineNotes {
  const notes = new Map<string, readonly string[]>();
  const add = ({ file, line }: { readonly file: string; readonly line: number }, texts: readonly string[]) => {
    const known = notes.get(`${file}:${line}`) ?? [];
    if (texts.length > 0) notes.set(`${file}:${line}`, [...known, ...texts.filter((text) => !known.includes(text))]);
  };
  for (const { location, invariant } of loopsIn(data.report)) add(location, always(invariant));
  for (const { location, conjuncts } of verifyReportOf(data)?.invariants ?? []) add(location, always(conjuncts));
  const inferred = inferReportOf(data);
  if (inferred !== null)
    for (const { place, lines } of contractsOf(inferred)) {
      const texts = lines.filter(({ word }) => word !== "calls").map(({ word, text }) => `${word} ${text}`.trimEnd());
      add(
        place,
        texts.length <= mostTexts
          ? texts
          : [...texts.slice(0, mostTexts - 1), `… ${texts.length - mostTexts + 1} more`],
      );
    }
  return notes;
}

/** The rest is in the panel. */
const mostTexts = 6;

type Loop = { readonly location: HeadInvariant["location"]; readonly invariant: HeadInvariant["conjuncts"] };

/** The folded loops of a run, inner ones too. */
function loopsIn({ loops }: PageData["report"]): readonly Loop[] {
  if (!Array.isArray(loops)) return [];
  return (loops as readonly (Loop & { readonly inner?: readonly Loop[] })[]).flatMap((loop) => [
    loop,
    ...(loop.inner ?? []),
  ]);
}

function always(formulas: HeadInvariant["conjuncts"]): readonly string[] {
  const texts = formulaTexts(formulas);
  return texts.length === 0 ? [] : [`always here: ${texts.join(", ")}`];
}
