(** e^x between two fractions, and the logarithm of what is at least 1.

    The standard library's ln rests on one axiom more than its exp, so neither ln nor the theorems about exp's derivative are
    used here: 1 + x ≤ e^x and the enclosures come from the series, the logarithm from the theorem of intermediate values. *)
From Coq Require Import List Arith Lia ZArith QArith Qreals Reals Lra Psatz.
From Linsep Require Import Vectors.
Open Scope R_scope.

(** ** The series, by Horner's rule *)
(** 1 + x/j·(1 + x/(j+1)·(… (1 + x/(j+n−1)·last))) *)
Fixpoint horner (x last : R) (n j : nat) : R :=
  match n with
  | O => last
  | S n' => 1 + x / INR j * horner x last n' (S j)
  end.
Definition term (x : R) (k : nat) : R := / INR (fact k) * x ^ k.
(** term k·(i! x^−i), shifted by i. *)
Fixpoint shifted (x : R) (k j : nat) : R :=
  match k with
  | O => 1
  | S k' => x / INR j * shifted x k' (S j)
  end.

Lemma INR_S_pos j : 0 < INR (S j).
Proof. apply lt_0_INR. lia. Qed.
Lemma shifted_fact x k : forall i, shifted x k (S i) * INR (fact (i + k)) = x ^ k * INR (fact i).
Proof.
  induction k as [|k IH]; intro i; cbn [shifted pow].
  - rewrite Nat.add_0_r. lra.
  - specialize (IH (S i)). replace (i + S k)%nat with (S i + k)%nat by lia.
    pose proof (INR_S_pos i) as Hi.
    replace (x / INR (S i) * shifted x k (S (S i)) * INR (fact (S i + k)))
      with (x / INR (S i) * (shifted x k (S (S i)) * INR (fact (S i + k)))) by ring.
    rewrite IH. change (fact (S i)) with ((S i) * fact i)%nat. rewrite mult_INR. field. lra.
Qed.
Lemma shifted_term x k : shifted x k 1 = term x k.
Proof.
  pose proof (shifted_fact x k 0) as H. simpl (0 + k)%nat in H. change (fact 0) with 1%nat in H. simpl (INR 1) in H.
  unfold term. pose proof (INR_fact_lt_0 k). apply Rmult_eq_reg_r with (INR (fact k)); [|lra].
  rewrite H. field. lra.
Qed.
Lemma horner_sum x n : forall j, horner x 1 n j = sum_f_R0 (fun k => shifted x k j) n.
Proof.
  induction n as [|n IH]; intro j; [reflexivity|].
  rewrite decomp_sum by lia. cbn [horner Nat.pred shifted]. rewrite IH, scal_sum. f_equal.
  apply sum_eq. intros. ring.
Qed.
Lemma horner_terms x n : horner x 1 n 1 = sum_f_R0 (term x) n.
Proof. rewrite horner_sum. apply sum_eq. intros k _. apply shifted_term. Qed.
Lemma exp_series x : Un_cv (fun n => sum_f_R0 (term x) n) (exp x).
Proof. unfold exp. destruct (exist_exp x) as [l Hl]. exact Hl. Qed.
Lemma term_pos x k : 0 <= x -> 0 <= term x k.
Proof.
  intro H. unfold term. apply Rmult_le_pos; [|now apply pow_le].
  apply Rlt_le, Rinv_0_lt_compat, INR_fact_lt_0.
Qed.

Lemma horner_mono x n : 0 <= x -> forall a b j, (0 < j)%nat -> a <= b -> horner x a n j <= horner x b n j.
Proof.
  intro Hx. induction n as [|n IH]; intros a b j Hj H; simpl; [assumption|].
  specialize (IH a b (S j) ltac:(lia) H). apply Rplus_le_compat_l, Rmult_le_compat_l; [|assumption].
  apply Rle_mult_inv_pos; [assumption|]. now apply lt_0_INR.
Qed.
Lemma horner_app x n : forall last m j, horner x last (n + m) j = horner x (horner x last m (j + n)) n j.
Proof.
  induction n as [|n IH]; intros last m j; simpl; [now rewrite Nat.add_0_r|].
  now rewrite IH, <- Nat.add_succ_comm.
Qed.
Lemma horner_at_most_2 x n : 0 <= x <= 1 / 2 -> forall j, (0 < j)%nat -> horner x 1 n j <= 2.
Proof.
  intro Hx. induction n as [|n IH]; intros j Hj; cbn [horner]; [lra|].
  specialize (IH (S j) ltac:(lia)). assert (H1 : 1 <= INR j) by (apply (le_INR 1); lia).
  assert (H2 : 0 <= x / INR j <= 1 / 2).
  { split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with (INR j); [lra|].
    replace (x / INR j * INR j) with x by (field; lra). nra. }
  nra.
Qed.

Lemma exp_above_horner x n : 0 <= x -> horner x 1 n 1 <= exp x.
Proof.
  intro H. rewrite horner_terms. apply sum_incr; [apply exp_series|]. intro k. now apply term_pos.
Qed.
Lemma limit_at_most u l b N : Un_cv u l -> (forall n, (n >= N)%nat -> u n <= b) -> l <= b.
Proof.
  intros Hu Hb. destruct (Rle_dec l b) as [|Hn]; [assumption|]. exfalso. apply Rnot_le_lt in Hn.
  destruct (Hu (l - b)) as [M HM]; [lra|]. specialize (HM (Nat.max M N) (Nat.le_max_l _ _)).
  specialize (Hb (Nat.max M N) (Nat.le_max_r _ _)). unfold R_dist in HM. apply Rabs_def2 in HM. lra.
Qed.
Lemma exp_below_horner x n : 0 <= x <= 1 / 2 -> exp x <= horner x 2 n 1.
Proof.
  intro H. apply limit_at_most with (1 := exp_series x) (N := n). intros m Hm.
  rewrite <- horner_terms. replace m with (n + (m - n))%nat by lia. rewrite horner_app.
  apply horner_mono; [lra|lia|]. apply horner_at_most_2; [assumption|lia].
Qed.

(** ** 1 + x ≤ e^x *)
Lemma exp_negative x : exp (- x) = / exp x.
Proof. apply exp_Ropp. Qed.
Lemma exp_line x : 1 + x <= exp x.
Proof.
  destruct (Rle_dec 0 x) as [H|H].
  - pose proof (exp_above_horner x 1 H) as H1. simpl in H1. lra.
  - apply Rnot_le_lt in H. destruct (Rle_dec x (-1)) as [H1|H1]; [pose proof (exp_pos x); lra|]. apply Rnot_le_lt in H1.
    (* e^x = 1/e^y, and e^y is at most 1/(1 − y): 1 + y·1/(1 − y). *)
    set (y := - x). assert (Hy : 0 < y < 1) by (unfold y; lra).
    assert (H2 : exp y <= / (1 - y)).
    { apply limit_at_most with (1 := exp_series y) (N := 0%nat). intros n _. rewrite <- horner_terms.
      assert (H3 : forall m j, (0 < j)%nat -> horner y 1 m j <= / (1 - y)).
      { assert (H4 : 1 <= / (1 - y)) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
        induction m as [|m IH]; intros j Hj; cbn [horner]; [assumption|]. specialize (IH (S j) ltac:(lia)).
        assert (H5 : 1 <= INR j) by (apply (le_INR 1); lia).
        assert (H6 : 0 <= y / INR j <= y).
        { split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with (INR j); [lra|].
          replace (y / INR j * INR j) with y by (field; lra). nra. }
        replace (/ (1 - y)) with (1 + y * / (1 - y)) by (field; lra).
        apply Rplus_le_compat_l. apply Rle_trans with (y / INR j * / (1 - y)); [now apply Rmult_le_compat_l|].
        apply Rmult_le_compat_r; lra. }
      apply H3. lia. }
    replace x with (- y) by (unfold y; lra). rewrite exp_negative.
    replace (1 + - y) with (/ / (1 - y)) by (rewrite Rinv_inv; lra).
    apply Rinv_le_contravar; [apply exp_pos|assumption].
Qed.
Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof.
  intro H. replace y with (x + (y - x)) by lra. rewrite exp_plus. pose proof (exp_pos x). pose proof (exp_line (y - x)). nra.
Qed.
Lemma exp_mono_inv x y : exp x <= exp y -> x <= y.
Proof.
  intro H. destruct (Rle_dec x y) as [|Hn]; [assumption|]. exfalso. apply Rnot_le_lt in Hn.
  replace x with (y + (x - y)) in H by lra. rewrite exp_plus in H. pose proof (exp_pos y). pose proof (exp_line (x - y)). nra.
Qed.
Lemma exp_one_value x y : exp x = exp y -> x = y.
Proof. intro H. apply Rle_antisym; apply exp_mono_inv; lra. Qed.

(** ** The logarithm from 1 on *)
Lemma log_exists y : 1 <= y -> { z : R | exp z = y }.
Proof.
  intro H. destruct (IVT_cor (fun x => exp x - y) 0 y) as [z [_ Hz]].
  - intro x. apply continuity_pt_minus; [apply derivable_continuous_pt, derivable_pt_exp|].
    apply continuity_pt_const. intros a b. reflexivity.
  - lra.
  - rewrite exp_0. pose proof (exp_line y). nra.
  - exists z. lra.
Qed.
Definition log (y : R) : R := match Rle_dec 1 y with left H => proj1_sig (log_exists y H) | right _ => 0 end.
Theorem exp_log y : 1 <= y -> exp (log y) = y.
Proof.
  intro H. unfold log. destruct (Rle_dec 1 y) as [H1|N]; [|contradiction]. now destruct (log_exists y H1).
Qed.
Theorem log_exp z : 0 <= z -> log (exp z) = z.
Proof. intro H. apply exp_one_value, exp_log. pose proof (exp_line z). lra. Qed.

(** ** Enclosures, by whole numbers of 2^−96 *)
Definition bits : Z := 96.
Definition parts : Z := 2 ^ bits.
Definition down (product : Z) : Z := Z.shiftr product bits.
Definition up (product : Z) : Z := - Z.shiftr (- product) bits.
Fixpoint horner_down (x : Z) (n : nat) (j : Z) : Z :=
  match n with
  | O => parts
  | S n' => parts + down (x * horner_down x n' (j + 1)) / j
  end.
Fixpoint horner_up (x : Z) (n : nat) (j : Z) : Z :=
  match n with
  | O => 2 * parts
  | S n' => parts - (- up (x * horner_up x n' (j + 1))) / j
  end.
Fixpoint again_down (s : nat) (v : Z) : Z := match s with O => v | S s' => again_down s' (down (v * v)) end.
Fixpoint again_up (s : nat) (v : Z) : Z := match s with O => v | S s' => again_up s' (up (v * v)) end.

(** How often x must be halved until it is at most 1/4. 8 times suffice up to 64. *)
Fixpoint halvings (most : nat) (x : Q) : nat :=
  match most with
  | O => O
  | S f => if Qle_bool x (1 # 4) then O else S (halvings f (x * (1 # 2)))
  end.
Definition terms : nat := 22.
(** x/2^s, rounded down. *)
Definition halved_down (x : Q) (s : nat) : Z := Z.shiftr (Qnum x * parts / QDen x) (Z.of_nat s).
Definition of_parts (v : Z) : Q := v # Z.to_pos parts.

Definition exp_down (x : Q) : Q :=
  let s := halvings 8 x in of_parts (again_down s (horner_down (halved_down x s) terms 1)).
Definition exp_up (x : Q) : Q :=
  let s := halvings 8 x in of_parts (again_up s (horner_up (halved_down x s + 1) terms 1)).

Definition PARTS : R := IZR parts.
Lemma P_pos : 1 <= PARTS.
Proof. unfold PARTS, parts, bits. apply IZR_le. apply Z.leb_le. reflexivity. Qed.
Lemma floor_of a b : (0 < b)%Z -> IZR (a / b) * IZR b <= IZR a < (IZR (a / b) + 1) * IZR b.
Proof.
  intro H. rewrite <- (plus_IZR _ 1), <- !mult_IZR. split; [apply IZR_le|apply IZR_lt].
  - rewrite Z.mul_comm. now apply Z.mul_div_le.
  - rewrite Z.mul_comm. rewrite Z.add_1_r. now apply Z.mul_succ_div_gt.
Qed.
Lemma down_of z : IZR (down z) * PARTS <= IZR z.
Proof.
  unfold down, PARTS, parts. rewrite Z.shiftr_div_pow2 by (unfold bits; lia).
  apply floor_of. apply Z.pow_pos_nonneg; unfold bits; lia.
Qed.
Lemma up_of z : IZR z <= IZR (up z) * PARTS.
Proof. unfold up. rewrite opp_IZR. pose proof (down_of (- z)) as H. unfold down in H. rewrite opp_IZR in H. lra. Qed.
Lemma down_pos z : (0 <= z)%Z -> (0 <= down z)%Z.
Proof. intro H. unfold down. now apply Z.shiftr_nonneg. Qed.
Lemma div_down_of z j : (0 < j)%nat -> IZR (z / Z.of_nat j) <= IZR z / INR j.
Proof.
  intro H. assert (Hj : 0 < INR j) by now apply lt_0_INR. rewrite INR_IZR_INZ in *.
  apply Rmult_le_reg_r with (IZR (Z.of_nat j)); [assumption|].
  replace (IZR z / IZR (Z.of_nat j) * IZR (Z.of_nat j)) with (IZR z) by (field; lra). apply floor_of. lia.
Qed.

Lemma horner_down_of x n : (0 <= x)%Z -> forall j, (0 < j)%nat ->
  (0 <= horner_down x n (Z.of_nat j))%Z /\ IZR (horner_down x n (Z.of_nat j)) <= horner (IZR x / PARTS) 1 n j * PARTS.
Proof.
  intro Hx. pose proof P_pos as HP. assert (HX : 0 <= IZR x) by (apply (IZR_le 0); assumption).
  induction n as [|n IH]; intros j Hj; cbn [horner_down horner].
  - split; [unfold parts, bits; lia|]. fold PARTS. lra.
  - destruct (IH (S j) ltac:(lia)) as [H1 H2]. rewrite Nat2Z.inj_succ, <- Z.add_1_r in H1, H2.
    set (h := horner_down x n (Z.of_nat j + 1)) in *. split.
    + apply Z.add_nonneg_nonneg; [unfold parts, bits; lia|]. apply Z.div_pos; [apply down_pos; lia|lia].
    + rewrite plus_IZR. fold PARTS. pose proof (div_down_of (down (x * h)) j Hj) as H3.
      pose proof (down_of (x * h)) as H4. rewrite mult_IZR in H4. assert (Hj0 : 0 < INR j) by now apply lt_0_INR.
      assert (H5 : IZR (down (x * h)) <= IZR x / PARTS * (horner (IZR x / PARTS) 1 n (S j) * PARTS)).
      { apply Rmult_le_reg_r with PARTS; [lra|]. apply Rle_trans with (1 := H4).
        replace (IZR x / PARTS * (horner (IZR x / PARTS) 1 n (S j) * PARTS) * PARTS) with (IZR x * (horner (IZR x / PARTS) 1 n (S j) * PARTS))
          by (field; lra). now apply Rmult_le_compat_l. }
      assert (H6 : IZR (down (x * h)) / INR j <= IZR x / PARTS * (horner (IZR x / PARTS) 1 n (S j) * PARTS) / INR j).
      { apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|assumption]. }
      replace ((1 + IZR x / PARTS / INR j * horner (IZR x / PARTS) 1 n (S j)) * PARTS)
        with (PARTS + IZR x / PARTS * (horner (IZR x / PARTS) 1 n (S j) * PARTS) / INR j) by (field; lra). lra.
Qed.
Lemma horner_up_of x n : (0 <= x)%Z -> forall j, (0 < j)%nat ->
  horner (IZR x / PARTS) 2 n j * PARTS <= IZR (horner_up x n (Z.of_nat j)).
Proof.
  intro Hx. pose proof P_pos as HP. assert (HX : 0 <= IZR x) by (apply (IZR_le 0); assumption).
  induction n as [|n IH]; intros j Hj; cbn [horner_up horner].
  - rewrite mult_IZR. fold PARTS. lra.
  - specialize (IH (S j) ltac:(lia)). rewrite Nat2Z.inj_succ, <- Z.add_1_r in IH.
    set (h := horner_up x n (Z.of_nat j + 1)) in *. rewrite minus_IZR. fold PARTS.
    pose proof (div_down_of (- up (x * h)) j Hj) as H3. rewrite opp_IZR in H3.
    pose proof (up_of (x * h)) as H4. rewrite mult_IZR in H4. assert (Hj0 : 0 < INR j) by now apply lt_0_INR.
    assert (H5 : IZR x / PARTS * (horner (IZR x / PARTS) 2 n (S j) * PARTS) <= IZR (up (x * h))).
    { apply Rmult_le_reg_r with PARTS; [lra|]. apply Rle_trans with (2 := H4).
      replace (IZR x / PARTS * (horner (IZR x / PARTS) 2 n (S j) * PARTS) * PARTS) with (IZR x * (horner (IZR x / PARTS) 2 n (S j) * PARTS))
        by (field; lra). now apply Rmult_le_compat_l. }
    assert (H6 : IZR x / PARTS * (horner (IZR x / PARTS) 2 n (S j) * PARTS) / INR j <= IZR (up (x * h)) / INR j).
    { apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|assumption]. }
    replace ((1 + IZR x / PARTS / INR j * horner (IZR x / PARTS) 2 n (S j)) * PARTS)
      with (PARTS + IZR x / PARTS * (horner (IZR x / PARTS) 2 n (S j) * PARTS) / INR j) by (field; lra).
    unfold Rdiv in *. lra.
Qed.

Lemma again_down_of s : forall v x, (0 <= v)%Z -> IZR v <= exp x * PARTS -> IZR (again_down s v) <= exp (x * 2 ^ s) * PARTS.
Proof.
  pose proof P_pos as HP. induction s as [|s IH]; intros v x Hv H; cbn [again_down pow].
  - now rewrite Rmult_1_r.
  - replace (x * (2 * 2 ^ s)) with ((x + x) * 2 ^ s) by ring. apply IH; [apply down_pos; nia|].
    pose proof (down_of (v * v)) as H1. rewrite mult_IZR in H1. rewrite exp_plus.
    assert (H0 : 0 <= IZR v) by (apply (IZR_le 0); assumption).
    assert (H2 : IZR v * IZR v <= exp x * PARTS * (exp x * PARTS)) by (apply Rmult_le_compat; assumption).
    apply Rmult_le_reg_r with PARTS; [lra|]. lra.
Qed.
Lemma again_up_of s : forall v x, exp x * PARTS <= IZR v -> exp (x * 2 ^ s) * PARTS <= IZR (again_up s v).
Proof.
  pose proof P_pos as HP. induction s as [|s IH]; intros v x H; cbn [again_up pow].
  - now rewrite Rmult_1_r.
  - replace (x * (2 * 2 ^ s)) with ((x + x) * 2 ^ s) by ring. apply IH.
    pose proof (up_of (v * v)) as H1. rewrite mult_IZR in H1. rewrite exp_plus.
    assert (H0 : 0 <= exp x * PARTS) by (pose proof (exp_pos x); nra).
    assert (H2 : exp x * PARTS * (exp x * PARTS) <= IZR v * IZR v) by (apply Rmult_le_compat; assumption).
    apply Rmult_le_reg_r with PARTS; [lra|]. lra.
Qed.

Lemma halved_down_of x s : IZR (halved_down x s) / PARTS <= Q2R x / 2 ^ s < (IZR (halved_down x s) + 1) / PARTS.
Proof.
  pose proof P_pos as HP. unfold halved_down. set (z := (Qnum x * parts / QDen x)%Z).
  destruct (floor_of (Qnum x * parts) (QDen x) ltac:(lia)) as [H1 H2]. fold z in H1, H2. rewrite mult_IZR in H1, H2. fold PARTS in H1, H2.
  assert (HD : 0 < IZR (QDen x)) by (apply IZR_lt; lia).
  assert (Ex : Q2R x * PARTS = IZR (Qnum x) * PARTS / IZR (QDen x)) by (unfold Q2R; field; lra).
  assert (H3 : IZR z <= Q2R x * PARTS).
  { rewrite Ex. apply Rmult_le_reg_r with (IZR (QDen x)); [assumption|].
    replace (IZR (Qnum x) * PARTS / IZR (QDen x) * IZR (QDen x)) with (IZR (Qnum x) * PARTS) by (field; lra). assumption. }
  assert (H4 : Q2R x * PARTS < IZR z + 1).
  { rewrite Ex. apply Rmult_lt_reg_r with (IZR (QDen x)); [assumption|].
    replace (IZR (Qnum x) * PARTS / IZR (QDen x) * IZR (QDen x)) with (IZR (Qnum x) * PARTS) by (field; lra). assumption. }
  assert (Hs : 0 < 2 ^ s) by (apply pow_lt; lra).
  assert (H5 : (0 < 2 ^ Z.of_nat s)%Z) by (apply Z.pow_pos_nonneg; lia).
  rewrite Z.shiftr_div_pow2 by lia. destruct (floor_of z (2 ^ Z.of_nat s) H5) as [H6 H7].
  assert (H8 : IZR z + 1 <= (IZR (z / 2 ^ Z.of_nat s) + 1) * IZR (2 ^ Z.of_nat s)).
  { rewrite <- (plus_IZR _ 1), <- (plus_IZR _ 1), <- mult_IZR. apply IZR_le. rewrite <- (plus_IZR _ 1), <- mult_IZR in H7.
    apply lt_IZR in H7. lia. }
  rewrite <- pow_IZR in *. set (f := IZR (z / 2 ^ Z.of_nat s)) in *. split.
  - apply Rmult_le_reg_r with (PARTS * 2 ^ s); [nra|].
    replace (f / PARTS * (PARTS * 2 ^ s)) with (f * 2 ^ s) by (field; lra).
    replace (Q2R x / 2 ^ s * (PARTS * 2 ^ s)) with (Q2R x * PARTS) by (field; lra). lra.
  - apply Rmult_lt_reg_r with (PARTS * 2 ^ s); [nra|].
    replace ((f + 1) / PARTS * (PARTS * 2 ^ s)) with ((f + 1) * 2 ^ s) by (field; lra).
    replace (Q2R x / 2 ^ s * (PARTS * 2 ^ s)) with (Q2R x * PARTS) by (field; lra). lra.
Qed.
Lemma halvings_enough most : forall x, Q2R x <= 2 ^ most / 4 -> Q2R x / 2 ^ halvings most x <= 1 / 4.
Proof.
  induction most as [|most IH]; intros x H; cbn [halvings].
  - simpl in *. lra.
  - destruct (Qle_bool x (1 # 4)) eqn:E.
    + apply qle_true in E. unfold Q2R in E at 2. simpl in E. simpl. lra.
    + assert (Eh : Q2R (x * (1 # 2)) = Q2R x / 2) by (rewrite Q2R_mult; unfold Q2R at 2; simpl; lra).
      specialize (IH (x * (1 # 2))%Q). rewrite Eh in IH. simpl in H. specialize (IH ltac:(lra)).
      assert (Hs : 0 < 2 ^ halvings most (x * (1 # 2))) by (apply pow_lt; lra).
      cbn [pow]. replace (Q2R x / (2 * 2 ^ halvings most (x * (1 # 2)))) with (Q2R x / 2 / 2 ^ halvings most (x * (1 # 2)))
        by (field; lra). assumption.
Qed.
Lemma Q2R_of_parts v : Q2R (of_parts v) = IZR v / PARTS.
Proof. reflexivity. Qed.
Lemma floor_pos x s : 0 <= Q2R x -> (0 <= halved_down x s)%Z.
Proof.
  intro H. destruct (halved_down_of x s) as [_ H1]. pose proof P_pos as HP.
  assert (Hs : 0 < 2 ^ s) by (apply pow_lt; lra). assert (H2 : 0 <= Q2R x / 2 ^ s) by now apply Rle_mult_inv_pos.
  assert (H3 : 0 < IZR (halved_down x s) + 1).
  { apply Rmult_lt_reg_r with (/ PARTS); [apply Rinv_0_lt_compat; lra|]. unfold Rdiv in H1. lra. }
  rewrite <- (plus_IZR _ 1) in H3. apply lt_IZR in H3. lia.
Qed.

Theorem exp_down_below x : 0 <= Q2R x -> Q2R (exp_down x) <= exp (Q2R x).
Proof.
  intro H. unfold exp_down. set (s := halvings 8 x). pose proof P_pos as HP. rewrite Q2R_of_parts.
  destruct (halved_down_of x s) as [H1 _]. pose proof (floor_pos x s H) as H0.
  destruct (horner_down_of (halved_down x s) terms H0 1 ltac:(lia)) as [H2 H3].
  assert (HX : 0 <= IZR (halved_down x s) / PARTS) by (apply Rle_mult_inv_pos; [now apply (IZR_le 0)|lra]).
  pose proof (exp_above_horner _ terms HX) as H4. pose proof (exp_mono _ _ H1) as H5.
  assert (Hs : 0 < 2 ^ s) by (apply pow_lt; lra).
  apply Rmult_le_reg_r with PARTS; [lra|].
  set (v := horner_down (halved_down x s) terms 1) in *. change (Z.of_nat 1) with 1%Z in H2, H3. fold v in H2, H3.
  replace (IZR (again_down s v) / PARTS * PARTS) with (IZR (again_down s v)) by (field; lra).
  replace (Q2R x) with (Q2R x / 2 ^ s * 2 ^ s) by (field; lra). apply again_down_of; [assumption|]. nra.
Qed.
Theorem exp_up_above x : 0 <= Q2R x <= 64 -> exp (Q2R x) <= Q2R (exp_up x).
Proof.
  intros [H HM]. unfold exp_up. set (s := halvings 8 x). pose proof P_pos as HP. rewrite Q2R_of_parts.
  destruct (halved_down_of x s) as [H1 H1']. pose proof (floor_pos x s H) as H0.
  pose proof (horner_up_of (halved_down x s + 1) terms ltac:(lia) 1 ltac:(lia)) as H3.
  rewrite plus_IZR in H3.
  assert (HX : 0 <= (IZR (halved_down x s) + 1) / PARTS <= 1 / 2).
  { split; [apply Rle_mult_inv_pos; [|lra]; apply (IZR_le 0) in H0; lra|].
    pose proof (halvings_enough 8 x ltac:(simpl; lra)) as H4. fold s in H4.
    assert (H5 : 1 / PARTS <= 1 / 4).
    { apply Rmult_le_reg_r with PARTS; [lra|]. replace (1 / PARTS * PARTS) with 1 by (field; lra).
      assert (4 <= PARTS) by (unfold PARTS, parts, bits; apply IZR_le; apply Z.leb_le; reflexivity). lra. }
    replace ((IZR (halved_down x s) + 1) / PARTS) with (IZR (halved_down x s) / PARTS + 1 / PARTS) by (field; lra). lra. }
  pose proof (exp_below_horner _ terms HX) as H4.
  assert (H5 : exp (Q2R x / 2 ^ s) <= exp ((IZR (halved_down x s) + 1) / PARTS)) by (apply exp_mono; lra).
  assert (Hs : 0 < 2 ^ s) by (apply pow_lt; lra).
  apply Rmult_le_reg_r with PARTS; [lra|].
  set (v := horner_up (halved_down x s + 1) terms 1) in *. change (Z.of_nat 1) with 1%Z in H3. fold v in H3.
  replace (IZR (again_up s v) / PARTS * PARTS) with (IZR (again_up s v)) by (field; lra).
  replace (Q2R x) with (Q2R x / 2 ^ s * 2 ^ s) by (field; lra). apply again_up_of. nra.
Qed.
