import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { libraryPage } from "../../../scripts/libraryPage.ts";
import { libraryFiles, mentionedFiles } from "../../../src/c/library/libraryFiles.ts";
import { type Extent, type MemoryUse, pointeeSize } from "../../../src/c/library/memoryUse.ts";
import { entries, entryName, type LibraryFunction, libraryFunctions } from "../../../src/c/library/table.ts";
import { builtinHeader } from "../../../src/c/preprocess/preprocessFile.ts";

const functions = [...libraryFunctions()];

describe("the table of C library functions", () => {
  it("has each function once", () => {
    const names = entries.map(entryName);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.length).toBeGreaterThan(250);
  });

  it("mentions only the function's own parameters", () => {
    for (const known of functions) {
      const names = [...known.parameters.map(({ name }) => name), ...(known.signature.variadic ? ["..."] : [])];
      const spoken = [...known.memory.flatMap(parametersOf), ...allocationParameters(known)];
      if (known.returns !== null) spoken.push(known.returns);
      expect(
        spoken.filter((name) => !names.includes(name)),
        known.name,
      ).toEqual([]);
      for (const use of known.memory) {
        if (!("extent" in use) || use.extent.kind !== "pointee" || !("at" in use)) continue;
        const type = known.parameters.find(({ name }) => name === use.at)!.type;
        expect(pointeeSize(type, 8)).toBeGreaterThan(0);
      }
    }
  });

  it("gives every function of a header to that header", () => {
    for (const entry of entries) {
      if (entry.header === null) continue;
      const text = builtinHeader(entry.header) ?? "";
      const declared = new RegExp(`^\\w.*\\b${entryName(entry)}\\(`);
      expect(text.split("\n").filter((line) => declared.test(line)).length, entryName(entry)).toBe(1);
    }
  });

  it("has the C text of every function that is written in C", () => {
    for (const entry of entries.filter(({ kind }) => kind === "source")) {
      const [file] = mentionedFiles([`x = ${entryName(entry)}(y);`]);
      expect(file?.text, entryName(entry)).toContain(`${entryName(entry)}(`);
    }
    expect(libraryFiles.flatMap(({ names }) => names).length).toBe(
      entries.filter(({ kind }) => kind === "source").length,
    );
    expect(mentionedFiles(["x = quicksort(y);"])).toEqual([]);
  });

  it("agrees with docs/c-library.md", () => {
    const text = readFileSync(new URL("../../../docs/c-library.md", import.meta.url), "utf8");
    expect(libraryPage(text), "npm run library-page").toBe(text);
  });
});

function parametersOf(use: MemoryUse): string[] {
  switch (use.kind) {
    case "reads":
    case "writes":
      return [use.at, ...factorsOf(use.extent)];
    case "copies":
      return [use.to, use.from, ...factorsOf(use.extent)];
    case "fills":
      return [use.at, ...(use.byte === 0 ? [] : [use.byte]), ...factorsOf(use.extent)];
    case "frees":
      return [use.at];
    default:
      return [];
  }
}

function factorsOf(extent: Extent): readonly string[] {
  if (extent.kind === "bytes") return extent.factors;
  return extent.kind === "string" && extent.atMost !== null ? [extent.atMost] : [];
}

function allocationParameters({ allocates }: LibraryFunction): string[] {
  if (allocates === null) return [];
  const { size, replaces } = allocates;
  const own = size.kind === "bytes" ? size.factors : [size.string, ...(size.atMost === null ? [] : [size.atMost])];
  return [...own, ...(replaces === null ? [] : [replaces])];
}
