(** How good a model is, in the real numbers: losses, the objective that training makes small, and weak duality, which bounds
    every classifier's objective from below.

    F(θ, θ0) = (1/W)·Σ w_i·ℓ(m_i) + λ·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖²) + (κ·λ/2)·θ0², W = Σ w_i, m_i = z_i·(θ, θ0). A row is its
    weight w_i, of any size above 0, and the signed vector z_i = y_i·(x_i, 1), or y_i·x_i through the origin. *)
From Coq Require Import List Arith Lia QArith Qreals Reals Lra Psatz.
From Linsep Require Import Vectors Exponential.
Import ListNotations.
Open Scope R_scope.

(** ** Losses *)
Definition hinge (m : R) : R := Rmax 0 (1 - m).
Definition squared_hinge (m : R) : R := hinge m * hinge m.
Definition logistic (m : R) : R := log (1 + exp (- m)).

(** The line that has the value h at the margin 0 and the slope −a is nowhere above the loss. *)
Definition line_below (loss : R -> R) (a h : R) : Prop := forall m, h - a * m <= loss m.

Lemma hinge_positive m : 0 <= hinge m.
Proof. apply Rmax_l. Qed.
Lemma squared_hinge_positive m : 0 <= squared_hinge m.
Proof. unfold squared_hinge. pose proof (hinge_positive m). nra. Qed.

Lemma hinge_line a : 0 <= a <= 1 -> line_below hinge a a.
Proof.
  intros H m. unfold hinge. pose proof (Rmax_l 0 (1 - m)). pose proof (Rmax_r 0 (1 - m)). nra.
Qed.
Lemma squared_hinge_line a : 0 <= a -> line_below squared_hinge a (a - a * a / 4).
Proof.
  intros H m. unfold squared_hinge, hinge. pose proof (Rmax_r 0 (1 - m)) as H1.
  set (t := Rmax 0 (1 - m)) in *. assert (H2 : 0 <= (t - a / 2) * (t - a / 2)) by apply Rle_0_sqr. nra.
Qed.

(** The logistic loss: for a share a from 0 to 1, and any numbers that aren't above −ln a and −ln (1 − a). *)
Lemma exp_logistic m : exp (logistic m) = 1 + exp (- m).
Proof. apply exp_log. pose proof (exp_pos (- m)). lra. Qed.
Lemma logistic_positive m : 0 <= logistic m.
Proof. apply exp_mono_inv. rewrite exp_0, exp_logistic. pose proof (exp_pos (- m)). lra. Qed.
Theorem logistic_line_by a l l' : 0 <= a <= 1 -> a * exp l <= 1 -> (1 - a) * exp l' <= 1 ->
  line_below logistic a (a * l + (1 - a) * l').
Proof.
  intros Ha H H' m. pose proof (exp_logistic m) as E. set (z := logistic m) in *.
  (* 1 + x ≤ e^x twice, at l − z − m and at l' − z. *)
  assert (H1 : a * (1 + (l + (- z + - m))) <= exp (- z + - m)).
  { pose proof (exp_line (l + (- z + - m))) as H1. rewrite exp_plus in H1. pose proof (exp_pos (- z + - m)). nra. }
  assert (H2 : (1 - a) * (1 + (l' + - z)) <= exp (- z)).
  { pose proof (exp_line (l' + - z)) as H2. rewrite exp_plus in H2. pose proof (exp_pos (- z)). nra. }
  assert (H3 : exp (- z + - m) + exp (- z) = 1).
  { rewrite exp_plus. replace (exp (- z) * exp (- m) + exp (- z)) with (exp (- z) * (1 + exp (- m))) by ring.
    rewrite <- E, <- exp_plus, Rplus_opp_l. apply exp_0. }
  nra.
Qed.
(** −a·ln a − (1 − a)·ln (1 − a) *)
Definition entropy (a : R) : R := a * log (/ a) + (1 - a) * log (/ (1 - a)).
Lemma share_exp_log a : 0 <= a <= 1 -> a * exp (log (/ a)) <= 1.
Proof.
  intro H. destruct (Req_dec a 0) as [->|N]; [lra|].
  rewrite exp_log; [right; field; assumption|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.
Theorem logistic_line a : 0 <= a <= 1 -> line_below logistic a (entropy a).
Proof. intro H. apply logistic_line_by; [assumption|apply share_exp_log; lra|apply share_exp_log; lra]. Qed.
(** Bounds of the loss, by e to the power of a number below 1 for margins of either sign. *)
Lemma logistic_mirrored m u : exp u + exp u * exp (- Rabs m) = exp (u + logistic m - Rmax 0 (- m)).
Proof.
  unfold Rminus. rewrite !exp_plus, exp_logistic. destruct (Rle_dec 0 m) as [H|H].
  - rewrite Rmax_left, Rabs_right, Ropp_0, exp_0 by lra. ring.
  - rewrite Rmax_right, Rabs_left, !Ropp_involutive by lra.
    replace (exp u * (1 + exp (- m)) * exp m) with (exp u * exp m + exp u * (exp (- m) * exp m)) by ring.
    rewrite <- (exp_plus (- m) m), Rplus_opp_l, exp_0. ring.
Qed.
Lemma logistic_at_most m u : 1 + exp (- Rabs m) <= exp (u - Rmax 0 (- m)) -> logistic m <= u.
Proof.
  intro H. pose proof (logistic_mirrored m 0) as E. rewrite exp_0 in E.
  assert (H1 : 0 + logistic m - Rmax 0 (- m) <= u - Rmax 0 (- m)) by (apply exp_mono_inv; lra). lra.
Qed.
Lemma logistic_at_least m u : exp (u - Rmax 0 (- m)) <= 1 + exp (- Rabs m) -> u <= logistic m.
Proof.
  intro H. pose proof (logistic_mirrored m 0) as E. rewrite exp_0 in E.
  assert (H1 : u - Rmax 0 (- m) <= 0 + logistic m - Rmax 0 (- m)) by (apply exp_mono_inv; lra). lra.
Qed.

(** A part t of a share allows at least the same part of its gain. *)
Lemma shorter_line loss a h t : (forall m, 0 <= loss m) -> 0 <= t <= 1 -> line_below loss a h ->
  line_below loss (t * a) (t * h).
Proof. intros H0 Ht H m. specialize (H m). specialize (H0 m). nra. Qed.

(** ** The objective *)
Record weighted := { heaviness : Q; signed_row : vec }.
Record penalty := { lambda : Q; l1_ratio : Q; offset_penalty : Q }.

Fixpoint total_weight (rows : list weighted) : Q :=
  match rows with
  | [] => 0%Q
  | r :: rest => qadd (heaviness r) (total_weight rest)
  end.
Fixpoint total_loss (loss : R -> R) (rows : list weighted) (w : nat -> R) : R :=
  match rows with
  | [] => 0
  | r :: rest => Q2R (heaviness r) * loss (dot (signed_row r) w) + total_loss loss rest w
  end.
(** ‖w‖₁ of the first n entries. *)
Fixpoint sumabs (n : nat) (w : nat -> R) : R :=
  match n with
  | O => 0
  | S n' => Rabs (w 0%nat) + sumabs n' (shift w)
  end.
(** θ are the first d entries of w, θ0 is the next. Through the origin rows have no entry for it, and κ is 0. *)
Definition penalty_of (d : nat) (p : penalty) (w : nat -> R) : R :=
  Q2R (lambda p) * (Q2R (l1_ratio p) * sumabs d w + (1 - Q2R (l1_ratio p)) / 2 * sumsq d w) +
  Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d).
Definition objective (loss : R -> R) (rows : list weighted) (d : nat) (p : penalty) (w : nat -> R) : R :=
  total_loss loss rows w / Q2R (total_weight rows) + penalty_of d p w.

Definition heavy (rows : list weighted) : Prop := forall r, In r rows -> 0 <= Q2R (heaviness r).
Definition penalizes (p : penalty) : Prop :=
  0 < Q2R (lambda p) /\ 0 <= Q2R (l1_ratio p) <= 1 /\ 0 <= Q2R (offset_penalty p).

Lemma sumabs_pos n : forall w, 0 <= sumabs n w.
Proof. induction n as [|n IH]; simpl; intro w; [lra|]. specialize (IH (shift w)). pose proof (Rabs_pos (w 0%nat)). lra. Qed.
Lemma total_loss_pos loss rows w : (forall m, 0 <= loss m) -> heavy rows -> 0 <= total_loss loss rows w.
Proof.
  intros Hl. induction rows as [|r rows IH]; simpl; intro H; [lra|].
  assert (H1 : 0 <= Q2R (heaviness r)) by (apply H; now left).
  assert (H2 : 0 <= total_loss loss rows w) by (apply IH; intros q Hq; apply H; now right).
  specialize (Hl (dot (signed_row r) w)). nra.
Qed.
Lemma penalty_pos d p w : penalizes p -> 0 <= penalty_of d p w.
Proof.
  intros (H1 & [H2 H3] & H4). unfold penalty_of. pose proof (sumabs_pos d w). pose proof (sumsq_pos d w).
  assert (0 <= Q2R (l1_ratio p) * sumabs d w) by nra.
  assert (0 <= (1 - Q2R (l1_ratio p)) / 2 * sumsq d w) by nra.
  assert (0 <= w d * w d) by nra.
  assert (0 <= Q2R (offset_penalty p) * Q2R (lambda p) / 2) by nra.
  nra.
Qed.
Theorem objective_pos loss rows d p w : (forall m, 0 <= loss m) -> heavy rows -> 0 < Q2R (total_weight rows) ->
  penalizes p -> 0 <= objective loss rows d p w.
Proof.
  intros Hl Hr HW Hp. unfold objective. pose proof (total_loss_pos loss rows w Hl Hr).
  pose proof (penalty_pos d p w Hp).
  assert (0 <= total_loss loss rows w / Q2R (total_weight rows)) by (apply Rle_mult_inv_pos; assumption). lra.
Qed.

(** ** Shares: v = Σ w_i·a_i·z_i, and the lines' values at the margin 0 *)
Fixpoint slopes (rows : list weighted) (shares : list Q) : vec :=
  match rows, shares with
  | r :: rows', a :: shares' => axpy (qmul (heaviness r) a) (signed_row r) (slopes rows' shares')
  | _, _ => []
  end.
Fixpoint total_gain (rows : list weighted) (gains : list R) : R :=
  match rows, gains with
  | r :: rows', h :: gains' => Q2R (heaviness r) * h + total_gain rows' gains'
  | _, _ => 0
  end.
(** A line below the loss for each row. *)
Definition lines (loss : R -> R) (shares : list Q) (gains : list R) : Prop :=
  Forall2 (fun a h => line_below loss (Q2R a) h) shares gains.

Lemma loss_above_lines loss rows : heavy rows -> forall shares gains, length shares = length rows ->
  lines loss shares gains -> forall w, total_gain rows gains - dot (slopes rows shares) w <= total_loss loss rows w.
Proof.
  induction rows as [|r rows IH]; intros Hr [|a shares] gains Hn Hl w; try discriminate;
    inversion Hl as [|? h ? rest Ha Hrest]; subst; simpl.
  - lra.
  - assert (H1 : 0 <= Q2R (heaviness r)) by (apply Hr; now left).
    assert (H2 : heavy rows) by (intros q Hq; apply Hr; now right). injection Hn as Hn.
    specialize (IH H2 shares rest Hn Hrest w).
    rewrite dot_axpy, Q2R_qmul. specialize (Ha (dot (signed_row r) w)). nra.
Qed.
(** What is between the losses and their lines, of all rows and of one. *)
Definition surplus (loss : R -> R) (rows : list weighted) (shares : list Q) (gains : list R) (w : nat -> R) : R :=
  total_loss loss rows w - (total_gain rows gains - dot (slopes rows shares) w).
Lemma surplus_of_row loss rows : heavy rows -> forall shares gains w, length shares = length rows -> lines loss shares gains ->
  forall i r a h, nth_error rows i = Some r -> nth_error shares i = Some a -> nth_error gains i = Some h ->
  Q2R (heaviness r) * (loss (dot (signed_row r) w) + Q2R a * dot (signed_row r) w - h) <= surplus loss rows shares gains w.
Proof.
  unfold surplus. induction rows as [|q rows IH]; intros Hr [|b shares] gains w Hn Hl [|i] r a h Er Ea Eh; try discriminate;
    inversion Hl as [|? g ? rest Ha Hrest]; subst; injection Hn as Hn; cbn [nth_error] in *;
    cbn [total_loss total_gain slopes]; rewrite dot_axpy, Q2R_qmul;
    assert (H2 : heavy rows) by (intros x Hx; apply Hr; now right).
  - injection Er as ->. injection Ea as ->. injection Eh as ->.
    pose proof (loss_above_lines loss rows H2 shares rest Hn Hrest w). nra.
  - specialize (IH H2 shares rest w Hn Hrest i r a h Er Ea Eh). specialize (Ha (dot (signed_row q) w)).
    assert (H1 : 0 <= Q2R (heaviness q)) by (apply Hr; now left). nra.
Qed.
Lemma length_slopes n rows : (forall r, In r rows -> (length (signed_row r) <= n)%nat) ->
  forall shares, (length (slopes rows shares) <= n)%nat.
Proof.
  induction rows as [|r rows IH]; intros H [|a shares]; simpl; try lia.
  rewrite length_axpy. apply Nat.max_lub; [apply H; now left|apply IH; intros q Hq; apply H; now right].
Qed.

(** ** One column: the least of the penalty less a slope *)
Lemma column_bound x v C B : 0 <= C -> 0 < B ->
  v * x <= C * Rabs x + B / 2 * (x * x) + Rmax 0 (Rabs v - C) * Rmax 0 (Rabs v - C) / (2 * B).
Proof.
  intros HC HB. pose proof (Rmax_l 0 (Rabs v - C)) as He. pose proof (Rmax_r 0 (Rabs v - C)) as Hv.
  set (e := Rmax 0 (Rabs v - C)) in *.
  assert (H1 : v * x <= Rabs v * Rabs x) by (rewrite <- Rabs_mult; apply Rle_abs).
  pose proof (Rabs_pos x) as Hx. assert (H2 : Rabs v * Rabs x <= (C + e) * Rabs x) by nra.
  assert (H3 : x * x = Rabs x * Rabs x) by (rewrite <- Rabs_mult, Rabs_right; [reflexivity|nra]).
  rewrite H3. set (t := Rabs x) in *.
  assert (H4 : 0 <= (B * t - e) * (B * t - e)) by apply Rle_0_sqr.
  assert (H5 : e * t <= B / 2 * (t * t) + e * e / (2 * B)).
  { apply Rmult_le_reg_r with (2 * B); [lra|].
    replace ((B / 2 * (t * t) + e * e / (2 * B)) * (2 * B)) with (B * t * (B * t) + e * e) by (field; lra). nra. }
  lra.
Qed.

(** Σ max(0, |v_j| − c)², and the largest |v_j|. *)
Definition qabs (a : Q) : Q := if Qle_bool 0 a then a else Qopp a.
Definition qmax (a b : Q) : Q := if Qle_bool a b then b else a.
Definition beyond (c a : Q) : Q := qmax 0 (qadd (qabs a) (- c)).
Fixpoint excess (c : Q) (v : vec) : Q :=
  match v with
  | [] => 0%Q
  | a :: v' => qadd (qmul (beyond c a) (beyond c a)) (excess c v')
  end.
Fixpoint largest (v : vec) : Q :=
  match v with
  | [] => 0%Q
  | a :: v' => qmax (qabs a) (largest v')
  end.

Lemma Q2R_qabs a : Q2R (qabs a) = Rabs (Q2R a).
Proof.
  unfold qabs. destruct (Qle_bool 0 a) eqn:E.
  - apply qle_true in E. rewrite Q2R_0 in E. now rewrite Rabs_right by lra.
  - apply qle_false in E. rewrite Q2R_0 in E. rewrite Rabs_left by lra. apply Q2R_opp'.
Qed.
Lemma Q2R_qmax a b : Q2R (qmax a b) = Rmax (Q2R a) (Q2R b).
Proof.
  unfold qmax. destruct (Qle_bool a b) eqn:E.
  - apply qle_true in E. now rewrite Rmax_right.
  - apply qle_false in E. rewrite Rmax_left; lra.
Qed.
Lemma Q2R_beyond c a : Q2R (beyond c a) = Rmax 0 (Rabs (Q2R a) - Q2R c).
Proof. unfold beyond. rewrite Q2R_qmax, Q2R_qadd, Q2R_opp', Q2R_qabs, Q2R_0. f_equal. Qed.

Lemma columns_bound c B : 0 <= Q2R c -> 0 < B -> forall v d w, (length v <= d)%nat ->
  dot v w <= Q2R c * sumabs d w + B / 2 * sumsq d w + Q2R (excess c v) / (2 * B).
Proof.
  intros Hc HB. assert (HB' : 0 < / (2 * B)) by (apply Rinv_0_lt_compat; lra).
  induction v as [|a v IH]; intros d w Hd; simpl.
  - rewrite Q2R_0. pose proof (sumabs_pos d w). pose proof (sumsq_pos d w). unfold Rdiv. nra.
  - destruct d as [|d]; simpl in *; [lia|]. specialize (IH d (shift w) ltac:(lia)).
    pose proof (column_bound (w 0%nat) (Q2R a) (Q2R c) B Hc HB) as H1.
    rewrite Q2R_qadd, Q2R_qmul, Q2R_beyond. unfold Rdiv in *. lra.
Qed.
Lemma columns_bound_l1 C : 0 <= C -> forall v d w, (length v <= d)%nat -> Q2R (largest v) <= C ->
  dot v w <= C * sumabs d w.
Proof.
  intros HC. induction v as [|a v IH]; intros d w Hd Hv; simpl in *.
  - pose proof (sumabs_pos d w). nra.
  - destruct d as [|d]; simpl in *; [lia|]. rewrite Q2R_qmax, Q2R_qabs in Hv.
    pose proof (Rmax_l (Rabs (Q2R a)) (Q2R (largest v))). pose proof (Rmax_r (Rabs (Q2R a)) (Q2R (largest v))).
    specialize (IH d (shift w) ltac:(lia) ltac:(lra)).
    assert (H1 : Q2R a * w 0%nat <= Rabs (Q2R a) * Rabs (w 0%nat)) by (rewrite <- Rabs_mult; apply Rle_abs).
    pose proof (Rabs_pos (w 0%nat)). nra.
Qed.
Lemma dot_split d : forall v w, (length v <= S d)%nat -> dot v w = dot (firstn d v) w + Q2R (nth d v 0%Q) * w d.
Proof.
  induction d as [|d IH]; intros [|a v] w H; simpl in *; try (rewrite Q2R_0; lra).
  - destruct v; simpl in *; [lra|lia].
  - rewrite (IH v (shift w)) by lia. unfold shift at 2. lra.
Qed.

(** ** Weak duality *)
Section Duality.
  Variable loss : R -> R.
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
  Hypothesis below : lines loss shares gains.

  Let W := Q2R (total_weight rows).
  Let v := slopes rows shares.
  Let theta_part := firstn d v.
  Let offset_part := nth d v 0%Q.
  (** What the L1 part allows a column. *)
  Definition allowed : Q := qmul (qmul (lambda p) (l1_ratio p)) (total_weight rows).

  Lemma Q2R_allowed : Q2R allowed = Q2R (lambda p) * Q2R (l1_ratio p) * W.
  Proof. unfold allowed. now rewrite !Q2R_qmul. Qed.
  Lemma allowed_pos : 0 <= Q2R allowed.
  Proof.
    rewrite Q2R_allowed. destruct penalty_ok as (H1 & H2 & _). apply Rmult_le_pos; [|unfold W; lra]. apply Rmult_le_pos; lra.
  Qed.

  (** What no objective is below, with a part of the penalty that is square. The intercept is penalized, or the slope of its column
      is 0: Σ w_i·a_i·y_i = 0, or through the origin. *)
  Definition dual_value : R :=
    total_gain rows gains / W
      - Q2R (excess allowed theta_part) / (2 * (Q2R (lambda p) * (1 - Q2R (l1_ratio p))) * (W * W))
      - Q2R offset_part * Q2R offset_part / (2 * (Q2R (offset_penalty p) * Q2R (lambda p)) * (W * W)).
  Lemma duality_with_surplus w : Q2R (l1_ratio p) < 1 -> Q2R offset_part = 0 \/ 0 < Q2R (offset_penalty p) ->
    dual_value + surplus loss rows shares gains w / W <= objective loss rows d p w.
  Proof.
    intros Hr Ho. destruct penalty_ok as (Hl & [Hr0 Hr1] & Hk). fold W in weight_ok.
    assert (H1 : surplus loss rows shares gains w = total_loss loss rows w - (total_gain rows gains - dot v w)) by reflexivity.
    rewrite (dot_split d v w) in H1 by (apply length_slopes; assumption). fold theta_part offset_part in H1.
    set (B := Q2R (lambda p) * (1 - Q2R (l1_ratio p)) * W).
    assert (HB : 0 < B) by (unfold B; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|assumption]).
    pose proof (columns_bound allowed B allowed_pos HB theta_part d w (firstn_le_length d v)) as H2.
    rewrite Q2R_allowed in H2.
    set (K := Q2R (offset_penalty p) * Q2R (lambda p) * W).
    set (s := Q2R offset_part) in *.
    assert (H3 : s * w d <= K / 2 * (w d * w d) + s * s / (2 * K)).
    { assert (HK : 0 <= K) by (unfold K; apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
      destruct Ho as [E|Ho].
      - rewrite E. unfold Rdiv. assert (0 <= w d * w d) by nra. nra.
      - assert (HK0 : 0 < K) by (unfold K; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra]).
        assert (H4 : 0 <= (K * w d - s) * (K * w d - s)) by apply Rle_0_sqr.
        apply Rmult_le_reg_r with (2 * K); [lra|].
        replace ((K / 2 * (w d * w d) + s * s / (2 * K)) * (2 * K)) with (K * w d * (K * w d) + s * s) by (field; lra).
        nra. }
    unfold objective, penalty_of, dual_value. fold W s.
    apply Rmult_le_reg_r with W; [assumption|].
    replace ((total_loss loss rows w / W + (Q2R (lambda p) * (Q2R (l1_ratio p) * sumabs d w +
       (1 - Q2R (l1_ratio p)) / 2 * sumsq d w) + Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d))) * W)
      with (total_loss loss rows w + (Q2R (lambda p) * Q2R (l1_ratio p) * W * sumabs d w + B / 2 * sumsq d w) +
            K / 2 * (w d * w d)) by (unfold B, K; field; lra).
    set (x := surplus loss rows shares gains w) in *.
    assert (E : (total_gain rows gains / W
      - Q2R (excess allowed theta_part) / (2 * (Q2R (lambda p) * (1 - Q2R (l1_ratio p))) * (W * W))
      - s * s / (2 * (Q2R (offset_penalty p) * Q2R (lambda p)) * (W * W)) + x / W) * W
      = total_gain rows gains - Q2R (excess allowed theta_part) / (2 * B) - s * s / (2 * K) + x).
    { unfold B, K. destruct Ho as [E|Ho].
      - rewrite E. unfold Rdiv. rewrite !Rmult_0_l, !Rminus_0_r. field. repeat split; lra.
      - field. repeat split; lra. }
    rewrite E. lra.
  Qed.
  Theorem weak_duality w : Q2R (l1_ratio p) < 1 -> Q2R offset_part = 0 \/ 0 < Q2R (offset_penalty p) ->
    dual_value <= objective loss rows d p w.
  Proof.
    intros Hr Ho. pose proof (duality_with_surplus w Hr Ho) as H.
    assert (H1 : 0 <= surplus loss rows shares gains w).
    { unfold surplus. pose proof (loss_above_lines loss rows weights_ok shares gains for_each_row below w). lra. }
    pose proof (Rle_mult_inv_pos _ _ H1 weight_ok) as H2. fold W in H2. unfold Rdiv in *. lra.
  Qed.

  (** The same with ρ = 1, if no slope is above what is allowed. *)
  Lemma duality_with_surplus_l1 w : Q2R (l1_ratio p) = 1 -> Q2R offset_part = 0 -> Q2R (largest theta_part) <= Q2R (lambda p) * W ->
    total_gain rows gains / W + surplus loss rows shares gains w / W <= objective loss rows d p w.
  Proof.
    intros Hr Ho Hv. destruct penalty_ok as (Hl & _ & Hk). fold W in weight_ok.
    assert (H1 : surplus loss rows shares gains w = total_loss loss rows w - (total_gain rows gains - dot v w)) by reflexivity.
    rewrite (dot_split d v w) in H1 by (apply length_slopes; assumption). fold theta_part offset_part in H1.
    rewrite Ho in H1. assert (HC : 0 <= Q2R (lambda p) * W) by (apply Rmult_le_pos; lra).
    pose proof (columns_bound_l1 _ HC theta_part d w (firstn_le_length d v) Hv) as H2.
    unfold objective, penalty_of. fold W. rewrite Hr. set (x := surplus _ _ _ _ _) in *.
    apply Rmult_le_reg_r with W; [assumption|].
    replace ((total_gain rows gains / W + x / W) * W) with (total_gain rows gains + x) by (field; lra).
    assert (Hk' : 0 <= Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d) * W).
    { assert (0 <= w d * w d) by nra. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|assumption].
      assert (0 <= Q2R (offset_penalty p) * Q2R (lambda p)) by nra. lra. }
    replace ((total_loss loss rows w / W + (Q2R (lambda p) * (1 * sumabs d w + (1 - 1) / 2 * sumsq d w) +
       Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d))) * W)
      with (total_loss loss rows w + Q2R (lambda p) * W * sumabs d w +
            Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d) * W) by (field; lra).
    lra.
  Qed.
  (** With ρ = 1, for the part t of all shares that keeps every slope within what is allowed. *)
  Theorem weak_duality_l1 w t : (forall m, 0 <= loss m) -> Q2R (l1_ratio p) = 1 -> Q2R offset_part = 0 -> 0 <= t <= 1 ->
    t * Q2R (largest theta_part) <= Q2R (lambda p) * W ->
    t * total_gain rows gains / W <= objective loss rows d p w.
  Proof.
    intros Hpos Hr Ho Ht Hv. destruct penalty_ok as (Hl & _ & Hk). fold W in weight_ok.
    pose proof (loss_above_lines loss rows weights_ok shares gains for_each_row below w) as H1. fold v in H1.
    rewrite (dot_split d v w) in H1 by (apply length_slopes; assumption). fold theta_part offset_part in H1.
    rewrite Ho in H1. pose proof (total_loss_pos loss rows w Hpos weights_ok) as H0.
    assert (H2 : t * dot theta_part w <= Q2R (lambda p) * W * sumabs d w).
    { destruct (Req_dec t 0) as [->|N].
      - pose proof (sumabs_pos d w). assert (0 <= Q2R (lambda p) * W) by (apply Rmult_le_pos; lra). nra.
      - assert (Ht0 : 0 < t) by lra.
        apply Rmult_le_reg_r with (/ t); [now apply Rinv_0_lt_compat|].
        replace (t * dot theta_part w * / t) with (dot theta_part w) by (field; lra).
        replace (Q2R (lambda p) * W * sumabs d w * / t) with (Q2R (lambda p) * W / t * sumabs d w) by (field; lra).
        apply columns_bound_l1; [|apply firstn_le_length|].
        + apply Rle_mult_inv_pos; [apply Rmult_le_pos; lra|assumption].
        + apply Rmult_le_reg_r with t; [assumption|].
          replace (Q2R (lambda p) * W / t * t) with (Q2R (lambda p) * W) by (field; lra). lra. }
    unfold objective, penalty_of. fold W. rewrite Hr.
    apply Rmult_le_reg_r with W; [assumption|].
    replace (t * total_gain rows gains / W * W) with (t * total_gain rows gains) by (field; lra).
    assert (Hk' : 0 <= Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d) * W).
    { assert (0 <= w d * w d) by nra. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|assumption].
      assert (0 <= Q2R (offset_penalty p) * Q2R (lambda p)) by nra. lra. }
    replace ((total_loss loss rows w / W + (Q2R (lambda p) * (1 * sumabs d w + (1 - 1) / 2 * sumsq d w) +
       Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d))) * W)
      with (total_loss loss rows w + Q2R (lambda p) * W * sumabs d w +
            Q2R (offset_penalty p) * Q2R (lambda p) / 2 * (w d * w d) * W) by (field; lra).
    nra.
  Qed.
End Duality.
