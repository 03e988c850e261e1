import type { EntryExpr } from "../../concolic/expr.ts";
import type { Subject } from "../../concolic/summary.ts";
import type { ArrayOrder, ArrayTemplate } from "./arrayFacts.ts";
import type { Kinds } from "./kinds.ts";

export type ContractEffect =
  | { readonly kind: "result"; readonly value: EntryExpr }
  | { readonly kind: "write"; readonly place: EntryExpr; readonly value: EntryExpr }
  /** The length or size of an object that the call made and stored. */
  | { readonly kind: "shape"; readonly place: EntryExpr; readonly name: string; readonly value: EntryExpr }
  /** An array that contains the value. */
  | { readonly kind: "contains"; readonly place: EntryExpr; readonly value: EntryExpr }
  /** A change that terms do not express. */
  | { readonly kind: "changed"; readonly place: EntryExpr };

export function writtenPlaces(effects: readonly ContractEffect[]): readonly EntryExpr[] {
  return effects.flatMap((effect) => (effect.kind === "write" || effect.kind === "changed" ? [effect.place] : []));
}

export type ContractCase = {
  readonly guard: readonly EntryExpr[];
  readonly outcome: "return" | "throw";
  readonly error: string | null;
  readonly effects: readonly ContractEffect[];
  readonly calls: number;
  /** True if a part of the path or the outcome could not be expressed, or disagreed with the run. */
  readonly partial: boolean;
  /** True if the result could not be expressed. */
  readonly unsaid: boolean;
};

export type Requirement = {
  readonly expr: EntryExpr;
  /** `needed`: the other path ends in a throw; `observed`: the tests never did otherwise. */
  readonly origin: "needed" | "observed";
};

export type Contract = {
  readonly subject: Subject;
  readonly params: readonly { readonly name: string; readonly seen: string }[];
  readonly returns: string;
  readonly requires: readonly Requirement[];
  /** The effects that all cases share. */
  readonly ensures: readonly ContractEffect[];
  readonly cases: readonly ContractCase[];
  /** True for long lists: in order, each case assumes that the earlier ones do not hold. */
  readonly ordered: boolean;
  readonly modifies: readonly EntryExpr[];
  readonly pure: boolean;
  readonly delegated: readonly string[];
  readonly evidence: {
    readonly calls: number;
    readonly replayed: number;
    readonly paths: number;
    readonly tests: number;
    readonly examples: readonly string[];
  };
  /** The number of conditions, results and writes that disagreed with the run and are hidden. */
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
