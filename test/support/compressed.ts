import type { Fold } from "../../src/analyses/compress/fold.ts";
import { loadC, loadCText } from "../../src/c/cFrontEnd.ts";
import { type CompressedRun, type CompressOptions, compressRun } from "../../src/commands/compress/pipeline.ts";
import type { InputSource } from "../../src/interpreter/inputs.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import type { Term } from "../../src/logic/term.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { createProver } from "../../src/symbolic/createProver.ts";
import { nodeKey } from "../../src/symbolic/followEdge.ts";
import { staticFrame } from "../../src/symbolic/symbols.ts";

type Inputs = readonly bigint[] | InputSource;

export async function compressFile(path: string, inputs: Inputs = [], options?: CompressOptions) {
  return compressRun(recordTrace(await loadC(path), { inputs }), options);
}

export async function compressText(text: string, inputs: Inputs = [], options?: CompressOptions) {
  const program = await loadCText("program.c", text, { preprocess: "builtin" });
  return compressRun(recordTrace(program, { inputs }), options);
}

/** The invariant at the head of a folded loop. */
export function invariantOf(run: CompressedRun, fold: Fold): Term {
  return run.symbols.terms.all(fold.annotation.get(nodeKey(fold.system.root))!);
}

/** The place of a variable in the activation that a fold is in. */
export function placeNamed(run: CompressedRun, { activation }: Fold, name: string): Term {
  const variable = run.trace.program.variables.find(
    (each) =>
      each.name === name &&
      (each.kind === "static" || [...activation.function.parameters, ...activation.function.locals].includes(each.id)),
  );
  if (variable === undefined) throw new Error(`no variable ${name} in ${activation.function.name}`);
  return run.symbols.register(variable.kind === "static" ? staticFrame : activation.frame, variable.id);
}

/** Does a formula follow from another one, by a solver that knows the types of the variables? */
export function follows({ symbols }: CompressedRun, from: Term, goal: Term): boolean {
  const { solver } = createSolver();
  try {
    const session = createProver(symbols, solver).open([]);
    return session.implies([from], goal).kind === "proved";
  } finally {
    solver.dispose();
  }
}

export function equivalent(run: CompressedRun, one: Term, other: Term): boolean {
  return follows(run, one, other) && follows(run, other, one);
}
