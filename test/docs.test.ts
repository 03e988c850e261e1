import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root } from "./support/builtCli.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
/** Decision records describe the repository as it was when they were written. */
const pages = ["README.md", "examples/README.md", ...filesBelow("docs", ".md")].filter(
  (path) => !path.startsWith("docs/decisions/"),
);

describe("the changelog", () => {
  it("has one line of at most 120 characters for each change", () => {
    const lines = read("CHANGELOG.md").split("\n");
    const items = lines.filter((line) => line.startsWith("- "));
    expect(items.length).toBeGreaterThan(100);
    expect(items.filter((line) => line.length > 120)).toEqual([]);
    expect(items.filter((line) => !/[.]$/.test(line))).toEqual([]);
    expect(items.filter((line, i) => items.indexOf(line) !== i)).toEqual([]);
    // A line that is no item, heading or paragraph continues an item.
    expect(lines.filter((line) => /^\s+\S/.test(line))).toEqual([]);
  });

  it("has one sentence in each item", () => {
    const items = read("CHANGELOG.md")
      .split("\n")
      .filter((line) => line.startsWith("- "));
    const withoutCode = (line: string) => line.replaceAll(/``.*?``|`[^`]*`/g, "code");
    expect(items.filter((line) => /[a-z)][.] [A-Z]/.test(withoutCode(line)))).toEqual([]);
  });
});

describe("paths of the repository", () => {
  it("exist where a page mentions them", () => {
    expect(pages.flatMap((path) => missingPaths(path, read(path)))).toEqual([]);
  });

  it("have names of files that exist, also without a folder", () => {
    const names = new Set(
      ["bench", "scripts", "src", "test"].flatMap((folder) => filesBelow(folder, ".ts")).map((path) => basename(path)),
    );
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/`(?:[\w-]+\/)*([\w.-]+\.ts)`/g)]
        .filter(([, name]) => !names.has(name!) && !existsSync(join(root, name!)))
        .map(([text]) => `${page}: ${text}`),
    );
    expect(missing).toEqual([]);
  });

  it("exist where a comment in src mentions them", () => {
    const sources = filesBelow("src", ".ts");
    expect(sources.flatMap((path) => missingPaths(path, commentsOf(read(path))))).toEqual([]);
  });

  it("are reported when they are missing", () => {
    expect(
      missingPaths("a.md", "`src/ir/program.ts`, `src/ir`, `test/**/*.long.ts`, `src/js/recorder/run*.ts`"),
    ).toEqual([]);
    expect(missingPaths("a.md", "see `src/ir/nothing.ts` and docs/nothing.md.")).toEqual([
      "a.md: src/ir/nothing.ts",
      "a.md: docs/nothing.md",
    ]);
  });
});

describe("prose of the pages", () => {
  it("has no sentence that begins as a riddle", () => {
    expect(pages.flatMap((path) => riddles(read(path)).map((text) => `${path}: ${text}`))).toEqual([]);
  });

  it("reports riddles", () => {
    expect(riddles("A fact holds. Of cells that were not looked at a run says nothing.")).toHaveLength(1);
    expect(riddles("Whoever has an answer ends the others' work.")).toHaveLength(1);
    expect(riddles("What does it do? A run says nothing about cells it never read.")).toHaveLength(0);
  });
});

/** Paths below `src`, `test` and `docs` that a text mentions and that do not exist. `*` and `**` are globs. */
function missingPaths(file: string, text: string): readonly string[] {
  const withoutOutput = text.replaceAll(/^```(?:text|console)[\s\S]*?^```/gm, "");
  const mentioned = withoutOutput.matchAll(/(?<![\w/.-])(?:src|test|docs)\/[\w*/.-]*[\w*/]/g);
  return [...new Set([...mentioned].map(([path]) => path))]
    .filter((path) => !path.includes("NAME"))
    .filter((path) => !(path.includes("*") ? matchesSome(path) : existsSync(join(root, path))))
    .filter((path) => !existsSync(join(root, dirname(file), path)))
    .map((path) => `${file}: ${path}`);
}

const files = ["src", "test", "docs"].flatMap((folder) => filesBelow(folder, ""));

function matchesSome(glob: string): boolean {
  const escaped = glob
    .replaceAll(".", "[.]")
    .replaceAll("**/", "§")
    .replaceAll("*", "[^/]*")
    .replaceAll("§", "(?:.*/)?");
  const pattern = new RegExp(`^${escaped}$`);
  return files.some((path) => pattern.test(path));
}

function commentsOf(text: string): string {
  const comments: string[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const isComment = kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia;
    if (isComment) comments.push(scanner.getTokenText());
  }
  return comments.join("\n");
}

/** Statements, not questions, that begin with a word that hides their subject. Code blocks and headings do not count. */
function riddles(markdown: string): readonly string[] {
  const prose = markdown
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/^#.*$/gm, "")
    .replaceAll(/`[^`\n]*`/g, "code");
  return prose
    .split(/\n\s*\n|\n(?=[-|\d])|(?<=[.?!:])\s+|\s\|\s|\*\*\s/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").replace(/^[-|*\d. ]+/, ""))
    .filter((sentence) => /^(?:Of|What|Whatever|Where|Whoever|Who) /.test(sentence) && !sentence.endsWith("?"));
}

function filesBelow(folder: string, extension: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
