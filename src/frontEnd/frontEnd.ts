import type { SourceRange } from "../base/sourceRange.ts";
import type { Program } from "../ir/program.ts";
import type { Project } from "./project.ts";

/** A language that programs can be written in. */
export type FrontEnd = {
  readonly name: "c";
  /** The project as one checked program. */
  load(project: Project, options?: FrontEndOptions): Promise<Program>;
};

/** What a program means beyond what its files say. */
export type FrontEndOptions = {
  /** What memory that nothing was written to holds: nothing that may be read, or, as in SV-COMP, inputs. */
  readonly uninitialized?: "undefined" | "input";
  /** A function or variable that no file defines is an error where it is used, or its values are inputs. */
  readonly undefined?: "error" | "input";
  /** What is not supported is an error where it can be reached, which is the default, or only of a run that comes there. */
  readonly unsupported?: "refused" | "whenReached";
  /** Is an index outside of an array that is a part of something larger undefined? Unless told, yes. */
  readonly subobjectBounds?: boolean;
  /** A reached error sets the variable `err` and the run goes on. */
  readonly errorFlag?: boolean;
  /** Functions without parameters, such as tests, that are part of the program although nothing calls them. */
  readonly keeps?: (name: string) => boolean;
  /** Which preprocessor: see `PreprocessOptions.mode`. */
  readonly preprocess?: "auto" | "builtin" | "gcc";
  /** A condition to look at whenever the run comes to a line: see `Program.watched`. */
  readonly watch?: WatchedCondition;
  /** Conditions that somebody says to hold at places of the source: see `lowerStated`. */
  readonly stated?: readonly StatedInvariant[];
};

/** A condition that is said to hold whenever a run comes to a loop's condition, or to a statement. */
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
