import { freeVariablesOf } from "../logic/freeVariables.ts";
import { conjuncts, type Term, type Variable } from "../logic/term.ts";
import { interpolate } from "../solver/interpolation/interpolate.ts";
import type { CheckResult, Solver } from "../solver/solver.ts";
import type { Implication, ProofSession, Prover } from "./prover.ts";
import { objectDistance, type SymbolicObject, type Symbols } from "./symbols.ts";

/** What a question may cost, in the solver's own steps; about a million take a second. */
const mostResources = 3_000_000;
const leastResources = 100_000;
const quickResources = 150_000;

/**
 * Proofs by one solver. Sessions share its stack: the one that is asked puts its background there, unless it was the
 * last to be asked. Questions without an answer make the next ones cheaper, so that a hard loop does not take for ever.
 * Once it is interrupted, no question has an answer.
 */
export function createProver(symbols: Symbols, solver: Solver, isInterrupted: () => boolean = () => false): Prover {
  let current: object | null = null;
  let resources = mostResources;
  const ask = (assumptions: readonly Term[], effort: "full" | "quick"): Implication => {
    // cvc5 counts something else, and would have to be started again for every other limit.
    const isQuick = effort === "quick";
    const limits = solver.name.startsWith("cvc5")
      ? {}
      : { limits: { resources: isQuick ? quickResources : resources } };
    const result = answer(solver.check(assumptions, limits));
    if (isQuick) return result;
    resources =
      result.kind === "unknown" ? Math.max(leastResources, resources / 2) : Math.min(mostResources, resources * 2);
    return result;
  };
  return {
    open(background, effort = "full") {
      const own = {};
      const known = new Set<Variable>();
      const enterSession = () => {
        if (current === own) return;
        if (current !== null) solver.pop();
        current = own;
        solver.push();
        known.clear();
        solver.assert(...background, ...axiomsFor(symbols, background, known));
      };
      const session: ProofSession = {
        implies(assumptions, goal) {
          if (goal.kind === "bool" && goal.value) return { kind: "proved", used: [] };
          if (isInterrupted()) return { kind: "unknown", reason: "interrupted" };
          enterSession();
          solver.push();
          try {
            const local = new Set(known);
            solver.assert(...axiomsFor(symbols, [...assumptions, goal], local), symbols.terms.not(goal));
            return ask(assumptions, effort);
          } finally {
            solver.pop();
          }
        },
        close() {
          if (current !== own) return;
          solver.pop();
          current = null;
        },
      };
      return session;
    },
    interpolants(steps) {
      if (current !== null) solver.pop();
      current = null;
      solver.push();
      try {
        solver.assert(...axiomsFor(symbols, steps, new Set()));
        const parts = steps.map(conjuncts);
        const result = interpolate({ terms: symbols.terms, solver, steps: parts, options: { limits: { resources } } });
        return result.kind === "interpolants" ? result.sequence : null;
      } finally {
        solver.pop();
      }
    },
  };
}

function answer(result: CheckResult): Implication {
  switch (result.kind) {
    case "unsat":
      return { kind: "proved", used: result.core };
    case "sat":
      return { kind: "refuted", model: result.model.assignment };
    case "unknown":
      return { kind: "unknown", reason: result.message };
  }
}

/** What holds of the variables in the formulas by their types; those in `known` have been said. */
export function axiomsFor(symbols: Symbols, formulas: readonly Term[], known: Set<Variable>): Term[] {
  const { terms } = symbols;
  const axioms: Term[] = [];
  for (const variable of freeVariablesOf(formulas)) {
    if (known.has(variable)) continue;
    const object = symbols.objectWithBase(variable);
    if (object !== null) {
      // Objects do not overlap, and nothing else is known about where they are.
      for (const other of known) {
        const otherObject = symbols.objectWithBase(other);
        if (otherObject === null || mayBeOne(object, otherObject)) continue;
        const distance = terms.sub(variable, other);
        const far = terms.int(objectDistance);
        axioms.push(terms.or(terms.ge(distance, far), terms.le(distance, terms.neg(far))));
      }
    }
    known.add(variable);
    const axiom = symbols.axiom(variable);
    if (axiom.kind !== "bool") axioms.push(axiom);
  }
  return axioms;
}

/**
 * A block that a loop's body allocates, and one of the recorded run: the second may be what the first was in some
 * iteration. All other names are of different objects.
 */
function mayBeOne({ origin: a }: SymbolicObject, { origin: b }: SymbolicObject): boolean {
  return a.kind === "heap" && b.kind === "heap" && a.number < 0 !== b.number < 0;
}
