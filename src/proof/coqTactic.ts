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
