import type { FunctionKind } from "../recorder/site.ts";
import type { Expr } from "./expr.ts";
import type { Summary } from "./summary.ts";

/** A function that calls were followed of, as its contract names it; whatever language it is in. */
export type Subject = {
  readonly language: Language;
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** Where it begins in its file. */
  readonly offset: number;
  readonly kind: FunctionKind;
  readonly className: string | null;
  readonly static: boolean;
  /** Other files can call it by its name. */
  readonly exported: boolean;
  readonly params: readonly string[];
  /** Types that the source declares, by key of the term; for the others what was seen counts. */
  readonly declared: ReadonlyMap<string, Declared>;
  /** Why its calls are not followed; null: they are. */
  readonly leftOut: string | null;
  /** Whether the other way at this point does nothing but throw. */
  otherWayThrows(point: object): boolean;
};

export type Language = "typescript" | "c";

/** A type of the source: how values of it are reasoned about, and its name. */
export type Declared = { readonly kind: "int" | "number" | "ref"; readonly name: string };

/** The definition of a pure call that was kept as one: `isEmpty()` is `top === -1`. */
export type Definition = { readonly term: Expr; readonly definition: Expr };

/** All that was seen of one function. */
export type FunctionRecord = {
  readonly subject: Subject;
  readonly summaries: Summary[];
  readonly definitions: Map<string, Definition>;
  /** All calls, those that were not kept included. */
  calls: number;
  /** Tests, or runs, that led to it. */
  readonly tests: Set<string>;
  lost: number;
};
