import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TracefoldError } from "../../../../src/base/errors.ts";
import { forEachStep } from "../../../../src/commands/run/traceSteps.ts";
import { historyOf } from "../../../../src/recording/history.ts";
import { statementAt } from "../../../../src/recording/moment.ts";
import { variablesAt } from "../../../../src/recording/names.ts";
import { openRecording } from "../../../../src/recording/openRecording.ts";
import { generateProgram, programChoices } from "../../../support/generateProgram.ts";
import { recordedC } from "../../../support/recorded.ts";

type RecordedRun = Awaited<ReturnType<typeof recordedC>>;

/** Every number of the recording is the one that `run --trace` prints for the step. Returns how many were compared. */
function compareValues({ trace, recording }: RecordedRun): number {
  const { steps, places, values, first } = recording;
  let compared = 0;
  forEachStep(trace, ({ step, value }, written) => {
    const at = step - 1 - first;
    const place = places[steps.place[at] ?? -1];
    const shown = values[steps.value[at] ?? 0] ?? "";
    if (typeof written !== "number" || value === undefined || shown === "" || place?.kind === "call") return;
    if (!/^-?\d+$/.test(shown) || !/^-?\d+$/.test(value)) return;
    // A number is shown in the base in which the program writes such numbers.
    const number = /^0\d+$/.test(shown) ? Number.parseInt(shown, 8) : Number(shown);
    expect(`${step}: ${number}`).toBe(`${step}: ${value}`);
    compared++;
  });
  return compared;
}

/** Every reason of the recording is one of the dependence graph, and the other way round. */
function compareReasons({ graph, recording }: RecordedRun): number {
  const { steps, reads } = recording;
  let compared = 0;
  for (let step = graph.first; step < graph.end; step++) {
    const at = step - graph.first;
    const own = Array.from(
      { length: (steps.firstRead[at + 1] ?? 0) - (steps.firstRead[at] ?? 0) },
      (_, i) => reads.writer[(steps.firstRead[at] ?? 0) + i] ?? -1,
    );
    const known = graph.reads(step).map(({ writer }) => (writer === null ? -1 : writer - graph.first));
    expect(own).toEqual(known);
    expect(steps.control[at]).toBe((graph.parent(step) ?? graph.first - 1) - graph.first);
    compared += own.length + 1;
  }
  return compared;
}

describe("the recording of a C program", () => {
  const programs = [
    "explain/off-by-one.c",
    "explain/missing-update.c",
    "explain/collision.c",
    "shell-sort.c",
    "linked-list.c",
    "counters.c",
  ];

  it.each(programs)("has the values of run --trace and the edges of the graph: %s", async (name) => {
    const text = readFileSync(`examples/${name}`, "utf8");
    const run = await recordedC(text, { inputs: [40n, 3n, 5n, 2n], maxSteps: 20_000 }, name);
    expect(compareValues(run)).toBeGreaterThan(0);
    expect(compareReasons(run)).toBeGreaterThan(0);
  });

  it("keeps the variables of calls of one function apart", async () => {
    const text = `int __VERIFIER_nondet_int(void);
static int sum(int n) {
  int own = n * 10;
  if (n == 0)
    return 0;
  int rest = sum(n - 1);
  int total = rest + own;
  return total;
}
int main(void) {
  if (sum(3) == 60)
    __builtin_abort();
  return 0;
}`;
    const { recording } = await recordedC(text, { inputs: [], maxSteps: 1_000 });
    const open = openRecording(recording);
    const seen: string[] = [];
    for (let step = 0; step < open.length; step++) {
      if (!recording.statements[statementAt(open, step)]?.text.startsWith("int total")) continue;
      const valueOf = (name: string) => variablesAt(open, step).find((each) => each.name === name)?.value;
      seen.push(`${valueOf("n")}: ${valueOf("own")} + ${valueOf("rest")} = ${valueOf("total")}`);
    }
    expect([...new Set(seen)]).toEqual(["1: 10 + 0 = 10", "2: 20 + 10 = 30", "3: 30 + 30 = 60"]);
    const owners = recording.cells.flatMap((name, cell) => (name === "own" ? [recording.cellOwners[cell]] : []));
    expect(new Set(owners).size).toBe(4);
    const histories = recording.cells.flatMap((name, cell) => (name === "own" ? [historyOf(open, cell).points] : []));
    expect(histories.map((points) => points.map(({ value }) => value))).toEqual([["30"], ["20"], ["10"], ["0"]]);
  });

  it("does so for generated programs", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(programChoices, async (choices) => {
        const { text, inputs } = generateProgram(choices);
        try {
          const run = await recordedC(text, { inputs, maxSteps: 2_000 });
          compared += compareValues(run);
          compareReasons(run);
        } catch (error) {
          if (!(error instanceof TracefoldError)) throw error;
        }
      }),
      { numRuns: 25, seed: 24 },
    );
    expect(compared).toBeGreaterThan(200);
  });
});
