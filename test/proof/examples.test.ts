import { beforeAll, describe, expect, it } from "vitest";
import type { CompressedRun } from "../../src/commands/compress/pipeline.ts";
import { printCoq, whyNotInCoq } from "../../src/proof/printCoq.ts";
import { proveRun } from "../../src/proof/proveRun.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { compressFile } from "../support/compressed.ts";
import { coqc } from "../support/coqc.ts";
import { filesOfProof, provedExamples, recheckFiles } from "../support/provedExamples.ts";
import { flatCompression } from "../support/reports/flatReport.ts";
import { hasTool } from "../support/tools.ts";

describe.each(provedExamples)("the proof of $name", ({ path, inputs }) => {
  let run: CompressedRun;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    run = await compressFile(path, inputs);
    files = filesOfProof(run, path);
  });

  it("checks every printed invariant again from the program", async () => {
    const report = flatCompression(run, { version: "", ms: 0 });
    expect(report.loops.length).toBeGreaterThan(0);
    for (const loop of report.loops) expect(loop.proof).toMatchObject({ checked: true });
    const checked = await recheckFiles(files, path);
    expect(checked).toMatchObject({ proof: { checked: true }, problems: [], notChecked: [] });
    expect(checked.proof.obligations.map(({ text }) => text)).toEqual(run.proof.obligations.map(({ text }) => text));
    // For each fold the way to it, and at least one way round; and the rest.
    const count = (kind: string) => checked.proof.obligations.filter((obligation) => obligation.kind === kind).length;
    expect(count("entry")).toBe(run.claims.length);
    expect(count("keeps")).toBeGreaterThanOrEqual(run.claims.length);
    expect(count("target")).toBe(1);
  });

  it.skipIf(!hasTool("coqc"))("is accepted by Coq, with a theorem for every obligation", () => {
    expect(run.proof.obligations.map(whyNotInCoq)).toEqual(run.proof.obligations.map(() => null));
    const text = files.get("proof.v")!;
    expect(text.match(/^Theorem /gm)).toHaveLength(run.proof.obligations.length);
    expect(coqc(text)).toEqual({ status: 0, output: "" });
  });
});

describe("a wrong invariant", () => {
  it.skipIf(!hasTool("coqc"))("is rejected by the checker and by Coq, at the same obligation", async () => {
    const run = await compressFile(provedExamples[0]!.path, provedExamples[0]!.inputs);
    // j >= i becomes j >= 3 i: true at the start, and no round keeps it.
    const text = JSON.stringify(run.claims).replaceAll("|i#1@1|", "(* 3 |i#1@1|)");
    const { obligations, verdicts, checked } = proveRun(runOf(run.trace), JSON.parse(text));
    expect(checked).toBe(false);
    expect(verdicts[1]).toMatchObject({ answer: "refuted", obligation: { name: "loop1-body-1" } });
    const file = printCoq(obligations);
    const { status, output } = coqc(file);
    expect(status).toBe(1);
    const before = file.split("\n").slice(0, Number(/line (\d+)/.exec(output)![1]));
    expect(before.findLast((line) => line.startsWith("Theorem"))).toContain("loop1_body_1");
  });
});
