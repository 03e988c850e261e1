import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";
import { exhaustiveVerdict } from "./exhaustive.ts";
import { generateTask, taskChoices } from "./generateTask.ts";

/** On programs all of whose inputs can be tried, no verdict differs from what trying them says. */
describe("verdicts on generated programs are those of all runs", () => {
  const engines = [
    null,
    ["unrolling"],
    ["houdini"],
    ["k-induction"],
    ["guarded"],
    ["spacer"],
    ["cells"],
    ["minimax"],
  ] as const;
  const properties: readonly Property[] = ["assert", "overflow", "bounds", "null", "div-by-zero", "all"];
  for (const engine of engines) {
    for (const property of engine === null ? properties : (["assert", "overflow"] as const)) {
      it(`${engine?.[0] ?? "portfolio"}, ${property}`, { timeout: 3_600_000 }, async () => {
        let decided = 0;
        for (const [i, sequence] of fc.sample(taskChoices, { seed: 31, numRuns: 60 }).entries()) {
          const text = generateTask(sequence);
          const dataModel = i % 2 === 0 ? "LP64" : "ILP32";
          const program = await loadCText("task.c", text, { dataModel, preprocess: "builtin", uninitialized: "input" });
          const truth = exhaustiveVerdict(program, property);
          if (truth === null) continue;
          const options = { property, engines: engine, solver: "auto", seed: 1, milliseconds: 6000, run: {} } as const;
          const { verdict } = verifyProgram(program, options);
          if (verdict.kind === "unknown") continue;
          decided++;
          expect(verdict.kind, text).toBe(truth.kind);
        }
        // Few of the programs have arrays.
        if (engine?.[0] !== "cells") expect(decided).toBeGreaterThan(5);
      });
    }
  }
});
