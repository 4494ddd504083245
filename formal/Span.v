(** Span: a direction is 0 on every row that satisfies the equations of the dependent columns, and it is a combination of
    the equations' vectors. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Elimination Regular Checker Statements Witness.
Import ListNotations.
Open Scope R_scope.

(** ** Sums over some columns *)
Fixpoint over (cols : list nat) (f : nat -> R) : R :=
  match cols with
  | [] => 0
  | j :: rest => f j + over rest f
  end.
Lemma over_app a b f : over (a ++ b) f = over a f + over b f.
Proof. induction a as [|j a IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma over_rev cols f : over (rev cols) f = over cols f.
Proof. induction cols as [|j cols IH]; simpl; [reflexivity|]. rewrite over_app, IH. simpl. lra. Qed.
Lemma over_filter p cols f : (forall j, In j cols -> p j = false -> f j = 0) -> over (filter p cols) f = over cols f.
Proof.
  induction cols as [|j cols IH]; simpl; intro H; [reflexivity|].
  assert (E : over (filter p cols) f = over cols f) by (apply IH; intros; apply H; auto).
  destruct (p j) eqn:P; simpl; rewrite E; [reflexivity|]. rewrite (H j) by auto. lra.
Qed.
Lemma dot_over z : forall w k, dot z (fun j => w (k + j)%nat) = over (seq k (length z)) (fun j => real z (j - k) * w j).
Proof.
  induction z as [|a z IH]; intros w k; simpl; [reflexivity|].
  rewrite Nat.sub_diag, Nat.add_0_r. unfold real at 1; simpl. f_equal.
  rewrite (dot_ext z _ (fun j => w (S k + j)%nat)) by (intros j _; unfold shift; f_equal; lia).
  rewrite IH. clear IH. assert (Hge : forall j, In j (seq (S k) (length z)) -> (S k <= j)%nat).
  { intros j Hj. apply in_seq in Hj. lia. }
  induction (seq (S k) (length z)) as [|j l IHl]; simpl; [reflexivity|].
  rewrite IHl by (intros; apply Hge; now right). f_equal. f_equal. unfold real.
  assert (S k <= j)%nat by (apply Hge; now left). replace (j - k)%nat with (S (j - S k)) by lia. reflexivity.
Qed.
Lemma over_ext cols f g : (forall j, In j cols -> f j = g j) -> over cols f = over cols g.
Proof.
  induction cols as [|j cols IH]; simpl; intro H; [reflexivity|]. rewrite (H j) by auto. f_equal. apply IH. auto.
Qed.
Lemma dot_pick cols z : forall u w, (forall k, (k < length cols)%nat -> u k = w (nth k cols 0%nat)) ->
  dot (pick cols z) u = over cols (fun j => real z j * w j).
Proof.
  induction cols as [|j cols IH]; intros u w H; simpl; [reflexivity|].
  rewrite (H 0%nat) by (simpl; lia). f_equal. apply IH.
  intros k Hk. apply (H (S k)). simpl. lia.
Qed.

Section Span.
  Variable s : shape.
  Variable rows : list vec.
  Variable row : nat -> option vec.
  Hypothesis known : forall i z, row i = Some z -> nth_error rows i = Some z.
  Hypothesis lengths : forall z, In z rows -> length z = columns s.
  Variable p : span_proof.

  (** Σ_c w_c·g_c at column j, g_c the dependent columns' equations. *)
  Fixpoint combination (deps : list (nat * vec)) (w : nat -> R) (j : nat) : R :=
    match deps with
    | [] => 0
    | e :: rest => w (fst e) * real (equation e) j + combination rest w j
    end.

  Lemma real_equation e j : real (equation e) j = real (snd e) j - (if Nat.eqb (fst e) j then 1 else 0).
  Proof.
    unfold equation. rewrite real_axpy, real_unit. replace (Q2R (-1)) with (-1) by (unfold Q2R; simpl; lra). lra.
  Qed.
  Lemma combination_dot deps w z : (forall e, In e deps -> dot z (real (equation e)) = 0) ->
    dot z (combination deps w) = 0.
  Proof.
    induction deps as [|e deps IH]; intro H.
    - apply dot_zero. reflexivity.
    - rewrite (dot_ext z _ (fun j => combination deps w j + w (fst e) * real (equation e) j)) by (intros; simpl; lra).
      rewrite dot_linear, (H e) by now left. rewrite IH; [lra|]. intros; apply H; now right.
  Qed.
  (** At a dependent column only its own equation has an entry, −1. *)
  Lemma combination_absent deps w c : ~ In c (map fst deps) -> (forall e, In e deps -> real (snd e) c = 0) ->
    combination deps w c = 0.
  Proof.
    induction deps as [|e deps IH]; cbn [combination map]; intros Hc Hz; [reflexivity|].
    rewrite real_equation, (Hz e) by now left. destruct (Nat.eqb_spec (fst e) c) as [E|N].
    - exfalso. apply Hc. now left.
    - rewrite IH; [lra|intro Hin; apply Hc; now right|]. intros f Hf. apply Hz. now right.
  Qed.
  Lemma combination_dependent deps w c : NoDup (map fst deps) -> In c (map fst deps) ->
    (forall e, In e deps -> real (snd e) c = 0) -> combination deps w c = - w c.
  Proof.
    induction deps as [|e deps IH]; cbn [combination map]; intros Hd Hc Hz; [destruct Hc|].
    apply NoDup_cons_iff in Hd as [Hnot Hd].
    rewrite real_equation, (Hz e) by now left. destruct (Nat.eqb_spec (fst e) c) as [E|N].
    - rewrite <- E. rewrite combination_absent; [lra|assumption|].
      intros f Hf. rewrite E. apply Hz. now right.
    - destruct Hc as [Hc|Hc]; [contradiction|]. rewrite IH; [lra|assumption|assumption|].
      intros f Hf. apply Hz. now right.
  Qed.

  Variable al : alphas.
  Hypothesis ok : span_ok s row al p = true.

  Lemma span_facts : NoDup (dependent_columns p) /\ (forall c, In c (dependent_columns p) -> (c < columns s)%nat) /\
    (forall e, In e (dependent p) -> forall c, In c (dependent_columns p) -> real (snd e) c = 0) /\
    (forall i, In i (basis p) -> In i (map fst al)) /\
    exists zs, all_some row (basis p) = Some zs /\
               regular_matrix (prime p) (length (independent s p)) (map (pick (independent s p)) zs) = true.
  Proof.
    unfold span_ok in ok. rewrite !andb_true_iff in ok. destruct ok as [[[[[[H1 H2] H3] _] H5] _] H7].
    rewrite forallb_forall in H2, H3, H5. repeat split.
    - now apply distinct_NoDup.
    - intros c Hc. now apply Nat.ltb_lt, H2.
    - intros e He c Hc. specialize (H3 e He). apply andb_true_iff in H3 as [_ H3]. rewrite forallb_forall in H3.
      unfold real. now apply qis0_true, H3.
    - intros i Hi. now apply mem_In, H5.
    - destruct (all_some row (basis p)) as [zs|]; [|discriminate]. exists zs. auto.
  Qed.

  (** w that is 0 on the basis rows, which satisfy the equations, is −Σ_c w_c·g_c. *)
  Theorem is_combination w :
    (forall i z, In i (basis p) -> row i = Some z -> dot z w = 0) ->
    (forall i z, In i (basis p) -> row i = Some z -> forall e, In e (dependent p) -> dot z (real (equation e)) = 0) ->
    forall j, (j < columns s)%nat -> w j = - combination (dependent p) w j.
  Proof.
    intros Hw Heq j Hj. destruct span_facts as (F1 & F2 & F3 & F4 & zs & F5 & F6).
    set (w' := fun j => w j + combination (dependent p) w j).
    assert (Hdep : forall c, In c (dependent_columns p) -> w' c = 0).
    { intros c Hc. unfold w'. rewrite (combination_dependent _ w c F1 Hc); [lra|]. intros e He. now apply F3. }
    set (ind := independent s p) in *.
    assert (Hreg : forall k, (k < length ind)%nat -> w' (nth k ind 0%nat) = 0).
    { apply (regular_reals (prime p) (length ind) _ F6 (fun k => w' (nth k ind 0%nat))).
      intros r Hr. apply in_map_iff in Hr as (z & <- & Hz).
      destruct (all_some_in _ _ _ F5 _ Hz) as (i & Hi & Ei).
      rewrite (dot_pick ind z _ w') by reflexivity.
      assert (Hin : In z rows) by (apply nth_error_In with i; now apply known).
      unfold ind, independent. rewrite over_filter.
      - rewrite over_rev, <- (lengths z Hin).
        rewrite (over_ext _ _ (fun j => real z (j - 0) * w' j)) by (intros; now rewrite Nat.sub_0_r).
        rewrite <- (dot_over z w' 0). unfold w'.
        rewrite (dot_ext z _ (fun j => w j + 1 * combination (dependent p) w j)) by (intros; simpl; lra).
        rewrite dot_linear, (Hw i z Hi Ei), combination_dot; [lra|]. intros e He. now apply (Heq i z).
      - intros c _ Hc. apply negb_false_iff, mem_In in Hc. rewrite (Hdep c Hc). lra. }
    enough (w' j = 0) by (unfold w' in *; lra).
    destruct (mem j (dependent_columns p)) eqn:M.
    - apply Hdep. now apply mem_In.
    - assert (Hin : In j ind).
      { unfold ind, independent. apply filter_In. split; [apply in_rev; rewrite rev_involutive; apply in_seq; lia|].
        now rewrite M. }
      apply In_nth with (d := 0%nat) in Hin as (k & Hk & <-). now apply Hreg.
  Qed.
End Span.
