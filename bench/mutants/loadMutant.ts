import { cFrontEnd, loadCText } from "../../src/c/cFrontEnd.ts";
import type { ChangeSource } from "../../src/frontEnd/frontEnd.ts";
import { projectOf } from "../../src/frontEnd/project.ts";
import type { Program } from "../../src/ir/program.ts";
import { forbidsOf } from "./editKind.ts";
import type { FailingCase } from "./failingCases.ts";

/** A mutant's text, under the path of the program that it was made from. */
export type Mutant = { readonly path: string; readonly text: string };

/** The mutant with its failing test as the entry. The other tests are part of it: they are runs that pass, mostly. */
export async function loadMutant({ entry }: FailingCase, { path, text }: Mutant): Promise<Program> {
  const program = await loadCText(path, text);
  return { ...program, entry: program.functions.find(({ name }) => name === entry)!.id };
}

/** The changes that may be tried: not those that would undo the mutation. */
export function changesOfMutant({ mutation }: FailingCase, { path, text }: Mutant): ChangeSource {
  return {
    frontEnd: cFrontEnd.changes!({}),
    project: projectOf([{ path, text }]),
    forbids: forbidsOf(mutation.forbidden),
  };
}
