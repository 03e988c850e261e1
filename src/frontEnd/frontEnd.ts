import type { SourceRange } from "../base/sourceRange.ts";
import type { Change } from "../changes/change.ts";
import type { LanguageName } from "../ir/language.ts";
import type { Program } from "../ir/program.ts";
import type { Project } from "./project.ts";

/** A port: how programs of a language enter. `languages/loadProject.ts` lists the front ends. */
export type FrontEnd = {
  readonly language: LanguageName;
  /** True if it reads files of this name. */
  reads(path: string): boolean;
  load(project: Project, options?: FrontEndOptions): Promise<Program>;
  /** Absent if the language's programs cannot be changed and run again here. */
  changes?(options: FrontEndOptions): ChangeFrontEnd;
};

/** How small changes of a program's text are proposed and run. */
export type ChangeFrontEnd = {
  propose(project: Project, options: ProposeOptions): readonly Change[];
  /** One program with all changes, each of which can be switched on. */
  loadSwitched(project: Project, changes: readonly Change[]): SwitchedProgram;
  /** The project with the change in one of its files, or in a file that they include. */
  changed(project: Project, change: Change): Project;
  load(project: Project): Program;
};

/** How changes of a program's text are made and run. */
export type ChangeSource = {
  readonly frontEnd: ChangeFrontEnd;
  readonly project: Project;
  /** Changes that must not be tried. */
  readonly forbids?: (change: Change) => boolean;
};

export type ProposeOptions = {
  /** After a cancellation nothing is proposed. */
  readonly isCancelled?: () => boolean;
  /** True if the run executed something on these lines. */
  readonly executed: (range: SourceRange) => boolean;
  /** Words of the expected output. */
  readonly expectedWords?: readonly string[];
  readonly wrongWord?: WrongWord | null;
};

/** The first printed word that is wrong, and the word that is expected there. */
export type WrongWord = { readonly printed: string; readonly expected: string };

/** One version of a part of the program; alternatives count from 1. */
export type Selection = { readonly site: number; readonly alternative: number };

/** A program that contains many changes; the registers of `selections` switch one on. */
export type SwitchedProgram = {
  readonly program: Program;
  /** By change: the versions to select; null if it is no valid program or cannot be switched. */
  readonly selections: readonly (readonly Selection[] | null)[];
  /** The changes that only a new program can have: of types, sizes, global values, macros. */
  readonly unswitched: readonly number[];
};

/** The meaning of a program beyond its files. */
export type FrontEndOptions = {
  /** Uninitialised memory: undefined to read, or inputs as in SV-COMP. */
  readonly uninitialized?: "undefined" | "input";
  /** Functions and variables that no file defines: an error if used, or inputs. */
  readonly undefined?: "error" | "input";
  /** Unsupported constructs are refused if reachable (default), or only when a run reaches them. */
  readonly unsupported?: "refused" | "whenReached";
  /** Is an index outside of an array that is part of a larger object undefined? Default true. */
  readonly subobjectBounds?: boolean;
  /** A reached error sets the variable `err` and the run continues. */
  readonly errorFlag?: boolean;
  /** Functions without parameters, such as tests, to keep although nothing calls them. */
  readonly keeps?: (name: string) => boolean;
  /** The preprocessor: see `PreprocessOptions.mode`. */
  readonly preprocess?: "auto" | "builtin" | "gcc";
  /** A condition to evaluate whenever the run reaches a line: see `Program.watched`. */
  readonly watch?: WatchedCondition;
  /** Conditions stated to hold at places of the source: see `lowerStated`. */
  readonly stated?: readonly StatedInvariant[];
  /** Checks that signal a failure by the exit status; they become assertions. */
  readonly checks?: FailureSignals;
};

/** How a program signals that one of its checks failed, before it exits with a status other than 0. */
export type FailureSignals = {
  /** Static variables that count failures, or say that there was one. */
  readonly counters: readonly string[];
  /** Functions that fail if this argument is 0 (counted from 0); null: whenever they are called. */
  readonly helpers: readonly { readonly function: string; readonly parameter: number | null }[];
  /** Statements after which the program fails: `return 1;`, `exit(1);`. */
  readonly places: readonly SourceRange[];
};

/** A condition stated to hold whenever a run reaches a loop's condition or a statement. */
export type StatedInvariant = {
  readonly kind: "loop" | "statement";
  readonly file: string;
  readonly line: number;
  /** null: the first one of the line. */
  readonly column: number | null;
  readonly condition: string;
  /** Where it is stated, for errors. */
  readonly at: SourceRange;
};

export type WatchedCondition = { readonly file: string; readonly line: number; readonly condition: string };

/** The project that a program was loaded from, and how. */
export type ProgramOrigin = { readonly project: Project; readonly options: FrontEndOptions };

/** By the list of functions, which programs with another entry share. */
const origins = new WeakMap<Program["functions"], ProgramOrigin>();

export function withOrigin(program: Program, origin: ProgramOrigin): Program {
  origins.set(program.functions, origin);
  return program;
}

/** null for a program that was not loaded from source text. */
export function originOf({ functions }: Program): ProgramOrigin | null {
  return origins.get(functions) ?? null;
}
