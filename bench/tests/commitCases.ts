import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type PlainResults, plainResults } from "./plainResults.ts";
import type { TestCase } from "./testCase.ts";

/** A commit that mends a defect and adds a test for it. */
type Fix = {
  readonly name: string;
  /** The folder of the repository's history. */
  readonly git: string;
  readonly commit: string;
  /** A folder with its dependencies. */
  readonly modules: string;
  /** What runs its tests; the words "TESTS" stand for the test files of the commit. */
  readonly command: readonly string[];
  /** The source that it mends. */
  readonly file: string;
};

const isTest = /(^|\/)(tests?|spec|__tests__)\/|\.(test|spec)\.\w+$/;

/** Writes cases: projects before a fix with the tests of the fix. */
export function writeCommitCases(listFile: string, folder: string): void {
  const base = dirname(resolve(listFile));
  const fixes = JSON.parse(readFileSync(listFile, "utf8")) as readonly Fix[];
  for (const fix of fixes) {
    const said = writeCase({ ...fix, git: resolve(base, fix.git), modules: resolve(base, fix.modules) }, folder);
    console.log(`${fix.name}: ${said}`);
  }
}

function writeCase({ name, git, commit, modules, command, file }: Fix, folder: string): string {
  const run = (...words: string[]) => execFileSync("git", [`--git-dir=${git}`, ...words], { maxBuffer: 1 << 28 });
  const root = join(resolve(folder), "projects", name);
  mkdirSync(root, { recursive: true });
  execFileSync("tar", ["x", "-C", root], { input: run("archive", `${commit}~1`) });
  symlinkSync(modules, join(root, "node_modules"));
  const tests = `${run("diff", "--name-only", "--diff-filter=AM", `${commit}~1`, commit)}`
    .split("\n")
    .filter((path) => isTest.test(path));
  for (const path of tests) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), run("show", `${commit}:${path}`));
  }
  const words = command.flatMap((word) =>
    word === "TESTS" ? tests.filter((path) => /\.[cm]?[jt]sx?$/.test(path)) : word,
  );
  const path = join(root, file);
  const broken = readFileSync(path);
  const before = plainResults(root, words);
  writeFileSync(path, run("show", `${commit}:${file}`));
  const mended = passing(plainResults(root, words));
  writeFileSync(path, broken);
  const failing = before.filter((each) => each.state === "failed");
  const target = failing.find((each) => mended.has(`${each.file}\n${each.name}`));
  if (target === undefined) return `no test of ${before.length} fails before the fix and passes with it`;
  const lines = changedLines(`${run("diff", "-U0", `${commit}~1`, commit, "--", file)}`);
  const found: Omit<TestCase, "name"> = {
    ...{ project: relative(folder, root), command: words, test: target.name, file, edit: null, lines },
  };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(found, null, 1));
  return `${failing.length} of ${before.length} tests fail; "${target.name}", ${file}:${lines.join(",")}`;
}

function passing(results: PlainResults): ReadonlySet<string> {
  return new Set(results.flatMap(({ file, name, state }) => (state === "passed" ? [`${file}\n${name}`] : [])));
}

/** The lines that a fix changes or deletes. If it only adds some, those beside them. */
export function changedLines(diff: string): readonly number[] {
  const lines = [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)].flatMap(([, start, count = "1"]) =>
    count === "0"
      ? [Number(start), Number(start) + 1]
      : Array.from({ length: Number(count) }, (_, i) => Number(start) + i),
  );
  return [...new Set(lines)].filter((line) => line > 0);
}
