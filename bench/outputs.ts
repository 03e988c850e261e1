import { parseArgs } from "node:util";
import { cancelledAfter } from "../src/base/cancellation.ts";
import { TracefoldError } from "../src/base/errors.ts";
import { loadCText } from "../src/c/cFrontEnd.ts";
import { explainTrace } from "../src/commands/explain/pipeline.ts";
import { runProgram } from "../src/interpreter/run.ts";
import { recordTrace } from "../src/interpreter/trace.ts";
import type { Program } from "../src/ir/program.ts";
import { explainText } from "../src/render/explainText.ts";
import { plain } from "../src/render/layout.ts";
import { inChosenOrder } from "./mutants/chooseMutations.ts";
import { mutationsOf } from "./mutants/mutate.ts";
import { isOmission, type Mutation, mutatedText, mutationKinds } from "./mutants/mutation.ts";
import { shownLines } from "./mutants/shownLines.ts";
import { type OutputTest, runOptionsOf, type TestedTool, testedTool } from "./outputs/testedTool.ts";

/**
 * How good explanations of wrong outputs are: mutants of a text tool whose tests compare what it prints. What is counted is whether the
 * changed line is on the screen; of an omission, where it stood or a line beside it.
 */
export async function runOutputs(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      outputs: { type: "boolean" },
      kind: { type: "string" },
      each: { type: "string", default: "6" },
      budget: { type: "string", default: "10" },
      list: { type: "boolean", default: false },
      screens: { type: "boolean", default: false },
    },
  });
  const tool = testedTool("fields");
  await checkTool(tool);
  const budget = 1000 * Number(values.budget);
  const all: Score[] = [];
  for (const kind of mutationKinds.filter((each) => values.kind === undefined || each === values.kind)) {
    const scores: Score[] = [];
    for (const mutation of inChosenOrder(tool.name, kind, await mutationsOf(tool))) {
      if (scores.length === Number(values.each)) break;
      const score = await explainMutant(tool, mutation, budget);
      if (score === null) continue;
      scores.push(score);
      if (values.list && !score.shown) console.log(missLine(score));
      if (values.screens) console.log(score.screen);
    }
    console.log(tableLine(kind, scores));
    all.push(...scores);
  }
  console.log(tableLine("all", all));
  console.log(`${all.filter(({ failure }) => failure === "wrong-output").length} by what was printed`);
}

type Score = {
  readonly mutation: Mutation;
  readonly test: string;
  readonly failure: string;
  readonly answered: boolean;
  readonly shown: boolean;
  readonly lines: number;
  readonly ms: number;
  readonly screen: string;
};

/** Every test passes with the tool as it is. */
async function checkTool(tool: TestedTool): Promise<void> {
  const program = await loadCText(tool.path, tool.text);
  for (const test of tool.tests) {
    const { outcome } = runProgram(program, runOptionsOf(tool, test));
    if (outcome.kind !== "exit") throw new Error(`${test.name}: ${JSON.stringify(outcome)}`);
  }
}

const maxSteps = 200_000;

async function explainMutant(tool: TestedTool, mutation: Mutation, budget: number): Promise<Score | null> {
  const text = mutatedText(tool.text, mutation);
  const program = await loadIfLegal(tool.path, text);
  const test = program === null ? null : firstFailing(tool, program);
  if (program === null || test === null) return null;
  const start = process.cpuUsage();
  const trace = recordTrace(program, { ...runOptionsOf(tool, test), maxSteps });
  const about = () => ({ version: "", ms: 0, replay: () => "" });
  const explanation = explainTrace(trace, { cancellation: cancelledAfter(budget) }, about);
  const { user, system } = process.cpuUsage(start);
  const screen = explainText(explanation, { paint: plain, source: () => text });
  const shown = new Set(shownLines(explanation, text));
  const wanted = isOmission(mutation.kind) ? [...mutation.lines, ...mutation.neighbours] : mutation.lines;
  return {
    mutation,
    test: test.name,
    failure: trace.outcome.kind,
    answered: explanation.kind === "explained",
    shown: wanted.some((line) => shown.has(line)),
    lines: screen.trimEnd().split("\n").length,
    ms: (user + system) / 1000,
    screen,
  };
}

async function loadIfLegal(path: string, text: string): Promise<Program | null> {
  try {
    return await loadCText(path, text);
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}

function firstFailing(tool: TestedTool, program: Program): OutputTest | null {
  const fails = (test: OutputTest) =>
    runProgram(program, { ...runOptionsOf(tool, test), maxSteps }).outcome.kind !== "exit";
  return tool.tests.find(fails) ?? null;
}

function missLine({ mutation, test, failure, screen }: Score): string {
  return `-- ${mutation.kind}, line ${mutation.lines.join()}: ${mutation.description}\n   ${test}: ${failure}\n${screen}`;
}

function tableLine(what: string, scores: readonly Score[]): string {
  const share = (is: (score: Score) => boolean) => {
    const count = scores.filter(is).length;
    return `${count} of ${scores.length}`.padStart(12);
  };
  const middle = (of: (score: Score) => number) => {
    const sorted = scores.map(of).sort((a, b) => a - b);
    return `${Math.round(sorted[sorted.length >> 1] ?? 0)}`.padStart(6);
  };
  const [answered, shown] = [share((score) => score.answered), share((score) => score.shown)];
  return `${what.padEnd(20)} answered ${answered}   line shown ${shown}   lines ${middle(({ lines }) => lines)}   CPU ms ${middle(({ ms }) => ms)}`;
}
