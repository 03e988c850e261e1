import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packRecording, readOwners, unpackRecording } from "../../src/recording/columns.ts";
import type { Recording } from "../../src/recording/recording.ts";

const column = (length: number, least = -(2 ** 31), most = 2 ** 31 - 1) =>
  fc
    .array(fc.integer({ min: least, max: most }), { minLength: length, maxLength: length })
    .map((n) => Int32Array.from(n));

/** Reads of each step, each from an earlier step or from nobody. */
const recordings: fc.Arbitrary<Recording> = fc
  .record({
    steps: fc.integer({ min: 0, max: 30 }),
    executions: fc.integer({ min: 0, max: 10 }),
    calls: fc.integer({ min: 0, max: 5 }),
  })
  .chain(({ steps, executions, calls }) =>
    fc.record({
      counts: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: steps, maxLength: steps }),
      seed: fc.array(fc.nat(), { minLength: 200, maxLength: 200 }),
      place: column(steps),
      execution: column(steps, -1, 1000),
      activation: column(steps, 0, 1000),
      control: column(steps, -1, Math.max(0, steps - 1)),
      value: column(steps, 0, 50),
      cell: column(steps, 0, 50),
      statement: column(executions, -1, 100),
      owner: column(executions, 0, 100),
      firstStep: column(executions, 0, 1000),
      fn: column(calls, 0, 20),
      call: column(calls, -1, 1000),
      effect: column(calls, 0, 1000),
    }),
  )
  .map(({ counts, seed, statement, owner, firstStep, fn, call, effect, ...steps }) => {
    const firstRead = Int32Array.from([0, ...counts].map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0)));
    const total = firstRead.at(-1) ?? 0;
    const owners = readOwners(firstRead, total);
    const pick = (i: number, most: number) => (seed[i % seed.length] ?? 0) % Math.max(1, most);
    return {
      stepName: "step",
      first: 3,
      executionsFrom: null,
      files: ["a.c"],
      functions: ["main"],
      statements: [],
      places: [],
      values: ["", "1"],
      cells: [""],
      cellOwners: Int32Array.from([-1]),
      ownNames: [""],
      steps: { ...steps, firstRead },
      reads: {
        writer: owners.map((step, i) => pick(i, step + 3) - 2),
        value: owners.map((_, i) => pick(i + 1, 50)),
        part: owners.map((_, i) => pick(i + 2, 5) - 1),
        role: owners.map((_, i) => pick(i + 3, 3)),
      },
      executions: { statement, activation: owner, firstStep },
      activations: { function: fn, call },
      effects: { step: effect, cell: fn, value: fn },
      flips: [{ step: 1, end: "passes" }],
      limits: [],
    };
  });

describe("a packed recording", () => {
  it("is the recording when it is unpacked", () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        const packed = packRecording(recording);
        expect(unpackRecording({ head: JSON.parse(JSON.stringify(packed.head)), bytes: packed.bytes })).toEqual(
          recording,
        );
      }),
    );
  });
});
