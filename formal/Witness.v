(** Witnesses: weighted sums of rows that are known by their numbers. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Checker Statements.
Import ListNotations.
Open Scope R_scope.

Section Rows.
  Variable s : shape.
  Variable rows : list vec.
  Variable row : nat -> option vec.
  Hypothesis known : forall i z, row i = Some z -> nth_error rows i = Some z.

  (** Σ α_i·(z_i·w) *)
  Fixpoint weighted (al : alphas) (w : nat -> R) : R :=
    match al with
    | [] => 0
    | (i, a) :: rest => Q2R a * match row i with Some z => dot z w | None => 0 end + weighted rest w
    end.

  Lemma total_dot al : forall t, total row al = Some t -> forall w, dot t w = weighted al w.
  Proof.
    induction al as [|[i a] al IH]; simpl; intros t H w.
    - now injection H as <-.
    - destruct (row i) as [z|]; [|discriminate]. destruct (total row al) as [t'|]; [|discriminate].
      injection H as <-. rewrite dot_axpy, (IH _ eq_refl). reflexivity.
  Qed.
  Lemma total_known al : forall t, total row al = Some t -> forall i, In i (map fst al) -> exists z, row i = Some z.
  Proof.
    induction al as [|[k a] al IH]; simpl; intros t H i Hi; [destruct Hi|].
    destruct (row k) as [z|] eqn:E; [|discriminate]. destruct (total row al) as [t'|]; [|discriminate].
    destruct Hi as [<-|Hi]; eauto.
  Qed.

  Lemma alphas_positive al : alphas_ok s al = true -> forall i a, In (i, a) al -> 0 < Q2R a.
  Proof.
    unfold alphas_ok. intros H i a Hin. apply andb_true_iff in H as [_ H].
    rewrite forallb_forall in H. specialize (H _ Hin). apply andb_true_iff in H as [_ H]. now apply qpos_true.
  Qed.

  Lemma weighted_nonneg al w : (forall i a, In (i, a) al -> 0 < Q2R a) ->
    (forall i z, In i (map fst al) -> row i = Some z -> 0 <= dot z w) -> 0 <= weighted al w.
  Proof.
    induction al as [|[i a] al IH]; simpl; intros Ha Hz; [lra|].
    assert (0 <= weighted al w) by (apply IH; eauto).
    assert (0 < Q2R a) by eauto. destruct (row i) as [z|] eqn:E; [|lra].
    assert (0 <= dot z w) by eauto. nra.
  Qed.
  Lemma weighted_zero al w : (forall i a, In (i, a) al -> 0 < Q2R a) ->
    (forall i z, In i (map fst al) -> row i = Some z -> 0 <= dot z w) -> weighted al w = 0 ->
    forall i z, In i (map fst al) -> row i = Some z -> dot z w = 0.
  Proof.
    induction al as [|[k a] al IH]; simpl; intros Ha Hz E i z Hi Hr; [destruct Hi|].
    assert (Hrest : 0 <= weighted al w) by (apply weighted_nonneg; eauto).
    assert (Hk : 0 < Q2R a) by eauto.
    assert (Hfirst : 0 <= match row k with Some z => dot z w | None => 0 end).
    { destruct (row k) as [q|] eqn:F; [eauto|lra]. }
    destruct Hi as [<-|Hi].
    - rewrite Hr in *. nra.
    - apply (IH ltac:(eauto) ltac:(eauto)) with (i := i); [nra|assumption|assumption].
  Qed.
  Lemma weighted_positive al w : al <> [] -> (forall i a, In (i, a) al -> 0 < Q2R a) ->
    (forall i, In i (map fst al) -> exists z, row i = Some z) ->
    (forall i z, In i (map fst al) -> row i = Some z -> 0 < dot z w) -> 0 < weighted al w.
  Proof.
    destruct al as [|[i a] al]; [congruence|]. simpl. intros _ Ha Hk Hz.
    destruct (Hk i (or_introl eq_refl)) as [z E]. rewrite E.
    assert (0 < Q2R a) by eauto. assert (0 < dot z w) by eauto.
    assert (0 <= weighted al w). { apply weighted_nonneg; [eauto|]. intros. apply Rlt_le. eauto. }
    nra.
  Qed.

  (** A sum that is 0: a direction is 0 on its rows, and no w is above 0 on all of them. *)
  Section Balanced.
    Variable al : alphas.
    Hypothesis ok : balanced s row al = true.

    Lemma balanced_sum : (forall w, weighted al w = 0) /\ (forall i a, In (i, a) al -> 0 < Q2R a) /\
                         (forall i, In i (map fst al) -> exists z, row i = Some z).
    Proof.
      unfold balanced in ok. apply andb_true_iff in ok as [H1 H2].
      destruct (total row al) as [t|] eqn:E; [|discriminate]. repeat split.
      - intro w. rewrite <- (total_dot _ _ E). now apply zero_dot.
      - now apply alphas_positive.
      - now apply (total_known al t).
    Qed.
    Lemma direction_zero w : direction rows w ->
      forall i z, In i (map fst al) -> row i = Some z -> dot z w = 0.
    Proof.
      intro D. destruct balanced_sum as (H1 & H2 & H3). apply weighted_zero; [assumption| |apply H1].
      intros i z _ E. apply D. apply nth_error_In with i. now apply known.
    Qed.
    Lemma one_is_wrong w : al <> [] -> exists i z, In i (map fst al) /\ row i = Some z /\ dot z w <= 0.
    Proof.
      intro Hne. destruct balanced_sum as (H1 & H2 & H3).
      assert (D : forall l, (forall i, In i l -> exists z, row i = Some z) ->
                (exists i z, In i l /\ row i = Some z /\ dot z w <= 0) \/
                (forall i z, In i l -> row i = Some z -> 0 < dot z w)).
      { induction l as [|k l IH]; intro Hl.
        - right. intros i z [].
        - destruct IH as [(i & z & Hi & E & Hz)|Hall].
          { intros; apply Hl; now right. } { left. exists i, z. repeat split; auto. now right. }
          destruct (Hl k (or_introl eq_refl)) as [z E]. destruct (Rle_dec (dot z w) 0) as [Hz|Hz].
          + left. exists k, z. repeat split; auto. now left.
          + right. intros i q [<-|Hi] Eq; [|eauto]. rewrite E in Eq. injection Eq as <-. lra. }
      destruct (D (map fst al) H3) as [|Hall]; [assumption|].
      pose proof (weighted_positive al w Hne H2 H3 Hall). specialize (H1 w). lra.
    Qed.
    Theorem not_separable : al <> [] -> ~ separable rows.
    Proof.
      intros Hne [w Hw]. destruct (one_is_wrong w Hne) as (i & z & _ & E & Hz).
      apply known, nth_error_In in E. specialize (Hw z E). lra.
    Qed.
  End Balanced.

  (** ** Packing: every classifier makes as many mistakes as there are witnesses *)
  Lemma mem_In j l : mem j l = true <-> In j l.
  Proof.
    unfold mem. rewrite existsb_exists. split.
    - intros (k & Hk & E). apply Nat.eqb_eq in E. now subst.
    - intro H. exists j. split; [assumption|apply Nat.eqb_refl].
  Qed.
  Lemma distinct_NoDup l : distinct l = true -> NoDup l.
  Proof.
    induction l as [|a l IH]; simpl; intro H; [constructor|]. apply andb_true_iff in H as [H1 H2].
    constructor; [|auto]. intro Hin. apply mem_In in Hin. now rewrite Hin in H1.
  Qed.
  Theorem packing_sound packed : packing_ok s row packed = true ->
    forall w, mistakes_at_least rows w (length packed).
  Proof.
    unfold packing_ok. intros H w. apply andb_true_iff in H as [Hall Hdis]. apply distinct_NoDup in Hdis.
    assert (E : exists l, NoDup l /\ length l = length packed /\ (forall i, In i l -> In i (concat (map (map fst) packed)))
              /\ forall i, In i l -> exists z, nth_error rows i = Some z /\ dot z w <= 0).
    { induction packed as [|al packed IH]; simpl in *.
      - exists []. repeat split; [constructor| |]; intros i [].
      - apply andb_true_iff in Hall as [Hal Hall]. apply andb_true_iff in Hal as [Hne Hal].
        assert (Hsplit : NoDup (concat (map (map fst) packed)) /\
                         forall i, In i (map fst al) -> ~ In i (concat (map (map fst) packed))).
        { clear - Hdis. induction (map fst al) as [|a l IH]; simpl in *; [split; [assumption|intros i []]|].
          inversion Hdis; subst. destruct (IH H2) as [H3 H4]. split; [assumption|].
          intros i [<-|Hi]; [|auto]. intro Hc. apply H1. apply in_or_app. now right. }
        destruct Hsplit as [Hd Hsep]. destruct (IH Hall Hd) as (l & L1 & L2 & L3 & L4).
        destruct (one_is_wrong al Hal w) as (i & z & Hi & Ei & Hz).
        { intro E. subst al. discriminate. }
        exists (i :: l). repeat split.
        + constructor; [|assumption]. intro Hin. apply (Hsep i Hi). auto.
        + simpl. now rewrite L2.
        + intros k [<-|Hk]; apply in_or_app; [now left|right; auto].
        + intros k [<-|Hk]; [|auto]. exists z. split; [now apply known|assumption]. }
    destruct E as (l & H1 & H2 & _ & H3). exists l. auto.
  Qed.

  (** ** The upper bound of the margin *)
  Lemma alpha_sum_positive al : (forall i a, In (i, a) al -> 0 < Q2R a) -> 0 <= Q2R (alpha_sum al).
  Proof.
    induction al as [|[i a] al IH]; simpl; intro H; [rewrite Q2R_0; lra|].
    rewrite Q2R_qadd. assert (0 < Q2R a) by eauto. assert (0 <= Q2R (alpha_sum al)) by eauto. simpl. lra.
  Qed.
  Lemma weighted_mean al w m : (forall i a, In (i, a) al -> 0 < Q2R a) ->
    (forall i, In i (map fst al) -> exists z, row i = Some z) ->
    (forall z, In z rows -> m <= dot z w) -> Q2R (alpha_sum al) * m <= weighted al w.
  Proof.
    intros Ha Hk Hm. induction al as [|[i a] al IH]; simpl; [rewrite Q2R_0; lra|].
    rewrite Q2R_qadd. simpl. destruct (Hk i (or_introl eq_refl)) as [z E]. rewrite E.
    assert (Hin : In z rows) by (apply nth_error_In with i; now apply known). specialize (Hm z Hin).
    assert (0 < Q2R a) by (apply (Ha i); now left).
    assert (Q2R (alpha_sum al) * m <= weighted al w).
    { apply IH; [intros; apply (Ha i0); now right|intros; apply Hk; now right]. }
    nra.
  Qed.
  Lemma margin_above_facts bound al : margin_above_ok s row bound al = true ->
    0 < Q2R (alpha_sum al) /\ al <> [] /\ (forall i a, In (i, a) al -> 0 < Q2R a) /\
    (forall i, In i (map fst al) -> exists z, row i = Some z) /\
    (forall w, weighted al w * weighted al w
               <= Q2R bound * (Q2R (alpha_sum al) * Q2R (alpha_sum al)) * sumsq (features s) w).
  Proof.
    unfold margin_above_ok. intro H. apply andb_true_iff in H as [H Ht]. apply andb_true_iff in H as [Hok Hne].
    destruct (total row al) as [t|] eqn:E; [|discriminate]. apply andb_true_iff in Ht as [Hz Hle].
    pose proof (alphas_positive al Hok) as Ha. assert (Hnil : al <> []) by (intro; subst; discriminate).
    split; [|split; [assumption|split; [assumption|split; [now apply (total_known al t)|]]]].
    - destruct al as [|[i a] al]; [congruence|]. simpl. rewrite Q2R_qadd. simpl.
      assert (0 < Q2R a) by (apply (Ha i); now left).
      assert (0 <= Q2R (alpha_sum al)) by (apply alpha_sum_positive; intros; apply (Ha i0); now right). lra.
    - intro w. rewrite <- (total_dot _ _ E), (dot_firstn _ _ _ Hz).
      apply Rle_trans with (1 := schwarz (firstn (features s) t) w (features s) ltac:(apply firstn_le_length)).
      apply Rmult_le_compat_r; [apply sumsq_pos|]. apply qle_true in Hle. now rewrite !Q2R_qmul in Hle.
  Qed.
  Theorem margin_above_sound bound al : margin_above_ok s row bound al = true ->
    forall w m, margin_at_least s rows w m -> m <= 0 \/ m * m <= Q2R bound.
  Proof.
    intros H w m [Hnorm Hm]. destruct (margin_above_facts _ _ H) as (HA & _ & Ha & Hk & Hsq).
    destruct (Rle_dec m 0) as [|Hpos]; [now left|right]. apply Rnot_le_lt in Hpos.
    set (A := Q2R (alpha_sum al)) in *. set (N := sumsq (features s) w) in *.
    assert (Hs : sqrt N * sqrt N = N) by (apply sqrt_sqrt; lra).
    assert (Hs0 : 0 < sqrt N) by now apply sqrt_lt_R0.
    pose proof (weighted_mean al w (m * sqrt N) Ha Hk Hm) as Hmean. fold A in Hmean.
    specialize (Hsq w). set (v := weighted al w) in *.
    assert (H0 : 0 < A * (m * sqrt N)) by (apply Rmult_lt_0_compat; [assumption|apply Rmult_lt_0_compat; assumption]).
    assert (H1 : (A * (m * sqrt N)) * (A * (m * sqrt N)) <= v * v) by (apply Rmult_le_compat; lra).
    assert (H2 : m * m * (A * A * N) <= Q2R bound * (A * A * N)).
    { replace (m * m * (A * A * N)) with ((A * (m * sqrt N)) * (A * (m * sqrt N))).
      - apply Rle_trans with (1 := H1). replace (Q2R bound * (A * A * N)) with (Q2R bound * (A * A) * N) by ring. exact Hsq.
      - transitivity (A * A * (m * m) * (sqrt N * sqrt N)); [ring|rewrite Hs; ring]. }
    apply Rmult_le_reg_r with (A * A * N); [|assumption].
    apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat|]; assumption.
  Qed.
  Theorem margin_zero_sound bound al : margin_above_ok s row bound al = true -> Q2R bound <= 0 -> ~ separable rows.
  Proof.
    intros H Hb [w Hw]. destruct (margin_above_facts _ _ H) as (HA & Hne & Ha & Hk & Hsq).
    assert (Hpos : 0 < weighted al w).
    { apply weighted_positive; try assumption. intros i z _ E. apply Hw, nth_error_In with i. now apply known. }
    specialize (Hsq w). pose proof (sumsq_pos (features s) w).
    assert (Q2R bound * (Q2R (alpha_sum al) * Q2R (alpha_sum al)) <= 0) by nra. nra.
  Qed.
End Rows.
