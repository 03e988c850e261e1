import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

describe("docs/errors.md", () => {
  const documented = rows(readFileSync(join(root, "docs/errors.md"), "utf8"));

  it("lists every code that the sources use, and no other", () => {
    expect([...documented].sort()).toEqual([...codesInSources()].sort());
  });
});

function rows(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^\| (TF\d{3}) \|/gm)].map((row) => row[1]!));
}

function codesInSources(): Set<string> {
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(/"(TF[123]\d\d)"/g)].map((match) => match[1]!)));
}
