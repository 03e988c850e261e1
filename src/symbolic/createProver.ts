import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, isLargerThan } from "../logic/traverse.ts";
import type { CheckResult, Implication, ProofSession, Prover, Solver } from "../solver/solver.ts";
import { objectDistance, type SymbolicObject, type Symbols } from "./symbols.ts";

/** The limit of a query in solver steps; about a million take a second. */
const mostResources = 3_000_000;
const leastResources = 100_000;
const quickResources = 150_000;

/** Larger questions take longer to write down than a solver is given for them. */
const mostTerms = 500_000;
const tooLarge = { kind: "unknown", reason: `the question has more than ${mostTerms} terms` } as const;

/**
 * Proofs by one solver. Sessions share its stack: the one that is asked puts its background there, unless it was the
 * last to be asked. Questions without an answer make the next ones cheaper, so that a hard loop does not take for ever.
 */
export function createProver(symbols: Symbols, solver: Solver, cancellation: Cancellation = neverCancelled): Prover {
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
    cancellation,
    open(background, effort = "full") {
      const own = {};
      const isTooLarge = isLargerThan(mostTerms, background);
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
          if (cancellation.isCancelled()) return { kind: "unknown", reason: "interrupted" };
          if (isTooLarge || isLargerThan(mostTerms, [...assumptions, goal])) return tooLarge;
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

/** That objects do not overlap is said of each two of so many; of more it would be longer than everything else. */
const mostApart = 120;

/** The range constraints of the variables in the formulas; those in `known` are left out. */
export function axiomsFor(symbols: Symbols, formulas: readonly Term[], known: Set<Variable>): Term[] {
  const { terms } = symbols;
  const axioms: Term[] = [];
  const far = terms.int(objectDistance);
  const objects = [...known].flatMap((base) => withObject(symbols, base));
  for (const variable of freeVariablesOf(formulas)) {
    if (known.has(variable)) continue;
    known.add(variable);
    const axiom = symbols.axiom(variable);
    if (axiom.kind !== "bool") axioms.push(axiom);
    for (const { base, object } of withObject(symbols, variable)) {
      if (objects.length >= mostApart) break;
      // Nothing else is known about where they are.
      for (const other of objects) {
        if (mayBeOne(object, other.object)) continue;
        const distance = terms.sub(base, other.base);
        axioms.push(terms.or(terms.ge(distance, far), terms.le(distance, terms.neg(far))));
      }
      objects.push({ base, object });
    }
  }
  return axioms;
}

function withObject(symbols: Symbols, base: Variable): { readonly base: Variable; readonly object: SymbolicObject }[] {
  const object = symbols.objectWithBase(base);
  return object === null ? [] : [{ base, object }];
}

/** Are these the addresses of two objects that are not one? */
export function areDistinct(symbols: Symbols, a: Variable, b: Variable): boolean {
  const [one, other] = [symbols.objectWithBase(a), symbols.objectWithBase(b)];
  return one !== null && other !== null && a !== b && !mayBeOne(one, other);
}

/**
 * A block that a loop's body allocates, and one of the recorded run: the second may be what the first was in some
 * iteration. All other names are of different objects.
 */
function mayBeOne({ origin: a }: SymbolicObject, { origin: b }: SymbolicObject): boolean {
  return a.kind === "heap" && b.kind === "heap" && a.number < 0 !== b.number < 0;
}
