import type { BackendChoice } from "../../solver/findBackends.ts";
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
};

export function solverOption(help: string): CommandOption {
  return { flags: "--solver <name>", help, choices: ["auto", "wasm", "z3", "cvc5"], default: "auto" };
}

/** What loop invariants are made of. */
export function candidatesOption(help: string): CommandOption {
  return { flags: "--candidates <set>", help, choices: ["canonical", "extended"], default: "extended" };
}

export const checkingOptions: readonly CommandOption[] = [
  { flags: "--check", help: "check every answer of the solver" },
  { flags: "--dump <what...>", help: "smt DIR: write every question to the solver" },
];

export function solverRequest({ solver, check, dump }: SolverFlags): SolverRequest {
  return { solver: solver as BackendChoice, validate: check ?? false, dumpSmt: dumpFolder(dump) };
}

/** As `createSolver` wants it. */
export function solverChoice({ solver, dumpSmt }: SolverRequest) {
  return { backend: solver, ...(dumpSmt === null ? {} : { dump: dumpSmt }) };
}

function dumpFolder(words: readonly string[] | undefined): string | null {
  if (words === undefined) return null;
  const [what, folder, ...rest] = words;
  if (what === "smt" && folder !== undefined && rest.length === 0) return folder;
  throw usageError("--dump needs what to write and where: --dump smt DIR");
}
