import { type Exploration, type ExploreOptions, explore } from "../../src/analyses/explore/explore.ts";
import { type ExploreProperty, targetsOf } from "../../src/analyses/explore/target.ts";
import { createBounds } from "../../src/analyses/explore/templates/bounds.ts";
import { createSummarise } from "../../src/analyses/explore/templates/summarise.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { Solver } from "../../src/solver/solver.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { createProver } from "../../src/symbolic/createProver.ts";

const header = `
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
void __VERIFIER_assume(int);
`;

export type ExploredText = Partial<Omit<ExploreOptions, "targets" | "solver">> & {
  readonly properties?: readonly ExploreProperty[];
  readonly unrolled?: number;
  /** After so many questions the solver answers none any more. */
  readonly diesAfter?: number;
};

/** Explores a program of a test; memory that nothing was written to holds inputs. */
export async function exploreText(body: string, options: ExploredText = {}): Promise<Exploration> {
  const program = await loadCText("p.c", `${header}${body}`, { uninitialized: "input" });
  const [first, second] = [createSolver({ cache: false }), createSolver()];
  const { properties = ["assertions"], unrolled = 0, diesAfter = Number.POSITIVE_INFINITY, ...more } = options;
  const undefinedBehaviour = more.run?.undefinedBehaviour ?? "stop";
  try {
    return explore(program, {
      mode: "compact",
      searcher: "bfs",
      seed: 1,
      targets: targetsOf(program, { kind: "property", properties }),
      limits: { maxStates: 5000, maxDepth: 500 },
      run: { maxSteps: 1_000_000 },
      solver: dying(first.solver, diesAfter),
      all: false,
      prune: true,
      keptNodes: 10_000,
      summarise: (symbols) => createSummarise(symbols, second.solver, { seed: 1, undefinedBehaviour, unrolled }),
      bound: (symbols) => createBounds(symbols, createProver(symbols, second.solver), undefinedBehaviour),
      ...more,
    });
  } finally {
    first.solver.dispose();
    second.solver.dispose();
  }
}

function dying(solver: Solver, after: number): Solver {
  let questions = 0;
  const check: Solver["check"] = (assumptions, options) => {
    if (++questions <= after) return solver.check(assumptions, options);
    return { kind: "unknown", reason: "failure", message: "the solver process ended" };
  };
  return Object.create(solver, { check: { value: check } }) as Solver;
}

/** The status of each target, in the order of the program. */
export function statuses({ targets }: Exploration): readonly string[] {
  return targets.map(({ status }) => status);
}
