import { rangeOfInt, type ScalarType } from "../../../src/ir/type.ts";
import type { Term, Variable } from "../../../src/logic/term.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import type { Solver } from "../../../src/solver/solver.ts";
import { partsOf } from "./formula.ts";
import { formulaTerm } from "./formulaTerm.ts";
import type { Claim } from "./readClaim.ts";
import type { Sample, SampledInput } from "./sampleInputs.ts";

const limits = { milliseconds: 300 };

/**
 * Models of a claim's condition at its corners: each input that it speaks of as small and as large as the condition
 * allows, and some that differ from all of these.
 */
export function cornerInputs(
  solver: Solver,
  claim: Claim,
  recorded: readonly SampledInput[],
  blocked: number,
): readonly Sample[] {
  if (claim.unreadable || claim.condition.length === 0) return [];
  const terms = createTerms();
  const variables = recorded.map((_, i) => terms.variable(`input${i}`, "Int"));
  const named = new Set(
    claim.condition.flatMap(partsOf).flatMap((part) => (part.kind === "name" ? [claim.inputNamed(part.name)!] : [])),
  );
  const lookUp = (name: string) => variables[claim.inputNamed(name)!] ?? null;
  const formulas = claim.condition.map((formula) => formulaTerm(terms, formula, lookUp));
  try {
    solver.assert(...formulas.flatMap((formula) => (formula?.sort === "Bool" ? [formula] : [])));
    for (const i of named) solver.assert(...bounds(variables[i]!, recorded[i]!.type));
    const models: Sample[] = [];
    for (const i of named) {
      for (const sign of [1, -1] as const) {
        const model = extreme(terms.scale(sign, variables[i]!), readSample);
        if (model !== null) models.push(model);
      }
    }
    for (let k = 0; k < blocked; k++) {
      const model = modelOf(readSample);
      if (model === null) break;
      models.push(model);
      solver.assert(terms.or(...[...named].map((i) => terms.ne(variables[i]!, terms.int(model[i] as bigint)))));
    }
    return models;
  } finally {
    solver.reset();
  }

  function bounds(variable: Variable, type: ScalarType | null): Term[] {
    if (type === null || type.kind === "float" || type.kind === "pointer") return [];
    const [low, high] = rangeOfInt(type);
    return [terms.ge(variable, terms.int(low)), terms.le(variable, terms.int(high))];
  }

  function readSample(value: (variable: Variable) => bigint): Sample {
    return recorded.map((input, i) => (named.has(i) ? value(variables[i]!) : input.value));
  }

  /** A model with the least value of a term, by halving. */
  function extreme<T>(term: Term, read: (value: (variable: Variable) => bigint) => T): T | null {
    let best: T | null = null;
    let [below, least]: [bigint, bigint | null] = [-(1n << 65n), null];
    for (let k = 0; k < 70 && (least === null || below + 1n < least); k++) {
      const middle: bigint = least === null ? 1n << 65n : (below + least) >> 1n;
      const answer = solver.check([terms.le(term, terms.int(middle))], { limits });
      if (answer.kind === "unknown") return best;
      if (answer.kind === "unsat") {
        if (least === null) return null;
        below = middle;
      } else {
        least = answer.model.evaluate(term) as bigint;
        best = read((variable) => answer.model.value(variable) as bigint);
      }
    }
    return best;
  }

  function modelOf<T>(read: (value: (variable: Variable) => bigint) => T): T | null {
    const answer = solver.check([], { limits });
    return answer.kind === "sat" ? read((variable) => answer.model.value(variable) as bigint) : null;
  }
}
