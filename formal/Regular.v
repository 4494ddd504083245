(** A matrix of rationals whose elimination modulo p finds a pivot in every column takes no real vector but 0 to 0.

    Every entry of an integer vector that it takes to 0 is divisible by some d > 1, so by descent the vector is 0; with it
    every rational one; and a rational matrix that takes no rational vector but 0 to 0 takes no real one. *)
From Coq Require Import List Arith Lia ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Elimination.
Import ListNotations.
Open Scope Z_scope.

(** ** Integers, by descent *)

(** Σ r_j·u_j of rationals and integers, in the field of rationals. *)
Fixpoint mixdot (r : vec) (u : list Z) : Q :=
  match r, u with
  | a :: r', b :: u' => (a * inject_Z b + mixdot r' u')%Q
  | _, _ => 0%Q
  end.

Lemma residue_spec p a x : residue p a = Some x -> 1 < p ->
  exists num den inv, a == (num # den) /\ (p | Zpos den * inv - 1) /\ (p | Zpos den * x - num).
Proof.
  unfold residue. intros H Hp. destruct (inverse p (Zpos (Qden (Qred a)))) as [i|] eqn:E; [|discriminate].
  injection H as <-. apply inverse_spec in E; [|assumption].
  exists (Qnum (Qred a)), (Qden (Qred a)), i. repeat split.
  - destruct (Qred a) eqn:F. simpl. rewrite <- F. symmetry. apply Qred_correct.
  - assumption.
  - destruct E as [k Hk]. set (b := Zpos (Qden (Qred a))) in *. set (n := Qnum (Qred a)) in *.
    pose proof (Z.div_mod (n * i) p ltac:(lia)) as Hm.
    exists (k * n - b * (n * i / p)).
    replace ((n * i) mod p) with (n * i - p * (n * i / p)) by lia.
    replace (b * (n * i - p * (n * i / p)) - n) with ((b * i - 1) * n - b * p * (n * i / p)) by ring.
    rewrite Hk. ring.
Qed.

(* Two hundred steps of Euclid's algorithm with letters for numbers are not to be unfolded. *)
Global Opaque euclid inverse residue.

Lemma step_product p B I den inv k1 k4 : B * I - 1 = k1 * p -> den * inv - 1 = k4 * p -> (p | den * B * (inv * I) - 1).
Proof.
  intros H1 H4. exists (k4 * (B * I) + k1).
  replace (den * B * (inv * I)) with ((den * inv) * (B * I)) by ring.
  replace (den * inv) with (1 + k4 * p) by lia. replace (B * I) with (1 + k1 * p) by lia. ring.
Qed.
Lemma step_sum p B S Z' den num x y k3 k5 : S - B * Z' = k3 * p -> den * y - num = k5 * p ->
  (p | num * x * B + S * den - den * B * (y * x + Z')).
Proof.
  intros H3 H5. exists (den * k3 - k5 * x * B).
  replace S with (B * Z' + k3 * p) by lia. replace num with (den * y - k5 * p) by lia. ring.
Qed.
Lemma step_value (num x S : Z) (den B : positive) :
  ((num # den) * inject_Z x + (S # B) == (num * x * Zpos B + S * Zpos den) # (den * B))%Q.
Proof. unfold Qeq, Qplus, Qmult, inject_Z, Qnum, Qden. rewrite !Pos2Z.inj_mul. ring. Qed.

(** A row's residues times u is, up to a factor that is invertible modulo p, the row times u. *)
Lemma residues_dot p r : forall m u, 1 < p -> all_some (residue p) r = Some m -> length u = length r ->
  exists (B : positive) (I S : Z), (p | Zpos B * I - 1) /\ (mixdot r u == (S # B))%Q /\ (p | S - Zpos B * zdot m u).
Proof.
  induction r as [|a r IH]; intros m u Hp Hm Hu.
  - destruct u; [|discriminate]. injection Hm as <-. exists 1%positive, 1, 0. repeat split; exists 0; reflexivity.
  - destruct u as [|x u]; [discriminate|]. cbn [all_some] in Hm.
    destruct (residue p a) as [y|] eqn:Ey; [|discriminate].
    destruct (all_some (residue p) r) as [m'|] eqn:Em; [|discriminate]. injection Hm as <-.
    injection Hu as Hu. destruct (IH m' u Hp eq_refl Hu) as (B & I & S & [k1 H1] & H2 & [k3 H3]).
    destruct (residue_spec _ _ _ Ey Hp) as (num & den & inv & Ha & [k4 H4] & [k5 H5]).
    exists (den * B)%positive, (inv * I), (num * x * Zpos B + S * Zpos den).
    cbn [zdot mixdot]. rewrite Pos2Z.inj_mul.
    split; [exact (step_product _ _ _ _ _ _ _ H1 H4)|]. split; [|exact (step_sum _ _ _ _ _ _ _ _ _ _ H3 H5)].
    rewrite Ha, H2. apply step_value.
Qed.

Fixpoint size (u : list Z) : nat :=
  match u with [] => O | x :: u' => (Z.abs_nat x + size u')%nat end.

Lemma divide_all p u : 1 < p -> (forall x, In x u -> (p | x)) ->
  exists u', length u' = length u /\ u = map (Z.mul p) u' /\ (size u = 0%nat \/ (size u' < size u)%nat).
Proof.
  intros Hp. induction u as [|x u IH]; intro H.
  - exists []. repeat split. now left.
  - destruct IH as (u' & Hl & Hu & Hs). { intros y Hy. apply H. now right. }
    destruct (H x (or_introl eq_refl)) as [y Hy].
    exists (y :: u'). simpl. split; [lia|]. split; [f_equal; [lia|assumption]|].
    assert (Hxy : x = 0 \/ (Z.abs_nat y < Z.abs_nat x)%nat).
    { destruct (Z.eq_dec y 0) as [->|Ny]; [left; lia|right]. subst x. rewrite Zabs2Nat.inj_mul.
      assert (1 < Z.abs_nat p)%nat by lia. assert (0 < Z.abs_nat y)%nat by lia. nia. }
    assert (Hle : (size u' <= size u)%nat).
    { clear - Hu Hp. subst u. induction u' as [|z u' IH]; simpl; [lia|].
      assert (Z.abs_nat z <= Z.abs_nat (p * z))%nat 
        by (rewrite Zabs2Nat.inj_mul; assert (1 < Z.abs_nat p)%nat by lia; nia).
      lia. }
    destruct Hxy as [->|Hxy].
    + assert (y = 0) by nia. subst y. simpl. destruct Hs; [now left|right; lia].
    + right. lia.
Qed.

Lemma mixdot_scale p r : forall u, (mixdot r (map (Z.mul p) u) == inject_Z p * mixdot r u)%Q.
Proof.
  induction r as [|a r IH]; intros [|x u]; simpl; try ring.
  rewrite IH, inject_Z_mult. ring.
Qed.

Lemma all_some_in {A B} (f : A -> option B) l : forall m, all_some f l = Some m ->
  forall b, In b m -> exists a, In a l /\ f a = Some b.
Proof.
  induction l as [|a l IH]; simpl; intros m H b Hb.
  - injection H as <-. destruct Hb.
  - destruct (f a) as [c|] eqn:E; [|discriminate]. destruct (all_some f l) as [r|] eqn:F; [|discriminate].
    injection H as <-. destruct Hb as [<-|Hb]; [exists a; auto|].
    destruct (IH _ eq_refl _ Hb) as (a' & Ha & Hf). exists a'. auto.
Qed.
Lemma all_some_length {A B} (f : A -> option B) l : forall m, all_some f l = Some m -> length m = length l.
Proof.
  induction l as [|a l IH]; simpl; intros m H.
  - now injection H as <-.
  - destruct (f a); [|discriminate]. destruct (all_some f l); [|discriminate]. injection H as <-. simpl. now rewrite IH.
Qed.

Lemma regular_integers p n rows : regular_matrix p n rows = true ->
  forall u, length u = n -> (forall r, In r rows -> mixdot r u == 0)%Q -> forall x, In x u -> x = 0.
Proof.
  unfold regular_matrix. intro H.
  apply Bool.andb_true_iff in H as [H Hreg]. apply Bool.andb_true_iff in H as [H Hlen].
  apply Bool.andb_true_iff in H as [Hp _]. apply Z.ltb_lt in Hp.
  rewrite forallb_forall in Hlen.
  destruct (all_some (all_some (residue p)) rows) as [m|] eqn:E; [|discriminate].
  destruct (regular_mod p n m) as (d & Hd & _ & Hforce); try assumption.
  { intros q Hq. destruct (all_some_in _ _ _ E _ Hq) as (r & Hr & Hrq).
    rewrite (all_some_length _ _ _ Hrq). apply Nat.eqb_eq, Hlen, Hr. }
  intro u. remember (size u) as s eqn:Hs. revert u Hs.
  induction s as [s IH] using lt_wf_ind. intros u Hs Hu Hdot x Hx.
  assert (Hdiv : forall y, In y u -> (d | y)).
  { apply Hforce; [assumption|]. intros q Hq. destruct (all_some_in _ _ _ E _ Hq) as (r & Hr & Hrq).
      pose proof (Hlen _ Hr) as Hl. apply Nat.eqb_eq in Hl.
      destruct (residues_dot p r q u Hp Hrq ltac:(lia)) as (B & I & S & [k1 H1] & H2 & [k3 H3]).
      rewrite (Hdot r Hr) in H2. assert (S = 0). { unfold Qeq in H2; simpl in H2. lia. } subst S.
      exists (- I * k3 - k1 * zdot q u).
      replace ((- I * k3 - k1 * zdot q u) * p) with (- I * (k3 * p) - (k1 * p) * zdot q u) by ring.
      rewrite <- H3, <- H1. ring. }
  destruct (divide_all d u Hd Hdiv) as (u' & Hl & Hmul & Hsize).
  destruct Hsize as [Hz|Hlt].
  - clear - Hz Hx. induction u as [|y u IHu]; [destruct Hx|]. cbn [size] in Hz.
    destruct Hx as [<-|Hx]; [lia|apply IHu; assumption || lia].
  - assert (Hu' : forall y, In y u' -> y = 0).
    { apply (IH (size u')); [lia|reflexivity|lia|].
      intros r Hr. specialize (Hdot r Hr). rewrite Hmul, mixdot_scale in Hdot.
      apply Qmult_integral in Hdot as [Hbad|Hdot]; [|assumption].
      exfalso. unfold Qeq in Hbad; simpl in Hbad. lia. }
    rewrite Hmul in Hx. apply in_map_iff in Hx as (y & <- & Hy). rewrite (Hu' y Hy). ring.
Qed.

(** ** Rationals *)
Lemma common_denominator (u : vec) : exists (U : list Z) (D : positive), length U = length u /\
  (forall j, nth j u 0 == inject_Z (nth j U 0%Z) * (1 # D))%Q.
Proof.
  induction u as [|a u (U & D & Hl & IH)].
  - exists [], 1%positive. split; [reflexivity|]. intros [|j]; reflexivity.
  - exists (Qnum a * Zpos D :: map (Z.mul (Zpos (Qden a))) U), (Qden a * D)%positive.
    split; [simpl; now rewrite map_length, Hl|]. intros [|j]; simpl.
    + destruct a as [x y]. unfold Qeq, Qmult, inject_Z; simpl. rewrite !Pos2Z.inj_mul. ring.
    + assert (E : nth j (map (Z.mul (Zpos (Qden a))) U) 0%Z = (Zpos (Qden a) * nth j U 0)%Z).
      { rewrite <- (map_nth (Z.mul (Zpos (Qden a)))). f_equal. }
      rewrite E, IH. generalize (nth j U 0); intro x. destruct a as [num den].
      unfold Qeq, Qmult, inject_Z, Qnum, Qden. rewrite !Pos2Z.inj_mul. ring.
Qed.

Lemma mixdot_qdot D : forall r u U, length U = length u ->
  (forall j, nth j u 0 == inject_Z (nth j U 0%Z) * (1 # D))%Q -> (qdot r u == mixdot r U * (1 # D))%Q.
Proof.
  induction r as [|a r IH]; intros [|x u] [|X U] Hl H; simpl in *; try discriminate; try ring.
  rewrite qadd_is, qmul_is, (IH u U ltac:(lia)).
  - specialize (H 0%nat). simpl in H. rewrite H. ring.
  - intro j. apply (H (S j)).
Qed.

Lemma regular_rationals p n rows : regular_matrix p n rows = true ->
  forall u, length u = n -> (forall r, In r rows -> qdot r u == 0)%Q -> (forall x, In x u -> x == 0)%Q.
Proof.
  intros H u Hu Hdot x Hx. destruct (common_denominator u) as (U & D & Hl & HU).
  assert (HD : ~ (1 # D == 0)%Q) by (unfold Qeq; simpl; lia).
  assert (Hzero : forall y, In y U -> y = 0).
  { apply (regular_integers p n rows H); [lia|]. intros r Hr. specialize (Hdot r Hr).
    rewrite (mixdot_qdot D r u U Hl HU) in Hdot. apply Qmult_integral in Hdot as [|]; [assumption|contradiction]. }
  apply In_nth with (d := 0%Q) in Hx as (j & Hj & <-). rewrite HU, (Hzero (nth j U 0)); [reflexivity|].
  apply nth_In. lia.
Qed.

(** ** Reals *)
Open Scope R_scope.

Lemma pivot_or_none (n : nat) (rows : list vec) : (forall r, In r rows -> length r = S n) ->
  (exists a t, In (a :: t) rows /\ Q2R a <> 0) \/ (forall a t, In (a :: t) rows -> Q2R a = 0).
Proof.
  induction rows as [|r rows IH]; intro H.
  - right. intros a t [].
  - destruct IH as [(a & t & Hin & Ha)|Hnone].
    { intros q Hq. apply H. now right. }
    { left. exists a, t. split; [now right|assumption]. }
    destruct r as [|b r]; [specialize (H [] (or_introl eq_refl)); discriminate|].
    destruct (qis0 b) eqn:E.
    + right. intros a t [[= -> ->]|Hin]; [now apply qis0_true|eauto].
    + left. exists b, r. split; [now left|now apply qis0_false].
Qed.

Lemma kernel_or_none (n : nat) : forall rows : list vec, (forall r, In r rows -> length r = n) ->
  (exists u : vec, length u = n /\ (exists x, In x u /\ Q2R x <> 0) /\ (forall r, In r rows -> dot r (real u) = 0))
  \/ (forall w, (forall r, In r rows -> dot r w = 0) -> forall j, (j < n)%nat -> w j = 0).
Proof.
  induction n as [|n IH]; intros rows Hlen.
  - right. intros. lia.
  - destruct (pivot_or_none n rows Hlen) as [(a & t & Hin & Ha)|Hnone].
    + set (reduce := fun r : vec => match r with [] => [] | b :: q => axpy (- b / a)%Q t q end).
      assert (Ht : length t = n) by (specialize (Hlen _ Hin); simpl in Hlen; lia).
      assert (Hq : forall b, Q2R (- b / a) = - Q2R b / Q2R a).
      { intro b. rewrite Q2R_div, Q2R_opp; [reflexivity|]. intro E. apply Ha. rewrite (Qeq_eqR _ _ E). apply Q2R_0. }
      destruct (IH (map reduce rows)) as [(u & Hu & (x & Hx & Hnz) & Hker)|Hinj].
      * intros r Hr. apply in_map_iff in Hr as (q & <- & Hq'). specialize (Hlen _ Hq').
        destruct q as [|b q]; [discriminate|]. simpl in *. rewrite length_axpy. lia.
      * left. exists ((- qdot t u / a)%Q :: u). simpl. split; [lia|]. split; [exists x; auto|].
        intros [|b q] Hr; [specialize (Hlen _ Hr); discriminate|]. simpl.
        rewrite real_cons. unfold real at 1; simpl. rewrite Hq, <- dot_real.
        assert (E : dot (axpy (- b / a)%Q t q) (real u) = 0).
        { apply Hker. apply in_map_iff. exists (b :: q). auto. }
        rewrite dot_axpy, Hq in E. rewrite <- E. field. assumption.
      * right. intros w Hw.
        assert (Hs : forall j, (j < n)%nat -> shift w j = 0).
        { apply Hinj. intros r Hr. apply in_map_iff in Hr as (q & <- & Hq').
          pose proof (Hw _ Hq') as E1. pose proof (Hw _ Hin) as E2. pose proof (Hlen _ Hq') as Hl.
          destruct q as [|b q]; [discriminate|]. simpl in *. rewrite dot_axpy, Hq.
          replace (dot t (shift w)) with (- (Q2R a * w 0%nat)) by lra.
          replace (dot q (shift w)) with (- (Q2R b * w 0%nat)) by lra. field. assumption. }
        intros [|j] Hj; [|apply (Hs j); lia].
        pose proof (Hw _ Hin) as E. simpl in E. rewrite (dot_zero t (shift w)) in E.
        { destruct (Rmult_integral (Q2R a) (w 0%nat)); [lra|contradiction|assumption]. } { rewrite Ht. apply Hs. }
    + left. exists (1%Q :: repeat 0%Q n). simpl. rewrite repeat_length. split; [reflexivity|].
      split; [exists 1%Q; rewrite Q2R_1; split; [auto|lra]|].
      intros [|b q] Hr; [reflexivity|]. simpl. rewrite (Hnone _ _ Hr), real_cons, dot_zero; [lra|].
      intros j _. unfold real. rewrite nth_repeat. apply Q2R_0.
Qed.

(** What the span rule rests on. *)
Theorem regular_reals p n rows : regular_matrix p n rows = true ->
  forall w, (forall r, In r rows -> dot r w = 0) -> forall j, (j < n)%nat -> w j = 0.
Proof.
  intro H. destruct (kernel_or_none n rows) as [(u & Hu & (x & Hx & Hnz) & Hker)|Hinj]; [| |assumption].
  - unfold regular_matrix in H. apply Bool.andb_true_iff in H as [H _]. apply Bool.andb_true_iff in H as [_ H].
    rewrite forallb_forall in H. intros r Hr. now apply Nat.eqb_eq, H.
  - exfalso. apply Hnz. rewrite <- Q2R_0. apply Qeq_eqR.
    apply (regular_rationals p n rows H u Hu); [|assumption].
    intros r Hr. specialize (Hker r Hr). rewrite dot_real, <- Q2R_0 in Hker. now apply eqR_Qeq.
Qed.
