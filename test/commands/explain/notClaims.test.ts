import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { root } from "../../support/builtCli.ts";

async function runOf(name: string, inputs: readonly bigint[] = []) {
  const text = readFileSync(join(root, "test/fixtures/claims", `${name}.c`), "utf8");
  const { outcome, stdout } = recordTrace(await loadCText(`${name}.c`, text, { preprocess: "builtin" }), { inputs });
  return { outcome, printed: Buffer.from(stdout).toString() };
}

const interpreterPage = readFileSync(join(root, "docs/interpreter.md"), "utf8").replaceAll("\n", " ");

describe("programs whose runs were wrong", () => {
  it("x04: passes an assertion about errno for every input", async () => {
    for (const input of [0n, 1n])
      expect((await runOf("x04", [input])).outcome).toMatchObject({ kind: "exit", code: 0 });
  });

  it("p41: sets errno in strtol as gcc's library does", async () => {
    expect((await runOf("p41")).printed).toBe("9223372036854775807 34\n");
  });

  it("u29: ends at an unaligned access", async () => {
    expect((await runOf("u29")).outcome).toMatchObject({ kind: "undefined-behaviour", problem: "misaligned-access" });
  });

  it("p04: has gcc's bits of unions except for a signalling NaN, and the documentation says so", async () => {
    const lines = (await runOf("p04")).printed.trimEnd().split("\n");
    expect(lines.slice(0, 7)).toEqual([
      "3fc00000",
      "8000000000000000",
      "1 0",
      "2ffff",
      "1",
      "7ff8000000000001",
      "7ff0000000000001",
    ]);
    expect(lines.slice(7)).toEqual(["7fc00001", "1.4013e-45 0x1p-149"]);
    expect(interpreterPage).toContain("a signalling NaN becomes quiet");
  });
});
