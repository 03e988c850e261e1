import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/commands/explain/result.ts";
import { explainFile } from "../../src/engine/explainFile.ts";
import { screenOf } from "../../src/render/chooseRows.ts";
import { compressText, isFolded } from "../../src/render/compressText.ts";
import { explainProofText, isArgued } from "../../src/render/explainProofText.ts";
import { explainText } from "../../src/render/explainText.ts";
import { plain } from "../../src/render/layout.ts";
import { toSarif } from "../../src/render/sarif.ts";
import { toInvariantWitness } from "../../src/render/witness/invariantWitness.ts";
import { toViolationWitness } from "../../src/render/witness/violationWitness.ts";
import { root } from "../support/builtCli.ts";
import { schemaErrors } from "../support/schema.ts";

const folder = join(root, "examples/explain");

const inputs: Readonly<Record<string, readonly bigint[]>> = {
  "collision.c": [500n, 400n, 100n, 0n, 400n, 900n, 300n, 1n, 1n, 0n, 0n, 0n],
  "off-by-one.c": [40n],
  "missing-update.c": [1n, 7n],
  "overflow.c": [2000000000n, 2100000000n, 9n],
  "wrong-branch.c": [3n],
  "uninitialised.c": [3n, 50n],
  "bad-index.c": [5n, 6n, 7n, 8n, 9n, 1n],
};

describe("every format is a function of the JSON alone", () => {
  it.each(readdirSync(folder))("%s", async (name) => {
    const given = inputs[name];
    const { explanation, sources, outlines } = await explainFile(join(folder, name), {
      ...(given === undefined ? {} : { inputs: given }),
      ...(name === "unit-test.c" ? { entry: "testFoo" } : {}),
    });
    expect(schemaErrors("Explanation", explanation)).toEqual([]);
    const options = {
      paint: plain,
      source: (path: string) => sources.get(path) ?? null,
      outline: (path: string) => outlines.get(path) ?? null,
    };
    const views = (each: Explanation) => ({
      screen: explainText(each, options),
      all: explainText(each, { ...options, all: true, verbose: true }),
      complete: isArgued(each) ? explainProofText(each, options) : null,
      folded: each.kind === "explained" && isFolded(each) ? compressText(each, options) : null,
      sarif: JSON.stringify(toSarif(each)),
      violation: toViolationWitness(each, options),
      invariants: toInvariantWitness(each, options),
    });
    const written = views(explanation);
    expect(views(JSON.parse(JSON.stringify(explanation)))).toEqual(written);
    expect(written.screen).toContain("error: ");
    const rows = ({ sections }: ReturnType<typeof screenOf>) => sections.flatMap((section) => section.rows).length;
    if (explanation.kind !== "explained") throw new Error(explanation.kind);
    expect(rows(screenOf(explanation, { all: true }))).toBeGreaterThanOrEqual(rows(screenOf(explanation)));
    expect(written.folded).toContain("target: ");
  });
});
