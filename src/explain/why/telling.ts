import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { LiteralStyles } from "./literalStyles.ts";
import type { Look } from "./look.ts";
import type { Visits } from "./visits.ts";
import type { Wording } from "./wording.ts";

/** All that it takes to say what a visit did. */
export type Telling = {
  readonly graph: DependenceGraph;
  readonly visits: Visits;
  readonly styles: LiteralStyles;
  readonly look: Look;
  readonly wording: Wording;
  /** Does a step matter for the failure? */
  matters(step: number): boolean;
};
