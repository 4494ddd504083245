(** Coefficients at infinity: what every direction has in common, from the generators of all directions. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Checker Statements Levels Witness Span.
Import ListNotations.
Open Scope R_scope.

Section Coefficients.
  Variable s : shape.
  Variable rows : list vec.
  Variable c : certificate.

  (** Every direction is, in the columns there are, a combination of the generators. *)
  Fixpoint mixed (gens : list vec) (k : nat -> R) (j : nat) : R :=
    match gens with
    | [] => 0
    | g :: rest => k 0%nat * real g j + mixed rest (shift k) j
    end.
  Definition generated : Prop := forall w, direction rows w ->
    exists k, forall j, (j < columns s)%nat -> w j = mixed (generators s c) k j.
  Hypothesis generate : generated.
  Hypothesis lengths : forall z, In z rows -> length z = columns s.

  Lemma total_length al : forall t, total (nth_error rows) al = Some t -> (length t <= columns s)%nat.
  Proof.
    induction al as [|[i a] al IH]; simpl; intros t H; [injection H as <-; simpl; lia|].
    destruct (nth_error rows i) as [z|] eqn:E; [|discriminate].
    destruct (total (nth_error rows) al) as [t'|]; [|discriminate]. injection H as <-.
    rewrite length_axpy. specialize (IH _ eq_refl). apply nth_error_In in E. rewrite (lengths z E). lia.
  Qed.

  (** t·w = k·w_j for every w that the generators make, if it is so for the generators. *)
  Lemma mixed_dot t j k : forall gens, (forall g, In g gens -> dot t (real g) = k * real g j) ->
    forall f, dot t (mixed gens f) = k * mixed gens f j.
  Proof.
    induction gens as [|g gens IH]; intros H f.
    - rewrite dot_zero by reflexivity. simpl. lra.
    - rewrite (dot_ext t _ (fun i => mixed gens (shift f) i + f 0%nat * real g i)) by (intros; simpl; lra).
      rewrite dot_linear, (H g) by now left. rewrite IH by (intros; apply H; now right). simpl. lra.
  Qed.
  Lemma multiple_spec gens t j k : multiple gens t j = Some k ->
    forall g, In g gens -> dot t (real g) = Q2R k * real g j.
  Proof.
    unfold multiple.
    match goal with |- context [filter ?f gens] => destruct (filter f gens) as [|h l]; [discriminate|] end.
    match goal with |- context [forallb ?f gens] => destruct (forallb f gens) eqn:F; [|discriminate] end.
    intros [= <-] g Hg.
    rewrite forallb_forall in F. specialize (F g Hg). apply Qeq_bool_iff, Qeq_eqR in F.
    rewrite Q2R_qmul in F. now rewrite dot_real.
  Qed.

  (** c·w_j = Σ α_i z_i·w > 0 for every direction that is above 0 on these rows. *)
  Theorem infinite_sound sign j al : infinite_ok s rows c sign (j, al) = true ->
    (forall i, In i (map fst al) -> exists z, nth_error rows i = Some z /\ separated (levels c) z = true) /\
    forall w, direction rows w ->
      (forall i z, In i (map fst al) -> nth_error rows i = Some z -> 0 < dot z w) -> 0 < Q2R sign * w j.
  Proof.
    unfold infinite_ok. rewrite !andb_true_iff, forallb_forall. intros [[[[Hj Hok] Hne] Hsep] Ht].
    apply Nat.ltb_lt in Hj. split.
    { intros i Hi. specialize (Hsep i Hi). destruct (nth_error rows i) as [z|]; [|discriminate]. eauto. }
    intros w Hw Hpos. destruct (total (nth_error rows) al) as [t|] eqn:Et; [|discriminate].
    destruct (multiple (generators s c) t j) as [k|] eqn:Em; [|discriminate]. apply qpos_true in Ht.
    rewrite Q2R_mult in Ht.
    destruct (generate w Hw) as [f Hf].
    assert (E : dot t w = Q2R k * w j).
    { pose proof (total_length al t Et) as Hl.
      rewrite (dot_ext t w (mixed (generators s c) f)) by (intros i Hi; apply Hf; lia).
      rewrite (Hf j Hj). apply mixed_dot. intros g Hg. exact (multiple_spec _ _ _ _ Em g Hg). }
    assert (P : 0 < dot t w).
    { rewrite (total_dot (nth_error rows) al t Et). apply weighted_positive.
      - intro; subst; discriminate.
      - now apply alphas_positive with s.
      - now apply (total_known (nth_error rows) al t).
      - exact Hpos. }
    rewrite E in P. set (x := w j) in *. set (y := Q2R k) in *. set (e := Q2R sign) in *.
    clearbody x y e. destruct (Rlt_dec 0 (e * x)) as [|N]; [assumption|exfalso]. apply Rnot_lt_le in N.
    assert (0 < (e * y) * (y * x)) by (apply Rmult_lt_0_compat; assumption).
    assert (0 <= y * y) by nra. assert ((y * y) * (e * x) <= 0) by nra. nra.
  Qed.

  Theorem finite_sound j : finite_ok s c j = true -> forall w, direction rows w -> w j = 0.
  Proof.
    unfold finite_ok. rewrite andb_true_iff, forallb_forall. intros [Hj H] w Hw. apply Nat.ltb_lt in Hj.
    destruct (generate w Hw) as [f Hf]. rewrite (Hf j Hj). clear Hf generate.
    revert f; induction (generators s c) as [|g gens IH]; intro f; [reflexivity|]. simpl.
    assert (E : real g j = 0) by (unfold real; apply qis0_true, H; now left).
    rewrite E, IH by (intros; apply H; now right). lra.
  Qed.

  (** ** Undetermined: a separator moved far enough along a direction *)
  Lemma is_direction_sound w : is_direction rows w = true -> direction rows (real w).
  Proof.
    unfold is_direction. rewrite forallb_forall. intros H z Hz. rewrite dot_real, <- Q2R_0. now apply qle_true, H.
  Qed.
  Variable W : vec.
  Hypothesis best : separates_all_it_can rows (real W).

  Lemma moved d (sign : R) j : direction rows d -> 0 < sign * d j ->
    exists w, separates_all_it_can rows w /\ 0 < sign * w j.
  Proof.
    intros Hd Hj. destruct best as [Hdir Hall].
    destruct (outweigh (fun _ => sign * d j) (fun _ => sign * real W j) [[]]) as [k Hk].
    specialize (Hk [] (or_introl eq_refl) Hj).
    exists (fun i => real W i + INR k * d i). pose proof (pos_INR k) as Hk0. split; [split|].
    - intros z Hz. rewrite dot_linear. specialize (Hdir z Hz). specialize (Hd z Hz). nra.
    - intros v Hv z Hz Hpos. rewrite dot_linear. specialize (Hall v Hv z Hz Hpos). specialize (Hd z Hz). nra.
    - lra.
  Qed.
  Theorem undetermined_sound j : forallb (is_direction rows) (all_directions c) = true ->
    undetermined_ok s c j = true ->
    (exists w, separates_all_it_can rows w /\ 0 < w j) /\ (exists w, separates_all_it_can rows w /\ w j < 0).
  Proof.
    unfold undetermined_ok. rewrite !andb_true_iff, !existsb_exists, forallb_forall.
    intros Hdir [[_ (u & Hu & Pu)] (v & Hv & Pv)]. apply qpos_true in Pu. apply qpos_true in Pv.
    rewrite Q2R_opp in Pv. split.
    - destruct (moved (real u) 1 j) as (w & H1 & H2); [now apply is_direction_sound, Hdir|unfold real; lra|].
      exists w. split; [assumption|lra].
    - destruct (moved (real v) (-1) j) as (w & H1 & H2); [now apply is_direction_sound, Hdir|unfold real; lra|].
      exists w. split; [assumption|lra].
  Qed.
End Coefficients.
