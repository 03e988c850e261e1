import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { describeWhatIf } from "../../../src/analyses/counterfactual/describeChange.ts";
import { runExperiments } from "../../../src/analyses/counterfactual/experiments.ts";
import type { TriedChange } from "../../../src/analyses/counterfactual/suspect.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../src/dependence/dependenceGraph.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { changedSource } from "./changedSource.ts";
import { faultyPrograms } from "./programs.ts";

const run = promisify(execFile);

/** Every experiment of which it is claimed that the run passes, with the program as it would have to be. */
async function claims(name: string, text: string) {
  const program = await loadCText(`${name}.c`, text, { preprocess: "builtin" });
  const { suspects } = runExperiments(dependenceGraph(recordTrace(program, { maxSteps: 20_000 })));
  const told = suspects.flatMap(({ edits, flip, value }): TriedChange[] => [
    ...edits,
    ...(flip === null ? [] : [flip]),
    ...(value === null ? [] : [value]),
  ]);
  const passing = told.filter(({ level }) => level === "passes");
  const changed = passing.flatMap((whatIf) => {
    const source = changedSource(program, whatIf);
    return source === null ? [] : [{ whatIf, text: source.text }];
  });
  return { original: program, all: passing.length, changed };
}

/** What the compiler was asked about. */
const compiled = new Set<string>();

describe("claimed changes in a really changed program", () => {
  for (const { name, text } of faultyPrograms) {
    test(`${name}: the interpreter confirms every claim`, async () => {
      const { original, all, changed } = await claims(name, text);
      expect(changed.length).toBeGreaterThan(all / 2);
      for (const { whatIf, text: other } of changed) {
        const program = await loadCText("changed.c", other, { preprocess: "builtin" });
        const { outcome } = runProgram(program, { maxSteps: 1_000_000 });
        expect(outcome, `${describeWhatIf(original, whatIf)}\n${other}`).toMatchObject({ kind: "exit", code: 0 });
      }
    });

    test(`${name}: gcc confirms claims of each kind`, async () => {
      const { original, changed } = await claims(name, text);
      const chosen = new Map(changed.map((claim) => [kindOf(claim.whatIf), claim]));
      const folder = await mkdtemp(join(tmpdir(), "tracefold-what-if-"));
      try {
        for (const [kind, { whatIf, text: other }] of chosen) {
          compiled.add(kind);
          await writeFile(join(folder, "changed.c"), other);
          await run(
            "gcc",
            ["-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover", "-o", "changed", "changed.c"],
            {
              cwd: folder,
            },
          );
          const ended = await run("./changed", [], { cwd: folder }).then(
            () => 0,
            (error: { code?: number }) => error.code ?? -1,
          );
          expect(ended, `${kind}: ${describeWhatIf(original, whatIf)}\n${other}`).toBe(0);
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  test("compiles experiments of each kind", () => {
    const edits = [
      "arguments",
      "comparison",
      "connective",
      "constant",
      "operator",
      "order",
      "skip",
      "truth",
      "value",
      "variable",
    ];
    expect([...compiled].sort()).toEqual([...edits.map((kind) => `edit ${kind}`), "flip", "value"]);
  });
});

function kindOf(whatIf: TriedChange): string {
  return whatIf.kind === "edit" ? `edit ${whatIf.edit.kind}` : whatIf.kind;
}
