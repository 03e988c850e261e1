import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { builtCli } from "../../support/builtCli.ts";
import { faultyModules, frameworkWriters } from "../../support/frameworkPrograms.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-frameworks-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Answer = {
  readonly kind: string;
  readonly suspects?: readonly { readonly location: { readonly line: number } }[];
  readonly graph?: unknown;
  readonly outcome: { readonly message: string };
};

/** The place of the faulty line among the suspects, counted from 1; 0 if it is none of them. */
function rankOf(text: string): number {
  writeFileSync(join(folder, "test.c"), text);
  const { stdout } = spawnSync("node", [builtCli(), "explain", "test.c", "--format", "json"], {
    cwd: folder,
    encoding: "utf8",
  });
  const answer: Answer = JSON.parse(stdout);
  expect(answer.outcome.message).toMatch(/^check failed: /);
  const line = text.split("\n").findIndex((each) => each.includes("// fault")) + 1;
  return (answer.suspects ?? []).findIndex((suspect) => suspect.location.line === line) + 1;
}

describe("ten faults under each framework", () => {
  it.each(Object.entries(frameworkWriters))("%s", (name, write) => {
    const ranks = faultyModules.map((module) => [module.name, rankOf(write(module))] as const);
    console.log(`${name}: ${ranks.map((each) => each.join(" ")).join(", ")}`);
    expect(ranks.filter(([, rank]) => rank === 1).length).toBeGreaterThanOrEqual(4);
    expect(ranks.filter(([, rank]) => rank > 0 && rank <= 5).length).toBeGreaterThanOrEqual(9);
  });
});
