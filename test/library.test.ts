import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { generatedSchema, writtenSchema } from "../scripts/schema.ts";
import { builtCli, root } from "./support/builtCli.ts";
import { schemaErrors } from "./support/schema.ts";

/** The blocks of TypeScript in `docs/library.md`: what they print is what their comments say. */

const text = readFileSync(join(root, "docs/library.md"), "utf8");
const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!);

async function library(): Promise<Record<string, unknown>> {
  const dist = dirname(dirname(builtCli()));
  return import(pathToFileURL(join(dist, "index.js")).href);
}

/** Runs a block with the library that is built; the result is what it printed. */
async function printedBy(block: string): Promise<readonly unknown[]> {
  const printed: unknown[] = [];
  const names: string[] = [];
  const body = block.replace(/import \{ (.*?) \} from "tracefold";\n/, (_, list: string) => {
    names.push(...list.split(", "));
    return "";
  });
  const { outputText } = ts.transpileModule(body, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  const known = await library();
  const AsyncFunction = (async () => {}).constructor as new (
    ...code: string[]
  ) => (...args: unknown[]) => Promise<void>;
  const run = new AsyncFunction("console", ...names, outputText);
  await run({ log: (value: unknown) => printed.push(value) }, ...names.map((name) => known[name]));
  return printed;
}

describe("docs/library.md", () => {
  it("has examples", () => expect(blocks.length).toBeGreaterThanOrEqual(4));

  it.each(blocks.map((block, i) => [i + 1, block] as const))("example %i prints what it says", async (_, block) => {
    const promised = block
      .split("\n")
      .flatMap((line) => (/console\.log\(/.test(line) ? [/ \/\/ (.*)$/.exec(line)?.[1]] : []));
    const printed = await printedBy(block);
    expect(printed).toHaveLength(promised.length);
    promised.forEach((comment, i) => {
      if (comment !== undefined) expect(`${printed[i]}`).toBe(comment);
      else expect(printed[i]).toContain("error: ");
    });
  });
});

describe("the schema", () => {
  it("is what the types of the results say", () => {
    expect(writtenSchema(), "npm run schema").toBe(generatedSchema());
  });

  it("describes the result of explain", async () => {
    const { explain, loadCText } = (await library()) as unknown as typeof import("../src/index.ts");
    const program = await loadCText("p.c", "#include <assert.h>\nint main(void) { int x = 3; assert(x == 4); }\n");
    const explanation = explain(program, { version: "0.1.0" });
    expect(schemaErrors("Explanation", explanation)).toEqual([]);
    expect(schemaErrors("Explanation", { ...explanation, kind: "guessed" })).not.toEqual([]);
  });
});
