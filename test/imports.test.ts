import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const layers = readLayerTable(readFileSync(join(root, "docs/architecture.md"), "utf8"));
const files = sourceFiles();

describe("imports go downwards", () => {
  it("names every folder of src/ in the table of docs/architecture.md", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name).filter((name) => !layers.has(name))).toEqual([]);
    expect(layers.size).toBeGreaterThan(10);
  });

  it("lets no file import from other folders of its layer or from a higher layer", () => {
    expect(allImports().filter(({ from, to }) => !mayImport(from, to))).toEqual([]);
  });

  it("lets no folder of analyses/ import another one", () => {
    const crossing = allImports().filter(({ from, to }) => {
      const [a, b] = [analysisFolder(from), analysisFolder(to)];
      return a !== null && b !== null && a !== b;
    });
    expect(crossing).toEqual([]);
  });

  it("proof/ knows no analysis: it builds its conditions from model/ and cutpoints/", () => {
    const known = allImports().filter(({ from, to }) => topFolder(from) === "proof" && topFolder(to) === "analyses");
    expect(known).toEqual([]);
  });

  it("keeps recorded runs out of symbolic/", () => {
    const known = allImports().filter(
      ({ from, to }) => topFolder(from) === "symbolic" && ["recordedRun", "interpreter"].includes(topFolder(to) ?? ""),
    );
    expect(known).toEqual([]);
  });

  it("allows import circles only where grammar or mutual recursion makes them natural", () => {
    const unlisted = cycles().filter(
      (cycle) => !naturalCycles.some(({ files }) => cycle.every((file) => files.test(file))),
    );
    expect(unlisted).toEqual([]);
  });

  it("lists only natural circles that exist", () => {
    const found = cycles();
    const gone = naturalCycles.filter(({ files }) => !found.some((cycle) => cycle.every((file) => files.test(file))));
    expect(gone).toEqual([]);
  });

  it("has relative imports that name an existing file with its extension", () => {
    const known = new Set(files.map((file) => file.path));
    expect(allImports().filter(({ to }) => !known.has(to))).toEqual([]);
  });
});

/** Circles of imports that are meant to be there, and why. */
const naturalCycles: readonly { readonly why: string; readonly files: RegExp }[] = [
  { why: "statements, declarations, expressions and types contain each other", files: /^src\/c\/(lower|declare)\// },
  { why: "the same, rewritten", files: /^src\/js\/trace\/instrument\// },
  { why: "the same, as syntax", files: /^src\/c\/parse\/parse\w+\.ts$/ },
  { why: "comparisons contain terms and are terms", files: /^src\/logic\/print(Comparison|FloatTerm|Source)\.ts$/ },
  { why: "expressions contain calls and assignments; the same, followed", files: /^src\/concolic\// },
  { why: "expressions contain expressions", files: /^src\/interpreter\/compile\/emit\w+\.ts$/ },
];

/** Files that need each other when they are loaded, directly or through others (types are gone by then): strongly connected parts of more than one file (Tarjan). */
function cycles(): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>();
  for (const { from, to, isType } of allImports()) if (!isType) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const to of targets.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const part = open.splice(open.indexOf(file));
    if (part.length > 1) found.push(part.sort());
  };
  for (const { path } of files) if (!order.has(path)) visit(path);
  return found;
}

/** Rows `| 3 | `trace` | … |` of the table under "What each folder may import". */
function readLayerTable(markdown: string): ReadonlyMap<string, number> {
  const rows = markdown.matchAll(/^\|\s*(\d+)\s*\|\s*`([\w/*]+)`\s*\|/gm);
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
function allImports(): { readonly from: string; readonly to: string; readonly isType: boolean }[] {
  const specifier = /(?:\bimport type \{[^}]*\} from\s*|\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)"(\.[^"]*)"/g;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(specifier)]
      // The package's own manifest is data.
      .filter((match) => (match[0].includes("URL") ? match[1]!.endsWith(".ts") : !match[1]!.endsWith(".json")))
      .map((match) => ({
        from: path,
        to: posix.join(posix.dirname(path), match[1]!),
        isType: match[0].startsWith("import type"),
      })),
  );
}

/** `src/index.ts` is the library's front door and stands above the folders that it exports, the command line excepted. */
function mayImport(from: string, to: string): boolean {
  const [a, b] = [roomOf(from), roomOf(to)];
  if (a === null) return b !== "cli";
  if (a === b) return true;
  const [above, below] = [layers.get(a), b === null ? undefined : layers.get(b)];
  return above !== undefined && below !== undefined && below < above;
}

/** The row of the table that a file belongs to: `c/library` before `c`; of `commands/run/`, `command.ts` is in `commands`. */
function roomOf(path: string): string | null {
  if (/^src\/commands\/(?!options\/)\w+\/(?!command\.ts$)/.test(path)) return "commands/*";
  const folders = posix.dirname(path).split("/").slice(1);
  for (let length = folders.length; length > 0; length--) {
    const folder = folders.slice(0, length).join("/");
    if (layers.has(folder)) return folder;
  }
  return topFolder(path);
}

function topFolder(path: string): string | null {
  return /^src\/(\w+)\//.exec(path)?.[1] ?? null;
}

function analysisFolder(path: string): string | null {
  return /^src\/analyses\/(\w+)\//.exec(path)?.[1] ?? null;
}
