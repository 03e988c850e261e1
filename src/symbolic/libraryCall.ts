import type { CallLibrary } from "../ir/operation.ts";
import type { Term } from "../logic/term.ts";
import type { Surroundings } from "./surroundings.ts";

/** A library call where it is executed. */
export type LibraryCall = {
  readonly operation: CallLibrary;
  readonly arguments: readonly Term[];
  readonly surroundings: Surroundings;
};
