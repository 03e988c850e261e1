import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { bundledSchema } from "../scripts/bundleSchema.ts";
import { builtCli, root } from "./support/builtCli.ts";

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

describe("the bundled schema", () => {
  it("is made of the others", () => {
    const path = join(root, "schema/tracefold.schema.json");
    expect(readFileSync(path, "utf8"), "npm run schema").toBe(bundledSchema());
  });

  it("describes what explain gives", async () => {
    const { explain, loadCText } = (await library()) as unknown as typeof import("../src/index.ts");
    const program = await loadCText("p.c", "#include <assert.h>\nint main(void) { int x = 3; assert(x == 4); }\n");
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(bundledSchema()));
    const explanation = JSON.parse(JSON.stringify(explain(program, { version: "0.1.0" })));
    expect(validate(explanation), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...explanation, kind: "guessed" })).toBe(false);
  });
});
