import { bindsTightly, cStyle, printSource, type SourceStyle } from "../logic/printSource.ts";
import type { Select, Term, Variable } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { checkedProof } from "../proof/checkObligations.ts";
import { type Conjunct, conditionSentence } from "./conditionSentence.ts";
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
    literalOf: (compared: Variable | Select, value: bigint) =>
      compared.kind === "variable" && bytes.has(compared) ? printCharacter(Number(value)) : null,
  };
  const fixed = condition.kind === "claimed" ? condition.fixed : new Set<number>();
  const numbers = numbersOf(condition, names);
  const conjuncts = [
    ...condition.formulas.map((formula) => conjunctOf(formula, style, numbers)),
    ...[...fixed].map((index) => fixedInput(index + 1, trace.inputs[index]!.value)),
  ];
  const proof = proofOf(run);
  const described = {
    ...(bytes.size === 0 ? {} : { bytes: bytes.size }),
    formulas: conjuncts.map(({ text }) => text),
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
  const said = conditionSentence(conjuncts, irrelevant, condition.inputs, open, names, verb);
  const text = bytes.size === 0 ? said : `${said} (of ${trace.settings.stdin.length} bytes of standard input)`;
  const claims = isSameWay ? "samePath" : open.length > 0 ? "ifTerminates" : "total";
  return { ...described, claims, open, irrelevant, text };
}

type Numbered = { readonly word: "input" | "byte"; readonly number: number };

/** The inputs and bytes that have a number for a name. */
function numbersOf(
  { inputs, bytes }: ExplainedRun["condition"],
  names: ReadonlyMap<Variable, string>,
): ReadonlyMap<Variable, Numbered> {
  const numbers = new Map<Variable, Numbered>();
  for (const [i, variable] of inputs.entries()) {
    if (variable !== null && names.get(variable) === `input ${i + 1}`)
      numbers.set(variable, { word: "input", number: i + 1 });
  }
  for (const [i, { variable }] of bytes.entries()) numbers.set(variable, { word: "byte", number: i + 1 });
  return numbers;
}

function conjunctOf(formula: Term, style: SourceStyle, numbers: ReadonlyMap<Variable, Numbered>): Conjunct {
  const variable = comparedVariable(formula);
  const numbered = variable === null ? undefined : numbers.get(variable);
  return {
    text: printSource(formula, style),
    tight: bindsTightly(formula, style),
    one:
      numbered === undefined
        ? null
        : { ...numbered, say: (what) => printSource(formula, { ...style, nameOf: () => what }) },
  };
}

/** The variable that a formula compares with a number; null for any other formula. */
function comparedVariable(formula: Term): Variable | null {
  const atom = formula.kind === "not" ? formula.operand : formula;
  if (atom.kind !== "eq" && atom.kind !== "le") return null;
  const [only, ...others] = atom.sum.kind === "sum" ? atom.sum.monomials : [{ coefficient: 1n, term: atom.sum }];
  const isAlone = others.length === 0 && (only?.coefficient === 1n || only?.coefficient === -1n);
  return isAlone && only!.term.kind === "variable" ? only!.term : null;
}

function fixedInput(number: number, value: bigint | number): Conjunct {
  const say = (what: string) => `${what} == ${value}`;
  return { text: say(`input ${number}`), tight: true, one: { word: "input", number, say } };
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
