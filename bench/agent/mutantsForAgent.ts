import { TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import { inChosenOrder } from "../mutants/chooseMutations.ts";
import { mutationsOf } from "../mutants/mutate.ts";
import { type MutationKind, mutatedText, mutationKinds } from "../mutants/mutation.ts";
import { type TestedProgram, testedPrograms } from "../mutants/programs.ts";

/** A program with one fault, which its own tests find. */
export type MutantForAgent = {
  readonly path: string;
  readonly kind: MutationKind;
  readonly description: string;
  readonly text: string;
  readonly original: string;
  /** The faulty lines. */
  readonly lines: readonly number[];
};

/** How much longer than the program as it was a run may take. */
const stepFactor = 20;
const leastSteps = 20_000;

/** Mutants of the programs in turn, each of the next kind: nothing but their names decides which. */
export async function mutantsForAgent(count: number): Promise<readonly MutantForAgent[]> {
  const programs = testedPrograms();
  const found: MutantForAgent[] = [];
  for (let turn = 0; found.length < count && turn < 10 * count; turn++) {
    const program = programs[turn % programs.length];
    const kind = mutationKinds[(turn + Math.floor(turn / programs.length)) % mutationKinds.length];
    const mutant = program === undefined || kind === undefined ? null : await failingMutant(program, kind);
    if (mutant !== null) found.push(mutant);
  }
  return found;
}

/** The first mutant of a kind with which the program fails; null if there is none. */
async function failingMutant({ name, path, text }: TestedProgram, kind: MutationKind): Promise<MutantForAgent | null> {
  const usual = runProgram(await loadCText(path, text)).steps;
  const maxSteps = Math.max(leastSteps, stepFactor * usual);
  for (const mutation of inChosenOrder(name, kind, await mutationsOf({ path, text }))) {
    const mutated = mutatedText(text, mutation);
    if (await isFailing(path, mutated, maxSteps))
      return { path, kind, description: mutation.description, text: mutated, original: text, lines: mutation.lines };
  }
  return null;
}

async function isFailing(path: string, text: string, maxSteps: number): Promise<boolean> {
  try {
    const { outcome } = runProgram(await loadCText(path, text), { maxSteps });
    return outcome.kind !== "exit" || outcome.code !== 0;
  } catch (error) {
    // A mutant may be no program.
    if (error instanceof TracefoldError) return false;
    throw error;
  }
}
