import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { applyDiff } from "./agent/applyDiff.ts";
import { type MutantForAgent, mutantsForAgent } from "./agent/mutantsForAgent.ts";
import { passesOnDisk } from "./agent/passesOnDisk.ts";

const usage = `npm run bench -- agent [options]
  --count N     so many mutants, of different programs and kinds (30)
  --skip N      leave out the first ones (0)
  --built FILE  the command to measure (dist/cli/main.js)`;

const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
/** The agent gives up after so many changes. */
const mostTries = 3;
const leastRepaired = 1 / 3;

/**
 * A simple agent over the real server: it explains a failing mutant, tries the first three changes, and keeps the first
 * one with which all tests pass.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: "string", default: "30" },
      skip: { type: "string", default: "0" },
      built: { type: "string", default: cli },
    },
  });
  const [count, skip] = [Number(values.count), Number(values.skip)];
  if (!(count > 0) || !(skip >= 0)) return console.error(usage);
  const mutants = (await mutantsForAgent(count + skip)).slice(skip);
  const root = mkdtempSync(join(tmpdir(), "tracefold-agent-"));
  const client = new Client({ name: "simple agent", version: "1" });
  const command = { command: process.execPath, args: [values.built, "mcp", "--root", root] };
  try {
    await client.connect(new StdioClientTransport(command));
    const results: AgentResult[] = [];
    for (const mutant of mutants) {
      const result = await repair(client, root, mutant);
      results.push(result);
      console.log(lineOf(mutant, result));
    }
    console.log(tableOf(results));
    const repaired = results.filter(({ isRepaired }) => isRepaired).length;
    if (repaired < leastRepaired * results.length) process.exitCode = 1;
  } finally {
    await client.close();
    rmSync(root, { recursive: true, force: true });
  }
}

type AgentResult = {
  /** A change was kept, and the changed file passes. */
  readonly isRepaired: boolean;
  /** A change was kept, but the file does not pass with it. */
  readonly isFalse: boolean;
  readonly isOriginal: boolean;
  /** The faulty line is that of the first suspect. */
  readonly isFirst: boolean;
  readonly tries: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly why: string;
};

async function repair(client: Client, root: string, mutant: MutantForAgent): Promise<AgentResult> {
  const file = basename(mutant.path);
  const path = join(root, file);
  writeFileSync(path, mutant.text);
  let tokens = 0;
  const ask = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: given }, undefined, { timeout: 300_000 });
    const [{ text = "" } = {}] = content as readonly { readonly text?: string }[];
    tokens += countTokens(text);
    return text;
  };
  const start = performance.now();
  const explained = await ask("explain", { files: [file] });
  const run = /^run (r\d+)/.exec(explained)?.[1];
  const suspect = Number(/^suspect 1 .*?:(\d+) in /m.exec(explained)?.[1] ?? 0);
  const changes = [...explained.matchAll(/^(c\d+) /gm)].map(([, id]) => id).slice(0, mostTries);
  let tries = 0;
  let kept: string | null = null;
  for (const change of changes) {
    tries++;
    const tried = await ask("try_change", { run, change });
    if (!/^(all \d+ tests pass|the failing run passes)/.test(tried)) continue;
    kept = tried;
    break;
  }
  if (kept !== null) writeFileSync(path, applyDiff(readFileSync(path, "utf8"), kept));
  const passes = kept !== null && passesOnDisk(path);
  return {
    isRepaired: passes,
    isFalse: kept !== null && !passes,
    isOriginal: readFileSync(path, "utf8") === mutant.original,
    isFirst: mutant.lines.includes(suspect),
    tries,
    tokens,
    seconds: (performance.now() - start) / 1000,
    why:
      kept === null
        ? (explained.split("\n").find((line) => /^TF|^c1|internal/.test(line)) ?? "no change was proposed")
        : "",
  };
}

function lineOf({ path, kind, description }: MutantForAgent, result: AgentResult): string {
  const { isRepaired, isOriginal, isFalse, tries, tokens, seconds, why } = result;
  const outcome = isFalse
    ? "FALSE"
    : isOriginal
      ? "repaired as it was"
      : isRepaired
        ? "repaired"
        : `not repaired: ${why}`;
  return `${basename(path)}, ${kind}, ${description}: ${outcome}; ${tries} tries, ${tokens} tokens, ${seconds.toFixed(1)} s`;
}

function tableOf(results: readonly AgentResult[]): string {
  const count = (matches: (result: AgentResult) => boolean) => `${results.filter(matches).length} of ${results.length}`;
  const middle = (of: (result: AgentResult) => number) =>
    results.map(of).sort((a, b) => a - b)[Math.floor((results.length - 1) / 2)] ?? 0;
  return [
    `repaired: all tests pass        ${count(({ isRepaired }) => isRepaired)}`,
    `as the original text            ${count(({ isOriginal }) => isOriginal)}`,
    `kept, but the tests fail        ${count(({ isFalse }) => isFalse)}`,
    `faulty line is the first suspect ${count(({ isFirst }) => isFirst)}`,
    `tokens of all answers, median   ${middle(({ tokens }) => tokens)}`,
    `seconds, median                 ${middle(({ seconds }) => seconds).toFixed(1)}`,
  ].join("\n");
}
