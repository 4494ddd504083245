(** The checker is sound: whatever it accepts is so. *)
From Coq Require Import List Arith Bool Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Checker Statements Levels Witness Span Margin Coefficients.
Import ListNotations.
Open Scope R_scope.

(** Everything that an accepted certificate says, part by part. *)
Record proven (s : shape) (rows : list vec) (c : certificate) : Prop := {
  the_claim_holds : holds rows (the_claim c);
  (** Some w is ≥ 0 on all rows, and 0 on no more of them than [left_at_zero]. *)
  levels_hold : levels c <> [] -> exists W : vec, direction rows (real W) /\
                  Z.of_nat (length (filter (fun z => qis0 (qdot z W)) rows)) = left_at_zero c;
  witness_holds : witness c <> [] -> ~ separable rows;
  (** No other w separates more. *)
  span_holds : span c <> None -> exists W : vec, separates_all_it_can rows (real W) /\
                  (levels c <> [] -> Z.of_nat (length (filter (fun z => qis0 (qdot z W)) rows)) = left_at_zero c);
  margin_below_holds : forall b, at_least_squared c = Some b ->
                  exists w m, 0 < m /\ Q2R b <= m * m /\ margin_at_least s rows w m;
  margin_above_holds : forall b, at_most_squared c = Some b ->
                  (forall w m, margin_at_least s rows w m -> m <= 0 \/ m * m <= Q2R b) /\
                  (Q2R b <= 0 -> ~ separable rows);
  radius_holds : forall b, radius_squared c = Some b ->
                  forall z, In z rows -> Q2R (qsq (firstn (features s) z)) <= Q2R b;
  mistake_bound_holds : forall b, mistake_bound c = Some b -> forall rate sequence, 0 < rate ->
                  (forall z, In z sequence -> In z rows) -> INR (perceptron rate sequence (fun _ => 0)) <= Q2R b;
  at_least_holds : forall w, mistakes_at_least rows w (Z.to_nat (at_least c));
  at_most_holds : forall k, at_most c = Some k -> exists w, mistakes_exactly rows w k;
  plus_infinity_holds : forall j al, In (j, al) (plus_infinity c) ->
                  forall w, separates_all_it_can rows w -> 0 < w j;
  minus_infinity_holds : forall j al, In (j, al) (minus_infinity c) ->
                  forall w, separates_all_it_can rows w -> w j < 0;
  finite_holds : forall j, In j (finite c) -> forall w, direction rows w -> w j = 0;
  undetermined_holds : forall j, In j (undetermined c) ->
                  (exists w, separates_all_it_can rows w /\ 0 < w j) /\
                  (exists w, separates_all_it_can rows w /\ w j < 0)
}.

Lemma is_nil_true {A} (l : list A) : is_nil l = true -> l = [].
Proof. now destruct l. Qed.
Lemma is_nil_false {A} (l : list A) : negb (is_nil l) = true -> l <> [].
Proof. now destruct l. Qed.
Lemma filter_short {A} (f : A -> bool) l : (length (filter f l) < length l)%nat -> exists x, In x l /\ f x = false.
Proof.
  induction l as [|a l IH]; simpl; intro H; [lia|]. destruct (f a) eqn:E.
  - simpl in H. destruct IH as (x & Hx & Ex); [lia|]. exists x. auto.
  - exists a. auto.
Qed.

Section Accepted.
  Variable s : shape.
  Variable rows : list vec.
  Variable c : certificate.
  Variable row : nat -> option vec.
  Hypothesis known : forall i z, row i = Some z -> nth_error rows i = Some z.
  Hypothesis data : data_ok s rows c = true.
  Hypothesis named : named_ok s row c = true.
  Hypothesis claimed : claim_ok s c = true.

  Lemma data_facts : length rows = row_count s /\ forallb (row_ok s) rows = true /\ levels_ok s rows c = true /\
    equations_ok rows c = true /\
    (forall b, at_least_squared c = Some b -> margin_below_ok s rows c b = true) /\
    (forall b, radius_squared c = Some b -> radius_ok s rows b = true) /\
    (forall b, mistake_bound c = Some b -> mistake_bound_ok s rows c b = true) /\
    (forall k, at_most c = Some k -> at_most_ok rows c k = true) /\ coefficients_ok s rows c = true.
  Proof.
    unfold data_ok in data. rewrite !andb_true_iff in data.
    destruct data as [[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9].
    repeat (split; [first [assumption|now apply Nat.eqb_eq|now (intros b E; rewrite E in *)]|]). assumption.
  Qed.
  Lemma named_facts : balanced s row (witness c) = true /\
    (forall p, span c = Some p -> span_ok s row (witness c) p = true) /\
    (forall b, at_most_squared c = Some b -> margin_above_ok s row b (alpha c) = true) /\
    packing_ok s row (packing c) = true /\ at_least c = Z.of_nat (length (packing c)).
  Proof.
    unfold named_ok in named. rewrite !andb_true_iff in named. destruct named as [[[[[H1 H2] H3] H4] H5] H6].
    repeat (split; [first [assumption|now (intros b E; rewrite E in *)]|]). now apply Z.eqb_eq.
  Qed.
  Lemma lengths z : In z rows -> length z = columns s.
  Proof. apply row_lengths. apply data_facts. Qed.

  (** The levels as one vector. *)
  Lemma sides z : In z rows -> side (levels c) z <> Lt.
  Proof.
    intro Hz. destruct data_facts as (_ & _ & H & _). unfold levels_ok in H. rewrite !andb_true_iff in H.
    destruct H as [[_ H] _]. rewrite forallb_forall in H. specialize (H z Hz). now destruct (side (levels c) z).
  Qed.
  Variable W : vec.
  Hypothesis HW : forall z, In z rows -> (side (levels c) z = Gt -> 0 < dot z (real W)) /\
                                         (side (levels c) z = Eq -> dot z (real W) = 0).
  Lemma W_direction : direction rows (real W).
  Proof.
    intros z Hz. destruct (HW z Hz) as [H1 H2]. pose proof (sides z Hz) as H3.
    destruct (side (levels c) z); [right; symmetry; auto|congruence|left; auto].
  Qed.
  Lemma W_left z : In z rows -> left_out (levels c) z = qis0 (qdot z W).
  Proof.
    intro Hz. destruct (HW z Hz) as [H1 H2]. pose proof (sides z Hz) as H3. unfold left_out.
    rewrite dot_real in *. destruct (qis0 (qdot z W)) eqn:E; destruct (side (levels c) z); try reflexivity; try congruence.
    - specialize (H1 eq_refl). apply qis0_true in E. lra.
    - apply qis0_false in E. exfalso. apply E. now apply H2.
  Qed.
  Lemma W_count : levels c <> [] -> Z.of_nat (length (filter (fun z => qis0 (qdot z W)) rows)) = left_at_zero c.
  Proof.
    intro Hne. destruct data_facts as (_ & _ & H & _). unfold levels_ok in H. rewrite !andb_true_iff in H.
    destruct H as [_ H]. assert (En : is_nil (levels c) = false) by (clear - Hne; now destruct (levels c)).
    rewrite En in H. simpl in H. apply Z.eqb_eq in H.
    rewrite <- H. unfold count. f_equal. f_equal. symmetry. apply filter_ext_in. intros z Hz. now apply W_left.
  Qed.
  Lemma W_positive z : In z rows -> left_out (levels c) z = false -> 0 < dot z (real W).
  Proof.
    intros Hz H. pose proof (sides z Hz). destruct (HW z Hz) as [H1 _]. unfold left_out in H.
    destruct (side (levels c) z); [discriminate|congruence|auto].
  Qed.

  (** The witness's rows are left at zero, so the basis rows satisfy the equations. *)
  Lemma witness_left i z : In i (map fst (witness c)) -> row i = Some z -> left_out (levels c) z = true.
  Proof.
    intros Hi E. assert (Hz : In z rows) by (apply nth_error_In with i; now apply known).
    destruct (left_out (levels c) z) eqn:L; [reflexivity|exfalso].
    pose proof (W_positive z Hz L) as P. destruct named_facts as (B & _).
    pose proof (direction_zero s rows row known (witness c) B (real W) W_direction i z Hi E). lra.
  Qed.
  Section Spanned.
    Variable p : span_proof.
    Hypothesis Ep : span c = Some p.

    Lemma equations_hold z : In z rows -> left_out (levels c) z = true ->
      forall e, In e (dependent p) -> dot z (real (equation e)) = 0.
    Proof.
      intros Hz L e He. destruct data_facts as (_ & _ & _ & H & _). unfold equations_ok in H.
      rewrite forallb_forall in H. specialize (H z Hz). rewrite L in H. simpl in H. rewrite forallb_forall in H.
      rewrite dot_real. apply qis0_true, H. unfold equations. rewrite Ep. now apply in_map.
    Qed.
    Lemma direction_combination w : direction rows w ->
      forall j, (j < columns s)%nat -> w j = - combination (dependent p) w j.
    Proof.
      intro D. destruct named_facts as (B & S & _). specialize (S p Ep).
      assert (Hbasis : forall i, In i (basis p) -> In i (map fst (witness c))).
      { now destruct (span_facts s row p (witness c) S) as (_ & _ & _ & H & _). }
      apply (is_combination s rows row known lengths p (witness c) S).
      - intros i z Hi E. now apply (direction_zero s rows row known (witness c) B w D i z (Hbasis i Hi)).
      - intros i z Hi E. apply equations_hold.
        + apply nth_error_In with i. now apply known.
        + apply (witness_left i z); auto.
    Qed.
    Lemma direction_left w z : direction rows w -> In z rows -> left_out (levels c) z = true -> dot z w = 0.
    Proof.
      intros D Hz L.
      rewrite (dot_ext z w (fun j => 0 + (-1) * combination (dependent p) w j)).
      - rewrite (dot_linear z (fun _ => 0)), dot_zero by reflexivity.
        rewrite combination_dot; [lra|]. now apply equations_hold.
      - intros j Hj. rewrite (direction_combination w D) at 1; [lra|]. now rewrite <- (lengths z Hz).
    Qed.
    Lemma spanned_best : separates_all_it_can rows (real W).
    Proof.
      split; [apply W_direction|]. intros v D z Hz P. apply W_positive; [assumption|].
      destruct (left_out (levels c) z) eqn:L; [|reflexivity]. rewrite (direction_left v z D Hz L) in P. lra.
    Qed.
  End Spanned.

  Lemma separable_all : the_claim c = Separable -> forall z, In z rows -> 0 < dot z (real W).
  Proof.
    intros E z Hz. unfold claim_ok in claimed. rewrite E in claimed. apply andb_true_iff in claimed as [Hne H0].
    apply is_nil_false in Hne. apply Z.eqb_eq in H0. pose proof (W_count Hne) as Hc. rewrite H0 in Hc.
    apply W_positive; [assumption|]. rewrite (W_left z Hz). destruct (qis0 (qdot z W)) eqn:Q; [exfalso|reflexivity].
    assert (Hin : In z (filter (fun z => qis0 (qdot z W)) rows)) by (apply filter_In; auto).
    destruct (filter (fun z => qis0 (qdot z W)) rows); [destruct Hin|simpl in Hc; lia].
  Qed.
  Theorem claim_sound : holds rows (the_claim c).
  Proof.
    destruct named_facts as (B & S & _). destruct data_facts as (Hlen & _).
    pose proof claimed as Hc. unfold claim_ok in Hc. unfold holds. destruct (the_claim c) eqn:E.
    - exists (real W). now apply separable_all.
    - rewrite !andb_true_iff in Hc. destruct Hc as [[Hne Hlt] Hw]. apply is_nil_false in Hne, Hw.
      apply Z.ltb_lt in Hlt. split; [now apply (not_separable s rows row known (witness c) B)|].
      exists (real W). split; [apply W_direction|]. pose proof (W_count Hne) as Hcount.
      destruct (filter_short (fun z => qis0 (qdot z W)) rows) as (z & Hz & Ez); [lia|].
      exists z. split; [assumption|]. apply W_positive; [assumption|]. now rewrite (W_left z Hz).
    - rewrite !andb_true_iff in Hc. destruct Hc as [[Hnil _] Hspan]. apply is_nil_true in Hnil.
      destruct (span c) as [p|] eqn:Ep; [|discriminate]. intros (w & D & z & Hz & P).
      rewrite (direction_left p Ep w z D Hz) in P; [lra|]. now rewrite Hnil.
    - exact I.
  Qed.

  (** ** Coefficients *)
  Lemma mixed_ext j : forall gens f h, (forall i, f i = h i) -> mixed gens f j = mixed gens h j.
  Proof.
    induction gens as [|g gens IH]; intros f h E; cbn [mixed]; [reflexivity|].
    rewrite E. f_equal. apply IH. intro i. unfold shift. apply E.
  Qed.
  Lemma mixed_units w j : forall n a, mixed (map unit_vec (seq a n)) (fun i => w (a + i)%nat) j
                                      = if (a <=? j)%nat && (j <? a + n)%nat then w j else 0.
  Proof.
    induction n as [|n IH]; intro a; cbn [seq map mixed].
    - destruct (Nat.leb_spec a j), (Nat.ltb_spec j (a + 0)); simpl; try reflexivity; lia.
    - rewrite real_unit, Nat.add_0_r.
      assert (E : mixed (map unit_vec (seq (S a) n)) (shift (fun i => w (a + i)%nat)) j
                  = mixed (map unit_vec (seq (S a) n)) (fun i => w (S a + i)%nat) j).
      { apply mixed_ext. intro i. unfold shift. f_equal. lia. }
      rewrite E, IH. destruct (Nat.eqb_spec a j) as [<-|N].
      + destruct (Nat.leb_spec (S a) a), (Nat.leb_spec a a), (Nat.ltb_spec a (a + S n)); simpl; try lia. lra.
      + destruct (Nat.leb_spec (S a) j), (Nat.leb_spec a j), (Nat.ltb_spec j (S a + n)), (Nat.ltb_spec j (a + S n));
          simpl; try lia; lra.
  Qed.
  Lemma mixed_equations deps w j :
    mixed (map equation deps) (fun i => - w (fst (nth i deps (0%nat, [])))) j = - combination deps w j.
  Proof.
    induction deps as [|e deps IH]; cbn [map mixed combination]; [lra|].
    change (shift (fun i => - w (fst (nth i (e :: deps) (0%nat, [])))))
      with (fun i => - w (fst (nth i deps (0%nat, [])))).
    rewrite IH. cbn [nth]. lra.
  Qed.

  Section Infinities.
    Hypothesis some : no_coefficients c = false.

    Lemma coefficient_facts : (the_claim c = Separable \/ the_claim c = QuasiSeparable /\ exists p, span c = Some p) /\
      (forall e, In e (plus_infinity c) -> infinite_ok s rows c 1 e = true) /\
      (forall e, In e (minus_infinity c) -> infinite_ok s rows c (-1) e = true) /\
      (forall j, In j (finite c) -> finite_ok s c j = true) /\
      forallb (is_direction rows) (all_directions c) = true /\
      (forall j, In j (undetermined c) -> undetermined_ok s c j = true).
    Proof.
      destruct data_facts as (_ & _ & _ & _ & _ & _ & _ & _ & H). unfold coefficients_ok in H. rewrite some in H.
      simpl in H. rewrite !andb_true_iff in H. destruct H as [[[[[[[H1 H2] H3] H4] _] H6] H7] _].
      rewrite forallb_forall in H2, H3, H4, H7. repeat (split; [|try (split; assumption); try assumption]); auto.
      destruct (the_claim c); try discriminate; [now left|right]. split; [reflexivity|].
      destruct (span c) as [p|]; [eauto|discriminate].
    Qed.
    Lemma all_generated : generated s rows c.
    Proof.
      intros w D. destruct coefficient_facts as ([E|[E (p & Ep)]] & _); unfold generators; rewrite E.
      - exists (fun i => w (0 + i)%nat). intros j Hj. rewrite mixed_units.
        destruct (Nat.leb_spec 0 j), (Nat.ltb_spec j (0 + columns s)); simpl; try reflexivity; lia.
      - unfold equations. rewrite Ep. exists (fun i => - w (fst (nth i (dependent p) (0%nat, [])))). intros j Hj.
        rewrite mixed_equations. now apply direction_combination.
    Qed.
    Lemma best : separates_all_it_can rows (real W).
    Proof.
      destruct coefficient_facts as ([E|[_ (p & Ep)]] & _); [|now apply spanned_best with p].
      split; [apply W_direction|]. intros v _ z Hz _. now apply separable_all.
    Qed.
    Lemma infinite_holds sign j al : infinite_ok s rows c sign (j, al) = true ->
      forall w, separates_all_it_can rows w -> 0 < Q2R sign * w j.
    Proof.
      intros H w [D Hall].
      destruct (infinite_sound s rows c all_generated lengths sign j al H) as [Hsep Hpos].
      apply Hpos; [assumption|]. intros i z Hi E. destruct (Hsep i Hi) as (q & Eq & Hq).
      rewrite E in Eq. injection Eq as <-. assert (Hz : In z rows) by now apply nth_error_In with i.
      apply (Hall (real W) W_direction z Hz). destruct (HW z Hz) as [HG _]. apply HG.
      unfold separated in Hq. now destruct (side (levels c) z).
    Qed.
  End Infinities.

  Lemma coefficients_there {A} (l : list A) (x : A) : In x l -> (no_coefficients c = true -> l = []) ->
    no_coefficients c = false.
  Proof. intros Hin H. destruct (no_coefficients c); [rewrite H in Hin by reflexivity; destruct Hin|reflexivity]. Qed.
  Lemma no_coefficients_nil : no_coefficients c = true -> plus_infinity c = [] /\ minus_infinity c = [] /\
    finite c = [] /\ undetermined c = [].
  Proof.
    unfold no_coefficients. rewrite !andb_true_iff. intros [[[[[H1 H2] H3] H4] _] _].
    repeat split; now apply is_nil_true.
  Qed.

  Theorem accepted_is_proven : proven s rows c.
  Proof.
    destruct named_facts as (B & S & M & P & L).
    destruct data_facts as (Hlen & Hrows & Hlev & Heq & Hbelow & Hrad & Hmis & Hmost & Hco).
    constructor.
    - apply claim_sound.
    - intro Hne. exists W. split; [apply W_direction|now apply W_count].
    - intro Hne. now apply (not_separable s rows row known (witness c) B).
    - intro Hs. destruct (span c) as [p|] eqn:Ep; [|congruence]. exists W.
      split; [now apply (spanned_best p)|apply W_count].
    - intros b E. destruct (margin_below_sound s rows c b (Hbelow b E)) as (w & m & _ & H1 & H2 & H3).
      exists (real w), m. auto.
    - intros b E. split.
      + exact (margin_above_sound s rows row known b (alpha c) (M b E)).
      + exact (margin_zero_sound s rows row known b (alpha c) (M b E)).
    - intros b E. exact (radius_sound s rows b (Hrad b E)).
    - intros b E. pose proof (Hmis b E) as Hb.
      assert (Er : exists r, radius_squared c = Some r).
      { unfold mistake_bound_ok in Hb. destruct (levels c) as [|w [|]]; try discriminate.
        destruct (at_least_squared c); [|discriminate]. destruct (radius_squared c); [eauto|discriminate]. }
      destruct Er as [r Er].
      exact (mistake_bound_sound s rows Hrows c b r Hlev Hbelow Er (Hrad r Er) Hb).
    - rewrite L, Nat2Z.id. now apply (packing_sound s rows row known (packing c)).
    - intros k E. exists (real (weights c)). now apply at_most_sound, Hmost.
    - intros j al Hin w Hw.
      assert (some : no_coefficients c = false) by (apply (coefficients_there _ _ Hin); apply no_coefficients_nil).
      destruct (coefficient_facts some) as (_ & H & _).
      pose proof (infinite_holds some 1 j al (H _ Hin) w Hw) as R. rewrite Q2R_1 in R. lra.
    - intros j al Hin w Hw.
      assert (some : no_coefficients c = false) by (apply (coefficients_there _ _ Hin); apply no_coefficients_nil).
      destruct (coefficient_facts some) as (_ & _ & H & _).
      pose proof (infinite_holds some (-1) j al (H _ Hin) w Hw) as R.
      replace (Q2R (-1)) with (-1) in R by (unfold Q2R; simpl; lra). lra.
    - intros j Hin.
      assert (some : no_coefficients c = false) by (apply (coefficients_there _ _ Hin); apply no_coefficients_nil).
      destruct (coefficient_facts some) as (_ & _ & _ & H & _).
      exact (finite_sound s rows c (all_generated some) j (H j Hin)).
    - intros j Hin.
      assert (some : no_coefficients c = false) by (apply (coefficients_there _ _ Hin); apply no_coefficients_nil).
      destruct (coefficient_facts some) as (_ & _ & _ & _ & Hd & H).
      exact (undetermined_sound s rows c W (best some) j Hd (H j Hin)).
  Qed.
End Accepted.

(** With the data set. *)
Theorem check_sound s rows c : check s rows c = true -> proven s rows c.
Proof.
  unfold check. rewrite !andb_true_iff. intros [[H1 H2] H3].
  destruct (one_weight_vector (levels c) rows (sides s rows c H1)) as [W HW].
  exact (accepted_is_proven s rows c (nth_error rows) (fun i z E => E) H1 H2 H3 W HW).
Qed.

(** Without it: of every data set that has the carried rows. *)
Theorem check_carried_sound s carried c : check_carried s carried c = true ->
  forall rows, length rows = row_count s -> forallb (row_ok s) rows = true ->
  (forall i z, find_carried carried i = Some z -> nth_error rows i = Some z) -> proven s rows c.
Proof.
  unfold check_carried, needs_data. rewrite negb_involutive, !andb_true_iff.
  intros [[[[[[[[H1 H2] H3] H4] H5] H6] H7] Hn] Hc] rows Hlen Hrows Hk.
  apply is_nil_true in H1, H2.
  assert (D : data_ok s rows c = true).
  { unfold data_ok, levels_ok, equations_ok, coefficients_ok.
    destruct (at_least_squared c); [discriminate|]. destruct (radius_squared c); [discriminate|].
    destruct (mistake_bound c); [discriminate|]. destruct (at_most c); [discriminate|].
    rewrite H1, H2, H7, Hlen, Hrows, Nat.eqb_refl. simpl. rewrite !andb_true_r, andb_true_iff. split.
    - apply forallb_forall. reflexivity.
    - apply forallb_forall. reflexivity. }
  destruct (one_weight_vector (levels c) rows (sides s rows c D)) as [W HW].
  exact (accepted_is_proven s rows c (find_carried carried) Hk D Hn Hc W HW).
Qed.
