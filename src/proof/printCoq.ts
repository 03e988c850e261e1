import { nth, present } from "../base/checked.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import { floatOperatorOf } from "../logic/floatOperator.ts";
import { conjuncts, type Ite, isFalse, type Sum, type Term, type Variable } from "../logic/term.ts";
import { createTerms, type Terms } from "../logic/terms.ts";
import { childrenOf, createSubstituter, freeVariablesOf, postOrder, rebuild } from "../logic/traverse.ts";

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
 * The reason why an obligation has no theorem, or null. A theorem that Coq would not finish to check is left out. Not
 * expressible: bitwise operations, quantifiers, functions, and division by anything but a positive number (SMT-LIB and
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

/** How Coq writes comparisons and connectives: as a proposition, or as a boolean for the condition of a conditional. */
type Notation = {
  readonly variable: (name: string) => string;
  readonly bool: (value: boolean) => string;
  readonly le: string;
  readonly eq: string;
  readonly not: string;
  readonly and: string;
  readonly or: string;
};

const proposition: Notation = {
  variable: (name) => `(${name} = true)`,
  bool: (value) => (value ? "True" : "False"),
  ...{ le: "<=", eq: "=", not: "~", and: " /\\ ", or: " \\/ " },
};

const boolean: Notation = {
  variable: (name) => name,
  bool: (value) => `${value}`,
  ...{ le: "<=?", eq: "=?", not: "negb", and: " && ", or: " || " },
};

function createPrinter(names: ReadonlyMap<Variable, string>) {
  function formula(term: Term, notation = proposition): string {
    const inner = (part: Term) => formula(part, notation);
    switch (term.kind) {
      case "bool":
        return notation.bool(term.value);
      case "variable":
        return notation.variable(present(names.get(term)));
      case "le":
      case "eq":
        return `(${value(term.sum)} ${notation[term.kind]} ${literal(term.bound)})`;
      case "not":
        return `(${notation.not} ${inner(term.operand)})`;
      case "and":
      case "or":
        return `(${term.arguments.map(inner).join(notation[term.kind])})`;
      case "ite":
        return conditional(term, inner);
      default:
        throw new TypeError(`not a proposition that Coq can be given: ${term.kind}`);
    }
  }

  function conditional(term: Ite, print: (part: Term) => string): string {
    return `(if ${formula(term.condition, boolean)} then ${print(term.whenTrue)} else ${print(term.whenFalse)})`;
  }

  /** A number or an array. */
  function value(term: Term): string {
    switch (term.kind) {
      case "int":
        return literal(term.value);
      case "variable":
        return present(names.get(term));
      case "sum":
        return sum(term);
      case "product":
        return `(${term.factors.map(value).join(" * ")})`;
      case "div":
        return `(${value(term.dividend)} / ${value(term.divisor)})`;
      case "mod":
        return `(${value(term.dividend)} mod ${value(term.divisor)})`;
      case "ite":
        return conditional(term, value);
      case "select":
        return `(${value(term.array)} ${value(term.index)})`;
      case "store":
        return `(write ${value(term.array)} ${value(term.index)} ${value(term.value)})`;
      case "constantArray":
        return `(fun _ : Z => ${value(term.value)})`;
      default:
        throw new TypeError(`not a value that Coq can be given: ${term.kind}`);
    }
  }

  function sum(term: Sum): string {
    const parts = term.monomials.map(({ coefficient, term: part }) =>
      coefficient === 1n ? value(part) : `${literal(coefficient)} * ${value(part)}`,
    );
    if (term.constant !== 0n) parts.push(literal(term.constant));
    return `(${parts.join(" + ")})`;
  }

  return { formula };
}

function literal(value: bigint): string {
  return value < 0n ? `(${value})` : `${value}`;
}

/**
 * The beginning of every Coq file: what is not in Coq's library, and the tactic that proves a obligation. It decides one test
 * of a conditional after the other, in all formulas at once, and goes no further where the facts decide the rest: nested
 * conditionals mostly exclude each other, and a tactic that looks at all combinations does not finish.
 */
export const coqTactic = `Require Import ZArith Lia Bool.
Open Scope Z_scope.

(* An array is a function; writing a cell makes another one. *)
Definition write (a : Z -> Z) (i v : Z) : Z -> Z := fun j => if j =? i then v else a j.

Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(* Hypotheses with conditionals or alternatives wait in the goal, as premises. All others are facts, in the context. *)
Ltac is_fact P :=
  lazymatch P with
  | context [if _ then _ else _] => fail
  | context [_ \\/ _] => fail
  | context [~ (_ /\\ _)] => fail
  | _ => idtac
  end.
Ltac take_facts :=
  intros; subst;
  repeat match goal with H : _ /\\ _ |- _ => destruct H end;
  repeat match goal with H : ?P |- _ => lazymatch type of P with Prop => tryif is_fact P then fail else revert H end end.

(* Computes with literals. The machine compares the two goals at Qed: other ways take exponential time in nested ifs. *)
Arguments Z.eqb !x !y /.
Arguments Z.leb !x !y /.
Arguments Z.add !x !y /.
Arguments Z.mul !x !y /.
Ltac simplify :=
  lazymatch goal with |- ?G =>
    let simple := eval cbn [andb orb negb Z.eqb Pos.eqb
      Z.leb Z.compare Pos.compare Pos.compare_cont CompOpp
      Z.add Z.pos_sub Z.double Z.succ_double Z.pred_double Pos.add Pos.add_carry Pos.succ Pos.pred_double
      Z.mul Pos.mul] in G in
    cut simple; [ let H := fresh in intro H; vm_cast_no_check H | ]
  end.

(* An excluded bound becomes the next one: lia would look at both sides of each disequality. *)
Lemma at_least : forall x b, (-1) * x <= b -> - b <= x. Proof. lia. Qed.
Lemma below : forall x c, ~ (x = c) -> x <= c -> x <= c + -1. Proof. lia. Qed.
Lemma above : forall x c, ~ (x = c) -> c <= x -> c + 1 <= x. Proof. lia. Qed.
Ltac is_literal c := lazymatch c with Z0 => idtac | Zpos _ => idtac | Zneg _ => idtac end.
Ltac sharpen_bounds :=
  repeat match goal with
  | H : (-1) * ?x <= ?c |- _ => is_var x; is_literal c; apply at_least in H; cbn in H
  | H : ~ (?c = ?x) |- _ => is_var x; is_literal c; apply not_eq_sym in H
  | D : ~ (?x = ?c), H : ?x <= ?c |- _ => is_var x; is_literal c; apply (below x c D) in H; cbn in H; clear D
  | D : ~ (?x = ?c), H : ?c <= ?x |- _ => is_var x; is_literal c; apply (above x c D) in H; cbn in H; clear D
  end.

(* A hypothesis, as it is written: assumption would unfold both sides, which does not end for two literals of 32 bits. *)
Ltac given := match goal with H : ?P |- ?Q => constr_eq P Q; exact H end.

Ltac conclusion G := lazymatch G with _ -> ?Q => conclusion Q | _ => G end.
(* Disequalities about other things than the conclusion wait for a second try. *)
Ltac drop_disequalities :=
  repeat match goal with
  | H : ~ (?x = _) |- ?claim => lazymatch claim with context [x] => fail | _ => clear H end
  end.
(* The conclusion, or a contradiction, without the premises. *)
Ltac decide_from_facts :=
  solve
    [ contradiction
    | lazymatch goal with |- ?G =>
        let C := conclusion G in
        lazymatch C with
        | context [if _ then _ else _] => exfalso
        | _ => repeat lazymatch goal with |- _ -> _ => intros _ end
        end
      end;
      first [ given | drop_disequalities; lia ] ].

(* What a conditional looks at first; those of the conclusion come before those of the premises. *)
Ltac first_test c :=
  lazymatch c with
  | context [if ?d then _ else _] => first_test d
  | andb ?a _ => first_test a
  | orb ?a _ => first_test a
  | negb ?a => first_test a
  | _ => c
  end.
Ltac next_test G :=
  let C := conclusion G in
  lazymatch C with
  | context [if ?c then _ else _] => first_test c
  | _ => lazymatch G with context [if ?c then _ else _] => first_test c end
  end.
Ltac learn E :=
  lazymatch type of E with
  | (_ =? _) = true => apply Z.eqb_eq in E
  | (_ =? _) = false => apply Z.eqb_neq in E
  | (_ <=? _) = true => apply Z.leb_le in E
  | (_ <=? _) = false => apply Z.leb_gt in E
  | _ => idtac
  end; subst.

Ltac decide_cases :=
  first
    [ decide_from_facts
    | lazymatch goal with
      | |- ?G =>
        let test := next_test G in
        let E := fresh in
        destruct test eqn:E; learn E; simplify; take_facts; sharpen_bounds; decide_cases
      end
    | lazymatch goal with |- context [if _ then _ else _] => fail | _ => intros end;
      repeat match goal with |- _ /\\ _ => split end;
      first [ given | lia | intuition lia | nia ] ].
(* One conjunct after the other: each has its own tests. *)
Ltac decide_obligation :=
  unfold write; intros; repeat match goal with |- _ /\\ _ => split end; take_facts; simplify; sharpen_bounds; decide_cases.
`;

/**
 * How many cases a proof distinguishes that decides one test of a conditional after the other, as Coq's tactic does, for
 * each conjunct of the conclusion: the conclusion's tests first, and no further where the hypotheses decide it on sight.
 * Reading a written cell is a conditional too. Stops counting above `limit`.
 */
export function countCases(obligation: Obligation, limit: number): number {
  const terms = createTerms();
  const copy = copyTo(terms);
  type Case = { readonly hypotheses: readonly Term[]; readonly conclusion: Term };
  const hypotheses = obligation.hypotheses.map(copy);
  const open: Case[] = conjuncts(copy(obligation.conclusion)).map((conclusion) => ({ hypotheses, conclusion }));
  let count = 0;
  for (let current = open.pop(); current !== undefined && count <= limit; current = open.pop()) {
    const { hypotheses, conclusion } = current;
    const isDecided = isFalse(terms.all([...hypotheses, terms.not(conclusion)]));
    const test = isDecided ? null : (firstTest([conclusion]) ?? firstTest(hypotheses));
    if (test === null) count++;
    else {
      for (const holds of [false, true]) {
        const decide = createSubstituter(terms, decision(terms, test, holds));
        const learnt = holds ? test : terms.not(test);
        open.push({ hypotheses: [...hypotheses.map(decide), learnt], conclusion: decide(conclusion) });
      }
    }
  }
  return count;
}

/** Copies terms to a store of their own, with what is read from written arrays as conditionals. */
function copyTo(terms: Terms): (term: Term) => Term {
  const copies = new Map<Term, Term>();
  return (root) => {
    for (const term of postOrder([root], (part) => !copies.has(part))) {
      const children = childrenOf(term).map((child) => present(copies.get(child)));
      copies.set(term, copyOf(terms, term, children));
    }
    return present(copies.get(root));
  };
}

function copyOf(terms: Terms, term: Term, children: readonly Term[]): Term {
  switch (term.kind) {
    case "int":
      return terms.int(term.value);
    case "bool":
      return terms.bool(term.value);
    case "variable":
      return terms.variable(term.name, term.sort);
    case "select":
      return read(terms, nth(children, 0), nth(children, 1));
    default:
      return rebuild(terms, term, children);
  }
}

function read(terms: Terms, array: Term, index: Term): Term {
  const written: { readonly test: Term; readonly value: Term }[] = [];
  let rest = array;
  for (; rest.kind === "store"; rest = rest.array)
    written.push({ test: terms.eq(index, rest.index), value: rest.value });
  return written.reduceRight((below, { test, value }) => terms.ite(test, value, below), terms.select(rest, index));
}

/** The first test of the first conditional; a conditional inside of it comes before it. */
function firstTest(formulas: readonly Term[]): Term | null {
  for (const term of postOrder(formulas)) {
    if (term.kind !== "ite") continue;
    let test = term.condition;
    while (test.kind === "and" || test.kind === "or" || test.kind === "not") test = nth(childrenOf(test), 0);
    return test;
  }
  return null;
}

/** The value of a test in a case, and that of the variable that it compares with a number. */
function decision(terms: Terms, test: Term, holds: boolean): ReadonlyMap<Term, Term> {
  if (holds && test.kind === "eq" && test.sum.kind === "variable") return new Map([[test.sum, terms.int(test.bound)]]);
  const decided = new Map([[test, terms.bool(holds)]]);
  const opposite = terms.not(test);
  if (opposite.kind !== "not") decided.set(opposite, terms.bool(!holds));
  return decided;
}
