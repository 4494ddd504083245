(** What follows about the best classifier from both bounds of a proof: how near its weights are, and which signs are certain. *)
From Coq Require Import List Arith Lia QArith Qreals Reals Lra Psatz.
From Linsep Require Import Vectors Checker Exponential Optimality OptimalityChecker.
Import ListNotations.
Open Scope R_scope.

(** ** Losses are convex, because at every margin one of the lines below them touches them *)
Definition touched (loss : R -> R) : Prop := forall m, exists a h, line_below loss a h /\ h - a * m = loss m.
Lemma hinge_touched : touched hinge.
Proof.
  intro m. destruct (Rle_dec 1 m) as [H|H].
  - exists 0, 0. split; [apply hinge_line; lra|]. unfold hinge. rewrite Rmax_left; lra.
  - exists 1, 1. split; [apply hinge_line; lra|]. unfold hinge. rewrite Rmax_right; lra.
Qed.
Lemma squared_hinge_touched : touched squared_hinge.
Proof.
  intro m. pose proof (hinge_positive m) as H. set (a := 2 * hinge m). exists a, (a - a * a / 4).
  split; [apply squared_hinge_line; unfold a; lra|]. unfold a, squared_hinge, hinge in *. destruct (Rle_dec 1 m) as [L|L].
  - rewrite Rmax_left by lra. lra.
  - rewrite Rmax_right by lra. field.
Qed.
Lemma logistic_touched : touched logistic.
Proof.
  intro m. pose proof (exp_pos m) as Hm. pose proof (exp_logistic m) as E. set (z := logistic m) in *.
  set (a := / (1 + exp m)).
  assert (Ha : 0 < a <= 1).
  { unfold a. split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  exists a, (a * (z + m) + (1 - a) * z). split; [|ring].
  assert (Em : exp (- m) = / exp m) by apply exp_negative.
  apply logistic_line_by; [lra| |].
  - rewrite exp_plus, E, Em. right. unfold a. field. lra.
  - rewrite E, Em. right. unfold a. field. lra.
Qed.
Lemma every_loss_touched l : touched (loss_of l).
Proof. destruct l; [apply hinge_touched|apply squared_hinge_touched|apply logistic_touched]. Qed.
Lemma touched_convex loss x y t : touched loss -> 0 <= t <= 1 ->
  loss (x + t * (y - x)) <= (1 - t) * loss x + t * loss y.
Proof.
  intros H Ht. destruct (H (x + t * (y - x))) as (a & h & Hl & <-). pose proof (Hl x). pose proof (Hl y). nra.
Qed.

(** ** Along the way from one classifier to another *)
Definition between (t : R) (v w : nat -> R) : nat -> R := fun j => v j + t * (w j - v j).
Definition minus (v w : nat -> R) : nat -> R := fun j => v j - w j.

Lemma dot_between u t : forall v w, dot u (between t v w) = dot u v + t * (dot u w - dot u v).
Proof.
  induction u as [|a u IH]; intros v w; cbn [dot]; [lra|].
  change (shift (between t v w)) with (between t (shift v) (shift w)). rewrite IH. unfold between. lra.
Qed.
Lemma sumsq_between n t : forall v w,
  sumsq n (between t v w) = (1 - t) * sumsq n v + t * sumsq n w - t * (1 - t) * sumsq n (minus w v).
Proof.
  induction n as [|n IH]; intros v w; cbn [sumsq]; [lra|].
  change (shift (between t v w)) with (between t (shift v) (shift w)).
  change (shift (minus w v)) with (minus (shift w) (shift v)). rewrite IH. unfold between, minus. ring.
Qed.
Lemma sumabs_between n t : 0 <= t <= 1 -> forall v w, sumabs n (between t v w) <= (1 - t) * sumabs n v + t * sumabs n w.
Proof.
  intro Ht. induction n as [|n IH]; intros v w; cbn [sumabs]; [lra|].
  change (shift (between t v w)) with (between t (shift v) (shift w)). specialize (IH (shift v) (shift w)).
  assert (H : Rabs (between t v w 0%nat) <= (1 - t) * Rabs (v 0%nat) + t * Rabs (w 0%nat)).
  { unfold between. replace (v 0%nat + t * (w 0%nat - v 0%nat)) with ((1 - t) * v 0%nat + t * w 0%nat) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite !Rabs_mult, (Rabs_right (1 - t)), (Rabs_right t) by lra. lra. }
  lra.
Qed.
Lemma total_loss_between loss rows t v w : touched loss -> heavy rows -> 0 <= t <= 1 ->
  total_loss loss rows (between t v w) <= (1 - t) * total_loss loss rows v + t * total_loss loss rows w.
Proof.
  intros Hl Hh Ht. induction rows as [|r rest IH]; cbn [total_loss]; [lra|].
  specialize (IH (fun q Hq => Hh q (or_intror Hq))). rewrite dot_between.
  pose proof (touched_convex loss (dot (signed_row r) v) (dot (signed_row r) w) t Hl Ht) as H1.
  pose proof (Rmult_le_compat_l _ _ _ (Hh r (or_introl eq_refl)) H1). lra.
Qed.

(** ** The best classifiers *)
Section Best.
  Variable loss : R -> R.
  Variable rows : list weighted.
  Variable d : nat.
  Variable p : penalty.
  Hypothesis convex : touched loss.
  Hypothesis weights_ok : heavy rows.
  Hypothesis weight_ok : 0 < Q2R (total_weight rows).
  Hypothesis penalty_ok : penalizes p.

  Definition best (w : nat -> R) : Prop := forall v, objective loss rows d p w <= objective loss rows d p v.
  (** How much the penalty bends. *)
  Definition bend : R := Q2R (lambda p) * (1 - Q2R (l1_ratio p)).

  Lemma objective_between t v w : 0 <= t <= 1 -> objective loss rows d p (between t v w) <=
    (1 - t) * objective loss rows d p v + t * objective loss rows d p w - t * (1 - t) * (bend / 2 * sumsq d (minus w v)).
  Proof.
    intro Ht. unfold objective, penalty_of, bend. destruct penalty_ok as (Hl & [Hr0 Hr1] & Hk).
    rewrite sumsq_between. pose proof (sumabs_between d t Ht v w) as H1.
    pose proof (total_loss_between loss rows t v w convex weights_ok Ht) as H2.
    set (W := Q2R (total_weight rows)) in *.
    assert (H3 : total_loss loss rows (between t v w) / W <= (1 - t) * (total_loss loss rows v / W) + t * (total_loss loss rows w / W)).
    { replace ((1 - t) * (total_loss loss rows v / W) + t * (total_loss loss rows w / W))
        with (((1 - t) * total_loss loss rows v + t * total_loss loss rows w) / W) by (field; lra).
      apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; assumption. }
    assert (Hlr : 0 <= Q2R (lambda p) * Q2R (l1_ratio p)) by (apply Rmult_le_pos; lra).
    pose proof (Rmult_le_compat_l _ _ _ Hlr H1) as H4.
    assert (H5 : between t v w d * between t v w d <= (1 - t) * (v d * v d) + t * (w d * w d)).
    { unfold between. pose proof (Rle_0_sqr (w d - v d)) as H5. unfold Rsqr in H5.
      replace ((v d + t * (w d - v d)) * (v d + t * (w d - v d)))
        with ((1 - t) * (v d * v d) + t * (w d * w d) - t * (1 - t) * ((w d - v d) * (w d - v d))) by ring.
      assert (0 <= t * (1 - t)) by nra. nra. }
    assert (Hkl : 0 <= Q2R (offset_penalty p) * Q2R (lambda p) / 2).
    { assert (0 <= Q2R (offset_penalty p) * Q2R (lambda p)) by (apply Rmult_le_pos; lra). lra. }
    pose proof (Rmult_le_compat_l _ _ _ Hkl H5) as H6. nra.
  Qed.

  (** By strong convexity. *)
  Theorem best_is_near w v : best w -> bend / 2 * sumsq d (minus v w) <= objective loss rows d p v - objective loss rows d p w.
  Proof.
    intro Hb. set (c := bend / 2 * sumsq d (minus v w)). set (g := objective loss rows d p v - objective loss rows d p w).
    assert (H : forall t, 0 < t < 1 -> (1 - t) * c <= g).
    { intros t Ht. pose proof (objective_between t w v ltac:(lra)) as H1. pose proof (Hb (between t w v)) as H2. fold c in H1.
      apply Rmult_le_reg_l with t; [lra|]. unfold g. lra. }
    destruct (Rle_dec c g) as [|N]; [assumption|]. apply Rnot_le_lt in N. exfalso.
    assert (Hg : 0 <= g) by (unfold g; specialize (Hb v); lra).
    specialize (H ((c - g) / (2 * c))).
    assert (Hc : 0 < c) by lra.
    assert (H1 : 0 < (c - g) / (2 * c) < 1).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (2 * c); [lra|].
      replace ((c - g) / (2 * c) * (2 * c)) with (c - g) by (field; lra). lra. }
    specialize (H H1). replace ((1 - (c - g) / (2 * c)) * c) with ((c + g) / 2) in H by (field; lra). lra.
  Qed.
End Best.

Lemma sumsq_has n : forall w j, (j < n)%nat -> w j * w j <= sumsq n w.
Proof.
  induction n as [|n IH]; intros w j Hj; [lia|]. cbn [sumsq]. pose proof (sumsq_pos n (shift w)). destruct j as [|j]; [lra|].
  specialize (IH (shift w) j ltac:(lia)). unfold shift in IH at 1 2. nra.
Qed.

Section Accepted.
  Variable s : shape.
  Variable rows : list weighted.
  Variable p : model_proof.
  Hypothesis accepted : check_model s rows p = true.
  Let F := objective (loss_of (loss_used p)) rows (features s) (penalized p).
  Let is_best := best (loss_of (loss_used p)) rows (features s) (penalized p).
  Variable w : nat -> R.
  Hypothesis w_best : is_best w.

  (** The best classifier's weights are near the model's: ‖θ − θ*‖² ≤ 2·(at_most − at_least)/(λ·(1 − ρ)). *)
  Theorem weights_are_near :
    bend (penalized p) / 2 * sumsq (features s) (minus (real (model p)) w) <= Q2R (model_at_most p) - Q2R (all_at_least p).
  Proof.
    destruct (check_model_facts s rows p accepted) as (H1 & H2 & H3).
    pose proof (best_is_near _ rows (features s) (penalized p) (every_loss_touched (loss_used p)) H1 H2 H3 w (real (model p)) w_best).
    destruct (check_model_sound s rows p accepted) as [H4 H5 _]. specialize (H5 w). lra.
  Qed.
  (** The sign of a weight of the model that is farther from 0 than that is the best classifier's. *)
  Theorem sign_is_certain j : (j < features s)%nat ->
    Q2R (model_at_most p) - Q2R (all_at_least p) < bend (penalized p) / 2 * (real (model p) j * real (model p) j) ->
    0 < real (model p) j * w j.
  Proof.
    intros Hj H. pose proof weights_are_near as Hn.
    pose proof (sumsq_has (features s) (minus (real (model p)) w) j Hj) as H1. unfold minus in H1 at 1 2.
    set (x := real (model p) j) in *. set (y := w j) in *.
    destruct (check_model_facts s rows p accepted) as (_ & _ & Hl & [Hr0 Hr1] & _).
    assert (Hb : 0 <= bend (penalized p) / 2).
    { unfold bend. assert (0 <= Q2R (lambda (penalized p)) * (1 - Q2R (l1_ratio (penalized p)))) by (apply Rmult_le_pos; lra). lra. }
    pose proof (Rmult_le_compat_l _ _ _ Hb H1) as H2.
    assert (H3 : (x - y) * (x - y) < x * x).
    { apply Rnot_le_lt. intro N. pose proof (Rmult_le_compat_l _ _ _ Hb N). lra. }
    nra.
  Qed.
  (** The same of the reference, if its objective is lower by some number. *)
  Theorem sign_of_reference_is_certain r j : (j < features s)%nat -> reference p = Some r -> 0 < Q2R (lower_by p) ->
    Q2R (model_at_most p) - Q2R (lower_by p) - Q2R (all_at_least p) < bend (penalized p) / 2 * (real r j * real r j) ->
    0 < real r j * w j.
  Proof.
    intros Hj E Hlow H. destruct (check_model_facts s rows p accepted) as (H1 & H2 & H3).
    pose proof (best_is_near _ rows (features s) (penalized p) (every_loss_touched (loss_used p)) H1 H2 H3 w (real r) w_best) as Hn.
    destruct (check_model_sound s rows p accepted) as [H4 H5 H6]. specialize (H5 w). specialize (H6 r E Hlow).
    pose proof (sumsq_has (features s) (minus (real r) w) j Hj) as H7. unfold minus in H7 at 1 2.
    set (x := real r j) in *. set (y := w j) in *. destruct H3 as (Hl & [Hr0 Hr1] & _).
    assert (Hb : 0 <= bend (penalized p) / 2).
    { unfold bend. assert (0 <= Q2R (lambda (penalized p)) * (1 - Q2R (l1_ratio (penalized p)))) by (apply Rmult_le_pos; lra). lra. }
    pose proof (Rmult_le_compat_l _ _ _ Hb H7) as H8.
    assert (H9 : (x - y) * (x - y) < x * x).
    { apply Rnot_le_lt. intro N. pose proof (Rmult_le_compat_l _ _ _ Hb N). lra. }
    nra.
  Qed.
End Accepted.

(** ** Labels *)
(** What the loss is at the margin 0, and minus its slope there. *)
Definition at_zero (l : loss_name) : R := loss_of l 0.
Definition middle (l : loss_name) : R := match l with Hinge => 1 | SquaredHinge => 2 | Logistic => / 2 end.
Lemma middle_line l : line_below (loss_of l) (middle l) (at_zero l).
Proof.
  unfold at_zero. destruct l; simpl.
  - unfold hinge at 2. rewrite Rmax_right by lra. replace (1 - 0) with 1 by lra. apply hinge_line. lra.
  - unfold squared_hinge at 2, hinge. rewrite Rmax_right by lra. replace ((1 - 0) * (1 - 0)) with (2 - 2 * 2 / 4) by field.
    apply squared_hinge_line. lra.
  - pose proof (exp_logistic 0) as E. rewrite Ropp_0, exp_0 in E. set (z := logistic 0) in *.
    replace z with (/ 2 * z + (1 - / 2) * z) by field. apply logistic_line_by; lra.
Qed.

Section Labels.
  Variable l : loss_name.
  Variable rows : list weighted.
  Variable d : nat.
  Variable p : penalty.
  Variable shares : list Q.
  Variable gains : list R.
  Hypothesis weights_ok : heavy rows.
  Hypothesis weight_ok : 0 < Q2R (total_weight rows).
  Hypothesis penalty_ok : penalizes p.
  Hypothesis long : forall r, In r rows -> (length (signed_row r) <= S d)%nat.
  Hypothesis for_each_row : length shares = length rows.
  Hypothesis below : lines (loss_of l) shares gains.

  (** Of a classifier that bounds leave so much surplus: if the share of a row shows it, the label is the right one, or the wrong one. *)
  Lemma label_by_surplus w room i r a h : surplus (loss_of l) rows shares gains w <= room ->
    nth_error rows i = Some r -> nth_error shares i = Some a -> nth_error gains i = Some h ->
    room < Q2R (heaviness r) * (at_zero l - h) ->
    (Q2R a <= middle l -> 0 < dot (signed_row r) w) /\ (middle l <= Q2R a -> dot (signed_row r) w < 0).
  Proof.
    intros H3 Er Ea Eh H.
    pose proof (surplus_of_row (loss_of l) rows weights_ok shares gains w for_each_row below i r a h Er Ea Eh) as H2.
    pose proof (middle_line l (dot (signed_row r) w)) as H4.
    assert (Hh : 0 <= Q2R (heaviness r)) by (apply weights_ok; now apply nth_error_In with i).
    set (m := dot (signed_row r) w) in *.
    assert (H5 : Q2R (heaviness r) * (at_zero l - h + (Q2R a - middle l) * m) < Q2R (heaviness r) * (at_zero l - h)).
    { apply Rle_lt_trans with (2 := H). apply Rle_trans with (2 := H3). apply Rle_trans with (2 := H2).
      apply Rmult_le_compat_l; lra. }
    assert (H6 : (Q2R a - middle l) * m < 0).
    { apply Rnot_le_lt. intro N. pose proof (Rmult_le_pos _ _ Hh N). lra. }
    split; intro Ha; apply Rnot_le_lt; intro N; nra.
  Qed.
  Lemma surplus_at_most w dual most : dual + surplus (loss_of l) rows shares gains w / Q2R (total_weight rows) <= most ->
    surplus (loss_of l) rows shares gains w <= Q2R (total_weight rows) * (most - dual).
  Proof.
    intro H. set (W := Q2R (total_weight rows)) in *. apply Rmult_le_reg_r with (/ W); [now apply Rinv_0_lt_compat|].
    replace (W * (most - dual) * / W) with (most - dual) by (field; lra). unfold Rdiv in H. lra.
  Qed.

  (** `most` is what the classifier's objective is at most; that of a best one is at most any. *)
  Theorem label_is_certain w most i r a h : Q2R (l1_ratio p) < 1 ->
    Q2R (nth d (slopes rows shares) 0%Q) = 0 \/ 0 < Q2R (offset_penalty p) -> objective (loss_of l) rows d p w <= most ->
    nth_error rows i = Some r -> nth_error shares i = Some a -> nth_error gains i = Some h ->
    Q2R (total_weight rows) * (most - dual_value rows d p shares gains) < Q2R (heaviness r) * (at_zero l - h) ->
    (Q2R a <= middle l -> 0 < dot (signed_row r) w) /\ (middle l <= Q2R a -> dot (signed_row r) w < 0).
  Proof.
    intros Hr Ho Hw. apply label_by_surplus, surplus_at_most. apply Rle_trans with (2 := Hw).
    now apply duality_with_surplus.
  Qed.
  Theorem label_is_certain_l1 w most i r a h : Q2R (l1_ratio p) = 1 -> Q2R (nth d (slopes rows shares) 0%Q) = 0 ->
    Q2R (largest (firstn d (slopes rows shares))) <= Q2R (lambda p) * Q2R (total_weight rows) ->
    objective (loss_of l) rows d p w <= most ->
    nth_error rows i = Some r -> nth_error shares i = Some a -> nth_error gains i = Some h ->
    Q2R (total_weight rows) * (most - total_gain rows gains / Q2R (total_weight rows)) < Q2R (heaviness r) * (at_zero l - h) ->
    (Q2R a <= middle l -> 0 < dot (signed_row r) w) /\ (middle l <= Q2R a -> dot (signed_row r) w < 0).
  Proof.
    intros Hr Ho Hv Hw. apply label_by_surplus, surplus_at_most. apply Rle_trans with (2 := Hw).
    now apply duality_with_surplus_l1.
  Qed.
End Labels.
