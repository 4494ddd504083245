(** Vectors: lists of rationals that a checker computes with, and functions [nat -> R] that theorems speak of.

    A list stands for the vector that has 0 beyond its end. A weight vector of a theorem is any function from column
    numbers to the real numbers; only the columns of a row count. *)
From Coq Require Import List Arith Lia QArith Qreals Reals Lra Psatz.
Import ListNotations.

Definition vec := list Q.

(** What the checker computes. Sums are kept in lowest terms. Zeros, of which rows have many, cost nothing. *)
Definition qadd (a b : Q) : Q :=
  match Qnum a, Qnum b with
  | Z0, _ => b
  | _, Z0 => a
  | _, _ => Qred (a + b)
  end.
Definition qmul (a b : Q) : Q :=
  match Qnum a, Qnum b with
  | Z0, _ | _, Z0 => 0
  | _, _ => Qred (a * b)
  end.

Fixpoint qdot (u v : vec) : Q :=
  match u, v with
  | a :: u', b :: v' => qadd (qmul a b) (qdot u' v')
  | _, _ => 0%Q
  end.

Definition qsq (u : vec) : Q := qdot u u.

(** a·u + v *)
Fixpoint axpy (a : Q) (u v : vec) : vec :=
  match u, v with
  | [], _ => v
  | x :: u', [] => qmul a x :: axpy a u' []
  | x :: u', y :: v' => qadd (qmul a x) y :: axpy a u' v'
  end.

Definition unit_vec (j : nat) : vec := repeat 0%Q j ++ [1%Q].
Definition qis0 (a : Q) : bool := Qeq_bool a 0.
Definition qpos (a : Q) : bool := negb (Qle_bool a 0).
Definition zero (u : vec) : bool := forallb qis0 u.

(** What theorems speak of. *)
Open Scope R_scope.

Definition shift (w : nat -> R) : nat -> R := fun j => w (S j).
Definition real (u : vec) : nat -> R := fun j => Q2R (nth j u 0%Q).

Fixpoint dot (u : vec) (w : nat -> R) : R :=
  match u with
  | [] => 0
  | a :: u' => Q2R a * w 0%nat + dot u' (shift w)
  end.

(** The squared norm of the first n entries. *)
Fixpoint sumsq (n : nat) (w : nat -> R) : R :=
  match n with
  | O => 0
  | S n' => w 0%nat * w 0%nat + sumsq n' (shift w)
  end.

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R; simpl; lra. Qed.
Lemma qadd_is a b : (qadd a b == a + b)%Q.
Proof.
  destruct a as [[|n|n] d], b as [[|m|m] e]; unfold qadd; simpl Qnum; cbv iota beta;
    try apply Qred_correct; unfold Qeq, Qplus; simpl; lia.
Qed.
Lemma qmul_is a b : (qmul a b == a * b)%Q.
Proof.
  destruct a as [[|n|n] d], b as [[|m|m] e]; unfold qmul; simpl Qnum; cbv iota beta; try apply Qred_correct; reflexivity.
Qed.
Lemma Q2R_qadd a b : Q2R (qadd a b) = Q2R a + Q2R b.
Proof. rewrite <- Q2R_plus. apply Qeq_eqR, qadd_is. Qed.
Lemma Q2R_qmul a b : Q2R (qmul a b) = Q2R a * Q2R b.
Proof. rewrite <- Q2R_mult. apply Qeq_eqR, qmul_is. Qed.
Lemma Q2R_opp' a : Q2R (- a) = - Q2R a.
Proof. apply Q2R_opp. Qed.

Lemma qis0_true a : qis0 a = true -> Q2R a = 0.
Proof. intro H. apply Qeq_bool_iff in H. rewrite <- Q2R_0. now apply Qeq_eqR. Qed.
Lemma qis0_false a : qis0 a = false -> Q2R a <> 0.
Proof.
  intros H E. rewrite <- Q2R_0 in E. apply eqR_Qeq in E. apply Qeq_bool_iff in E.
  unfold qis0 in H. congruence.
Qed.
Lemma qle_true a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intro H. apply Qle_Rle. now apply Qle_bool_iff. Qed.
Lemma qle_false a b : Qle_bool a b = false -> Q2R b < Q2R a.
Proof.
  intro H. apply Qlt_Rlt. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence.
Qed.
Lemma qpos_true a : qpos a = true -> 0 < Q2R a.
Proof.
  unfold qpos. intro H. rewrite <- Q2R_0. apply qle_false. now destruct (Qle_bool a 0).
Qed.
Lemma qpos_false a : qpos a = false -> Q2R a <= 0.
Proof.
  unfold qpos. intro H. rewrite <- Q2R_0. apply qle_true. now destruct (Qle_bool a 0).
Qed.

Lemma real_cons a u : shift (real (a :: u)) = real u.
Proof. reflexivity. Qed.
Lemma real_nil j : real [] j = 0.
Proof. unfold real. destruct j; simpl; apply Q2R_0. Qed.

Lemma dot_ext u : forall w w', (forall j, (j < length u)%nat -> w j = w' j) -> dot u w = dot u w'.
Proof.
  induction u as [|a u IH]; simpl; intros w w' H; [reflexivity|].
  rewrite (H 0%nat) by lia. f_equal. apply IH. intros j Hj. apply H. lia.
Qed.
Lemma dot_zero u w : (forall j, (j < length u)%nat -> w j = 0) -> dot u w = 0.
Proof.
  revert w; induction u as [|a u IH]; simpl; intros w H; [reflexivity|].
  rewrite (H 0%nat) by lia. rewrite IH; [lra|]. intros j Hj. apply H. lia.
Qed.
Lemma dot_real u : forall v, dot u (real v) = Q2R (qdot u v).
Proof.
  induction u as [|a u IH]; intros [|b v]; simpl.
  - now rewrite Q2R_0.
  - now rewrite Q2R_0.
  - rewrite real_nil, dot_zero; [rewrite Q2R_0; lra|]. intros j _. apply (real_nil (S j)).
  - rewrite Q2R_qadd, Q2R_qmul, real_cons, IH. reflexivity.
Qed.
Lemma qdot_comm u : forall v, Q2R (qdot u v) = Q2R (qdot v u).
Proof.
  induction u as [|a u IH]; intros [|b v]; simpl; try reflexivity.
  rewrite !Q2R_qadd, !Q2R_qmul, IH. lra.
Qed.
Lemma dot_linear u : forall w w' k, dot u (fun j => w j + k * w' j) = dot u w + k * dot u w'.
Proof.
  induction u as [|a u IH]; simpl; intros w w' k; [lra|].
  change (shift (fun j => w j + k * w' j)) with (fun j => shift w j + k * shift w' j).
  rewrite IH. lra.
Qed.
Lemma dot_axpy a u : forall v w, dot (axpy a u v) w = Q2R a * dot u w + dot v w.
Proof.
  induction u as [|x u IH]; intros [|y v] w; simpl; try lra.
  - rewrite IH, Q2R_qmul. simpl. lra.
  - rewrite IH, Q2R_qadd, Q2R_qmul. lra.
Qed.
Lemma dot_unit j : forall w, dot (unit_vec j) w = w j.
Proof.
  unfold unit_vec. induction j as [|j IH]; simpl; intro w.
  - rewrite Q2R_1. lra.
  - rewrite IH, Q2R_0. unfold shift. lra.
Qed.
Lemma zero_dot u : zero u = true -> forall w, dot u w = 0.
Proof.
  induction u as [|a u IH]; simpl; intros H w; [reflexivity|].
  apply Bool.andb_true_iff in H as [Ha Hu]. rewrite (qis0_true _ Ha), (IH Hu). lra.
Qed.
Lemma length_axpy a u : forall v, length (axpy a u v) = Nat.max (length u) (length v).
Proof. induction u as [|x u IH]; intros [|y v]; simpl; rewrite ?IH; simpl; lia. Qed.

(** nth of the results, as real numbers *)
Lemma real_axpy a u v j : real (axpy a u v) j = Q2R a * real u j + real v j.
Proof.
  revert v j; induction u as [|x u IH]; intros [|y v] j; simpl.
  - rewrite real_nil. lra.
  - rewrite real_nil. lra.
  - destruct j as [|j].
    + unfold real; simpl. rewrite Q2R_qmul, Q2R_0. lra.
    + change (real (axpy a u []) j = Q2R a * real u j + real [] (S j)). rewrite IH, !real_nil. lra.
  - destruct j as [|j].
    + unfold real; simpl. now rewrite Q2R_qadd, Q2R_qmul.
    + change (real (axpy a u v) j = Q2R a * real u j + real v j). apply IH.
Qed.
Lemma real_unit j k : real (unit_vec j) k = if Nat.eqb j k then 1 else 0.
Proof.
  revert k; induction j as [|j IH]; intros [|k]; unfold real, unit_vec in *; simpl.
  - apply Q2R_1.
  - destruct k; apply Q2R_0.
  - apply Q2R_0.
  - apply IH.
Qed.

(** The prefix that a norm takes, and what is behind it. *)
Lemma dot_firstn d u : forall w, zero (skipn d u) = true -> dot u w = dot (firstn d u) w.
Proof.
  revert u; induction d as [|d IH]; intros [|a u] w H; simpl in *; try reflexivity.
  - apply Bool.andb_true_iff in H as [Ha Hu]. rewrite (qis0_true _ Ha), (zero_dot _ Hu). lra.
  - now rewrite IH.
Qed.

Lemma sumsq_pos n : forall w, 0 <= sumsq n w.
Proof. induction n as [|n IH]; simpl; intro w; [lra|]. specialize (IH (shift w)). nra. Qed.
Lemma sumsq_mono n m : forall w, (n <= m)%nat -> sumsq n w <= sumsq m w.
Proof.
  revert m; induction n as [|n IH]; intros m w H; simpl.
  - apply sumsq_pos.
  - destruct m as [|m]; [lia|]. simpl. specialize (IH m (shift w) ltac:(lia)). lra.
Qed.
Lemma qsq_pos u : 0 <= Q2R (qsq u).
Proof.
  unfold qsq. induction u as [|a u IH]; simpl.
  - rewrite Q2R_0; lra.
  - rewrite Q2R_qadd, Q2R_qmul. nra.
Qed.
Lemma sumsq_zero n : forall w, (forall j, w j = 0) -> sumsq n w = 0.
Proof.
  induction n as [|n IH]; simpl; intros w H; [reflexivity|].
  rewrite H, (IH (shift w)); [lra|]. intro j. apply H.
Qed.
Lemma sumsq_real n u : (length u <= n)%nat -> sumsq n (real u) = Q2R (qsq u).
Proof.
  unfold qsq. revert u; induction n as [|n IH]; intros [|a u] H; simpl in *; try lia.
  - now rewrite Q2R_0.
  - rewrite (sumsq_zero n (shift (real []))) by (intro j; apply (real_nil (S j))).
    rewrite real_nil, Q2R_0. lra.
  - rewrite Q2R_qadd, Q2R_qmul, real_cons, IH by lia. unfold real; simpl. lra.
Qed.

(** Cauchy and Schwarz. *)
Lemma schwarz_step a x s A W : 0 <= A -> 0 <= W -> s * s <= A * W ->
  (a * x + s) * (a * x + s) <= (a * a + A) * (x * x + W).
Proof.
  intros HA HW H.
  assert (Hc : 2 * (a * x * s) <= a * a * W + A * (x * x)).
  { assert (H1 : (2 * (a * x * s)) ^ 2 <= (a * a * W + A * (x * x)) ^ 2).
    { assert (H2 : 0 <= (a * a * W - A * (x * x)) ^ 2) by apply pow2_ge_0.
      assert (H3 : a * x * (a * x) * (s * s) <= a * x * (a * x) * (A * W)).
      { apply Rmult_le_compat_l; [|assumption]. nra. }
      nra. }
    assert (H4 : 0 <= a * a * W + A * (x * x)) by nra.
    destruct (Rle_dec (2 * (a * x * s)) (a * a * W + A * (x * x))) as [|N]; [assumption|].
    exfalso. apply Rnot_le_lt in N. nra. }
  nra.
Qed.
Lemma schwarz u : forall w n, (length u <= n)%nat -> dot u w * dot u w <= Q2R (qsq u) * sumsq n w.
Proof.
  unfold qsq. induction u as [|a u IH]; intros w n H; simpl in *.
  - rewrite Q2R_0. lra.
  - destruct n as [|n]; [lia|]. simpl. rewrite Q2R_qadd, Q2R_qmul.
    apply schwarz_step; [apply qsq_pos|apply sumsq_pos|apply IH; lia].
Qed.

(** ‖v + k·u‖², over as many entries as u has. *)
Lemma sumsq_add u : forall v k, sumsq (length u) (fun j => v j + k * real u j)
                               = sumsq (length u) v + 2 * k * dot u v + k * k * Q2R (qsq u).
Proof.
  unfold qsq. induction u as [|a u IH]; intros v k; simpl.
  - rewrite Q2R_0. lra.
  - change (shift (fun j => v j + k * real (a :: u) j)) with (fun j => shift v j + k * real u j).
    rewrite IH, Q2R_qadd, Q2R_qmul. unfold real; simpl. lra.
Qed.
