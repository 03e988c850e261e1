import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import { plainPrograms } from "./plainPrograms.ts";

/** The paper's algorithm alone, without runs: right verdicts, with states in the order of what the paper counts for TCAS. */
describe("minimax alone", () => {
  for (const { name, safe, unsafe } of plainPrograms) {
    for (const [kind, text] of [
      ["safe", safe],
      ["unsafe", unsafe],
    ] as const) {
      it(`${name}: ${kind}`, { timeout: 600_000 }, async () => {
        const program = await loadCText("task.c", text, { preprocess: "builtin", uninitialized: "input" });
        const engine = { property: "assert", engines: ["minimax"], solver: "auto" } as const;
        const options = { ...engine, seed: 1, milliseconds: 300_000, run: {} };
        const { verdict, tree } = verifyProgram(program, options);
        expect(verdict.kind).toBe(kind);
        expect(tree!.states).toBeLessThanOrEqual(6000);
      });
    }
  }
});
