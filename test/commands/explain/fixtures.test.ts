import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { explain } from "../../../src/commands/explain/pipeline.ts";
import { explainText } from "../../../src/render/explainText.ts";
import { plain } from "../../../src/render/layout.ts";
import { root } from "../../support/builtCli.ts";

const folder = join(root, "test/fixtures/explain");

/** Programs beside what is said of them, to be read side by side: `vitest run -u` writes what is said now. */
describe("explanations that one can read", () => {
  it.each(readdirSync(folder))("%s", async (name) => {
    const text = readFileSync(join(folder, name, "program.c"), "utf8");
    const given = /^\/\/ inputs: (.*)$/m.exec(text)?.[1] ?? "";
    const inputs = given === "" ? [] : given.split(",").map((word) => BigInt(word.trim()));
    const explanation = explain(await loadCText("program.c", text), {
      run: { inputs },
      replay: (smallest) => `tracefold run program.c --inputs=${smallest.join(",")}`,
    });
    // Which solver checks depends on the machine.
    const shown = explainText(explanation, { paint: plain, source: () => text }).replaceAll(/, (z3|cvc5)[^)]*\)/g, ")");
    await expect(shown).toMatchFileSnapshot(join(folder, name, "explanation.txt"));
  });
});
