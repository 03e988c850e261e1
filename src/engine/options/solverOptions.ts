import type { BackendChoice } from "../../solver/backend/backends.ts";
import type { CommandOption } from "../command.ts";
import { usageError } from "./values.ts";

/** The options of commands that ask a solver. */
export type SolverFlags = {
  readonly solver: string;
  readonly check?: boolean;
  readonly dump?: readonly string[];
};

export type SolverRequest = {
  readonly solver: BackendChoice;
  /** Check the solver's answers as they come. */
  readonly validate: boolean;
  /** Where every query is written. */
  readonly dumpSmt: string | null;
  /** By stage, the folder to which what it made is written. */
  readonly dumpStages: Readonly<Record<string, string>>;
};

export function solverOption(help: string): CommandOption {
  return { flags: "--solver <name>", help, choices: ["auto", "wasm", "z3", "cvc5"], default: "auto" };
}

/** What loop invariants are made of. */
export function candidatesOption(help: string): CommandOption {
  return { flags: "--candidates <set>", help, choices: ["canonical", "extended"], default: "extended" };
}

export const checkOption: CommandOption = { flags: "--check", help: "check every answer of the solver" };

export function dumpOption(more: readonly string[] = []): CommandOption {
  return { flags: "--dump <what...>", help: ["smt DIR: write every question to the solver", ...more].join("; ") };
}

export function solverRequest({ solver, check, dump }: SolverFlags, stages: readonly string[] = []): SolverRequest {
  const dumps = dumpFolders(dump ?? [], ["smt", ...stages]);
  return {
    solver: solver as BackendChoice,
    validate: check ?? false,
    dumpSmt: dumps.get("smt") ?? null,
    dumpStages: Object.fromEntries([...dumps].filter(([what]) => what !== "smt")),
  };
}

/** As `createSolver` wants it. */
export function solverChoice({ solver, dumpSmt }: SolverRequest) {
  return { backend: solver, ...(dumpSmt === null ? {} : { dump: dumpSmt }) };
}

/** `--dump smt DIR folds DIR`: what to write, and where. */
function dumpFolders(words: readonly string[], known: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (let i = 0; i < words.length; i += 2) {
    const [what, folder] = [words[i]!, words[i + 1]];
    if (!known.includes(what)) throw usageError(`--dump: ${what} is none of ${known.join(", ")}`);
    if (folder === undefined) throw usageError(`--dump needs what to write and where: --dump ${what} DIR`);
    folders.set(what, folder);
  }
  return folders;
}
