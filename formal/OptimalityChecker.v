(** The checker of proofs about models, version 3 of docs/reference/formats/certificate.md: a function from rows and a proof to
    true or false, and why whatever it accepts is so. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Elimination Checker Margin Optimality Columns.
Import ListNotations.

(** ** Arithmetic of rationals, in lowest terms *)
Definition qsub (a b : Q) : Q := qadd a (- b).
Definition qdiv (a b : Q) : Q := Qred (a / b).
Definition half : Q := 1 # 2.

Inductive loss_name := Hinge | SquaredHinge.
Definition qhinge (m : Q) : Q := qmax 0 (qsub 1 m).
Definition loss_at (l : loss_name) (m : Q) : Q :=
  match l with
  | Hinge => qhinge m
  | SquaredHinge => let t := qhinge m in qmul t t
  end.
Definition in_range (l : loss_name) (a : Q) : bool :=
  Qle_bool 0 a && match l with Hinge => Qle_bool a 1 | SquaredHinge => true end.
(** h(a) *)
Definition gain_of (l : loss_name) (a : Q) : Q :=
  match l with
  | Hinge => a
  | SquaredHinge => qsub a (qmul (1 # 4) (qmul a a))
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
  lower_by : Q
}.

Section Rows.
  Variable rows : list weighted.
  Variable d : nat.
  Variable p : penalty.
  Variable l : loss_name.

  Fixpoint sum_of_losses (rows : list weighted) (w : vec) : Q :=
    match rows with
    | [] => 0%Q
    | r :: rest => qadd (qmul (heaviness r) (loss_at l (qdot (signed_row r) w))) (sum_of_losses rest w)
    end.
  Definition sum_of_sizes (w : vec) : Q := fold_right (fun a t => qadd (qabs a) t) 0%Q w.
  Definition size_at (w : vec) : Q :=
    qadd (qmul (lambda p) (qadd (qmul (l1_ratio p) (sum_of_sizes (firstn d w)))
                                (qmul (qmul (qsub 1 (l1_ratio p)) half) (qsq (firstn d w)))))
         (qmul (qmul (qmul (offset_penalty p) (lambda p)) half) (qmul (nth d w 0%Q) (nth d w 0%Q))).
  (** F, exactly. *)
  Definition objective_at (w : vec) : Q := qadd (qdiv (sum_of_losses rows w) (total_weight rows)) (size_at w).

  (** Σ w_i·a_i of the rows whose last entry, y, has a sign. *)
  Fixpoint class_sum (sign : Q) (rows : list weighted) (a : list Q) : Q :=
    match rows, a with
    | r :: rows', b :: a' => let rest := class_sum sign rows' a' in
                             if qpos (sign * nth d (signed_row r) 0%Q) then qadd (qmul (heaviness r) b) rest else rest
    | _, _ => 0%Q
    end.
  (** The heavier class's shares are multiplied by the same f ≤ 1, so that both sums are equal. *)
  Definition balance (a : list Q) : list Q :=
    let plus := class_sum 1 rows a in
    let minus := class_sum (-1) rows a in
    let shorter sign f := map (fun e : weighted * Q => if qpos (sign * nth d (signed_row (fst e)) 0%Q)
                                                       then qmul f (snd e) else snd e) (combine rows a) in
    if Qle_bool plus minus
    then if Qle_bool minus plus then a else shorter (-1)%Q (qdiv plus minus)
    else shorter 1%Q (qdiv minus plus).

  Fixpoint sum_of_gains (rows : list weighted) (a : list Q) : Q :=
    match rows, a with
    | r :: rows', b :: a' => qadd (qmul (heaviness r) (gain_of l b)) (sum_of_gains rows' a')
    | _, _ => 0%Q
    end.
  (** No objective is below b. *)
  Definition lower_bound_ok (given : list Q) (b : Q) : bool :=
    let a := if qpos (offset_penalty p) then given else balance given in
    let weight := total_weight rows in
    let v := slopes rows a in
    let theta := firstn d v in
    let s := nth d v 0%Q in
    let gain := sum_of_gains rows a in
    Nat.eqb (length given) (length rows) && Nat.eqb (length a) (length rows) && forallb (in_range l) a &&
    (Qle_bool b 0 ||
     if Qle_bool 1 (l1_ratio p)
     then let most := largest theta in
          let free := qmul (lambda p) weight in
          let t := if Qle_bool most free then 1%Q else qdiv free most in
          qis0 s && Qle_bool 0 t && Qle_bool t 1 && Qle_bool (qmul t most) free &&
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
  let value := objective_at rows (features s) (penalized p) (loss_used p) in
  Nat.eqb (length rows) (row_count s) && negb (is_nil rows) &&
  forallb (fun r => row_ok s (signed_row r) && qpos (heaviness r)) rows &&
  penalty_ok s (penalized p) && Nat.leb (length (model p)) (columns s) &&
  Qle_bool (value (model p)) (model_at_most p) &&
  lower_bound_ok rows (features s) (penalized p) (loss_used p) (shares p) (all_at_least p) &&
  Qle_bool 0 (lower_by p) &&
  match reference p with
  | Some w => Nat.leb (length w) (columns s) &&
              (qis0 (lower_by p) || Qle_bool (qadd (value w) (lower_by p)) (value (model p)))
  | None => true
  end.

(** ** Why *)
Open Scope R_scope.

Definition loss_of (l : loss_name) : R -> R := match l with Hinge => hinge | SquaredHinge => squared_hinge end.

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
Proof. destruct l; [apply hinge_positive|apply squared_hinge_positive]. Qed.
Lemma Q2R_qhinge m : Q2R (qhinge m) = hinge (Q2R m).
Proof. unfold qhinge, hinge. now rewrite Q2R_qmax, Q2R_qsub, Q2R_0, Q2R_1. Qed.
Lemma Q2R_loss_at l m : Q2R (loss_at l m) = loss_of l (Q2R m).
Proof. destruct l; simpl; [|unfold squared_hinge; rewrite Q2R_qmul]; now rewrite Q2R_qhinge. Qed.
Lemma gain_line l a : in_range l a = true -> line_below (loss_of l) (Q2R a) (Q2R (gain_of l a)).
Proof.
  unfold in_range. rewrite andb_true_iff. intros [H1 H2]. apply qle_true in H1. rewrite Q2R_0 in H1. destruct l; simpl.
  - apply qle_true in H2. rewrite Q2R_1 in H2. now apply hinge_line.
  - rewrite Q2R_qsub, !Q2R_qmul, Q2R_quarter.
    replace (Q2R a - / 4 * (Q2R a * Q2R a)) with (Q2R a - Q2R a * Q2R a / 4) by field. now apply squared_hinge_line.
Qed.

Section Values.
  Variable rows : list weighted.
  Variable d : nat.
  Variable p : penalty.
  Variable l : loss_name.
  Hypothesis weight_ok : 0 < Q2R (total_weight rows).

  Lemma Q2R_sum_of_losses w : forall rows, Q2R (sum_of_losses l rows w) = total_loss (loss_of l) rows (real w).
  Proof.
    induction rows0 as [|r rest IH]; simpl; [apply Q2R_0|].
    now rewrite Q2R_qadd, Q2R_qmul, Q2R_loss_at, IH, dot_real.
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
  Lemma Q2R_objective_at w : Q2R (objective_at rows d p l w) = objective (loss_of l) rows d p (real w).
  Proof. unfold objective_at, objective. rewrite Q2R_qadd, Q2R_qdiv, Q2R_sum_of_losses, Q2R_size_at by lra. reflexivity. Qed.

  Lemma Q2R_sum_of_gains : forall rows a, Q2R (sum_of_gains l rows a) = total_gain rows (map (fun b => Q2R (gain_of l b)) a).
  Proof.
    induction rows0 as [|r rest IH]; intros [|b a]; simpl; try apply Q2R_0. now rewrite Q2R_qadd, Q2R_qmul, IH.
  Qed.
  Lemma gain_lines a : forallb (in_range l) a = true -> lines (loss_of l) a (map (fun b => Q2R (gain_of l b)) a).
  Proof.
    induction a as [|b a IH]; simpl; intro H; [constructor|]. apply andb_true_iff in H as [H1 H2].
    constructor; [now apply gain_line|now apply IH].
  Qed.

  Hypothesis weights_ok : heavy rows.
  Hypothesis penalty_good : penalizes p.
  Hypothesis long : forall r, In r rows -> (length (signed_row r) <= S d)%nat.

  Theorem lower_bound_sound given b : lower_bound_ok rows d p l given b = true ->
    forall w, Q2R b <= objective (loss_of l) rows d p w.
  Proof.
    unfold lower_bound_ok. set (a := if qpos (offset_penalty p) then given else balance rows d given).
    rewrite !andb_true_iff. intros [[[_ Hn] Hr] H] w. apply Nat.eqb_eq in Hn.
    apply orb_true_iff in H as [H|H].
    { apply qle_true in H. rewrite Q2R_0 in H.
      pose proof (objective_pos (loss_of l) rows d p w (loss_positive l) weights_ok weight_ok penalty_good). lra. }
    pose proof (gain_lines a Hr) as Hl. set (gains := map (fun b => Q2R (gain_of l b)) a) in *.
    assert (Hg := Q2R_sum_of_gains rows a). fold gains in Hg.
    assert (Hp := penalty_good). destruct Hp as (Hlambda & [Hr0 Hr1] & Hk).
    destruct (Qle_bool 1 (l1_ratio p)) eqn:E.
    - apply qle_true in E. rewrite Q2R_1 in E. assert (E1 : Q2R (l1_ratio p) = 1) by lra.
      set (t := if Qle_bool _ _ then 1%Q else _) in H. rewrite !andb_true_iff in H.
      destruct H as [[[[H1 H2] H3] H4] H5]. apply qis0_true in H1.
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
      apply Rle_trans with (2 := weak_duality (loss_of l) rows d p a gains weights_ok weight_ok penalty_good long Hn Hl w E Ho).
      fold v. apply Req_le. f_equal; [f_equal; f_equal; lra|].
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
Lemma total_weight_pos rows : rows <> [] -> (forall r, In r rows -> 0 < Q2R (heaviness r)) -> 0 < Q2R (total_weight rows).
Proof.
  intros Hne H. assert (H0 : forall rows, (forall r, In r rows -> 0 < Q2R (heaviness r)) -> 0 <= Q2R (total_weight rows)).
  { induction rows0 as [|r rest IH]; simpl; intro Hr; [rewrite Q2R_0; lra|]. rewrite Q2R_qadd.
    pose proof (Hr r (or_introl eq_refl)). specialize (IH (fun q Hq => Hr q (or_intror Hq))). lra. }
  destruct rows as [|r rest]; [congruence|]. simpl. rewrite Q2R_qadd.
  pose proof (H r (or_introl eq_refl)). pose proof (H0 rest (fun q Hq => H q (or_intror Hq))). lra.
Qed.

Theorem check_model_sound s rows p : check_model s rows p = true -> model_proven s rows p.
Proof.
  unfold check_model. rewrite !andb_true_iff. intros [[[[[[[[_ H1] H2] H3] _] H4] H5] H6] H7].
  rewrite forallb_forall in H2.
  assert (Hpos : forall r, In r rows -> 0 < Q2R (heaviness r)).
  { intros r Hr. specialize (H2 r Hr). apply andb_true_iff in H2 as [_ H2]. now apply qpos_true. }
  assert (Hheavy : heavy rows) by (intros r Hr; specialize (Hpos r Hr); lra).
  assert (HW : 0 < Q2R (total_weight rows)) by (apply total_weight_pos; [intro E; rewrite E in H1; discriminate|assumption]).
  assert (Hlong : forall r, In r rows -> (length (signed_row r) <= S (features s))%nat).
  { intros r Hr. specialize (H2 r Hr). apply andb_true_iff in H2 as [H2 _]. unfold row_ok in H2.
    apply andb_true_iff in H2 as [H2 _]. apply Nat.eqb_eq in H2. rewrite H2. unfold columns. destruct (offset s); lia. }
  pose proof (penalty_ok_penalizes s _ H3) as Hp. split.
  - apply qle_true in H4. now rewrite Q2R_objective_at in H4.
  - now apply lower_bound_sound with (given := shares p).
  - intros w E Hlow. rewrite E in H7. apply andb_true_iff in H7 as [_ H7]. apply orb_true_iff in H7 as [H7|H7].
    + apply qis0_true in H7. lra.
    + apply qle_true in H7. now rewrite Q2R_qadd, !Q2R_objective_at in H7.
Qed.

(** ** The proof's file: raw rows, and vectors by the names of their columns *)
Record model_file := {
  g_features : nat; g_origin : bool; g_rows : nat;
  g_loss : loss_name; g_lambda : Q; g_l1_ratio : Q; g_offset_penalty : Q; g_negative_weight : Q; g_positive_weight : Q;
  g_model : sparse; g_at_most : Q; g_at_least : Q;
  g_shares : list Z;  (* one for each row, in parts of 2⁻⁴⁰ *)
  g_reference : option sparse; g_lower_by : Q
}.
Definition shape_of_model (f : model_file) : shape :=
  {| features := length (mapped NoMap (g_features f)); offset := negb (g_origin f); row_count := g_rows f |}.
Definition weighted_rows (f : model_file) (rows : list raw_row) : list weighted :=
  map (fun r => {| heaviness := if is_positive r then g_positive_weight f else g_negative_weight f;
                   signed_row := signed (names NoMap (g_features f) (g_origin f)) r |}) rows.
Definition share_parts : positive := Pos.pow 2 40.
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
          shares := map (fun k => Qred (k # share_parts)) (g_shares f); reference := reference; lower_by := g_lower_by f |})).
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
