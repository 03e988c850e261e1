import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { runWithGcc } from "../../interpreter/gcc.ts";
import { hasTool } from "../../support/tools.ts";

const folder = join(import.meta.dirname, "semantics");

/** Programs that print what C makes of them: the same output and exit code as when gcc compiles them. */
describe.skipIf(!hasTool("gcc"))("means what gcc means", () => {
  test.each(readdirSync(folder))("%s", async (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const program = await loadCText(name, text, { preprocess: "builtin" });
    const ours = runProgram(program);
    const theirs = runWithGcc(text);
    expect(Buffer.from(ours.stdout).toString()).toBe(Buffer.from(theirs.stdout).toString());
    expect(ours.outcome).toMatchObject({ kind: "exit", code: theirs.status });
  });
});
