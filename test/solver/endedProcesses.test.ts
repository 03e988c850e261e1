import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createTerms } from "../../src/logic/terms.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { hasTool } from "../support/tools.ts";

/** Solvers that this process started, that have ended and that nobody has waited for. */
function deadSolvers(): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [, name, state, parent] = /\((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))!;
      return name === "z3" && state === "Z" && Number(parent) === process.pid ? [name] : [];
    } catch (error) {
      // It is gone by now.
      if (error instanceof Error && "code" in error) return [];
      throw error;
    }
  });
}

it.runIf(process.platform === "linux" && hasTool("z3"))(
  "leaves no dead process behind after a solver is disposed",
  () => {
    const terms = createTerms();
    const { solver } = createSolver({ backend: "z3" });
    solver.assert(terms.ge(terms.variable("x", "Int"), terms.int(3n)));
    expect(solver.check().kind).toBe("sat");
    solver.dispose();
    expect(deadSolvers()).toEqual([]);
  },
);
