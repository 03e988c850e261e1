import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));

/** One concept per file, and functions that fit on a screen. A long function says why in its comment: "One closure: …". */
describe("sizes", () => {
  it("half of the files have at most 120 lines, none more than 450", () => {
    const lines = files.map(({ text }) => text.split("\n").length - 1).sort((a, b) => a - b);
    expect(lines[lines.length >> 1]).toBeLessThanOrEqual(120);
    expect(files.filter(({ text }) => text.split("\n").length - 1 > 450).map(({ path }) => path)).toEqual([]);
  });

  it("no function has more than 80 lines, unless its comment says why it is one", () => {
    expect(files.flatMap(({ path, text }) => longFunctions(path, text))).toEqual([]);
  });
});

function longFunctions(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const long: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const last = source.getLineAndCharacterOfPosition(node.end).line;
      const comment = text.slice(node.getFullStart(), node.getStart());
      if (last - first + 1 > 80 && !/One (closure|function):/.test(comment)) long.push(`${path}:${first + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return long;
}
