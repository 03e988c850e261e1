import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { executedLocations } from "./executedPlaces.ts";
import type { Laboratory, PassingRun } from "./laboratory.ts";
import { lineKey } from "./lineContent.ts";

/** So many runs that pass are asked; more of them tell hardly more. */
const maxAsked = 20;

/** The given runs and the program's test functions, which take no parameters; not the one that the failing run begins with. */
export function candidateRuns(program: Program, given: readonly PassingRun[]): readonly PassingRun[] {
  const known = new Set([program.entry, ...given.map(({ entry }) => entry)]);
  const tests = program.functions.filter(
    ({ id, name, parameters }) => /^test/i.test(name) && parameters.length === 0 && !known.has(id),
  );
  return [...given, ...tests.map(({ id }) => ({ entry: id }))];
}

/** A run that passes, and the lines that it came to. */
export type NearRun = { readonly run: PassingRun; readonly lines: ReadonlySet<string> };

/** Those that do pass, the nearest to the failing run first: by the share of edges that both or one of them took. */
export function nearestPassing(trace: Trace, runs: readonly PassingRun[], laboratory: Laboratory): readonly NearRun[] {
  const own = takenEdges(trace);
  const near: (NearRun & { readonly similarity: number })[] = [];
  for (const run of runs) {
    if (laboratory.isOver()) break;
    if (!laboratory.passes(run)) continue;
    const program = run.entry === undefined ? trace.program : { ...trace.program, entry: run.entry };
    const recorded = recordTrace(program, run);
    near.push({ run, lines: executedLines(recorded), similarity: jaccard(own, takenEdges(recorded)) });
  }
  return near.sort((a, b) => b.similarity - a.similarity).slice(0, maxAsked);
}

function executedLines(trace: Trace): ReadonlySet<string> {
  const executed = executedLocations(trace);
  return new Set(
    trace.program.functions.flatMap(({ id, edges }) =>
      edges.filter(({ from }) => executed[id]![from] === 1).map(({ range }) => lineKey(range)),
    ),
  );
}

/** Names of the edges that a run took; those of a branch are its outcomes. */
function takenEdges(trace: Trace): ReadonlySet<string> {
  const { blocks, log } = trace;
  const seen = new Uint8Array(blocks.count);
  for (const chunk of log) for (const block of chunk) seen[block] = 1;
  const taken = new Set<string>();
  seen.forEach((was, block) => {
    if (was === 0) return;
    for (let i = blocks.first[block]!; i < blocks.first[block + 1]!; i++) {
      taken.add(`${blocks.functionOf[block]} ${blocks.edges[i]}`);
    }
  });
  return taken;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const each of a) if (b.has(each)) common++;
  return common / Math.max(1, a.size + b.size - common);
}
