import type { EntryExpr } from "../../concolic/expr.ts";
import type { Subject } from "../../concolic/summary.ts";
import type { ArrayOrder, ArrayTemplate } from "./arrayFacts.ts";
import type { Kinds } from "./kinds.ts";

export type ContractEffect =
  | { readonly kind: "result"; readonly value: EntryExpr }
  | { readonly kind: "write"; readonly place: EntryExpr; readonly value: EntryExpr }
  /** Of an object that the call made and stored: its length or size. */
  | { readonly kind: "shape"; readonly place: EntryExpr; readonly name: string; readonly value: EntryExpr }
  /** An array that has the value among its elements. */
  | { readonly kind: "contains"; readonly place: EntryExpr; readonly value: EntryExpr }
  /** Changed in a way that terms do not say. */
  | { readonly kind: "changed"; readonly place: EntryExpr };

export function writtenPlaces(effects: readonly ContractEffect[]): readonly EntryExpr[] {
  return effects.flatMap((effect) => (effect.kind === "write" || effect.kind === "changed" ? [effect.place] : []));
}

export type ContractCase = {
  readonly guard: readonly EntryExpr[];
  readonly outcome: "return" | "throw";
  /** `RangeError: text`, of a throw. */
  readonly error: string | null;
  readonly effects: readonly ContractEffect[];
  readonly calls: number;
  /** Something of the way or the outcome could not be said, or disagreed with the run. */
  readonly partial: boolean;
  /** The result could not be said. */
  readonly unsaid: boolean;
};

export type Requirement = {
  readonly expr: EntryExpr;
  /** `needed`: the other way ends in a throw; `observed`: the tests never did otherwise. */
  readonly origin: "needed" | "observed";
};

export type Contract = {
  readonly subject: Subject;
  readonly params: readonly { readonly name: string; readonly seen: string }[];
  readonly returns: string;
  readonly requires: readonly Requirement[];
  /** Effects that all cases share. */
  readonly ensures: readonly ContractEffect[];
  readonly cases: readonly ContractCase[];
  /** More cases than are read at a glance: in order, each as if those before did not hold. */
  readonly ordered: boolean;
  readonly modifies: readonly EntryExpr[];
  readonly pure: boolean;
  readonly delegated: readonly string[];
  readonly evidence: {
    readonly calls: number;
    readonly replayed: number;
    readonly paths: number;
    readonly tests: number;
  };
  /** Conditions, results and writes that disagreed with the run and are not shown. */
  readonly withheld: number;
  readonly kinds: Kinds;
};

export type ClassContract = {
  readonly name: string;
  readonly path: string;
  readonly fields: readonly { readonly name: string; readonly seen: string }[];
  readonly invariants: readonly EntryExpr[];
  readonly templates: readonly ArrayTemplate[];
  readonly orders: readonly ArrayOrder[];
  readonly states: number;
  readonly kinds: Kinds;
};

export type NoContract = { readonly name: string; readonly path: string; readonly reason: string };

export type Inference = {
  readonly classes: readonly ClassContract[];
  readonly contracts: readonly Contract[];
  readonly without: readonly NoContract[];
};
