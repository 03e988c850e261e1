import { nth, present } from "../base/checked.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import { floatOperatorOf } from "../logic/floatOperator.ts";
import type { Sum, Term, Variable } from "../logic/term.ts";
import { childrenOf, freeVariablesOf, postOrder } from "../logic/traverse.ts";
import { coqTactic } from "./coqTactic.ts";
import { countCases } from "./countCases.ts";

/**
 * A Coq file with one theorem per obligation: integers are `Z`, arrays functions from `Z` to `Z`. Every theorem is proved
 * by the same tactic, which decides the tests of conditionals and leaves the rest to `lia` and `nia`.
 */
export function printCoq(obligations: readonly Obligation[]): string {
  return [coqTactic, ...obligations.map(printTheorem)].join("\n");
}

/** Propositions longer than this, as trees, are left to solvers. */
const sizeLimit = 20_000;
/** Coq takes about a tenth of a second for each. */
const caseLimit = 200;

/**
 * Why a obligation has no theorem, or null if it has one: a theorem that Coq would not finish to check is none. Not
 * expressed are bitwise operations, quantifiers, functions, and division by anything but a positive number (SMT-LIB and
 * Coq round differently there).
 */
export function whyNotInCoq(obligation: Obligation): string | null {
  const sizes = new Map<Term, number>();
  let total = 0;
  for (const term of postOrder([...obligation.hypotheses, obligation.conclusion])) {
    const reason = unexpressed(term);
    if (reason !== null) return reason;
    sizes.set(
      term,
      childrenOf(term).reduce((sum, child) => sum + present(sizes.get(child)), 1),
    );
  }
  for (const formula of [...obligation.hypotheses, obligation.conclusion]) total += present(sizes.get(formula));
  if (total > sizeLimit) return "it is too large";
  return countCases(obligation, caseLimit) > caseLimit ? "it has too many cases" : null;
}

function unexpressed(term: Term): string | null {
  switch (term.kind) {
    case "div":
    case "mod":
      return term.divisor.kind === "int" && term.divisor.value > 0n ? null : "it divides by something unknown";
    case "bits":
      return "it has bitwise operations";
    case "apply":
      return floatOperatorOf(term.symbol.name) === null ? "it has functions" : "it has floating-point arithmetic";
    case "forall":
    case "exists":
      return "it has quantifiers";
    case "arrayEq":
      return "it compares arrays";
    default:
      return null;
  }
}

function printTheorem(obligation: Obligation, index: number): string {
  const reason = whyNotInCoq(obligation);
  if (reason !== null) return `(* ${obligation.name} is not expressed here: ${reason}. Its SMT-LIB script has it. *)\n`;
  const variables = freeVariablesOf([...obligation.hypotheses, obligation.conclusion]);
  const names = new Map<Variable, string>(variables.map((variable, i) => [variable, coqName(variable, i)]));
  const printer = createPrinter(names);
  const lines = obligation.text.split("\n").map((line) => `   ${escapeComment(line)}`);
  lines[0] = `(* ${nth(lines, 0).trim()}`;
  lines[lines.length - 1] += " *)";
  lines.push(`Theorem obligation_${index + 1}_${obligation.name.replace(/\W/g, "_")} :`);
  for (const variable of variables) lines.push(`  forall ${names.get(variable)} : ${sortText(variable)},`);
  for (const hypothesis of obligation.hypotheses) lines.push(`  ${printer.formula(hypothesis)} ->`);
  lines.push(`  ${printer.formula(obligation.conclusion)}.`, "Proof. decide_obligation. Qed.", "");
  return lines.join("\n");
}

function sortText(variable: Variable): string {
  return variable.sort === "Array" ? "Z -> Z" : variable.sort === "Bool" ? "bool" : "Z";
}

/** Readable, without clashes with Coq's words, and unique by its number. */
function coqName(variable: Variable, index: number): string {
  return `${
    variable.name
      .replace(/[#@!~].*$/, "")
      .replace(/\W+/g, "_")
      .replace(/^(\d)/, "_$1") || "v"
  }_${index}`;
}

function escapeComment(text: string): string {
  return text.replaceAll("(*", "( *").replaceAll("*)", "* )");
}

/** Prints terms as propositions and as numbers: one recursion over their kinds. */
function createPrinter(names: ReadonlyMap<Variable, string>) {
  /** A proposition. */
  function formula(term: Term): string {
    switch (term.kind) {
      case "bool":
        return term.value ? "True" : "False";
      case "variable":
        return `(${names.get(term)} = true)`;
      case "le":
        return `(${number(term.sum)} <= ${literal(term.bound)})`;
      case "eq":
        return `(${number(term.sum)} = ${literal(term.bound)})`;
      case "not":
        return `(~ ${formula(term.operand)})`;
      case "and":
        return `(${term.arguments.map(formula).join(" /\\ ")})`;
      case "or":
        return `(${term.arguments.map(formula).join(" \\/ ")})`;
      case "ite":
        return `(if ${test(term.condition)} then ${formula(term.whenTrue)} else ${formula(term.whenFalse)})`;
      default:
        throw new TypeError(`not a proposition that Coq can be given: ${term.kind}`);
    }
  }

  /** The same as a boolean, for the condition of a conditional. */
  function test(term: Term): string {
    switch (term.kind) {
      case "bool":
        return `${term.value}`;
      case "variable":
        return present(names.get(term));
      case "le":
        return `(${number(term.sum)} <=? ${literal(term.bound)})`;
      case "eq":
        return `(${number(term.sum)} =? ${literal(term.bound)})`;
      case "not":
        return `(negb ${test(term.operand)})`;
      case "and":
        return `(${term.arguments.map(test).join(" && ")})`;
      case "or":
        return `(${term.arguments.map(test).join(" || ")})`;
      case "ite":
        return `(if ${test(term.condition)} then ${test(term.whenTrue)} else ${test(term.whenFalse)})`;
      default:
        throw new TypeError(`not a condition that Coq can be given: ${term.kind}`);
    }
  }

  function number(term: Term): string {
    switch (term.kind) {
      case "int":
        return literal(term.value);
      case "variable":
        return present(names.get(term));
      case "sum":
        return sum(term);
      case "product":
        return `(${term.factors.map(number).join(" * ")})`;
      case "div":
        return `(${number(term.dividend)} / ${number(term.divisor)})`;
      case "mod":
        return `(${number(term.dividend)} mod ${number(term.divisor)})`;
      case "ite":
        return `(if ${test(term.condition)} then ${value(term.whenTrue)} else ${value(term.whenFalse)})`;
      case "select":
        return `(${array(term.array)} ${number(term.index)})`;
      default:
        throw new TypeError(`not a number that Coq can be given: ${term.kind}`);
    }
  }

  function array(term: Term): string {
    switch (term.kind) {
      case "variable":
        return present(names.get(term));
      case "store":
        return `(write ${array(term.array)} ${number(term.index)} ${number(term.value)})`;
      case "constantArray":
        return `(fun _ : Z => ${number(term.value)})`;
      case "ite":
        return `(if ${test(term.condition)} then ${array(term.whenTrue)} else ${array(term.whenFalse)})`;
      default:
        throw new TypeError(`not an array that Coq can be given: ${term.kind}`);
    }
  }

  function value(term: Term): string {
    return term.sort === "Int" ? number(term) : term.sort === "Array" ? array(term) : test(term);
  }

  function sum(term: Sum): string {
    const parts = term.monomials.map(({ coefficient, term: part }) =>
      coefficient === 1n ? number(part) : `${literal(coefficient)} * ${number(part)}`,
    );
    if (term.constant !== 0n) parts.push(literal(term.constant));
    return `(${parts.join(" + ")})`;
  }

  return { formula };
}

function literal(value: bigint): string {
  return value < 0n ? `(${value})` : `${value}`;
}
