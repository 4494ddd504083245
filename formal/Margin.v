(** The lower bound of the margin, the radius and the perceptron's mistakes; the mistakes of given weights. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra FinFun.
From Linsep Require Import Vectors Checker Statements.
Import ListNotations.
Open Scope R_scope.

Lemma sumsq_firstn n : forall u : vec, sumsq n (real u) = Q2R (qsq (firstn n u)).
Proof.
  induction n as [|n IH]; intros [|a u]; unfold qsq in *; simpl.
  - now rewrite Q2R_0.
  - now rewrite Q2R_0.
  - rewrite sumsq_zero by (intro j; apply (real_nil (S j))). rewrite real_nil, Q2R_0. lra.
  - rewrite real_cons, IH, Q2R_qadd, Q2R_qmul. unfold real; simpl. lra.
Qed.

Section Margin.
  Variable s : shape.
  Variable rows : list vec.

  Theorem margin_below_sound c bound : margin_below_ok s rows c bound = true ->
    exists (w : vec) (m : R), levels c = [w] /\ 0 < m /\ Q2R bound <= m * m /\ margin_at_least s rows (real w) m.
  Proof.
    unfold margin_below_ok. destruct (levels c) as [|w [|]]; try discriminate.
    rewrite !andb_true_iff, forallb_forall. intros [[[_ Hb] Hn] Hall].
    apply qpos_true in Hb. apply qpos_true in Hn.
    exists w, (sqrt (Q2R bound)). split; [reflexivity|]. split; [now apply sqrt_lt_R0|].
    split; [rewrite sqrt_sqrt; lra|]. unfold margin_at_least. rewrite sumsq_firstn. split; [assumption|].
    intros z Hz. specialize (Hall z Hz). apply andb_true_iff in Hall as [Hv Hle].
    apply qpos_true in Hv. apply qle_true in Hle. rewrite !Q2R_qmul in Hle. rewrite dot_real.
    rewrite <- sqrt_mult by lra. rewrite <- (sqrt_square (Q2R (qdot z w))) by lra. now apply sqrt_le_1_alt.
  Qed.

  Theorem radius_sound bound : radius_ok s rows bound = true ->
    forall z, In z rows -> Q2R (qsq (firstn (features s) z)) <= Q2R bound.
  Proof. unfold radius_ok. rewrite forallb_forall. intros H z Hz. apply qle_true. now apply H. Qed.

  (** *** The perceptron: Novikoff's argument *)
  Lemma least (f : vec -> R) : rows <> [] -> exists z, In z rows /\ forall q, In q rows -> f z <= f q.
  Proof.
    induction rows as [|z l IH]; [congruence|]. intros _. destruct l as [|y l].
    - exists z. split; [now left|]. intros q [<-|[]]. lra.
    - destruct IH as (q & Hq & Hmin); [congruence|]. destruct (Rle_dec (f z) (f q)) as [L|L].
      + exists z. split; [now left|]. intros r [<-|Hr]; [lra|]. specialize (Hmin r Hr). lra.
      + exists q. split; [now right|]. intros r [<-|Hr]; [lra|now apply Hmin].
  Qed.

  Section Novikoff.
    Variable W : vec.
    Variables m B rate : R.
    Hypothesis long : (length W <= columns s)%nat.
    Hypothesis lengths : forall z, In z rows -> length z = columns s.
    Hypothesis Hm : forall z, In z rows -> m <= dot z (real W).
    Hypothesis HB : forall z, In z rows -> Q2R (qsq z) <= B.
    Hypothesis Hrate : 0 < rate.
    Hypothesis Hm0 : 0 < m.
    Hypothesis HB0 : 0 <= B.

    Lemma perceptron_growth sequence : (forall z, In z sequence -> In z rows) ->
      forall v k, INR k * rate * m <= dot W v -> sumsq (columns s) v <= INR k * (rate * rate) * B ->
      exists v', INR (perceptron rate sequence v + k) * rate * m <= dot W v' /\
                 sumsq (columns s) v' <= INR (perceptron rate sequence v + k) * (rate * rate) * B.
    Proof.
      induction sequence as [|z l IH]; cbn [perceptron]; intros Hin v k H1 H2.
      - exists v. auto.
      - assert (Hz : In z rows) by (apply Hin; now left).
        assert (Hl : forall q, In q l -> In q rows) by (intros; apply Hin; now right).
        destruct (Rle_dec (dot z v) 0) as [Hle|]; [|now apply IH].
        destruct (IH Hl (fun j => v j + rate * real z j) (S k)) as (v' & I1 & I2).
        + rewrite dot_linear, dot_real, qdot_comm, <- dot_real, S_INR. specialize (Hm z Hz). nra.
        + rewrite <- (lengths z Hz), sumsq_add, (lengths z Hz), S_INR. specialize (HB z Hz).
          assert (rate * rate * Q2R (qsq z) <= rate * rate * B) by (apply Rmult_le_compat_l; nra).
          assert (2 * rate * dot z v <= 0) by nra. lra.
        + exists v'. rewrite Nat.add_succ_r in I1, I2. auto.
    Qed.

    Lemma perceptron_bound sequence : (forall z, In z sequence -> In z rows) ->
      INR (perceptron rate sequence (fun _ => 0)) * (m * m) <= B * Q2R (qsq W).
    Proof.
      intro Hin. destruct (perceptron_growth sequence Hin (fun _ => 0) 0) as (v & H1 & H2).
      - rewrite dot_zero by reflexivity. simpl. lra.
      - rewrite sumsq_zero by reflexivity. simpl. lra.
      - rewrite Nat.add_0_r in *. set (k := INR (perceptron rate sequence (fun _ => 0))) in *.
        assert (Hk : 0 <= k) by apply pos_INR.
        pose proof (qsq_pos W) as HW.
        destruct (Req_dec k 0) as [E|N]; [rewrite E; nra|].
        pose proof (schwarz W v (columns s) long) as HS.
        assert (H0 : 0 <= k * rate * m) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
        assert (H3 : (k * rate * m) * (k * rate * m) <= Q2R (qsq W) * (k * (rate * rate) * B)).
        { apply Rle_trans with (dot W v * dot W v); [apply Rmult_le_compat; assumption|].
          apply Rle_trans with (1 := HS). now apply Rmult_le_compat_l. }
        apply Rmult_le_reg_r with (k * (rate * rate)).
        + apply Rmult_lt_0_compat; [lra|apply Rmult_lt_0_compat; assumption].
        + replace (k * (m * m) * (k * (rate * rate))) with ((k * rate * m) * (k * rate * m)) by ring.
          apply Rle_trans with (1 := H3). apply Req_le. ring.
    Qed.
  End Novikoff.

  Hypothesis shapes : forallb (row_ok s) rows = true.
  Lemma row_lengths z : In z rows -> length z = columns s.
  Proof.
    intro Hz. rewrite forallb_forall in shapes. specialize (shapes z Hz).
    apply andb_true_iff in shapes as [H _]. now apply Nat.eqb_eq.
  Qed.
  (** With an offset a row's squared norm has one more: its sign's square. *)
  Lemma row_norm z : In z rows ->
    Q2R (qsq z) = Q2R (qsq (firstn (features s) z)) + (if offset s then 1 else 0).
  Proof.
    intro Hz. pose proof (row_lengths z Hz) as Hl. rewrite forallb_forall in shapes. specialize (shapes z Hz).
    apply andb_true_iff in shapes as [_ H]. unfold columns in Hl.
    destruct (offset s); simpl in H.
    - apply Qeq_bool_iff, Qeq_eqR in H. rewrite Q2R_mult, Q2R_1 in H. clear Hz.
      revert Hl H. generalize (features s). unfold qsq. induction z as [|a z IH]; intros [|n] Hl H; try discriminate.
      + destruct z; [|discriminate]. simpl in *. rewrite Q2R_qadd, Q2R_qmul, Q2R_0. lra.
      + simpl in *. injection Hl as Hl. rewrite !Q2R_qadd, !Q2R_qmul, (IH n Hl H). lra.
    - rewrite <- Hl, firstn_all. lra.
  Qed.

  Theorem mistake_bound_sound c bound radius : levels_ok s rows c = true ->
    (forall b, at_least_squared c = Some b -> margin_below_ok s rows c b = true) ->
    radius_squared c = Some radius -> radius_ok s rows radius = true -> mistake_bound_ok s rows c bound = true ->
    forall rate sequence, 0 < rate -> (forall z, In z sequence -> In z rows) ->
    INR (perceptron rate sequence (fun _ => 0)) <= Q2R bound.
  Proof.
    intros Hlev Hbelow Er Hrad Hok rate sequence Hrate Hin.
    unfold mistake_bound_ok in Hok. destruct (levels c) as [|w [|]] eqn:El; try discriminate.
    destruct (at_least_squared c) as [b|] eqn:Eb; [|discriminate]. rewrite Er in Hok.
    specialize (Hbelow b eq_refl). unfold margin_below_ok in Hbelow. rewrite El in Hbelow.
    rewrite !andb_true_iff in Hbelow. destruct Hbelow as [[[Hne _] _] Hpos].
    rewrite forallb_forall in Hpos, Hok.
    unfold levels_ok in Hlev. rewrite El, !andb_true_iff in Hlev. destruct Hlev as [[Hlong _] _].
    cbn [forallb] in Hlong. apply andb_true_iff in Hlong as [Hlong _]. apply Nat.leb_le in Hlong.
    destruct (least (fun z => dot z (real w))) as (z & Hz & Hmin); [intro E; rewrite E in Hne; discriminate|].
    set (B := Q2R radius + (if offset s then 1 else 0)).
    assert (HB : forall q, In q rows -> Q2R (qsq q) <= B).
    { intros q Hq. rewrite (row_norm q Hq). unfold B. pose proof (radius_sound radius Hrad q Hq). lra. }
    assert (HB0 : 0 <= B) by (apply Rle_trans with (2 := HB z Hz); apply qsq_pos).
    assert (Hm0 : 0 < dot z (real w)).
    { specialize (Hpos z Hz). apply andb_true_iff in Hpos as [Hv _]. rewrite dot_real. now apply qpos_true. }
    pose proof (perceptron_bound w (dot z (real w)) B rate Hlong row_lengths Hmin HB Hrate Hm0 HB0 sequence Hin) as H.
    specialize (Hok z Hz). apply qle_true in Hok. rewrite !Q2R_qmul in Hok. rewrite <- dot_real in Hok.
    assert (EB : Q2R (if offset s then qadd radius 1 else radius) = B).
    { unfold B. destruct (offset s); [rewrite Q2R_qadd, Q2R_1|]; lra. }
    rewrite EB in Hok.
    apply Rmult_le_reg_r with (dot z (real w) * dot z (real w)); [now apply Rmult_lt_0_compat|].
    now apply Rle_trans with (1 := H).
  Qed.

  (** *** The mistakes of given weights *)
  Lemma numbered (f : vec -> bool) (l : list vec) : exists ns, NoDup ns /\ length ns = length (filter f l) /\
    forall i, In i ns <-> exists z, nth_error l i = Some z /\ f z = true.
  Proof.
    induction l as [|z l (ns & H1 & H2 & H3)]; simpl.
    - exists []. repeat split; [constructor|intros []|]. intros (z & E & _). destruct i; discriminate.
    - assert (Hn : NoDup (map S ns)).
      { apply Injective_map_NoDup; [|assumption]. intros a b E. now injection E. }
      destruct (f z) eqn:F.
      + exists (0%nat :: map S ns). split; [|split].
        * constructor; [|assumption]. intro Hc. apply in_map_iff in Hc as (k & E & _). discriminate.
        * simpl. now rewrite map_length, H2.
        * intro i. split.
          -- intros [<-|Hi]; [exists z; auto|]. apply in_map_iff in Hi as (k & <- & Hk). now apply H3.
          -- intros (q & E & Fq). destruct i as [|i]; [now left|right]. apply in_map, H3. eauto.
      + exists (map S ns). split; [assumption|]. split; [now rewrite map_length|]. intro i. split.
        * intro Hi. apply in_map_iff in Hi as (k & <- & Hk). now apply H3.
        * intros (q & E & Fq). destruct i as [|i]; [simpl in E; injection E as <-; congruence|].
          apply in_map, H3. eauto.
  Qed.
  Theorem at_most_sound c most : at_most_ok rows c most = true -> mistakes_exactly rows (real (weights c)) most.
  Proof.
    unfold at_most_ok, count. intro H. apply Z.eqb_eq in H.
    destruct (numbered (fun z => negb (qpos (qdot z (weights c)))) rows) as (ns & H1 & H2 & H3).
    exists ns. split; [assumption|]. split; [now rewrite H2|]. intro i. rewrite H3.
    split; intros (z & E & Hz); exists z; (split; [assumption|]).
    - rewrite dot_real. apply qpos_false. now apply negb_true_iff.
    - rewrite dot_real in Hz. apply negb_true_iff. destruct (qpos (qdot z (weights c))) eqn:P; [|reflexivity].
      apply qpos_true in P. lra.
  Qed.
End Margin.
