import { loopSite, startSite } from "../../src/analyses/compress/loopSite.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { Annotation } from "../../src/cutpoints/houdini.ts";
import { transitionsOf } from "../../src/cutpoints/loopSystem.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { traceEnvironment } from "../../src/recordedRun/executeTrace.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { targetOf } from "../../src/recordedRun/target.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { createProver } from "../../src/symbolic/createProver.ts";
import { nodeKey } from "../../src/symbolic/followEdge.ts";
import { createSymbols } from "../../src/symbolic/symbols.ts";

const prelude = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

/** The first loop of the failing run of a `main`, as folding sees it against the target, with a solver. */
export async function loopSiteOf(main: string, inputs: readonly bigint[]) {
  const program = await loadCText("program.c", `${prelude}int main(void) { ${main} }`, { preprocess: "builtin" });
  const run = runOf(recordTrace(program, { inputs }));
  const target = targetOf(run);
  const symbols = createSymbols(program, createTerms());
  const { solver } = createSolver();
  const prover = createProver(symbols, solver);
  const context = { symbols, prover, run, options: { families: "extended", maxAttempts: 5 } } as const;
  const loops = run.activations({ from: 0, to: run.steps, isTransparent: () => false });
  const note = () => {};
  const site = loopSite(
    context,
    loops[0]!,
    {
      step: target.step,
      conclusion: (position, encoding) =>
        target.formula(symbols, position, traceEnvironment(symbols, run, encoding)(target.step)),
    },
    note,
  );
  const place = (name: string) =>
    symbols.register(loops[0]!.frame, program.variables.find((variable) => variable.name === name)!.id);
  return {
    ...{ symbols, terms: symbols.terms, prover, site, loops, place, root: nodeKey(site.system.root) },
    start: (step: number) => startSite(context, step, note),
    /** Does every block carry what is said at its start on to its ends? */
    isInductive: (annotation: Annotation) =>
      transitionsOf(symbols, site.system).every(({ from, background, ends }) => {
        const goals = ends.flatMap(({ to, guard, after }) =>
          annotation.get(to)!.map((formula) => symbols.terms.implies(guard, after(formula))),
        );
        const session = prover.open(background);
        return session.implies(annotation.get(from)!, symbols.terms.all(goals)).kind === "proved";
      }),
    dispose: () => solver.dispose(),
  };
}

export type TestedLoop = Awaited<ReturnType<typeof loopSiteOf>>;
