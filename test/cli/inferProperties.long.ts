import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCli, root } from "../support/builtCli.ts";

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "tracefold-properties-"));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  write("package.json", "{}");
});
afterAll(() => rmSync(project, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

function infer(...words: readonly string[]) {
  return spawnSync(process.execPath, [builtCli(), "infer", ...words], { cwd: project, encoding: "utf8" });
}

describe("tracefold infer --properties", () => {
  it("writes properties that hold", () => {
    const file = join(project, "paper.properties.spec.ts");
    write("paper.ts", readFileSync(join(root, "test/fixtures/infer/project/paper.ts"), "utf8"));
    write(
      "paper.spec.ts",
      'import { expect, it } from "vitest";\nimport { fac, testme } from "./paper.ts";\nit("works", () => {\n  expect([testme(2, 5), testme(5, 2), fac(4), fac(0)]).toEqual([84, 84, 24, 1]);\n});\n',
    );
    expect(infer("--properties", file, "--quiet", "--", "npx", "vitest", "run", "paper.spec.ts").status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("if (!(x * y >= 0)) return;");
    const run = spawnSync("npx", ["vitest", "run", "--reporter=tap-flat", "paper.properties"], {
      cwd: project,
      encoding: "utf8",
    });
    expect(run.stdout.match(/^ok /gm)).toHaveLength(6);
  });

  it("writes commands for classes, which hold for other calls than those of the tests", () => {
    const file = join(project, "classes.properties.spec.ts");
    for (const name of ["arrayStack", "ringQueue"])
      for (const part of [`${name}.ts`, `${name}.spec.ts`])
        write(part, readFileSync(join(root, "test/fixtures/infer/project", part), "utf8"));
    const tests = ["npx", "vitest", "run", "arrayStack.spec.ts", "ringQueue.spec.ts"];
    expect(infer("--properties", file, "--quiet", "--", ...tests).status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("check: (model: Untyped) => (!model.self.isFull())");
    const run = () =>
      spawnSync("npx", ["vitest", "run", "--reporter=tap-flat", "classes.properties"], {
        cwd: project,
        encoding: "utf8",
      }).stdout;
    expect(run().match(/^ok /gm)).toHaveLength(2);
    const strict =
      "--noEmit --strict --noUnusedLocals --noUnusedParameters --skipLibCheck --target es2022 --module nodenext";
    const checked = spawnSync("npx", ["tsc", ...strict.split(" "), file], { cwd: project, encoding: "utf8" });
    expect(checked.stdout).toBe("");
    // They can fail.
    const wrong = readFileSync(join(project, "ringQueue.ts"), "utf8").replace("this.count++", "this.count += 2");
    write("ringQueue.ts", wrong);
    expect(run().match(/^not ok /gm)).toHaveLength(1);
  });
});
