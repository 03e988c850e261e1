import type { Binding } from "./scopes.ts";
import type { Node } from "./syntax.ts";

/**
 * - `enter`: a call begins. `this`, `field`, `param`: what it begins with.
 * - `value`: an expression's value. `element`, `store`: `o[k]` and `o[k] = v`, with the length if `o` is an array.
 * - `test`: the truth of a condition. `left`: the value of a left operand of `&&`, `||`, `??`. `switch`: a discriminant.
 * - `bound`: a name bound by a pattern or a loop. `caught`: a caught error. `return`: a returned value.
 * - `resume`: the value of `await` or `yield`.
 */
export type SiteKind =
  | "enter"
  | "this"
  | "field"
  | "param"
  | "value"
  | "element"
  | "store"
  | "test"
  | "left"
  | "switch"
  | "bound"
  | "caught"
  | "return"
  | "resume";

export type LogSite = {
  /** Number within the file, from 0. */
  readonly index: number;
  readonly kind: SiteKind;
  readonly node: Node;
  /** The variable, of `param`, `bound` and `field`. */
  readonly name: string | null;
  /** Tests of a function are numbered: they make up the signature of a path. */
  readonly test: number | null;
};

export type FunctionKind = "function" | "arrow" | "method" | "constructor" | "getter" | "setter";

export type FunctionSites = {
  readonly node: Node;
  /** `f`, `C.m`, `f.g` for a function inside of `f`, `f.<anonymous>`. */
  readonly name: string;
  readonly kind: FunctionKind;
  readonly className: string | null;
  readonly static: boolean;
  /** The name by which its file exports it, or its class; null if it does not. */
  readonly exported: string | null;
  /** Constructor of a class that extends another: `this` is there only after `super()`. */
  readonly derived: boolean;
  readonly parent: FunctionSites | null;
  /** Why calls are not recorded; null: they are. */
  readonly leftOut: string | null;
  readonly enter: LogSite | null;
  readonly thisSite: LogSite | null;
  readonly params: readonly LogSite[];
  /** Fields that hold their initial value when the constructor's body begins. */
  readonly fields: readonly LogSite[];
  /** Private fields of the class, for the state at the end of a call. */
  readonly privates: readonly string[];
};

/** Which nodes are sites, found by one traversal: the instrumenter and the replay both ask this table, nobody else decides. */
export type SiteTable = {
  readonly sites: readonly LogSite[];
  readonly functions: ReadonlyMap<Node, FunctionSites>;
  /** By expression; sites of kind `value`, `element`, `store`, `resume`. */
  readonly values: ReadonlyMap<Node, LogSite>;
  /** By the expression that is tested; the same site as in `values` where the expression is one. */
  readonly tests: ReadonlyMap<Node, LogSite>;
  /** By `return` statement or by the expression that is an arrow's body. */
  readonly returns: ReadonlyMap<Node, LogSite>;
  /** By declaration, loop, catch clause or assignment: names that it binds. */
  readonly bound: ReadonlyMap<Node, readonly LogSite[]>;
  /** By catch clause. */
  readonly caught: ReadonlyMap<Node, LogSite>;
  /** The binding of each identifier of a variable. Those in `values` are in the log; others are locals. */
  readonly bindingOf: ReadonlyMap<Node, Binding | null>;
};
