import { freeVariablesOf } from "../logic/freeVariables.ts";
import { cStyle, printSource } from "../logic/printSource.ts";
import type { Variable } from "../logic/term.ts";
import { checkedProof } from "../proof/checkObligations.ts";
import { conditionSentence } from "./conditionSentence.ts";
import type { ExplainedRun } from "./explainRun.ts";
import type { ClaimProof, InputCondition } from "./explanation.ts";
import { openClaims } from "./openClaims.ts";
import { printCharacter } from "./why/printValue.ts";

/** The condition on the inputs in source syntax and in words. */
export function describeInputCondition(run: ExplainedRun): InputCondition {
  const { condition, trace } = run;
  const names = inputNames(condition.inputs, trace);
  for (const [i, { variable }] of condition.bytes.entries()) names.set(variable, `byte ${i + 1}`);
  const verb = trace.program.watched === undefined ? "fails" : "holds";
  const bytes = new Set(condition.bytes.map(({ variable }) => variable));
  const style = {
    ...cStyle,
    nameOf: (variable: Variable) => names.get(variable) ?? variable.name,
    literalOf: (variable: Variable, value: bigint) => (bytes.has(variable) ? printCharacter(Number(value)) : null),
  };
  const fixed = condition.kind === "claimed" ? condition.fixed : new Set<number>();
  const formulas = [
    ...condition.formulas.map((formula) => printSource(formula, style)),
    ...[...fixed].map((index) => `input ${index + 1} == ${trace.inputs[index]!.value}`),
  ];
  const proof = proofOf(run);
  const described = {
    ...(bytes.size === 0 ? {} : { bytes: bytes.size }),
    formulas,
    open: [],
    irrelevant: [],
    proved: proof.status === "checked",
    proof,
  };
  if (condition.kind === "noInputs") {
    return { ...described, claims: "total", text: `the program reads no inputs: it always ${verb} like this` };
  }
  if (condition.kind === "none") {
    return { ...described, claims: "none", text: "it is not proved for which other inputs the same happens" };
  }
  const mentioned = new Set(freeVariablesOf(condition.formulas));
  const isSameWay = condition.open.some(({ kind }) => kind === "way");
  // Where the way is open, what decides it may be any input.
  const irrelevant = condition.inputs.flatMap((variable, index) =>
    isSameWay || fixed.has(index) || (variable !== null && mentioned.has(variable)) ? [] : [index],
  );
  const open = openClaims(condition.open);
  const said = conditionSentence(formulas, irrelevant, condition.inputs, open, names, verb);
  const text = bytes.size === 0 ? said : `${said} (of ${trace.settings.stdin.length} bytes of standard input)`;
  const claims = isSameWay ? "samePath" : open.length > 0 ? "ifTerminates" : "total";
  return { ...described, claims, open, irrelevant, text };
}

/** A program without inputs has one run, and its own proof; all else has a proof about the other runs. */
function proofOf({ condition, conditionProof, proof }: ExplainedRun): ClaimProof {
  const check = condition.kind === "noInputs" ? proof : conditionProof;
  const checked = condition.kind === "none" ? null : checkedProof(check);
  if (checked !== null) return { status: "checked", ...checked };
  if (condition.kind === "none") return { status: "not checked", reason: "nothing is claimed" };
  const failed = check.verdicts.filter(({ answer }) => answer !== "proved").length;
  const reason = check.interrupted
    ? "the check was ended before it was done"
    : `${failed} of ${check.obligations.length} conditions were not accepted`;
  return { status: "not checked", reason };
}

/** The variable that an input was read into, where that is one input's alone; else its number. */
function inputNames(inputs: readonly (Variable | null)[], trace: ExplainedRun["trace"]): Map<Variable, string> {
  const { program } = trace;
  const targets = trace.inputs.map(({ function: fn, edge }) => {
    const { operation } = program.functions[fn]!.edges[edge]!;
    const target = operation.kind === "input" ? program.variables[operation.target]! : null;
    return target === null || target.madeUp ? null : target.name;
  });
  const names = new Map<Variable, string>();
  inputs.forEach((variable, i) => {
    if (variable === null) return;
    const name = targets[i] ?? null;
    const unique = name !== null && targets.filter((other) => other === name).length === 1;
    names.set(variable, unique ? name : `input ${i + 1}`);
  });
  return names;
}
