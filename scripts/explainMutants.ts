import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { cancelledAfter } from "../src/base/cancellation.ts";
import { TracefoldError } from "../src/base/errors.ts";
import { explainTest } from "../src/commands/explain/failingTest/explainTest.ts";
import { paintOf } from "../src/commands/output.ts";
import { children, type Node, parseSource } from "../src/js/recorder/syntax.ts";
import { explainText } from "../src/render/explainText.ts";
import { screenPlaces } from "../test/support/screenPlaces.ts";

/**
 * How often `explain --test` shows the line that is wrong: changes one operator or number of a project at a time, takes the first
 * test that then fails, and looks for the changed line in its explanation.
 *
 *   npx tsx scripts/explainMutants.ts PROJECT [COUNT] [FOLDER...]
 *
 * PROJECT is a folder with `src`, tests and vitest; it is changed while this runs and put back. Files below FOLDERs of `src` are changed,
 * all where none is given. A file's own tests are those that have its name; where there are none, all tests run. A line counts
 * as shown if the screen has it, as a row or a suspect.
 */

type Mutant = { readonly path: string; readonly line: number; readonly text: string; readonly what: string };

const otherOperator: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "&&": "||",
  "||": "&&",
};

function mutantsOf(path: string): readonly Mutant[] {
  const source = readFileSync(path, "utf8");
  const parsed = parseSource(path, source, "module");
  if (parsed.kind === "refused") return [];
  const found: Mutant[] = [];
  const add = (start: number, end: number, by: string): void => {
    const text = source.slice(0, start) + by + source.slice(end);
    const line = source.slice(0, start).split("\n").length;
    found.push({ path, line, text, what: `${source.slice(start, end)} -> ${by}` });
  };
  const visit = (node: Node): void => {
    const to = otherOperator[node.operator];
    if ((node.type === "BinaryExpression" || node.type === "LogicalExpression") && to !== undefined) {
      const at = source.indexOf(node.operator, node.left.end);
      if (at !== -1 && at < node.right.start) add(at, at + node.operator.length, to);
    } else if (node.type === "Literal" && typeof node.value === "number")
      add(node.start, node.end, `${Number(node.value) + 1}`);
    for (const child of children(node)) visit(child);
  };
  visit(parsed.program);
  return found;
}

async function judge(mutant: Mutant): Promise<string> {
  const original = readFileSync(mutant.path, "utf8");
  writeFileSync(mutant.path, mutant.text);
  try {
    const { explanation, sources } = await explainTest(null, ["vitest", "run", ...testsOf(mutant.path)], {
      ...{ budget: 3000, cancellation: cancelledAfter(120_000), about: () => ({ version: "", ms: 0 }) },
      ...{ progress: () => {}, recorded: () => {} },
    });
    if (explanation.kind !== "explained") return explanation.kind;
    const screen = explainText(explanation, {
      paint: paintOf(false),
      source: (path) => sources.get(path) ?? null,
    });
    if (process.env.SCREENS !== undefined) console.log(screen);
    const isShown = screenPlaces(screen).has(`${basename(mutant.path)}:${mutant.line}`);
    const how = explanation.missing.length === 0 ? "" : ` (${explanation.missing.join("; ")})`;
    return `${isShown ? "shown" : "missed"}${how}`;
  } catch (error) {
    if (error instanceof TracefoldError) return error.code === "TF126" ? "passes" : `${error.code}: ${error.message}`;
    throw error;
  } finally {
    writeFileSync(mutant.path, original);
  }
}

/** Tests that have the file's name, or all. */
function testsOf(path: string): readonly string[] {
  const name = basename(path).replace(/\.[cm]?[jt]s$/, "");
  return tests.filter((test) => basename(test).startsWith(`${name}.`));
}

const project = resolve(process.argv[2]!);
const count = Number(process.argv[3] ?? 10);
process.chdir(project);
const isTest = (path: string): boolean => /\.(test|spec)\.[cm]?[jt]s$/.test(path);
const files = readdirSync(project, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.includes("node_modules"))
  .sort();
const tests = files.filter(isTest);
const folders = process.argv.slice(4).map((folder) => join(project, "src", folder));
const sources = files.filter(
  (path) =>
    path.startsWith(join(project, "src")) &&
    !isTest(path) &&
    (folders.length === 0 || folders.some((folder) => path.startsWith(folder))),
);
const mutants = sources.flatMap(mutantsOf);
let judged = 0;
let shown = 0;
for (let i = 0; i < mutants.length && judged < count; i += Math.max(1, Math.floor(mutants.length / (2 * count)))) {
  const mutant = mutants[i]!;
  const result = await judge(mutant);
  console.log(`${mutant.path.slice(project.length + 1)}:${mutant.line} ${mutant.what}: ${result}`);
  if (result === "passes") continue;
  judged++;
  if (result.startsWith("shown")) shown++;
}
console.log(`${shown} of ${judged} failing tests: the changed line is in the explanation`);
