import { published } from "./publishedPrograms.ts";
import { failingRun, roundsOf } from "./publishedRuns.ts";
import { compressedRows, type OurRow } from "./row.ts";

export type PublishedOutcome =
  | { readonly problem: string }
  | { readonly all: OurRow; readonly sliced: OurRow; readonly rounds: number };

/** Finds a failing run of one published program, compresses it, and prints the row as JSON. */
async function measurePublished(name: string, path: string, rounds: number, runs: number): Promise<PublishedOutcome> {
  const program = published[name as keyof typeof published];
  const row = program.rows.find((each) => each.rounds === rounds)!;
  const { trace, runs: tried } = await failingRun(path, program, row, runs);
  if (trace === null) return { problem: `no failing run found in ${tried.toLocaleString("en-US")} tries` };
  return { ...compressedRows(trace), rounds: roundsOf(trace) };
}

const [name, path, rounds, runs] = process.argv.slice(2) as [string, string, string, string];
console.log(JSON.stringify(await measurePublished(name, path, Number(rounds), Number(runs))));
