import type { InputValue } from "../../../src/interpreter/inputs.ts";
import type { FlatExplained } from "../reports/flatReport.ts";
import { evaluateFormula } from "./evaluateFormula.ts";
import { type Formula, parseFormula, partsOf } from "./formula.ts";

/**
 * What a report claims of other runs. `total`: every run with inputs in the condition ends, and fails in the same way at
 * the same place. `ifTerminates`: those of them that end. `samePath`: those that take the same way outside of the folded
 * loops. `none`: nothing.
 */
export type ClaimKind = "total" | "ifTerminates" | "samePath" | "none";

export type Claim = {
  readonly kind: ClaimKind;
  /** Conjuncts over the names of inputs. */
  readonly condition: readonly Formula[];
  /** A conjunct of the condition is not in the syntax that we read: nothing can be said about other inputs. */
  readonly unreadable: boolean;
  /** Positions of the inputs that are said not to matter. */
  readonly irrelevant: ReadonlySet<number>;
  /** The position of the input that a name stands for. */
  inputNamed(name: string): number | null;
  /** Lines at which something undefined may happen all the same. */
  readonly openLines: ReadonlySet<number>;
  /** Lines at which it may go another way. */
  readonly openWays: ReadonlySet<number>;
  /** As it is printed. */
  readonly text: string;
};

/** This is the one place that knows how reports say what they claim. `names` are the variables that inputs were read into. */
export function readClaim({ inputCondition }: FlatExplained, names: readonly string[]): Claim {
  const { formulas, claims, open, proved, text, irrelevant } = inputCondition;
  const condition = formulas.map(parseFormula);
  const inputNamed = (name: string) => {
    const numbered = /^input (\d+)$/.exec(name);
    const index = numbered === null ? names.indexOf(name) : Number(numbered[1]) - 1;
    return index >= 0 && index < names.length ? index : null;
  };
  const readable = condition.flatMap((formula) => (formula === null ? [] : [formula]));
  const isKnown = (formula: Formula) =>
    partsOf(formula).every((part) => part.kind !== "name" || inputNamed(part.name) !== null);
  return {
    kind: proved && names.length > 0 ? claims : "none",
    condition: readable,
    unreadable: readable.length < formulas.length || !readable.every(isKnown),
    irrelevant: new Set(irrelevant),
    inputNamed,
    openLines: new Set(open.filter(({ kind }) => kind === "undefined").map(({ location }) => location.line)),
    openWays: new Set(open.filter(({ kind }) => kind === "way").map(({ location }) => location.line)),
    text: `${text}${proved ? " (proved)" : ""}`,
  };
}

/** Do inputs satisfy the condition? Null where that is not determined. */
export function satisfies(claim: Claim, valueOf: (index: number) => InputValue | null): boolean | null {
  let open = false;
  for (const formula of claim.condition) {
    const value = evaluateFormula(formula, (place) => {
      const index = place.kind === "name" ? claim.inputNamed(place.name) : null;
      const input = index === null ? null : valueOf(index);
      return typeof input === "bigint" ? input : null;
    });
    if (value === false || value === 0n) return false;
    open ||= value === null;
  }
  return open ? null : true;
}
