import type { CoveredInputs } from "../analyses/explore/coveredRuns.ts";
import type { ExplainFailure } from "../analyses/explore/openTargets.ts";
import { inputTypeKey } from "../analyses/explore/transfer.ts";
import { cancelledAfter } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import type { Trace } from "../interpreter/trace.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { describeInputCondition } from "./inputCondition.ts";
import type { ExplainOptions } from "./logicWork.ts";
import { type ExplainedRun, proveExplanation } from "./proveExplanation.ts";

/** What may be spent on one failure of many. */
const milliseconds = 10_000;

/** Explains a failure that exploration found: for which inputs it is proved to be the same. */
export function inputConditionForExplore(
  trace: Trace,
  options: Pick<ExplainOptions, "solver" | "cancellation">,
): ReturnType<ExplainFailure> {
  try {
    const cancellation = cancelledAfter(milliseconds, options.cancellation);
    const run = proveExplanation(trace, { ...options, cancellation, shrink: false });
    const { text, proved, claims } = describeInputCondition(run);
    const isProved = proved && claims === "total";
    return { reason: proved ? text : null, covered: isProved ? coveredBy(run) : null };
  } catch (error) {
    // A run that cannot be explained is still a failure.
    if (error instanceof TracefoldError) return { reason: null, covered: null };
    throw error;
  }
}

/** Null where inputs are read in another order than that of the program's reads: memory is read when it is needed. */
function coveredBy({ condition, trace, symbols: { terms } }: ExplainedRun): CoveredInputs | null {
  const { functions } = trace.program;
  const fixed = condition.kind === "claimed" ? condition.fixed : new Set<number>();
  const variables = condition.inputs.map((variable, i) =>
    variable === null && fixed.has(i) ? terms.variable(`fixed.${i}`, "Int") : variable,
  );
  const formulas = [
    ...condition.formulas,
    ...[...fixed].map((i) => terms.eq(variables[i]!, terms.int(nth(trace.inputs, i).value as bigint))),
  ];
  const mentioned = new Set(freeVariablesOf(formulas));
  const inputs: { readonly name: string | null; readonly type: string }[] = [];
  for (const [i, { function: fn, edge, value }] of trace.inputs.entries()) {
    const { operation } = nth(nth(functions, fn).edges, edge);
    if (operation.kind !== "input" || typeof value !== "bigint") return null;
    const variable = variables[i] ?? null;
    const name = variable !== null && mentioned.has(variable) ? variable.name : null;
    inputs.push({ name, type: inputTypeKey(operation.type) });
  }
  if (mentioned.size > inputs.filter(({ name }) => name !== null).length) return null;
  return {
    formulas: formulas.map(printSmtLib),
    sorts: Object.fromEntries([...mentioned].map(({ name, sort }) => [name, sort])),
    inputs,
  };
}
