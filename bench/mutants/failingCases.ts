import { TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { Outcome } from "../../src/interpreter/outcome.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import type { Program } from "../../src/ir/program.ts";
import { inChosenOrder } from "./chooseMutations.ts";
import { mutationsOf } from "./mutate.ts";
import { type Mutation, mutatedText, mutationKinds } from "./mutation.ts";
import { type Half, isTestFunction, type TestedProgram } from "./programs.ts";

/** A mutant that fails a test: the run of that test alone is what is explained, the mutated lines are the truth. */
export type FailingCase = {
  /** `ringbuf/comparison/3`. */
  readonly id: string;
  readonly program: string;
  readonly half: Half;
  readonly mutation: Mutation;
  /** The first test function that fails when it is run alone. */
  readonly entry: string;
  /** The other test functions that still pass. */
  readonly passing: readonly string[];
  /** Runs that need more do not end. */
  readonly maxSteps: number;
  readonly failure: { readonly kind: Outcome["kind"]; readonly line: number | null };
  readonly steps: number;
};

/** So many failing mutants are taken of each kind, where there are as many; the spread is even then. */
const casesPerKind = 5;

/** And so many mutants are tried for each. */
const triesPerCase = 4;

/** How much longer than the program as it was a run may take. */
const stepFactor = 20;
const leastSteps = 20_000;

export async function failingCases(program: TestedProgram): Promise<readonly FailingCase[]> {
  const original = await loadCText(program.path, program.text);
  const tests = testsOf(original);
  const maxSteps = Math.max(leastSteps, stepFactor * runProgram(original).steps);
  const mutations = await mutationsOf(program);
  const cases: FailingCase[] = [];
  for (const kind of mutationKinds) {
    let found = 0;
    for (const mutation of inChosenOrder(program.name, kind, mutations).slice(0, casesPerKind * triesPerCase)) {
      if (found === casesPerKind) break;
      const failing = await failingCase(program, mutation, tests, maxSteps);
      if (failing === null) continue;
      found++;
      cases.push({ ...failing, id: `${program.name}/${kind.replace(" ", "-")}/${found}` });
    }
  }
  return cases;
}

/** The program's test functions in the order of its text. */
export function testsOf({ functions }: Program): readonly string[] {
  return functions
    .filter(({ name }) => name !== "main" && isTestFunction(name))
    .sort((a, b) => a.range.line - b.range.line)
    .map(({ name }) => name);
}

/** The outcome of one test function, run alone. */
export function runTest(program: Program, test: string, maxSteps: number) {
  const entry = program.functions.find(({ name }) => name === test)!.id;
  return runProgram({ ...program, entry }, { maxSteps });
}

async function failingCase(
  { name, half, path, text }: TestedProgram,
  mutation: Mutation,
  tests: readonly string[],
  maxSteps: number,
): Promise<Omit<FailingCase, "id"> | null> {
  const program = await loadIfLegal(path, mutatedText(text, mutation));
  if (program === null) return null;
  const results = tests.map((test) => ({ test, ...runTest(program, test, maxSteps) }));
  const first = results.find(({ outcome }) => isFailure(outcome));
  if (first === undefined) return null;
  return {
    program: name,
    half,
    mutation,
    entry: first.test,
    passing: results.filter(({ outcome }) => outcome.kind === "exit").map(({ test }) => test),
    maxSteps,
    failure: { kind: first.outcome.kind, line: "at" in first.outcome ? (first.outcome.at?.range.line ?? null) : null },
    steps: first.steps,
  };
}

function isFailure({ kind }: Outcome): boolean {
  return kind !== "exit" && kind !== "needs-input" && kind !== "assumption-violated";
}

/** null for a mutant that is no C program. */
async function loadIfLegal(path: string, text: string): Promise<Program | null> {
  try {
    return await loadCText(path, text);
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}
