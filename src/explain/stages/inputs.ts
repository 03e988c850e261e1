import { coveredInputs } from "../../analysis/inputCondition/coveredInputs.ts";
import { type ConditionOnInputs, conditionOnInputs } from "../../analysis/inputCondition/inputCondition.ts";
import { unlessCancelled } from "../../base/assertWanted.ts";
import type { Cancellation } from "../../base/cancellation.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { printSource } from "../../logic/printSource.ts";
import { postOrder } from "../../logic/traverse.ts";
import { findCounterexample, quickCounterexample } from "../../search/findCounterexample.ts";
import type { Trace } from "../../trace/trace.ts";
import type { LogicWork } from "../logicWork.ts";
import type { Stage } from "../stage.ts";
import type { Folded } from "./folds.ts";

/** For which other inputs the same happens. */
export const inputs: Stage<LogicWork & Folded, { readonly condition: ConditionOnInputs }> = {
  name: "inputs",
  make({ trace, symbols, prover, folded, cancellation }) {
    const found = unlessCancelled(() => conditionOnInputs(symbols, prover, folded), null) ?? unknownCondition(trace);
    return { condition: triedOut(trace, found, cancellation) };
  },
  problems({ trace, condition: { formulas, inputs, proved } }) {
    if (!proved) return [];
    const recorded = new Map(inputs.map((variable, i) => [variable, trace.inputs[i]!.value]));
    const own = formulas.filter((formula) => {
      const value = evaluate(formula, (variable) => {
        const input = recorded.get(variable);
        return typeof input === "bigint" ? input : undefined;
      });
      return value === false;
    });
    return own.map((formula) => `the run's own inputs do not satisfy ${printSource(formula)}`);
  },
  print({ condition: { formulas, proved, sameWay, openLoops } }) {
    const lines = formulas.map((formula) => printSource(formula));
    const claims = [proved ? "proved" : "not proved", ...(sameWay ? ["on the same way"] : [])];
    return `${[...lines, `${claims.join(", ")}; ${openLoops.length} loops are open`].join("\n")}\n`;
  },
};

/** What is known of other inputs where nobody has looked. */
function unknownCondition({ inputs }: Trace): ConditionOnInputs {
  return { formulas: [], inputs: inputs.map(() => null), proved: false, sameWay: true, openLoops: [] };
}

/** A condition that some other run refutes is not one, whatever proved it. */
function triedOut(trace: Trace, condition: ConditionOnInputs, cancellation: Cancellation): ConditionOnInputs {
  if (!condition.proved || condition.sameWay || trace.inputs.length === 0) return condition;
  const numbers = postOrder(condition.formulas).flatMap((term) =>
    term.kind === "le" || term.kind === "eq" ? [term.bound, -term.bound] : [],
  );
  const claim = { covers: coveredInputs(trace.inputs, condition), numbers };
  const counterexample = findCounterexample(trace, claim, { ...quickCounterexample, cancellation });
  return counterexample === null ? condition : { ...condition, proved: false };
}
