import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { decorateSolver } from "../assertionStack.ts";
import { printScript } from "../printScript.ts";
import type { Solver } from "../solver.ts";

/**
 * Writes every query as a script of its own, `query-000001.smt2`, that any SMT-LIB solver can replay; the answer we got
 * is in it as `:status`. The file is there before the solver is asked, so that a query that kills it can be found.
 */
export function logQueries(inner: Solver, folder: string): Solver {
  let count = 0;
  const writing = (write: () => void) => {
    try {
      write();
    } catch (error) {
      const message = `cannot write queries to ${folder}: ${(error as Error).message}`;
      throw new TracefoldError({ code: "TF193", message, help: "Name a folder that can be created and written." });
    }
  };
  // There may be thousands: each is whole, but nobody waits for the disk.
  const write = (path: string, text: string) =>
    writing(() => {
      writeFileSync(`${path}.unfinished`, text);
      renameSync(`${path}.unfinished`, path);
    });
  writing(() => mkdirSync(folder, { recursive: true }));
  const next = (kind: string) => join(folder, `${kind}-${`${++count}`.padStart(6, "0")}.smt2`);
  return decorateSolver(
    inner,
    (stack, assumptions, options) => {
      const path = next("query");
      const script = (status: string) => printScript(stack.all, assumptions, status);
      write(path, script("unknown"));
      const result = inner.check(assumptions, options);
      if (result.kind !== "unknown") write(path, script(result.kind));
      return result;
    },
    {
      run(script, limits) {
        write(next("script"), `${script}\n`);
        return inner.run(script, limits);
      },
    },
  );
}
