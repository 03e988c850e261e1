import { parseArgs } from "node:util";
import type { Half } from "./programs.ts";

export type MutantOptions = {
  readonly half: Half | null;
  readonly program: string | null;
  /** At most so many cases, evenly thinned. */
  readonly limit: number | null;
  readonly list: boolean;
  readonly json: string | null;
  /** Milliseconds for one explanation. */
  readonly budget: number;
  /** Finds the mutants again. */
  readonly fresh: boolean;
  readonly selfcheck: boolean;
  /** Processes that explain. */
  readonly workers: number;
  /** Their order alone, without the explanation around it. */
  readonly suspectsOnly: boolean;
};

export const usage = `npm run bench -- explain --mutants [OPTIONS]
  --half look|kept   one half only
  --program NAME     one program only
  --limit N          at most N cases, evenly thinned
  --budget S         seconds for one explanation (10)
  --workers N        processes that explain (2)
  --suspects-only    measures the order of suspects alone
  --list             each miss of the half that may be looked at
  --json F           the figures, and the cases of that half
  --fresh            finds the mutants again
  --selfcheck        only checks that every program passes, here and compiled by gcc`;

/** null: not understood. */
export function mutantOptions(args: readonly string[]): MutantOptions | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        mutants: { type: "boolean" },
        half: { type: "string" },
        program: { type: "string" },
        limit: { type: "string" },
        budget: { type: "string", default: "10" },
        workers: { type: "string", default: "2" },
        list: { type: "boolean", default: false },
        json: { type: "string" },
        fresh: { type: "boolean", default: false },
        selfcheck: { type: "boolean", default: false },
        "suspects-only": { type: "boolean", default: false },
      },
    });
    const { half } = values;
    if (half !== undefined && half !== "look" && half !== "kept") return null;
    const limit = values.limit === undefined ? null : Number(values.limit);
    const budget = 1000 * Number(values.budget);
    const workers = Number(values.workers);
    if (Number.isNaN(budget) || !(workers >= 1) || (limit !== null && !(limit > 0))) return null;
    return {
      half: half ?? null,
      program: values.program ?? null,
      limit,
      list: values.list,
      json: values.json ?? null,
      budget,
      workers,
      fresh: values.fresh,
      selfcheck: values.selfcheck,
      suspectsOnly: values["suspects-only"],
    };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
