import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { type BackendChoice, findExecutable } from "../solver/backend/backends.ts";
import type { Solver } from "../solver/solver.ts";
import { createSolver } from "../solver/solverChain.ts";

/** Solvers that take no part in the search. The first is asked first. */
export type Checkers = { readonly solvers: readonly Solver[]; dispose(): void };

/** A net for what the count of steps does not catch: the verdict must not depend on how busy a machine is. */
const defaultMilliseconds = 60_000;

/** Limits for a question in the solver's own steps: about one second, or about ten. cvc5 makes fewer steps in a second than z3. */
const resources = { short: { cvc5: 400_000, z3: 1_500_000 }, long: { cvc5: 3_000_000, z3: 12_000_000 } };

export type CheckPatience = keyof typeof resources;

export function checkLimits(solver: string, patience: CheckPatience): { readonly resources: number } {
  return { resources: resources[patience][solver.startsWith("cvc5") ? "cvc5" : "z3"] };
}

export type CheckerOptions = {
  /** For each obligation and solver. */
  readonly milliseconds?: number;
  /** Once it is cancelled, no question has an answer. */
  readonly cancellation?: Cancellation;
  /** Memory that each may take. */
  readonly megabytes?: number;
  /** Questions about bounded numbers may be asked about vectors of bits. */
  readonly vectors?: boolean;
};

/** Begins to start them: they are ready by the time somebody asks. */
export function startCheckers(
  choices: readonly BackendChoice[] = installedCheckers(),
  { milliseconds = defaultMilliseconds, cancellation = neverCancelled, ...others }: CheckerOptions = {},
): Checkers {
  const settings = { cache: false, cancellation, ...others };
  const solvers = choices.map((backend) => {
    const limits = { milliseconds, ...checkLimits(backend, "short") };
    return createSolver({ backend, limits, ...settings }).solver;
  });
  solvers[0]?.prepare();
  return {
    solvers,
    dispose() {
      for (const solver of solvers) solver.dispose();
    },
  };
}

/** The solvers that check what another solver found. The embedded Z3 is of another version than a native one. */
export function otherCheckers(searcher: BackendChoice): readonly BackendChoice[] {
  const has = (name: "cvc5" | "z3") => findExecutable(name) !== null;
  const searches = searcher === "auto" ? (has("z3") ? "z3" : "wasm") : searcher;
  const native = (["cvc5", "z3"] as const).filter((name) => has(name) && name !== searches);
  return searches === "wasm" && native.length > 0 ? native : [...native, "wasm"];
}

/** Another solver than the one that searches, where there is one: cvc5 before z3 before the embedded one. */
export function installedCheckers(searchPath?: string): readonly BackendChoice[] {
  const native = (["cvc5", "z3"] as const).filter((name) => findExecutable(name, searchPath) !== null);
  return native.length === 0 ? ["wasm"] : native;
}
