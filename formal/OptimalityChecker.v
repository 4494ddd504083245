(** The checker of proofs about models, version 3 of docs/reference/formats/certificate.md: a function from rows and a proof to
    true or false, and why whatever it accepts is so. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Elimination Checker Margin Exponential Optimality Columns.
Import ListNotations.

(** ** Arithmetic of rationals, in lowest terms *)
Definition qsub (a b : Q) : Q := qadd a (- b).
Definition qdiv (a b : Q) : Q := Qred (a / b).
Definition half : Q := 1 # 2.

Inductive loss_name := Hinge | SquaredHinge | Logistic.

(** ** The logistic loss. Somebody else computes logarithms; whether they are right is checked by powers of e. *)
(** ln (1 + e^−m) ≤ u: with k = |m|, or 64 if that is less, and the least e ≤ e^k, e + 1 ≤ e·e^(u − max(0, −m)). *)
Definition most_power : Q := 64.
Definition logistic_above_ok (m u : Q) : bool :=
  let rest := qsub u (qmax 0 (- m)) in
  let k := qabs m in
  let e := exp_down (if Qle_bool k most_power then k else most_power) in
  Qle_bool 0 rest && qpos e && Qle_bool (qadd e 1) (qmul e (exp_down rest)).
(** u ≤ ln (1 + e^−m) *)
Definition logistic_below_ok (m u : Q) : bool :=
  let rest := qsub u (qmax 0 (- m)) in
  let k := qabs m in
  Qle_bool rest 0 ||
  (Qle_bool rest most_power && Qle_bool k most_power &&
   let e := exp_up k in Qle_bool (qmul e (exp_up rest)) (qadd e 1)).
(** a·e^l ≤ 1: l isn't above −ln a. *)
Definition minus_log_ok (a l : Q) : bool :=
  Qle_bool l 0 || (Qle_bool l most_power && Qle_bool (qmul a (exp_up l)) 1).

(** ** Losses *)
Definition qhinge (m : Q) : Q := qmax 0 (qsub 1 m).
(** The loss at m; the logistic one is given, and either bound of it is checked. *)
Definition loss_at (l : loss_name) (m given : Q) : Q :=
  match l with
  | Hinge => qhinge m
  | SquaredHinge => let t := qhinge m in qmul t t
  | Logistic => given
  end.
Definition above_ok (l : loss_name) (m given : Q) : bool := match l with Logistic => logistic_above_ok m given | _ => true end.
Definition below_ok (l : loss_name) (m given : Q) : bool := match l with Logistic => logistic_below_ok m given | _ => true end.

(** A share a, and numbers for −ln a and −ln (1 − a); only the logistic loss needs them. *)
Definition in_range (l : loss_name) (a : Q) (logs : Q * Q) : bool :=
  Qle_bool 0 a &&
  match l with
  | Hinge => Qle_bool a 1
  | SquaredHinge => true
  | Logistic => Qle_bool a 1 && minus_log_ok a (fst logs) && minus_log_ok (qsub 1 a) (snd logs)
  end.
(** h(f·a), or f·h(a), which isn't more. *)
Definition gain_of (l : loss_name) (f a : Q) (logs : Q * Q) : Q :=
  match l with
  | Hinge => qmul f a
  | SquaredHinge => let b := qmul f a in qsub b (qmul (1 # 4) (qmul b b))
  | Logistic => qmul f (qadd (qmul a (fst logs)) (qmul (qsub 1 a) (snd logs)))
  end.

(** ** What a proof says. Vectors have θ and then θ0. *)
Record model_proof := {
  loss_used : loss_name;
  penalized : penalty;
  model : vec;
  model_at_most : Q;
  all_at_least : Q;
  shares : list Q;
  reference : option vec;
  lower_by : Q;
  (** Of the logistic loss, for each row: −ln a and −ln (1 − a), from below; the model's loss, from above, and if there is a
      reference from below; the reference's loss from above. They need no trust. *)
  logs : list (Q * Q);
  losses : list Q;
  losses_below : list Q;
  reference_losses : list Q
}.

Section Rows.
  Variable rows : list weighted.
  Variable d : nat.
  Variable p : penalty.
  Variable l : loss_name.

  Fixpoint sum_of_losses (rows : list weighted) (w : vec) (given : list Q) : Q :=
    match rows with
    | [] => 0%Q
    | r :: rest => qadd (qmul (heaviness r) (loss_at l (qdot (signed_row r) w) (hd 0%Q given)))
                        (sum_of_losses rest w (tl given))
    end.
  Fixpoint losses_ok (ok : loss_name -> Q -> Q -> bool) (rows : list weighted) (w : vec) (given : list Q) : bool :=
    match rows with
    | [] => true
    | r :: rest => ok l (qdot (signed_row r) w) (hd 0%Q given) && losses_ok ok rest w (tl given)
    end.
  Definition sum_of_sizes (w : vec) : Q := fold_right (fun a t => qadd (qabs a) t) 0%Q w.
  Definition size_at (w : vec) : Q :=
    qadd (qmul (lambda p) (qadd (qmul (l1_ratio p) (sum_of_sizes (firstn d w)))
                                (qmul (qmul (qsub 1 (l1_ratio p)) half) (qsq (firstn d w)))))
         (qmul (qmul (qmul (offset_penalty p) (lambda p)) half) (qmul (nth d w 0%Q) (nth d w 0%Q))).
  (** F: exactly, or with the losses that are given. *)
  Definition objective_at (w : vec) (given : list Q) : Q :=
    qadd (qdiv (sum_of_losses rows w given) (total_weight rows)) (size_at w).

  (** Σ w_i·a_i of the rows whose last entry, y, has a sign. *)
  Fixpoint class_sum (sign : Q) (rows : list weighted) (a : list Q) : Q :=
    match rows, a with
    | r :: rows', b :: a' => let rest := class_sum sign rows' a' in
                             if qpos (sign * nth d (signed_row r) 0%Q) then qadd (qmul (heaviness r) b) rest else rest
    | _, _ => 0%Q
    end.
  (** What a class's shares are multiplied by, the negative and the positive one: the heavier one's all by the same f ≤ 1, so that
      both sums are equal. *)
  Definition balance (a : list Q) : Q * Q :=
    let minus := class_sum (-1) rows a in
    let plus := class_sum 1 rows a in
    if Qle_bool plus minus
    then if Qle_bool minus plus then (1%Q, 1%Q) else (qdiv plus minus, 1%Q)
    else (1%Q, qdiv minus plus).
  Definition factor (f : Q * Q) (r : weighted) : Q := if qpos (nth d (signed_row r) 0%Q) then snd f else fst f.

  Fixpoint smaller (f : Q * Q) (rows : list weighted) (a : list Q) : list Q :=
    match rows, a with
    | r :: rows', b :: a' => qmul (factor f r) b :: smaller f rows' a'
    | _, _ => []
    end.
  Fixpoint gains (f : Q * Q) (rows : list weighted) (a : list Q) (logs : list (Q * Q)) : list Q :=
    match rows, a with
    | r :: rows', b :: a' => gain_of l (factor f r) b (hd (0%Q, 0%Q) logs) :: gains f rows' a' (tl logs)
    | _, _ => []
    end.
  Fixpoint all_in_range (a : list Q) (logs : list (Q * Q)) : bool :=
    match a with
    | [] => true
    | b :: a' => in_range l b (hd (0%Q, 0%Q) logs) && all_in_range a' (tl logs)
    end.
  Fixpoint sum_of_gains (rows : list weighted) (h : list Q) : Q :=
    match rows, h with
    | r :: rows', b :: h' => qadd (qmul (heaviness r) b) (sum_of_gains rows' h')
    | _, _ => 0%Q
    end.
  (** No objective is below b. *)
  Definition lower_bound_ok (given : list Q) (logs : list (Q * Q)) (b : Q) : bool :=
    let f := if qpos (offset_penalty p) then (1%Q, 1%Q) else balance given in
    let weight := total_weight rows in
    let v := slopes rows (smaller f rows given) in
    let theta := firstn d v in
    let s := nth d v 0%Q in
    let gain := sum_of_gains rows (gains f rows given logs) in
    let is_part t := Qle_bool 0 t && Qle_bool t 1 in
    Nat.eqb (length given) (length rows) && all_in_range given logs && is_part (fst f) && is_part (snd f) &&
    (Qle_bool b 0 ||
     if Qle_bool 1 (l1_ratio p)
     then let most := largest theta in
          let free := qmul (lambda p) weight in
          let t := if Qle_bool most free then 1%Q else qdiv free most in
          qis0 s && is_part t && Qle_bool (qmul t most) free &&
          Qle_bool b (qdiv (qmul t gain) weight)
     else let squares := qmul weight weight in
          let lost := qdiv (excess (allowed rows p) theta)
                           (qmul 2 (qmul (qmul (lambda p) (qsub 1 (l1_ratio p))) squares)) in
          let of_offset := if qis0 s then 0%Q
                           else qdiv (qmul s s) (qmul 2 (qmul (qmul (offset_penalty p) (lambda p)) squares)) in
          (qis0 s || qpos (offset_penalty p)) && Qle_bool b (qsub (qsub (qdiv gain weight) lost) of_offset)).
End Rows.

Definition penalty_ok (s : shape) (p : penalty) : bool :=
  qpos (lambda p) && Qle_bool 0 (l1_ratio p) && Qle_bool (l1_ratio p) 1 && Qle_bool 0 (offset_penalty p) &&
  (qis0 (offset_penalty p) || (offset s && qis0 (l1_ratio p))).

Definition check_model (s : shape) (rows : list weighted) (p : model_proof) : bool :=
  let l := loss_used p in
  let value := objective_at rows (features s) (penalized p) l in
  let is_ok ok w given := losses_ok l ok rows w given in
  Nat.eqb (length rows) (row_count s) && qpos (total_weight rows) &&
  forallb (fun r => row_ok s (signed_row r) && Qle_bool 0 (heaviness r)) rows &&
  penalty_ok s (penalized p) && Nat.leb (length (model p)) (columns s) &&
  is_ok above_ok (model p) (losses p) && Qle_bool (value (model p) (losses p)) (model_at_most p) &&
  lower_bound_ok rows (features s) (penalized p) l (shares p) (logs p) (all_at_least p) &&
  Qle_bool 0 (lower_by p) &&
  match reference p with
  | Some w => Nat.leb (length w) (columns s) &&
              (qis0 (lower_by p) ||
               is_ok above_ok w (reference_losses p) && is_ok below_ok (model p) (losses_below p) &&
               Qle_bool (qadd (value w (reference_losses p)) (lower_by p)) (value (model p) (losses_below p)))
  | None => true
  end.

(** ** Why *)
Open Scope R_scope.

Definition loss_of (l : loss_name) : R -> R := 
  match l with Hinge => hinge | SquaredHinge => squared_hinge | Logistic => logistic end.

(** All that an accepted proof says: of the model, and of every classifier, whose weights are real numbers. *)
Record model_proven (s : shape) (rows : list weighted) (p : model_proof) : Prop := {
  at_most_is_so : objective (loss_of (loss_used p)) rows (features s) (penalized p) (real (model p)) <= Q2R (model_at_most p);
  at_least_is_so : forall w, Q2R (all_at_least p) <= objective (loss_of (loss_used p)) rows (features s) (penalized p) w;
  lower_by_is_so : forall w, reference p = Some w -> 0 < Q2R (lower_by p) ->
    objective (loss_of (loss_used p)) rows (features s) (penalized p) (real w) + Q2R (lower_by p)
    <= objective (loss_of (loss_used p)) rows (features s) (penalized p) (real (model p))
}.

Lemma Q2R_qsub a b : Q2R (qsub a b) = Q2R a - Q2R b.
Proof. unfold qsub. rewrite Q2R_qadd, Q2R_opp'. lra. Qed.
Lemma Q2R_qdiv a b : Q2R b <> 0 -> Q2R (qdiv a b) = Q2R a / Q2R b.
Proof.
  intro H. unfold qdiv. rewrite <- Q2R_div.
  - apply Qeq_eqR, Qred_correct.
  - intro E. apply H. rewrite <- Q2R_0. now apply Qeq_eqR.
Qed.
Lemma Q2R_half : Q2R half = / 2.
Proof. unfold half, Q2R. simpl. lra. Qed.
Lemma Q2R_quarter : Q2R (1 # 4) = / 4.
Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_2 : Q2R 2 = 2.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma loss_positive l m : 0 <= loss_of l m.
Proof. destruct l; [apply hinge_positive|apply squared_hinge_positive|apply logistic_positive]. Qed.
Lemma Q2R_qhinge m : Q2R (qhinge m) = hinge (Q2R m).
Proof. unfold qhinge, hinge. now rewrite Q2R_qmax, Q2R_qsub, Q2R_0, Q2R_1. Qed.
Lemma Q2R_64 : Q2R most_power = 64.
Proof. unfold most_power, Q2R. simpl. lra. Qed.

(** *** The logistic loss *)
Lemma tail_above m : let k := qabs m in let e := exp_down (if Qle_bool k most_power then k else most_power) in
  Q2R e <= exp (Rabs (Q2R m)).
Proof.
  simpl. pose proof (Rabs_pos (Q2R m)) as H. rewrite <- Q2R_qabs in *.
  destruct (Qle_bool (qabs m) most_power) eqn:E; [now apply exp_down_below|].
  apply qle_false in E. rewrite Q2R_64 in E.
  apply Rle_trans with (1 := exp_down_below most_power ltac:(rewrite Q2R_64; lra)). apply exp_mono. rewrite Q2R_64. lra.
Qed.
Lemma logistic_above_sound m u : logistic_above_ok m u = true -> logistic (Q2R m) <= Q2R u.
Proof.
  unfold logistic_above_ok. rewrite !andb_true_iff. intros [[H1 H2] H3].
  pose proof (tail_above m) as He. simpl in He. set (e := exp_down (if Qle_bool _ _ then _ else _)) in *.
  apply qle_true in H1. apply qpos_true in H2. apply qle_true in H3. rewrite Q2R_0 in H1.
  pose proof (exp_down_below _ H1) as H4. rewrite Q2R_qadd, Q2R_qmul, Q2R_1 in H3.
  assert (Er : Q2R (qsub u (qmax 0 (- m))) = Q2R u - Rmax 0 (- Q2R m)) by now rewrite Q2R_qsub, Q2R_qmax, Q2R_0, Q2R_opp'.
  rewrite Er in *. apply logistic_at_most. rewrite exp_negative.
  assert (H5 : / exp (Rabs (Q2R m)) <= / Q2R e) by (apply Rinv_le_contravar; assumption).
  assert (H6 : 1 + / Q2R e <= Q2R (exp_down (qsub u (qmax 0 (- m))))).
  { apply Rmult_le_reg_l with (Q2R e); [assumption|]. replace (Q2R e * (1 + / Q2R e)) with (Q2R e + 1) by (field; lra). assumption. }
  lra.
Qed.
Lemma logistic_below_sound m u : logistic_below_ok m u = true -> Q2R u <= logistic (Q2R m).
Proof.
  assert (Er : Q2R (qsub u (qmax 0 (- m))) = Q2R u - Rmax 0 (- Q2R m)) by now rewrite Q2R_qsub, Q2R_qmax, Q2R_0, Q2R_opp'.
  pose proof (exp_pos (- Rabs (Q2R m))) as Hp.
  unfold logistic_below_ok. intro H. apply logistic_at_least. apply orb_true_iff in H as [H|H].
  - apply qle_true in H. rewrite Er, Q2R_0 in H. apply exp_mono in H. rewrite exp_0 in H. lra.
  - rewrite !andb_true_iff in H. destruct H as [[H1 H2] H3]. apply qle_true in H1, H2, H3.
    rewrite Q2R_64 in H1, H2. rewrite Q2R_qadd, Q2R_qmul, Q2R_1 in H3. rewrite Er in H1.
    set (rest := qsub u (qmax 0 (- m))) in *. pose proof (Rabs_pos (Q2R m)) as Ha. rewrite <- Q2R_qabs in *.
    pose proof (exp_up_above (qabs m) ltac:(lra)) as H4. pose proof (exp_pos (Q2R (qabs m))) as H5.
    set (e := Q2R (exp_up (qabs m))) in *. rewrite exp_negative.
    destruct (Rle_dec (Q2R rest) 0) as [N|N].
    + rewrite Er in N. apply exp_mono in N. rewrite exp_0 in N. rewrite exp_negative in Hp. lra.
    + pose proof (exp_up_above rest ltac:(lra)) as H6. rewrite Er in H6.
      (* e^k·e^rest ≤ e·e^rest, and e·(e^rest − 1) ≤ 1, so e^k·(e^rest − 1) ≤ 1. *)
      set (x := exp (Q2R u - Rmax 0 (- Q2R m))) in *. set (E := exp (Q2R (qabs m))) in *.
      assert (H7 : 1 <= x) by (unfold x; rewrite <- Er, <- exp_0; apply exp_mono; lra).
      assert (H8 : E * (x - 1) <= 1) by nra.
      apply Rmult_le_reg_l with E; [assumption|]. replace (E * (1 + / E)) with (E + 1) by (field; lra). lra.
Qed.
Lemma minus_log_sound a l : 0 <= Q2R a <= 1 -> minus_log_ok a l = true -> Q2R a * exp (Q2R l) <= 1.
Proof.
  intros Ha H. unfold minus_log_ok in H. apply orb_true_iff in H as [H|H].
  - apply qle_true in H. rewrite Q2R_0 in H. apply exp_mono in H. rewrite exp_0 in H. pose proof (exp_pos (Q2R l)). nra.
  - apply andb_true_iff in H as [H1 H2]. apply qle_true in H1, H2. rewrite Q2R_64 in H1. rewrite Q2R_qmul, Q2R_1 in H2.
    destruct (Rle_dec (Q2R l) 0) as [N|N].
    + apply exp_mono in N. rewrite exp_0 in N. pose proof (exp_pos (Q2R l)). nra.
    + pose proof (exp_up_above l ltac:(lra)). nra.
Qed.

(** *** Every loss *)
Lemma loss_at_above l m u : above_ok l m u = true -> loss_of l (Q2R m) <= Q2R (loss_at l m u).
Proof.
  destruct l; simpl; intro H.
  - rewrite Q2R_qhinge. lra.
  - unfold squared_hinge. rewrite Q2R_qmul, Q2R_qhinge. lra.
  - now apply logistic_above_sound.
Qed.
Lemma loss_at_below l m u : below_ok l m u = true -> Q2R (loss_at l m u) <= loss_of l (Q2R m).
Proof.
  destruct l; simpl; intro H.
  - rewrite Q2R_qhinge. lra.
  - unfold squared_hinge. rewrite Q2R_qmul, Q2R_qhinge. lra.
  - now apply logistic_below_sound.
Qed.
Lemma gain_line l f a logs : 0 <= Q2R f <= 1 -> in_range l a logs = true ->
  line_below (loss_of l) (Q2R (qmul f a)) (Q2R (gain_of l f a logs)).
Proof.
  unfold in_range. rewrite andb_true_iff. intros Hf [H1 H2]. apply qle_true in H1. rewrite Q2R_0 in H1. destruct l; simpl.
  - apply qle_true in H2. rewrite Q2R_1 in H2. rewrite !Q2R_qmul. apply hinge_line. nra.
  - rewrite Q2R_qsub, !Q2R_qmul, Q2R_quarter. set (b := Q2R f * Q2R a).
    replace (b - / 4 * (b * b)) with (b - b * b / 4) by field. apply squared_hinge_line. unfold b. nra.
  - rewrite !andb_true_iff in H2. destruct H2 as [[H2 H3] H4]. apply qle_true in H2. rewrite Q2R_1 in H2.
    apply minus_log_sound in H3; [|lra]. apply minus_log_sound in H4; [|rewrite Q2R_qsub, Q2R_1; lra].
    rewrite Q2R_qsub, Q2R_1 in H4. rewrite Q2R_qmul, Q2R_qmul, Q2R_qadd, !Q2R_qmul, Q2R_qsub, Q2R_1.
    apply shorter_line; [apply logistic_positive|assumption|]. apply logistic_line_by; [lra|assumption|assumption].
Qed.

Section Values.
  Variable rows : list weighted.
  Variable d : nat.
  Variable p : penalty.
  Variable l : loss_name.
  Hypothesis weight_ok : 0 < Q2R (total_weight rows).

  Lemma sum_of_losses_above w : forall rows given, heavy rows -> losses_ok l above_ok rows w given = true ->
    total_loss (loss_of l) rows (real w) <= Q2R (sum_of_losses l rows w given).
  Proof.
    induction rows0 as [|r rest IH]; simpl; intros given Hh H; [rewrite Q2R_0; lra|].
    apply andb_true_iff in H as [H1 H2]. specialize (IH _ ltac:(intros q Hq; apply Hh; now right) H2).
    apply loss_at_above in H1. rewrite Q2R_qadd, Q2R_qmul, dot_real.
    pose proof (Rmult_le_compat_l _ _ _ (Hh r (or_introl eq_refl)) H1). lra.
  Qed.
  Lemma sum_of_losses_below w : forall rows given, heavy rows -> losses_ok l below_ok rows w given = true ->
    Q2R (sum_of_losses l rows w given) <= total_loss (loss_of l) rows (real w).
  Proof.
    induction rows0 as [|r rest IH]; simpl; intros given Hh H; [rewrite Q2R_0; lra|].
    apply andb_true_iff in H as [H1 H2]. specialize (IH _ ltac:(intros q Hq; apply Hh; now right) H2).
    apply loss_at_below in H1. rewrite Q2R_qadd, Q2R_qmul, dot_real.
    pose proof (Rmult_le_compat_l _ _ _ (Hh r (or_introl eq_refl)) H1). lra.
  Qed.
  Lemma sumabs_zero n : forall w, (forall j, w j = 0) -> sumabs n w = 0.
  Proof.
    induction n as [|n IH]; simpl; intros w H; [reflexivity|]. rewrite H, (IH (shift w)), Rabs_R0; [lra|].
    intro j. apply H.
  Qed.
  Lemma Q2R_sum_of_sizes n : forall u : vec, Q2R (sum_of_sizes (firstn n u)) = sumabs n (real u).
  Proof.
    induction n as [|n IH]; intros [|a u]; simpl.
    - apply Q2R_0.
    - apply Q2R_0.
    - rewrite (sumabs_zero n (shift (real []))) by (intro j; apply (real_nil (S j))). rewrite real_nil, Rabs_R0, Q2R_0. lra.
    - rewrite real_cons, <- IH, Q2R_qadd, Q2R_qabs. reflexivity.
  Qed.
  Lemma Q2R_size_at w : Q2R (size_at d p w) = penalty_of d p (real w).
  Proof.
    unfold size_at, penalty_of. repeat rewrite ?Q2R_qadd, ?Q2R_qmul, ?Q2R_qsub.
    rewrite Q2R_sum_of_sizes, Q2R_half, Q2R_1, <- sumsq_firstn. change (real w d) with (Q2R (nth d w 0%Q)).
    lra.
  Qed.
  Hypothesis weights_ok : heavy rows.
  Lemma objective_at_above w given : losses_ok l above_ok rows w given = true ->
    objective (loss_of l) rows d p (real w) <= Q2R (objective_at rows d p l w given).
  Proof.
    intro H. unfold objective_at, objective. rewrite Q2R_qadd, Q2R_qdiv, Q2R_size_at by lra.
    pose proof (sum_of_losses_above w rows given weights_ok H) as H1. apply Rplus_le_compat_r.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; assumption.
  Qed.
  Lemma objective_at_below w given : losses_ok l below_ok rows w given = true ->
    Q2R (objective_at rows d p l w given) <= objective (loss_of l) rows d p (real w).
  Proof.
    intro H. unfold objective_at, objective. rewrite Q2R_qadd, Q2R_qdiv, Q2R_size_at by lra.
    pose proof (sum_of_losses_below w rows given weights_ok H) as H1. apply Rplus_le_compat_r.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; assumption.
  Qed.

  Lemma Q2R_sum_of_gains : forall rows h, Q2R (sum_of_gains rows h) = total_gain rows (map Q2R h).
  Proof.
    induction rows0 as [|r rest IH]; intros [|b h]; simpl; try apply Q2R_0. now rewrite Q2R_qadd, Q2R_qmul, IH.
  Qed.
  Lemma gain_lines f : 0 <= Q2R (fst f) <= 1 -> 0 <= Q2R (snd f) <= 1 -> forall rows a logs, length a = length rows ->
    all_in_range l a logs = true ->
    lines (loss_of l) (smaller d f rows a) (map Q2R (gains d l f rows a logs)) /\
    length (smaller d f rows a) = length rows.
  Proof.
    intros H1 H2. induction rows0 as [|r rest IH]; intros [|b a] logs Hn H; try discriminate; simpl; [split; [constructor|reflexivity]|].
    simpl in H. apply andb_true_iff in H as [H3 H4]. injection Hn as Hn. destruct (IH a (tl logs) Hn H4) as [I1 I2].
    split; [|now rewrite I2]. constructor; [|assumption]. apply gain_line; [|assumption]. unfold factor. now destruct (qpos _).
  Qed.

  Hypothesis penalty_good : penalizes p.
  Hypothesis long : forall r, In r rows -> (length (signed_row r) <= S d)%nat.

  Theorem lower_bound_sound given logs b : lower_bound_ok rows d p l given logs b = true ->
    forall w, Q2R b <= objective (loss_of l) rows d p w.
  Proof.
    unfold lower_bound_ok. set (f := if qpos (offset_penalty p) then (1%Q, 1%Q) else balance rows d given).
    rewrite !andb_true_iff. intros [[[[H1 H2] [H3 H3']] [H4 H4']] H] w. apply Nat.eqb_eq in H1.
    apply qle_true in H3, H3', H4, H4'. rewrite Q2R_0 in H3, H4. rewrite Q2R_1 in H3', H4'.
    destruct (gain_lines f (conj H3 H3') (conj H4 H4') rows given logs H1 H2) as [Hl Hn].
    clear H1 H2 H3 H3' H4 H4'. set (a := smaller d f rows given) in *. set (h := gains d l f rows given logs) in *.
    apply orb_true_iff in H as [H|H].
    { apply qle_true in H. rewrite Q2R_0 in H.
      pose proof (objective_pos (loss_of l) rows d p w (loss_positive l) weights_ok weight_ok penalty_good). lra. }
    assert (Hg := Q2R_sum_of_gains rows h).
    assert (Hp := penalty_good). destruct Hp as (Hlambda & [Hr0 Hr1] & Hk).
    destruct (Qle_bool 1 (l1_ratio p)) eqn:E.
    - apply qle_true in E. rewrite Q2R_1 in E. assert (E1 : Q2R (l1_ratio p) = 1) by lra.
      set (t := if Qle_bool _ _ then 1%Q else _) in H. rewrite !andb_true_iff in H.
      destruct H as [[[H1 [H2 H3]] H4] H5]. apply qis0_true in H1.
      apply qle_true in H2, H3, H4, H5. rewrite Q2R_0 in H2. rewrite Q2R_1 in H3. rewrite !Q2R_qmul in H4.
      rewrite Q2R_qdiv, Q2R_qmul, Hg in H5 by lra. apply Rle_trans with (1 := H5).
      apply weak_duality_l1 with (shares := a); try assumption; [apply loss_positive|now split].
    - apply qle_false in E. rewrite Q2R_1 in E. apply andb_true_iff in H as [H1 H2]. apply qle_true in H2.
      apply Rle_trans with (1 := H2). set (v := slopes rows a) in *.
      assert (HW : 0 < Q2R (total_weight rows) * Q2R (total_weight rows)) by (apply Rmult_lt_0_compat; assumption).
      assert (HB : 0 < Q2R (lambda p) * (1 - Q2R (l1_ratio p))) by (apply Rmult_lt_0_compat; lra).
      assert (HBW : 0 < Q2R (lambda p) * (1 - Q2R (l1_ratio p)) * (Q2R (total_weight rows) * Q2R (total_weight rows)))
        by now apply Rmult_lt_0_compat.
      rewrite !Q2R_qsub, Q2R_qdiv, Hg by lra.
      rewrite Q2R_qdiv; repeat rewrite ?Q2R_qmul, ?Q2R_qsub, ?Q2R_1, ?Q2R_2; [|lra].
      assert (Ho : Q2R (nth d v 0%Q) = 0 \/ 0 < Q2R (offset_penalty p)).
      { apply orb_true_iff in H1 as [H1|H1]; [left; now apply qis0_true|right; now apply qpos_true]. }
      apply Rle_trans with (2 := weak_duality (loss_of l) rows d p a (map Q2R h) weights_ok weight_ok penalty_good long Hn Hl w E Ho).
      unfold dual_value. fold v. apply Req_le. f_equal; [f_equal; f_equal; lra|].
      destruct (qis0 (nth d v 0%Q)) eqn:Z.
      + apply qis0_true in Z. rewrite Z, Q2R_0. unfold Rdiv. lra.
      + apply qis0_false in Z. destruct Ho as [Ho|Ho]; [contradiction|].
        assert (HK : 0 < Q2R (offset_penalty p) * Q2R (lambda p)) by (apply Rmult_lt_0_compat; assumption).
        assert (HKW : 0 < Q2R (offset_penalty p) * Q2R (lambda p) * (Q2R (total_weight rows) * Q2R (total_weight rows)))
          by now apply Rmult_lt_0_compat.
        rewrite Q2R_qdiv; repeat rewrite ?Q2R_qmul, ?Q2R_2; [|lra]. f_equal. lra.
  Qed.
End Values.

Lemma penalty_ok_penalizes s p : penalty_ok s p = true -> penalizes p.
Proof.
  unfold penalty_ok. rewrite !andb_true_iff. intros [[[[H1 H2] H3] H4] _].
  apply qpos_true in H1. apply qle_true in H2, H3, H4. rewrite Q2R_0 in *. rewrite Q2R_1 in *. repeat split; assumption.
Qed.
(** What the theorems need of rows and penalty. *)
Lemma check_model_facts s rows p : check_model s rows p = true ->
  heavy rows /\ 0 < Q2R (total_weight rows) /\ penalizes (penalized p).
Proof.
  unfold check_model. rewrite !andb_true_iff. intros [[[[[[[[[_ H1] H2] H3] _] _] _] _] _] _].
  rewrite forallb_forall in H2.
  split; [|split; [now apply qpos_true|now apply penalty_ok_penalizes with s]].
  intros r Hr. specialize (H2 r Hr). apply andb_true_iff in H2 as [_ H2]. apply qle_true in H2. now rewrite Q2R_0 in H2.
Qed.
Theorem check_model_sound s rows p : check_model s rows p = true -> model_proven s rows p.
Proof.
  intro H. destruct (check_model_facts s rows p H) as (Hheavy & HW & Hp). revert H.
  unfold check_model. rewrite !andb_true_iff. intros [[[[[[[[[_ H1] H2] H3] _] H4] H5] H6] H7] H8].
  rewrite forallb_forall in H2.
  assert (Hlong : forall r, In r rows -> (length (signed_row r) <= S (features s))%nat).
  { intros r Hr. specialize (H2 r Hr). apply andb_true_iff in H2 as [H2 _]. unfold row_ok in H2.
    apply andb_true_iff in H2 as [H2 _]. apply Nat.eqb_eq in H2. rewrite H2. unfold columns. destruct (offset s); lia. }
  split.
  - apply qle_true in H5. apply Rle_trans with (2 := H5). now apply objective_at_above.
  - now apply lower_bound_sound with (given := shares p) (logs := logs p).
  - intros w E Hlow. rewrite E in H8. apply andb_true_iff in H8 as [_ H8]. apply orb_true_iff in H8 as [H8|H8].
    + apply qis0_true in H8. lra.
    + rewrite !andb_true_iff in H8. destruct H8 as [[H8 H9] H10]. apply qle_true in H10. rewrite Q2R_qadd in H10.
      apply (objective_at_above rows (features s) (penalized p)) in H8; try assumption.
      apply (objective_at_below rows (features s) (penalized p)) in H9; try assumption. lra.
Qed.

(** ** The proof's file: raw rows, and vectors by the names of their columns *)
Record model_file := {
  g_features : nat; g_origin : bool; g_rows : nat;
  g_loss : loss_name; g_lambda : Q; g_l1_ratio : Q; g_offset_penalty : Q; g_negative_weight : Q; g_positive_weight : Q;
  g_weights : list Q;  (* of rows, 1 where there are none *)
  g_model : sparse; g_at_most : Q; g_at_least : Q;
  g_shares : list Z;  (* one for each row, in parts of 2⁻⁴⁰ *)
  g_reference : option sparse; g_lower_by : Q;
  (* whole numbers of 2⁻⁷², as in a model_proof *)
  g_logs : list (Z * Z); g_losses : list Z; g_losses_below : list Z; g_reference_losses : list Z
}.
Definition shape_of_model (f : model_file) : shape :=
  {| features := length (mapped NoMap (g_features f)); offset := negb (g_origin f); row_count := g_rows f |}.
(** A row's weight times that of its class. *)
Fixpoint weigh (f : model_file) (rows : list raw_row) (weights : list Q) : list weighted :=
  match rows with
  | [] => []
  | r :: rest => {| heaviness := qmul (if is_positive r then g_positive_weight f else g_negative_weight f) (hd 1%Q weights);
                    signed_row := signed (names NoMap (g_features f) (g_origin f)) r |} :: weigh f rest (tl weights)
  end.
Definition weighted_rows (f : model_file) (rows : list raw_row) : list weighted := weigh f rows (g_weights f).
Definition share_parts : positive := Pos.pow 2 40.
Definition log_parts : positive := Pos.pow 2 72.
Definition in_log_parts (k : Z) : Q := Qred (k # log_parts).
Definition resolve_model (f : model_file) : option model_proof :=
  let cols := names NoMap (g_features f) (g_origin f) in
  bind (dense cols (g_model f)) (fun model =>
  bind (match g_reference f with
        | Some w => match dense cols w with Some v => Some (Some v) | None => None end
        | None => Some None
        end) (fun reference =>
  Some {| loss_used := g_loss f;
          penalized := {| lambda := g_lambda f; l1_ratio := g_l1_ratio f; offset_penalty := g_offset_penalty f |};
          model := model; model_at_most := g_at_most f; all_at_least := g_at_least f;
          shares := map (fun k => Qred (k # share_parts)) (g_shares f); reference := reference; lower_by := g_lower_by f;
          logs := map (fun e => (in_log_parts (fst e), in_log_parts (snd e))) (g_logs f); losses := map in_log_parts (g_losses f);
          losses_below := map in_log_parts (g_losses_below f);
          reference_losses := map in_log_parts (g_reference_losses f) |})).
Definition check_model_file (rows : list raw_row) (f : model_file) : bool :=
  forallb (raw_ok (g_features f)) rows &&
  match resolve_model f with
  | Some p => check_model (shape_of_model f) (weighted_rows f rows) p
  | None => false
  end.

Theorem check_model_file_sound rows f : check_model_file rows f = true ->
  exists p, resolve_model f = Some p /\ model_proven (shape_of_model f) (weighted_rows f rows) p.
Proof.
  unfold check_model_file. rewrite andb_true_iff. intros [_ H]. destruct (resolve_model f) as [p|]; [|discriminate].
  exists p. split; [reflexivity|]. now apply check_model_sound.
Qed.

(** What the file says of every classifier, in full: for whoever reads only this. *)
Corollary no_classifier_is_better rows f : check_model_file rows f = true -> forall w,
  Q2R (g_at_least f) <= objective (loss_of (g_loss f)) (weighted_rows f rows) (features (shape_of_model f))
    {| lambda := g_lambda f; l1_ratio := g_l1_ratio f; offset_penalty := g_offset_penalty f |} w.
Proof.
  intros H w. destruct (check_model_file_sound rows f H) as (p & Hp & P).
  unfold resolve_model, bind in Hp.
  repeat match type of Hp with context [match ?o with Some _ => _ | None => _ end] => destruct o; try discriminate end;
    injection Hp as <-; exact (at_least_is_so _ _ _ P w).
Qed.
