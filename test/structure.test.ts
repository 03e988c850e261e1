import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root } from "./support/builtCli.ts";

const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));

describe("src/", () => {
  it("has folders of at most about 20 files", () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 24)).toEqual([]);
    expect([...counts.values()].filter((count) => count > 20).length).toBeLessThanOrEqual(3);
  });

  it("declares every exported type under a name of its own", () => {
    const places = new Map<string, string[]>();
    for (const { path, text } of files) {
      for (const name of exportedTypes(path, text)) places.set(name, [...(places.get(name) ?? []), path]);
    }
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
    expect(places.size).toBeGreaterThan(300);
  });

  it("asks for a language by name only in front ends and in ir/language.ts", () => {
    const asking = files.filter(
      ({ path, text }) =>
        !/^src\/(c|js)\/|^src\/ir\/language\.ts/.test(path) && /language\s*[!=]==\s*"(c|typescript)"/.test(text),
    );
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  it("has fewer than 700 non-null assertions", () => {
    let count = 0;
    for (const { path, text } of files) {
      const visit = (node: ts.Node): void => {
        if (ts.isNonNullExpression(node)) count++;
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
    }
    expect(count).toBeLessThan(700);
  });
});

describe("one explanation of an 11-line program", () => {
  it("runs functions in at most 300 files", () => {
    const folder = mkdtempSync(join(root, "node_modules/.cache-coverage-"));
    try {
      const { status, stderr } = spawnSync(
        process.execPath,
        ["--import", "tsx", "src/cli/main.ts", "explain", "examples/explain/off-by-one.c", "--inputs", "40"],
        { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: folder }, encoding: "utf8" },
      );
      expect(stderr).toBe("");
      expect(status).toBe(0);
      const ran = readdirSync(folder).flatMap((name) => filesThatRan(readFileSync(join(folder, name), "utf8")));
      expect(new Set(ran).size).toBeGreaterThan(100);
      expect(new Set(ran).size).toBeLessThanOrEqual(300);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
};

/** The files of src/ in which a function with a name was called. */
function filesThatRan(json: string): readonly string[] {
  return (JSON.parse(json) as Coverage).result
    .filter(({ url }) => url.includes("/src/") && !url.includes("node_modules"))
    .filter(({ functions }) =>
      functions.some(
        ({ functionName, ranges: [whole] }) =>
          functionName !== "" && functionName !== "__name" && (whole?.count ?? 0) > 0 && whole?.startOffset !== 0,
      ),
    )
    .map(({ url }) => url.replace(/\?.*/, ""));
}

function exportedTypes(path: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    const isType =
      ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement);
    if (!isType || statement.name === undefined) return [];
    const isExported = (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported ? [statement.name.text] : [];
  });
}
