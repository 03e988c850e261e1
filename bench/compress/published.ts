import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isFailingRun, searchFailure } from "../../src/explain/searchFailure.ts";
import { loadCText } from "../../src/frontend/c/loadC.ts";
import { type Activation, findActivations } from "../../src/symbolic/recordedRun.ts";
import type { InputValue } from "../../src/trace/inputs.ts";
import { recordTrace, type Trace } from "../../src/trace/trace.ts";
import { type PaperRow, paper } from "./paper.ts";
import { compareRows, compressedRows, printHeader, printRow } from "./row.ts";

/** A program of the paper, as SV-COMP has it. */
type Published = {
  /** Names under which it has been published, the one that the authors used first. */
  readonly names: readonly RegExp[];
  readonly rows: readonly PaperRow[];
  /** What is changed in the text for a bound, and why. */
  readonly note?: string;
  edit?(text: string, bound: number): string;
  /** What the run is to explain, where that is not a recorded error: a condition on the line with this text. */
  readonly target?: { readonly condition: string; readonly at: RegExp };
};

const published: Readonly<Record<keyof typeof paper, Published>> = {
  s3_clnt_1: { names: [/^s3_clnt_1[._]/], rows: paper.s3_clnt_1 },
  s3_srvr_6: { names: [/^s3_srvr_6[._]/], rows: paper.s3_srvr_6 },
  token_ring01: {
    names: [/^token_ring01[._]/, /^token_ring\.01[._]/],
    rows: paper.token_ring01,
    note: "variables whose declaration a goto jumps over are declared at the start of their function",
    edit: (text) =>
      text
        .replace(/int i=0, (loop[12]) = __VERIFIER_nondet_int\(\);/g, "i = 0; $1 = __VERIFIER_nondet_int();")
        .replace(/^void master\(void\) *\n\{/m, "void master(void)\n{ int i; int loop1;")
        .replace(/^void transmit1\(void\) *\n\{/m, "void transmit1(void)\n{ int i; int loop2;"),
  },
  cdaudio_simpl1: {
    names: [/^cdaudio_simpl1[._]/],
    rows: paper.cdaudio_simpl1,
    note: "the file returns before its loop: inquiryDataPtr and irp, set to 0, are inputs here; target s == NP after it",
    edit: (text, bound) =>
      text
        .replace("inquiryDataPtr = 0;", "inquiryDataPtr = __VERIFIER_nondet_int();")
        .replace("irp = 0;", "irp = __VERIFIER_nondet_int();")
        .replace("tmp >= 4", `tmp >= ${bound}`),
    target: { condition: "s == NP", at: /^void IofCompleteRequest\(.*\) *\n(.*\n)*?.*if \(s == NP\)/m },
  },
  floppy_simpl3: {
    names: [/^floppy_simpl3[._]/],
    rows: paper.floppy_simpl3,
    note: "MaximumInterfaceType, which the file sets to 0, is the bound; target status == -1073741823 where it is checked",
    edit: (text, bound) => text.replace("MaximumInterfaceType  = 0;", `MaximumInterfaceType = ${bound};`),
    target: { condition: "status == -1073741823", at: /^int main\(void\)(.*\n)*? {2}return \(status\);/m },
  },
};

/** The programs of the paper that are found below a folder; returns what was missed. */
export async function benchPublished(folder: string, runs: number): Promise<string[]> {
  if (!existsSync(folder)) return [`--programs: there is no ${folder}`];
  const files = filesBelow(folder);
  const missed: string[] = [];
  printHeader("The published programs, with inputs that were searched for");
  for (const [name, program] of Object.entries(published)) {
    const path = pathOf(files, program);
    if (path === undefined) {
      console.log(`${name}: not found`);
      missed.push(`${name}: not found`);
      continue;
    }
    let shorter: Trace | null = null;
    for (const row of program.rows) {
      const found = await failingRun(path, program, row.rounds, runs, shorter);
      missed.push(...benchRun(program.rows.length > 1 ? `${name}, bound ${row.rounds}` : name, found, row));
      shorter = found.trace;
    }
    if (program.note !== undefined) console.log(`  (${program.note})`);
  }
  return missed;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".c"))
    .sort()
    .map((path) => join(folder, path));
}

/** The version with an error; those for bit-vectors are other programs. */
function pathOf(files: readonly string[], { names }: Published): string | undefined {
  const wrong = files.filter((path) => !/[._](safe|true)[._-]|BV/.test(basename(path)));
  return names.map((name) => wrong.find((path) => name.test(basename(path)))).find((path) => path !== undefined);
}

function benchRun(title: string, found: FoundRun, row: PaperRow): string[] {
  if (found.trace === null) {
    const problem = `no failing run found in ${found.runs.toLocaleString("en-US")} tries`;
    console.log(`${title.padEnd(34)} ${problem}`);
    return [`${title}: ${problem}`];
  }
  const { all, sliced: ours } = compressedRows(found.trace);
  printRow(`${title}, ${roundsOf(found.trace)} rounds`, all, null);
  printRow("  sliced, as published", ours, row);
  const verdict = compareRows(ours, row);
  return [
    ...(ours.checked ? [] : [`${title}: the proof is not checked`]),
    ...(verdict === "worse" ? [`${title}: worse than published`] : []),
  ];
}

type FoundRun = { readonly trace: Trace | null; readonly runs: number };

/**
 * The first failing run whose loop goes round as often as published, or else the one that goes round most. A run for a
 * smaller bound becomes one for this bound when the inputs of a round are repeated.
 */
async function failingRun(
  path: string,
  program: Published,
  rounds: number,
  runs: number,
  shorter: Trace | null,
): Promise<FoundRun> {
  const original = readFileSync(path, "utf8").replace(/^#line.*$/gm, "");
  const text = program.edit?.(original, rounds) ?? original;
  const { target } = program;
  const loaded = await loadCText(path, text, {
    dataModel: "ILP32",
    uninitialized: "input",
    ...(target === undefined
      ? { errorFlag: true }
      : { watch: { file: path, line: lineOf(text, target.at), condition: target.condition } }),
  });
  if (shorter !== null) {
    const trace = recordTrace(loaded, { inputs: repeatRound(shorter, rounds) });
    if (isFailingRun(trace) && roundsOf(trace) >= rounds) return { trace, runs: 1 };
  }
  let best: { readonly trace: Trace; readonly rounds: number } | null = null;
  const search = searchFailure(
    loaded,
    // The published runs are shorter than 1,500 steps.
    { maxSteps: 4_000 },
    {
      seed: 1,
      runs,
      steps: 20_000_000,
      accepts(outcome, trace) {
        if (outcome.kind !== "exit" && outcome.kind !== "error-location") return false;
        const reached = roundsOf(trace);
        if (best === null || reached > best.rounds) best = { trace, rounds: reached };
        return reached >= rounds;
      },
    },
  );
  const longest = best as { readonly trace: Trace } | null;
  return { trace: longest === null ? null : recordTrace(loaded, replayOf(longest.trace)), runs: search.runs };
}

function replayOf({ inputs }: Trace) {
  return { inputs: inputs.map(({ value }) => value) };
}

/** The inputs of a run with those of the loop's second round read until there are so many rounds. */
function repeatRound(trace: Trace, rounds: number): InputValue[] {
  const { inputs } = trace;
  const { visits } = longestLoop(trace)!;
  const between = (from: number, to: number) =>
    inputs.filter(({ step }) => step >= from && step < to).map(({ value }) => value);
  const missing = Math.max(0, rounds - (visits.length - 1));
  return [
    ...between(0, visits[2]!),
    ...Array.from({ length: missing }, () => between(visits[1]!, visits[2]!)).flat(),
    ...between(visits[2]!, Infinity),
  ];
}

/** The last line of what matches, from 1. */
function lineOf(text: string, pattern: RegExp): number {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`nothing matches ${pattern}`);
  return text.slice(0, match.index + match[0].length).split("\n").length;
}

/** The activation that went round most. */
function longestLoop(trace: Trace): Activation | null {
  const activations = findActivations(trace, { from: 0, to: trace.steps, isTransparent: () => false });
  return activations.sort((a, b) => b.visits.length - a.visits.length)[0] ?? null;
}

function roundsOf(trace: Trace): number {
  const loop = longestLoop(trace);
  return loop === null ? 0 : loop.visits.length - 1;
}
