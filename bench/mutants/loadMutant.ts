import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { Program } from "../../src/ir/program.ts";
import type { FailingCase } from "./failingCases.ts";

/** A mutant's text, under the path of the program that it was made from. */
export type Mutant = { readonly path: string; readonly text: string };

/** The mutant with its failing test as the entry. The other tests are part of it: they are runs that pass, mostly. */
export async function loadMutant({ entry }: FailingCase, { path, text }: Mutant): Promise<Program> {
  const program = await loadCText(path, text);
  return { ...program, entry: program.functions.find(({ name }) => name === entry)!.id };
}
