import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadTestFiles } from "../../../src/js/runners/mochaFiles.ts";

const module = Module as unknown as { _load: unknown };
const original = module._load;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-mocha-"));
  mkdirSync(join(folder, "node_modules/mocha/lib"), { recursive: true });
  writeFileSync(join(folder, "script.js"), 'module.exports = "required";');
  writeFileSync(join(folder, "module.mjs"), "export const x = 1;");
  loadTestFiles();
});

afterEach(() => {
  module._load = original;
  rmSync(folder, { recursive: true });
});

/** A loader as that of some version of mocha, which would import every file. */
function loaderWith(name: string): Record<string, (file: string) => Promise<unknown>> {
  const path = join(folder, "node_modules/mocha/lib/esm-utils.js");
  writeFileSync(path, `exports.${name} = async () => "imported";`);
  return createRequire(join(folder, "x.js"))(path);
}

it("requires scripts where mocha 9 would import them", async () => {
  const { requireOrImport } = loaderWith("requireOrImport");
  expect(await requireOrImport?.(join(folder, "script.js"))).toBe("required");
  expect(await requireOrImport?.(join(folder, "module.mjs"))).toBe("imported");
});

it("requires scripts where mocha 10 would import them", async () => {
  const { doImport } = loaderWith("doImport");
  expect(await doImport?.(join(folder, "script.js"))).toEqual({ default: "required" });
  expect(await doImport?.(join(folder, "module.mjs"))).toBe("imported");
});
