import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { TracefoldError } from "../../base/errors.ts";
import { detectRunner } from "../../js/runners/detectRunner.ts";
import { findExecutable } from "../../solver/backend/backends.ts";
import { createSolver } from "../../solver/solverChain.ts";
import type { DoctorReport, ExaminedPart } from "./result.ts";

export type Surroundings = {
  /** The folder whose tests would be explained. */
  readonly folder: string;
  /** Where programs are searched for, as PATH. */
  readonly searchPath: string;
  readonly nodeVersion: string;
};

/** Tries every part that a command may need. */
export async function examine({ folder, searchPath, nodeVersion }: Surroundings): Promise<DoctorReport> {
  const parts: readonly ExaminedPart[] = [
    examineNode(nodeVersion),
    await examineParser(),
    examineEmbeddedSolver(),
    ...programs.map((program) => examineProgram(program, searchPath)),
    examineQueue(),
    examineRunner(folder),
  ];
  const isBroken = parts.some(({ isNecessary, state }) => isNecessary && state !== "works");
  return { command: "doctor", version: manifest.version, status: isBroken ? "failed" : "ok", parts };
}

function examineNode(version: string): ExaminedPart {
  const needed = manifest.engines.node.replace(">=", "");
  const works = isAtLeast(version.replace(/^v/, ""), needed);
  return {
    name: "Node",
    state: works ? "works" : "broken",
    isNecessary: true,
    found: `${version} on ${process.platform} ${process.arch}`,
    use: "runs Tracefold",
    help: works ? null : `Install Node ${needed} or later.`,
  };
}

function isAtLeast(version: string, needed: string): boolean {
  const [a, b] = [version, needed].map((text) => text.split(".").map(Number));
  for (const [i, part] of (b ?? []).entries()) {
    const own = a?.[i] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

/** The parser is a native module: a package manager that leaves out optional dependencies leaves it out. */
async function examineParser(): Promise<ExaminedPart> {
  const part = { name: "parser", isNecessary: true, use: "reads JavaScript and TypeScript" };
  try {
    const { parseSync } = await import("oxc-parser");
    const { errors } = parseSync("a.ts", "let a: number = 1;");
    if (errors.length > 0) throw new Error(errors[0]?.message);
    return { ...part, state: "works", found: `oxc-parser ${manifest.dependencies["oxc-parser"]}`, help: null };
  } catch (error) {
    const [line = ""] = `${error instanceof Error ? error.message : error}`.split("\n");
    return {
      ...part,
      state: "broken",
      found: line,
      help: "Install again with optional dependencies: npm install --include=optional",
    };
  }
}

function examineEmbeddedSolver(): ExaminedPart {
  const part = { name: "solver", isNecessary: true, use: "searches for explanations and proofs" };
  const { solver } = createSolver({ backend: "wasm" });
  try {
    const answer = solver.run('(declare-const x Int)(assert (and (< 1 x) (< x 3)))(check-sat)(echo "done")');
    const works = answer.kind === "output" && /^sat\s+"?done/.test(answer.text.trim());
    if (works) return { ...part, state: "works", found: solver.name, help: null };
    const said = answer.kind === "output" ? answer.text.trim() : answer.message;
    return {
      ...part,
      state: "broken",
      found: said,
      help: "Install again: npm install. It needs about 2 GB of memory.",
    };
  } finally {
    solver.dispose();
  }
}

/** Two packages that an installation may leave out. */
function examineQueue(): ExaminedPart {
  const { resolve } = createRequire(import.meta.url);
  const part = { name: "queue", isNecessary: false, use: "gives tasks of batch --queue to workers on other machines" };
  try {
    for (const name of packages) resolve(name);
    return { ...part, state: "works", found: packages.join(" and "), help: null };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    return { ...part, state: "missing", found: null, help: `Install them: npm install ${packages.join(" ")}` };
  }
}

const packages = ["bullmq", "ioredis"];

/** A program that is used if it is there. */
type UsefulProgram = {
  readonly name: string;
  readonly versionWords: readonly string[];
  readonly use: string;
  readonly debian: string;
};

const xdgOpen: UsefulProgram = {
  name: "xdg-open",
  versionWords: ["--version"],
  use: "opens pages in the browser for --open",
  debian: "xdg-utils",
};

const programs: readonly UsefulProgram[] = [
  {
    name: "z3",
    versionWords: ["--version"],
    use: "answers the solver's questions faster than the embedded one, and without its limit of memory",
    debian: "z3",
  },
  {
    name: "cvc5",
    versionWords: ["--version"],
    use: "checks proofs with a solver that took no part in the search",
    debian: "cvc5",
  },
  { name: "coqc", versionWords: ["--version"], use: "checks the Coq file of explain --proof", debian: "coq" },
  {
    name: "gcc",
    versionWords: ["--version"],
    use: "gives this machine's own headers to programs that need more than the built-in ones",
    debian: "gcc libc6-dev",
  },
  {
    name: "git",
    versionWords: ["--version"],
    use: "gives infer --base its revision, and lets explain --fix=apply see whether a file can be brought back",
    debian: "git",
  },
  ...(process.platform === "linux" ? [xdgOpen] : []),
];

function examineProgram({ name, versionWords, use, debian }: UsefulProgram, searchPath: string): ExaminedPart {
  const path = findExecutable(name, searchPath);
  const part = { name, isNecessary: false, use };
  const help = `Install it with the system's package manager (Debian: apt install ${debian}).`;
  if (path === null) return { ...part, state: "missing", found: null, help };
  const { status, stdout, error } = spawnSync(path, versionWords, { encoding: "utf8", timeout: 10_000 });
  if (status !== 0) return { ...part, state: "broken", found: `${path}: ${error?.message ?? `exit ${status}`}`, help };
  return { ...part, state: "works", found: `${versionIn(stdout)} (${path})`, help: null };
}

/** `4.8.12` of `Z3 version 4.8.12 - 64 bit`. */
function versionIn(output: string): string {
  return /\d+\.\d+(\.\d+)*/.exec(output)?.[0] ?? output.split("\n")[0] ?? "";
}

function examineRunner(folder: string): ExaminedPart {
  const part = {
    name: "test runner",
    isNecessary: false,
    use: "its failing tests can be explained: tracefold explain -- npm test",
  };
  try {
    const { runner } = detectRunner([], folder);
    return { ...part, state: "works", found: `${runner}${versionOfRunner(runner, folder)}`, help: null };
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { ...part, state: "missing", found: null, help: `${sentence(error.message)} ${error.help ?? ""}`.trim() };
  }
}

function versionOfRunner(runner: string, folder: string): string {
  if (runner === "node:test") return "";
  const { version } = createRequire(join(folder, "package.json"))(`${runner}/package.json`) as { version: string };
  return ` ${version}`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
