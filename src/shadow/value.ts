import type { Expr } from "./expr.ts";
import type { Concrete } from "./operators.ts";

/** What the run had, and the same in terms of the state at entry. */
export type ShadowValue = { readonly concrete: Concrete; readonly term: Expr };
