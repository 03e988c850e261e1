import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { Value } from "../../logic/evaluate.ts";
import type { SExpression } from "../../logic/parseSmtLib.ts";
import { printSymbol } from "../../logic/printSmtLib.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { postOrder } from "../../logic/traverse.ts";
import { type VectorScript, vectorScript } from "../../logic/vectors/vectorScript.ts";
import { createModel, emptyModel, readOne } from "../answers.ts";
import { type AssertionStack, type DecoratedCheck, decorateSolver } from "../assertionStack.ts";
import { type CheckOptions, type CheckResult, type Solver, unknown } from "../solver.ts";

/**
 * Asks questions about bounded numbers also as bit-vector questions: first if there are bit operations, or if that
 * answered the last such question; else if the integer question has no answer. Models are verified by evaluation.
 */
export function decideBits(inner: Solver): Solver {
  const kinds = new Map<Term, Hardness>();
  let areVectorsFirst = false;
  const reset = () => {
    kinds.clear();
    areVectorsFirst = false;
  };
  return decorateSolver(inner, check, { reset });

  function check(...[stack, assumptions, options]: DecoratedCheck): CheckResult {
    const formulas = [...stack.all, ...assumptions];
    const hardness = hardest(formulas, kinds);
    const integers = () => inner.check(assumptions, options);
    if (hardness === "none") return integers();
    const isSettled = (answer: CheckResult) => answer.kind !== "unknown" || answer.reason === "interrupted";
    const isPreferred = hardness === "bits" || hardness === "nonlinear" || areVectorsFirst;
    const early = isPreferred ? vectorScript(formulas, formulas) : null;
    if (early !== null && (hardness === "bits" || areVectorsFirst || early.nonlinear <= fewBits)) {
      const answer = checkVectors(inner, early, stack, assumptions, options);
      if (isSettled(answer)) return answer;
      areVectorsFirst = false;
      return integers();
    }
    const answer = integers();
    const late = isSettled(answer) ? null : (early ?? vectorScript(formulas, formulas));
    if (late === null) return answer;
    const again = checkVectors(inner, late, stack, assumptions, options);
    areVectorsFirst = again.kind !== "unknown";
    return again.kind === "unknown" ? answer : again;
  }
}

/** Products of this width are decided quickly. */
const fewBits = 20;

const hardnesses = ["none", "wraps", "nonlinear", "bits"] as const;
/** `wraps`: divisions by constants; `nonlinear`: by others, and products. */
type Hardness = (typeof hardnesses)[number];

function hardest(formulas: readonly Term[], known: Map<Term, Hardness>): Hardness {
  let most = 0;
  for (const formula of formulas) {
    const own = remembered(known, formula, () => hardnessOf(formula));
    most = Math.max(most, hardnesses.indexOf(own));
  }
  return hardnesses[most]!;
}

function hardnessOf(formula: Term): Hardness {
  let result: Hardness = "none";
  for (const term of postOrder([formula])) {
    // A remainder of a quotient is a bit mask.
    if (term.kind === "bits" || (term.kind === "mod" && term.dividend.kind === "div")) return "bits";
    const isDivision = term.kind === "div" || term.kind === "mod";
    if (term.kind === "product" || (isDivision && term.divisor.kind !== "int")) result = "nonlinear";
    else if (isDivision && result === "none") result = "wraps";
  }
  return result;
}

function checkVectors(
  solver: Solver,
  script: VectorScript,
  { all }: AssertionStack,
  assumptions: readonly Term[],
  options: CheckOptions,
): CheckResult {
  const formulas = [...all, ...assumptions];
  const question = [...prologue(script), ...script.texts.map((text) => `(assert ${text})`), "(check-sat)"];
  const first = solver.run(question.join("\n"), options.limits);
  if (first.kind === "unknown") return first;
  switch (first.text.trim()) {
    case "unsat":
      return { kind: "unsat", core: coreOf(solver, all, assumptions, options) };
    case "sat":
      if (options.model === false) return { kind: "sat", model: emptyModel };
      return modelOf(solver, script, formulas, question, options);
    default:
      return unknown("limit", "no answer about bit vectors");
  }
}

function prologue({ commands }: VectorScript): readonly string[] {
  const options = ["models", "unsat-assumptions"].map((name) => `(set-option :produce-${name} true)`).join("");
  return [`(set-option :print-success false)${options}`, "(set-logic QF_BV)", ...commands];
}

/** Asks again: some solvers end if asked for values when there are none. */
function modelOf(
  solver: Solver,
  { variables }: VectorScript,
  formulas: readonly Term[],
  question: readonly string[],
  options: CheckOptions,
): CheckResult {
  const words = variables.map(({ variable }) => printSymbol(variable.name)).join(" ");
  const output = solver.run([...question, `(get-value (${words}))`].join("\n"), options.limits);
  if (output.kind === "unknown") return output;
  const list = readOne(output.text.trim().replace(/^sat\b/, ""));
  const values = new Map<Variable, Value>();
  for (const [i, { variable }] of variables.entries()) {
    const pair = Array.isArray(list) ? list[i] : undefined;
    const value = Array.isArray(pair) ? readVector(pair[1]) : null;
    if (value === null) return unknown("failure", `unreadable model: ${output.text.slice(0, 200)}`);
    values.set(variable, value);
  }
  const model = createModel(values);
  // A division by zero has no value.
  if (formulas.every((formula) => model.satisfies(formula))) return { kind: "sat", model };
  return unknown("incomplete", "a model that does not satisfy the formulas");
}

/** Named assumptions weaken a solver's simplifications: a core is asked for only after an answer. */
function coreOf(
  solver: Solver,
  all: readonly Term[],
  assumptions: readonly Term[],
  options: CheckOptions,
): readonly Term[] {
  const script = assumptions.length <= 1 ? null : vectorScript([...all, ...assumptions], all);
  if (script === null) return assumptions;
  const names = assumptions.map((_, i) => `tf!assume${i}`);
  const question = [
    ...prologue(script),
    ...script.texts.slice(0, all.length).map((text) => `(assert ${text})`),
    ...names.map((name, i) => `(declare-fun ${name} () Bool)(assert (=> ${name} ${script.texts[all.length + i]}))`),
    `(check-sat-assuming (${names.join(" ")}))(get-unsat-assumptions)`,
  ];
  const output = solver.run(question.join("\n"), options.limits);
  if (output.kind === "unknown" || !output.text.startsWith("unsat")) return assumptions;
  const list = readOne(output.text.trim().replace(/^unsat\b/, ""));
  if (!Array.isArray(list)) return assumptions;
  return assumptions.filter((_, i) => list.includes(nth(names, i)));
}

/** `#b101`, `#x1f`, `(_ bv5 8)` in two's complement, or a truth value. */
function readVector(expression: SExpression | undefined): Value | null {
  if (expression === "true" || expression === "false") return expression === "true";
  if (typeof expression === "string") {
    if (!/^#(b[01]+|x[0-9a-fA-F]+)$/.test(expression)) return null;
    const width = (expression.length - 2) * (expression[1] === "b" ? 1 : 4);
    return BigInt.asIntN(width, BigInt(`0${expression.slice(1)}`));
  }
  const [, digits, width] = Array.isArray(expression) ? expression : [];
  if (typeof digits !== "string" || typeof width !== "string" || !/^bv\d+$/.test(digits)) return null;
  return BigInt.asIntN(Number(width), BigInt(digits.slice(2)));
}
