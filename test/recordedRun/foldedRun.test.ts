import { expect, it } from "vitest";
import { asFoldedLoop } from "../../src/analyses/compress/fold.ts";
import { foldedRun, foldsOf } from "../../src/recordedRun/foldedRun.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { compressText } from "../support/compressed.ts";

const twoLoops = `#include <assert.h>
int main(void) {
  int a = 0, b = 0;
  for (int i = 0; i < 20; i++) a++;
  b = a;
  for (int i = 0; i < 30; i++) b++;
  assert(b < a);
}`;

it("consists of stretches and folds without gaps, up to its target", async () => {
  const compression = await compressText(twoLoops);
  const run = runOf(compression.trace);
  const folds = compression.compressed.folds.map((fold) => asFoldedLoop(compression.symbols, fold));
  const folded = foldedRun(run, folds, compression.target);
  expect(folded.parts.map(({ kind }) => kind)).toEqual(["stretch", "fold", "stretch", "fold", "stretch"]);
  expect(foldsOf(folded)).toEqual(folds);
  let reached = 0;
  for (const part of folded.parts) {
    if (part.kind === "fold") {
      expect(part.begin).toBe(reached);
      reached = part.end;
      continue;
    }
    expect(part.start?.step ?? 0).toBe(reached);
    expect(part.steps.map(({ step }) => step)).toEqual(
      Array.from({ length: part.to - reached }, (_, i) => reached + i),
    );
    expect(part.stack).toEqual(run.between(reached, part.to).stack);
    reached = part.to;
  }
  expect(reached).toBe(compression.target.step);
});
