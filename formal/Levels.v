(** Levels: one weight vector does what they do together. *)
From Coq Require Import List Arith Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Checker Statements.
Import ListNotations.
Open Scope R_scope.

Lemma dot_real_axpy a u v z : dot z (real (axpy a u v)) = Q2R a * dot z (real u) + dot z (real v).
Proof.
  rewrite (dot_ext z (real (axpy a u v)) (fun j => real v j + Q2R a * real u j)).
  - rewrite dot_linear. lra.
  - intros j _. rewrite real_axpy. lra.
Qed.

Lemma above (x : R) : exists m : nat, x < INR m.
Proof.
  exists (Z.to_nat (up x)). destruct (archimed x) as [H _]. rewrite INR_IZR_INZ.
  destruct (Z.le_gt_cases 0 (up x)) as [L|L].
  - rewrite Z2Nat.id by assumption. lra.
  - assert (IZR (up x) < 0) by (apply IZR_lt; lia).
    assert (0 <= IZR (Z.of_nat (Z.to_nat (up x)))) by (apply IZR_le; lia). lra.
Qed.

(** A factor that makes one vector outweigh another wherever it is above 0. *)
Lemma outweigh (a b : vec -> R) (rows : list vec) :
  exists k : nat, forall z, In z rows -> 0 < a z -> 0 < INR k * a z + b z.
Proof.
  induction rows as [|z rows (k & IH)].
  - exists 0%nat. intros z [].
  - destruct (above (- b z / a z)) as [m Hm].
    exists (Nat.max k m). intros q [<-|Hq] Ha.
    + assert (Hle : INR m <= INR (Nat.max k m)) by (apply le_INR; lia).
      assert (Hb : - b z / a z * a z = - b z) by (field; lra).
      assert (- b z / a z * a z < INR (Nat.max k m) * a z) by (apply Rmult_lt_compat_r; lra). lra.
    + assert (Hle : INR k <= INR (Nat.max k m)) by (apply le_INR; lia).
      specialize (IH q Hq Ha). assert (INR k * a q <= INR (Nat.max k m) * a q) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Definition rational (k : nat) : Q := inject_Z (Z.of_nat k).
Lemma Q2R_rational k : Q2R (rational k) = INR k.
Proof. unfold rational, Q2R, inject_Z; simpl. rewrite INR_IZR_INZ, Rinv_1. lra. Qed.

Theorem one_weight_vector ls : forall rows, (forall z, In z rows -> side ls z <> Lt) ->
  exists W : vec, forall z, In z rows -> (side ls z = Gt -> 0 < dot z (real W)) /\
                                         (side ls z = Eq -> dot z (real W) = 0).
Proof.
  induction ls as [|w ls IH]; intros rows H.
  - exists []. intros z _. split; [discriminate|]. intros _. apply dot_zero. intros j _. apply real_nil.
  - destruct (IH (filter (fun z => qis0 (qdot z w)) rows)) as [W HW].
    { intros z Hz. apply filter_In in Hz as [Hz E]. specialize (H z Hz). simpl in H. now rewrite E in H. }
    destruct (outweigh (fun z => dot z (real w)) (fun z => dot z (real W)) rows) as [k Hk].
    exists (axpy (rational k) w W). intros z Hz. rewrite dot_real_axpy, Q2R_rational. simpl.
    specialize (H z Hz). simpl in H. destruct (qis0 (qdot z w)) eqn:E.
    + pose proof (qis0_true _ E) as E0. rewrite <- dot_real in E0. rewrite E0, Rmult_0_r, Rplus_0_l.
      apply HW, filter_In. auto.
    + destruct (qpos (qdot z w)) eqn:P; [|contradiction]. split; [|discriminate]. intros _.
      apply Hk; [assumption|]. rewrite dot_real. now apply qpos_true.
Qed.
