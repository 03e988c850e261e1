import type { Host, LibraryState } from "../c/library/host.ts";
import type { EdgeId, FunctionId } from "../ir/program.ts";
import type { Expected } from "./expected.ts";

/** The interpreter as the C library sees it. */
export type CallingHost = Omit<Host, "state"> & {
  /** Of one run. */
  state: LibraryState;
  /** Where the call is: set by generated code before each one. */
  site: number;
  /** What the program has to print; null for anything. */
  expected: Expected | null;
  /** The call that is under way, where writes are reported. */
  underWay: { readonly function: FunctionId; readonly edge: EdgeId; readonly step: number } | null;
};
