import type { Concrete } from "../recorder/language.ts";
import type { Expr } from "./expr.ts";

/** What the run had, and the same in terms of the state at entry. */
export type ShadowValue = { readonly concrete: Concrete; readonly term: Expr };
