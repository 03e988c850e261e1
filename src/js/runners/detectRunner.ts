import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { type Launch, plainLaunch, type RunnerName } from "./runner.ts";

/** A runner with the words of its command line. */
export type DetectedRunner = {
  readonly runner: RunnerName;
  readonly words: readonly string[];
  readonly launch: Launch;
};

type Manifest = {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

/** Scripts may call scripts. */
const deepest = 5;

/** Finds the runner in a command: `npx vitest run`, `npm test`, `node --test`; without a command in the project. */
export function detectRunner(command: readonly string[], root: string): DetectedRunner {
  const found = findRunner(command, root);
  if (found !== null) {
    requireInstalled(found.runner, root);
    return found;
  }
  const shown = command.length === 0 ? "this project" : `\`${command.join(" ")}\``;
  throw new TracefoldError({
    code: "TF129",
    message: `${shown} runs none of vitest, jest, mocha and node:test`,
    help: "Name the command that runs the tests, for example: tracefold explain -- npx vitest run",
  });
}

/** Null if the command runs none of them. */
export function findRunner(command: readonly string[], root: string): DetectedRunner | null {
  const manifest = readManifest(root);
  return command.length === 0 ? findInProject(manifest, root) : findInCommand(command, manifest, deepest);
}

function requireInstalled(runner: RunnerName, root: string): void {
  if (runner === "node:test") return;
  try {
    createRequire(join(root, "package.json")).resolve(`${runner}/package.json`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new TracefoldError({
      code: "TF129",
      message: `${runner} is not installed in ${root}`,
      help: `Install it there (npm install --save-dev ${runner}), or run this in the folder of the project.`,
    });
  }
}

function readManifest(root: string): Manifest {
  const path = join(root, "package.json");
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TracefoldError({ code: "TF129", message: `${path} is no JSON: ${error.message}` });
  }
}

function findInProject(manifest: Manifest, root: string): DetectedRunner | null {
  const script = manifest.scripts?.test;
  const found = script === undefined ? null : findInScript(script, [], manifest, deepest);
  if (found !== null) return found;
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const runner of ["vitest", "jest", "mocha"] as const) {
    const configs = ["ts", "mts", "js", "mjs", "cjs"].map((extension) => `${runner}.config.${extension}`);
    if (runner in installed || [...configs, `.${runner}rc.json`].some((name) => existsSync(join(root, name))))
      return { runner, words: [], launch: plainLaunch };
  }
  return null;
}

const runnerWord = /(?:^|[\\/])(vitest|jest|_?mocha)(?:\.[cm]?js)?$/;

function findInCommand(words: readonly string[], manifest: Manifest, depth: number): DetectedRunner | null {
  const at = words.findIndex((word) => runnerWord.test(word));
  if (at !== -1) {
    const name = runnerWord.exec(words[at] ?? "")?.[1]?.replace("_", "") as "vitest" | "jest" | "mocha";
    const own = withoutRun(name, words.slice(at + 1));
    // Mocha's command takes flags for Node among its own.
    const { flags, rest } = name === "mocha" ? splitFlags(own, isForNode) : { flags: [], rest: own };
    return { runner: name, words: rest, launch: launchOf(words.slice(0, at), flags) };
  }
  const node = words.findIndex((word) => nodeWord.test(word));
  if (node !== -1 && words.includes("--test")) {
    const own = words.slice(node + 1).filter((word) => word !== "--test");
    const { flags, rest } = splitFlags(own, (word) => word.startsWith("-") && !word.startsWith("--test"));
    return { runner: "node:test", words: rest, launch: launchOf(words.slice(0, node + 1), flags) };
  }
  const script = scriptOf(words);
  const text = script === null ? undefined : manifest.scripts?.[script.name];
  if (script === null || text === undefined || depth === 0) return null;
  return findInScript(text, script.rest, manifest, depth - 1);
}

const nodeWord = /(?:^|[\\/])(node|tsx)$/;
const withValue = /^(-r|-C|--(require|import|loader|experimental-loader|conditions|env-file))$/;
const isForNode = (word: string): boolean => /^--(import|loader|conditions|experimental-[\w-]+)(=|$)/.test(word);

/** Flags with their values, and the other words. */
function splitFlags(words: readonly string[], isFlag: (word: string) => boolean) {
  const flags: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!isFlag(word)) rest.push(word);
    else flags.push(word, ...(withValue.test(word) ? words.slice(++at, at + 1) : []));
  }
  return { flags, rest };
}

/** What stands before the runner: `NODE_ENV=test node --experimental-vm-modules`, `tsx`. */
function launchOf(before: readonly string[], flags: readonly string[]): Launch {
  const env = Object.fromEntries(
    before
      .filter((word) => /^\w+=/.test(word))
      .map((word) => [word.slice(0, word.indexOf("=")), word.replace(/^\w+=/, "")]),
  );
  const node = before.findIndex((word) => nodeWord.test(word));
  const own = node === -1 ? [] : splitFlags(before.slice(node + 1), (word) => word.startsWith("-")).flags;
  const compiler = /(?:^|[\\/])tsx$/.test(before[node] ?? "") ? ["--import", "tsx"] : [];
  return { env, nodeFlags: [...compiler, ...own, ...flags] };
}

function withoutRun(runner: RunnerName, words: readonly string[]): readonly string[] {
  if (runner !== "vitest") return words;
  const rest = words.filter((word) => word !== "--watch" && word !== "-w");
  return /^(run|watch|dev)$/.test(rest[0] ?? "") ? rest.slice(1) : rest;
}

/** `npm test`, `npm run unit -- x`, `pnpm unit`, `yarn test x`. */
function scriptOf(words: readonly string[]): { readonly name: string; readonly rest: readonly string[] } | null {
  const [manager, ...rest] = words;
  if (!/(?:^|[\\/])(npm|pnpm|yarn|bun)$/.test(manager ?? "")) return null;
  const plain = rest.filter((word, i) => word !== "--" && !(i === 0 && /^(run|run-script)$/.test(word)));
  const at = plain.findIndex((word) => !word.startsWith("-"));
  const name = plain[at];
  if (name === undefined) return null;
  return { name: name === "t" ? "test" : name, rest: plain.slice(at + 1) };
}

/** The first part of a script that runs tests; words behind the script belong to its last part. */
function findInScript(
  script: string,
  rest: readonly string[],
  manifest: Manifest,
  depth: number,
): DetectedRunner | null {
  const parts = script.split(/&&|\|\||;/);
  for (const [i, part] of parts.entries()) {
    const words = [...shellWords(part), ...(i === parts.length - 1 ? rest : [])];
    const found = findInCommand(words, manifest, depth);
    if (found !== null) return found;
  }
  return null;
}

function shellWords(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^\s"']+|"(?:\\.|[^"\\])*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ""),
  );
}
