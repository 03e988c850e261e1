import type { BackendChoice } from "../../solver/backend/backends.ts";
import { choice, flag, type Option, type Options, usageError, type Values } from "./option.ts";

export function solverOption(help: string): Option<BackendChoice> {
  return choice("--solver <name>", help, ["auto", "wasm", "z3", "cvc5"], "auto");
}

export function candidatesOption(help: string) {
  return choice("--candidates <set>", help, ["canonical", "extended"], "extended");
}

/** `--dump smt DIR folds DIR`: pairs of a kind and a folder. */
function dumpOption(more: readonly string[]): Option<readonly string[]> {
  const help = ["smt DIR: write every solver query", ...more].join("; ");
  return { flags: "--dump <what...>", help, read: (given) => [given ?? []].flat() as string[] };
}

/** The options of commands that use a solver. */
export function solverOptions(whoFor: string, more: { readonly check?: string; readonly dump?: string } = {}) {
  return {
    solver: solverOption(whoFor),
    check: flag("--check", more.check ?? "check every answer of the solver"),
    dump: dumpOption(more.dump === undefined ? [] : [more.dump]),
  } satisfies Options;
}

export type SolverRequest = {
  readonly solver: BackendChoice;
  /** True to check each answer of the solver. */
  readonly validate: boolean;
  /** The folder for all queries. */
  readonly dumpSmt: string | null;
  /** The output folder for each stage. */
  readonly dumpStages: Readonly<Record<string, string>>;
};

export function solverRequest(
  { solver, check, dump }: Values<ReturnType<typeof solverOptions>>,
  stages: readonly string[] = [],
): SolverRequest {
  const { smt = null, ...dumpStages } = dumpFolders(dump, ["smt", ...stages]);
  return { solver, validate: check, dumpSmt: smt, dumpStages };
}

/** The argument of `createSolver`. */
export function solverChoice({ solver, dumpSmt }: Pick<SolverRequest, "solver" | "dumpSmt">) {
  return { backend: solver, ...(dumpSmt === null ? {} : { dump: dumpSmt }) };
}

function dumpFolders(words: readonly string[], known: readonly string[]): Record<string, string> {
  const folders: Record<string, string> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [what = "", folder] = words.slice(i, i + 2);
    if (!known.includes(what)) throw usageError(`--dump: ${what} is none of ${known.join(", ")}`);
    if (folder === undefined) throw usageError(`--dump needs what to write and where: --dump ${what} DIR`);
    folders[what] = folder;
  }
  return folders;
}
