import type { Expr } from "../../concolic/expr.ts";
import type { Subject } from "../../concolic/summary.ts";
import type { ArrayOrder, Template } from "./arrayFacts.ts";
import type { Kinds } from "./kinds.ts";

export type Effect =
  | { readonly kind: "result"; readonly value: Expr }
  | { readonly kind: "write"; readonly place: Expr; readonly value: Expr }
  /** Of an object that the call made and stored: its length or size. */
  | { readonly kind: "shape"; readonly place: Expr; readonly name: string; readonly value: Expr }
  /** An array that has the value among its elements. */
  | { readonly kind: "contains"; readonly place: Expr; readonly value: Expr }
  /** Changed in a way that terms do not say. */
  | { readonly kind: "changed"; readonly place: Expr };

export function writtenPlaces(effects: readonly Effect[]): readonly Expr[] {
  return effects.flatMap((effect) => (effect.kind === "write" || effect.kind === "changed" ? [effect.place] : []));
}

export type Case = {
  readonly guard: readonly Expr[];
  readonly outcome: "return" | "throw";
  /** `RangeError: text`, of a throw. */
  readonly error: string | null;
  readonly effects: readonly Effect[];
  readonly calls: number;
  /** Something of the way or the outcome could not be said, or disagreed with the run. */
  readonly partial: boolean;
  /** The result could not be said. */
  readonly unsaid: boolean;
};

export type Requirement = {
  readonly expr: Expr;
  /** `needed`: the other way ends in a throw; `observed`: the tests never did otherwise. */
  readonly origin: "needed" | "observed";
};

export type Contract = {
  readonly subject: Subject;
  readonly params: readonly { readonly name: string; readonly seen: string }[];
  readonly returns: string;
  readonly requires: readonly Requirement[];
  /** Effects that all cases share. */
  readonly ensures: readonly Effect[];
  readonly cases: readonly Case[];
  /** More cases than are read at a glance: in order, each as if those before did not hold. */
  readonly ordered: boolean;
  readonly modifies: readonly Expr[];
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
  readonly invariants: readonly Expr[];
  readonly templates: readonly Template[];
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
