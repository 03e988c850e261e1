import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const layers = readLayerTable(readFileSync(join(root, "docs/architecture.md"), "utf8"));
const files = sourceFiles();

describe("imports go downwards", () => {
  it("the table in docs/architecture.md names every folder of src/", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name).filter((name) => !layers.has(name))).toEqual([]);
    expect(layers.size).toBeGreaterThan(10);
  });

  it("no file imports from its own layer's other folders or from a higher layer", () => {
    expect(allImports().filter(({ from, to }) => !mayImport(from, to))).toEqual([]);
  });

  it("folders of analysis/ do not import each other", () => {
    const crossing = allImports().filter(({ from, to }) => {
      const [a, b] = [analysisFolder(from), analysisFolder(to)];
      return a !== null && b !== null && a !== b;
    });
    expect(crossing).toEqual([]);
  });

  it("relative imports name an existing file with its extension", () => {
    const known = new Set(files.map((file) => file.path));
    expect(allImports().filter(({ to }) => !known.has(to))).toEqual([]);
  });
});

/** Rows `| 3 | `trace` | … |` of the table under "What each folder may import". */
function readLayerTable(markdown: string): ReadonlyMap<string, number> {
  const rows = markdown.matchAll(/^\|\s*(\d+)\s*\|\s*`(\w+)`\s*\|/gm);
  return new Map([...rows].map((row) => [row[2]!, Number(row[1])]));
}

function sourceFiles(): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path).replaceAll("\\", "/"), text: readFileSync(path, "utf8") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Static, dynamic and re-exported relative imports, and files named as `new URL("./x.ts", import.meta.url)`. */
function allImports(): { readonly from: string; readonly to: string }[] {
  const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)"(\.[^"]*)"/g;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(specifier)]
      // The package's own manifest is data.
      .filter((match) => (match[0].includes("URL") ? match[1]!.endsWith(".ts") : !match[1]!.endsWith(".json")))
      .map((match) => ({ from: path, to: posix.join(posix.dirname(path), match[1]!) })),
  );
}

/** `src/index.ts` is the library's front door and stands above the folders that it exports, the command line excepted. */
function mayImport(from: string, to: string): boolean {
  const [a, b] = [topFolder(from), topFolder(to)];
  if (a === null) return b !== "cli";
  return a === b || (b !== null && layers.get(b)! < layers.get(a)!);
}

function topFolder(path: string): string | null {
  return /^src\/(\w+)\//.exec(path)?.[1] ?? null;
}

function analysisFolder(path: string): string | null {
  return /^src\/analysis\/(\w+)\//.exec(path)?.[1] ?? null;
}
