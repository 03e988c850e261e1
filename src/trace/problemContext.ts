import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, Program } from "../ir/program.ts";
import type { Memory } from "./memory/memory.ts";
import type { Site } from "./site.ts";

/** What is wrong, in words. */
export type ProblemDescription = { readonly problem: UndefinedBehaviour; readonly message: string };

/** Where it went wrong. */
export type ProblemContext = {
  readonly program: Program;
  readonly sites: readonly Site[];
  readonly memory: Memory;
  readonly site: Site;
  readonly edge: Edge;
};
