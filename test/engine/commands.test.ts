import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { optionsPage } from "../../scripts/optionsPage.ts";
import { commands } from "../../src/commands/all.ts";
import { root } from "../support/builtCli.ts";

describe("commands as data", () => {
  it("have names of their own, and text among their formats", () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["explain", "run", "compress", "check"]));
    for (const { formats } of commands) expect(Object.keys(formats)).toContain("text");
  });

  it("have no option twice, and only defaults that may be chosen", () => {
    for (const { options } of commands) {
      const flags = Object.values(options).map(({ flags }) => flags.split(" ")[0]);
      expect(new Set(flags).size).toBe(flags.length);
      for (const { choices, default: usual } of Object.values(options)) {
        if (choices !== undefined && usual !== undefined) expect(choices).toContain(usual);
      }
    }
  });

  it("are listed in docs/options.md as they are declared", () => {
    expect(readFileSync(join(root, "docs/options.md"), "utf8")).toBe(optionsPage());
  });

  it("load nothing but options, because every start reads the list", () => {
    const loaded = loadedWith(join(root, "src/commands/all.ts"));
    const heavy =
      /^src\/(c\/(?!library)|languages|logic|solver|symbolic|recordedRun|cutpoints|model|analyses|search|proof|render(?!\/layout\.ts))\//;
    expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
    expect(loaded.length).toBeLessThan(40);
  });
});

/** A file and those that are loaded with it: dynamic imports and types are not. */
function loadedWith(entry: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    const output = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
    });
    for (const match of output.outputText.matchAll(/^(?:import|export)\s[^;]*?from "(\.[^"]*\.ts)"/gm)) {
      visit(resolve(dirname(path), match[1]!));
    }
  };
  visit(entry);
  return [...seen].map((path) => relative(root, path)).sort();
}
