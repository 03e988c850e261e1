import { formatError, TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { parseC } from "../../src/c/parse/parseC.ts";
import { preprocess } from "../../src/c/preprocess/preprocess.ts";
import type { InputSource } from "../../src/interpreter/inputs.ts";
import type { Program } from "../../src/ir/program.ts";
import type { DataModelName } from "../../src/ir/type.ts";
import { compareRuns } from "./compareRuns.ts";
import { runWithGcc } from "./gccOracle.ts";
import type { GeneratedProgram } from "./generateProgram.ts";
import { type Instrumented, instrumentBranches } from "./instrumentBranches.ts";
import { observeRun } from "./observeRun.ts";

const STEPS = 5_000_000;

/** Runs generated programs in both; for each what differs, or null. */
export async function checkGenerated(
  programs: readonly GeneratedProgram[],
  dataModel: DataModelName,
): Promise<(string | null)[]> {
  const loaded = await Promise.all(programs.map((program) => load(program, dataModel)));
  const accepted = loaded.flatMap((each, index) => ("program" in each ? [{ ...each, index }] : []));
  const runs = await runWithGcc(
    accepted.map(({ index, instrumented }) => ({ ...programs[index]!, text: instrumented.text })),
    { dataModel, sanitize: "undefined", cycleInputs: true },
  );
  const problems = loaded.map((each) => ("problem" in each ? each.problem : null));
  for (const [k, { index, program, instrumented }] of accepted.entries()) {
    problems[index] = compare(program, instrumented, programs[index]!, runs[k]!);
  }
  return problems;
}

type Loaded = { readonly program: Program; readonly instrumented: Instrumented } | { readonly problem: string };

async function load({ text }: GeneratedProgram, dataModel: DataModelName): Promise<Loaded> {
  try {
    const program = await loadCText("program.c", text, { dataModel, preprocess: "builtin" });
    const source = preprocess({ path: "program.c", text }, { dataModel, mode: "builtin", readFile: () => null });
    return { program, instrumented: instrumentBranches(text, parseC(source)) };
  } catch (error) {
    return { problem: error instanceof TracefoldError ? formatError(error) : String((error as Error).stack ?? error) };
  }
}

function compare(
  program: Program,
  instrumented: Instrumented,
  { inputs }: GeneratedProgram,
  theirs: Awaited<ReturnType<typeof runWithGcc>>[number],
): string | null {
  const cycling: InputSource = ({ index }) => inputs[index % inputs.length]!;
  try {
    return compareRuns(program, instrumented, observeRun(program, { inputs: cycling, maxSteps: STEPS }), theirs);
  } catch (error) {
    return String((error as Error).stack ?? error);
  }
}
