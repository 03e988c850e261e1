/**
 * How often `explain --test` shows the line that is wrong: changes one operator or number of a project at a time, takes the first
 * test that then fails, and looks for the changed line in its explanation.
 *
 *   npx tsx scripts/explainMutants.ts PROJECT [COUNT]
 *
 * PROJECT is a folder with `src`, tests and vitest; it is changed while this runs and put back.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cancelledAfter, neverCancelled } from "../src/base/cancellation.ts";
import { TracefoldError } from "../src/base/errors.ts";
import { explainTrace } from "../src/explain/pipeline.ts";
import { lowerTest } from "../src/explain/test/lowerTest.ts";
import { recordTest } from "../src/explain/test/recordTest.ts";
import { children, type Node, parseSource } from "../src/recorder/syntax.ts";

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
    const recorded = await recordTest("", ["vitest", "run"], cancelledAfter(120_000));
    const lowered = lowerTest(recorded.files, recorded.calls);
    if (lowered === null) return "not followed";
    const explanation = explainTrace(
      lowered.trace,
      { shrink: false, budget: 3000, cancellation: neverCancelled },
      () => ({
        version: "",
        ms: 0,
        replay: () => "",
      }),
    );
    if (explanation.kind !== "explained") return explanation.kind;
    const rows = explanation.sections.flatMap((section) => section.rows.map(({ location }) => location));
    const places = [...rows, ...explanation.suspects.map(({ location }) => location)];
    const isShown = places.some(
      ({ file, line, endLine }) =>
        mutant.path.endsWith(file) && line <= mutant.line && mutant.line <= Math.max(line, endLine),
    );
    const how = lowered.isFaithful ? "" : " (model differs)";
    return `${isShown ? "shown" : "missed"}${how}: ${lowered.trace.steps} steps, ${rows.length} rows, ${recorded.name}`;
  } catch (error) {
    if (error instanceof TracefoldError) return error.code === "TF126" ? "passes" : `${error.code}: ${error.message}`;
    throw error;
  } finally {
    writeFileSync(mutant.path, original);
  }
}

const project = resolve(process.argv[2]!);
const count = Number(process.argv[3] ?? 10);
process.chdir(project);
const sources = readdirSync(join(project, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
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
