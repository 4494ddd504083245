(** Elimination modulo p of a matrix of rationals: what the checker computes, and what it shows of integer vectors.

    Nothing is asked of p but 1 < p: the denominator of every entry, and every pivot but the last, must have an inverse
    modulo p, which is checked by multiplying; the last pivot only must not be 0. *)
From Coq Require Import List Arith Lia ZArith QArith Znumtheory.
From Linsep Require Import Vectors.
Import ListNotations.
Open Scope Z_scope.

(** ** What the checker computes *)

(** Euclid: an s with s·a = gcd modulo p, as long as the fuel lasts; checked by whoever calls. *)
Fixpoint euclid (fuel : nat) (r q s t : Z) : Z :=
  match fuel with
  | O => 0
  | S f => if q =? 0 then s else let k := r / q in euclid f q (r - k * q) t (s - k * t)
  end.
Definition inverse (p a : Z) : option Z :=
  let i := euclid 200 p (a mod p) 0 1 mod p in
  if (a * i) mod p =? 1 then Some i else None.

(** A rational modulo p. *)
Definition residue (p : Z) (a : Q) : option Z :=
  let b := Qred a in
  match inverse p (Zpos (Qden b)) with
  | Some i => Some ((Qnum b * i) mod p)
  | None => None
  end.

Fixpoint all_some {A B : Type} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l' => match f a, all_some f l' with
               | Some b, Some r => Some (b :: r)
               | _, _ => None
               end
  end.

(** The first row whose first entry isn't 0, and all others. *)
Fixpoint take_pivot (rows : list (list Z)) : option (Z * list Z * list (list Z)) :=
  match rows with
  | [] => None
  | r :: rest =>
      match r with
      | a :: t => if a =? 0 then
                    match take_pivot rest with
                    | Some (pivot, others) => Some (pivot, r :: others)
                    | None => None
                    end
                  else Some (a, t, rest)
      | [] => None
      end
  end.

(** r − f·t modulo p *)
Fixpoint zaxpy (p f : Z) (t r : list Z) : list Z :=
  match t, r with
  | a :: t', b :: r' => (b - f * a) mod p :: zaxpy p f t' r'
  | _, _ => []
  end.
Definition eliminate (p i : Z) (t r : list Z) : list Z :=
  match r with
  | b :: r' => zaxpy p ((b * i) mod p) t r'
  | [] => []
  end.

(** As many pivots as there are columns, the first column first. Of the last pivot no inverse is needed. *)
Fixpoint regular (p : Z) (columns : nat) (rows : list (list Z)) : bool :=
  match columns with
  | O => match rows with [] => true | _ => false end
  | S n => match take_pivot rows with
           | Some (a, t, others) =>
               match n, others with
               | O, [] => negb (a mod p =? 0)
               | _, _ => match inverse p a with
                         | Some i => regular p n (map (eliminate p i t) others)
                         | None => false
                         end
               end
           | None => false
           end
  end.

Definition regular_matrix (p : Z) (columns : nat) (rows : list vec) : bool :=
  (1 <? p) && (p <? 2 ^ 62) && forallb (fun r => Nat.eqb (length r) columns) rows &&
  match all_some (all_some (residue p)) rows with
  | Some m => regular p columns m
  | None => false
  end.

(** ** Modulo p *)
Fixpoint zdot (r u : list Z) : Z :=
  match r, u with
  | a :: r', b :: u' => a * b + zdot r' u'
  | _, _ => 0
  end.

Lemma inverse_spec p a i : inverse p a = Some i -> 1 < p -> (p | a * i - 1).
Proof.
  unfold inverse. set (j := euclid _ _ _ _ _ mod p).
  destruct ((a * j) mod p =? 1) eqn:E; intros [= <-] Hp.
  apply Z.eqb_eq in E. exists (a * j / p). pose proof (Z.div_mod (a * j) p). lia.
Qed.

Lemma divide_mod p a b : p <> 0 -> (p | a - b) -> (p | a - b mod p).
Proof.
  intros Hp [k Hk]. exists (k + b / p). pose proof (Z.div_mod b p Hp). lia.
Qed.

Lemma zaxpy_dot p f t : forall r u, p <> 0 -> length r = length t -> length u = length t ->
  (p | zdot (zaxpy p f t r) u - (zdot r u - f * zdot t u)).
Proof.
  induction t as [|a t IH]; intros [|b r] [|x u] Hp Hr Hu; simpl in *; try discriminate.
  - exists 0. lia.
  - destruct (IH r u Hp ltac:(lia) ltac:(lia)) as [k Hk].
    pose proof (Z.div_mod (b - f * a) p Hp).
    exists (k - (b - f * a) / p * x). nia.
Qed.

Lemma take_pivot_spec rows : forall a t others, take_pivot rows = Some (a, t, others) ->
  In (a :: t) rows /\ (forall r, In r others -> In r rows).
Proof.
  induction rows as [|r rows IH]; simpl; [discriminate|]. intros a t others.
  destruct r as [|b r]; [discriminate|].
  destruct (b =? 0).
  - destruct (take_pivot rows) as [[[a' t'] o']|]; [|discriminate].
    intros [= <- <- <-]. destruct (IH _ _ _ eq_refl) as [H1 H2]. split; [now right|].
    intros q [->|Hq]; [now left|right; auto].
  - intros [= <- <- <-]. split; [now left|]. intros q Hq; now right.
Qed.

Lemma length_zaxpy p f t : forall r, length r = length t -> length (zaxpy p f t r) = length t.
Proof. induction t as [|a t IH]; intros [|b r] H; simpl in *; try discriminate; auto. Qed.

(** A divisor d of p, above 1, divides every entry of a vector that the matrix takes to 0 modulo p: p itself where every
    pivot has an inverse. *)
Lemma last_pivot p a : 1 < p -> negb (a mod p =? 0) = true ->
  exists d, 1 < d /\ (d | p) /\ forall x, (p | a * x) -> (d | x).
Proof.
  intros Hp Ha. apply Bool.negb_true_iff, Z.eqb_neq in Ha.
  set (g := Z.gcd a p). assert (Hg : 0 < g).
  { unfold g. pose proof (Z.gcd_nonneg a p). destruct (Z.eq_dec (Z.gcd a p) 0) as [E|]; [|lia].
    apply Z.gcd_eq_0_r in E. lia. }
  destruct (Z.gcd_divide_l a p) as [a' Ea]. destruct (Z.gcd_divide_r a p) as [d Ed]. fold g in Ea, Ed.
  exists d. assert (Hd0 : 0 < d) by nia. split; [|split].
  - destruct (Z.eq_dec d 1) as [->|]; [exfalso|lia]. apply Ha. rewrite Ea. replace g with p by lia. apply Z_mod_mult.
  - exists g. lia.
  - intros x [k Hk]. apply Gauss with a'.
    + exists k. apply Z.mul_reg_r with g; [lia|]. rewrite Ea, Ed in Hk.
      replace (a' * x * g) with (a' * g * x) by ring. rewrite Hk. ring.
    + apply Zgcd_1_rel_prime. apply Z.mul_reg_r with g; [lia|].
      rewrite <- (Z.gcd_mul_mono_r_nonneg d a' g) by lia. rewrite <- Ea, <- Ed, Z.gcd_comm. fold g. lia.
Qed.

Lemma eliminated p a i t q u u0 : 1 < p -> (p | a * i - 1) -> length q = S (length t) -> length u = length t ->
  (p | a * u0 + zdot t u) -> (p | zdot q (u0 :: u)) -> (p | zdot (eliminate p i t q) u).
Proof.
  intros Hp [ki Hi] Hlq Hlu [ka Ha] [kq Hkq]. destruct q as [|b q]; [discriminate|]. simpl in Hlq, Hkq. simpl.
  destruct (zaxpy_dot p ((b * i) mod p) t q u ltac:(lia) ltac:(lia) ltac:(lia)) as [k Hk].
  pose proof (Z.div_mod (b * i) p ltac:(lia)) as Hm.
  set (f := (b * i) mod p) in *. set (T := zdot t u) in *. set (S := zdot q u) in *.
  assert (HS : S = kq * p - b * u0) by lia.
  assert (HT : T = ka * p - a * u0) by lia.
  assert (Hf : f = b * i - p * (b * i / p)) by lia.
  set (m := b * i / p) in *.
  assert (Hai : a * i = 1 + ki * p) by lia.
  exists (k + kq - b * i * ka + b * ki * u0 + m * T).
  assert (Hz : zdot (zaxpy p f t q) u = k * p + (S - f * T)) by lia.
  rewrite Hz, HS, Hf.
  replace ((b * i - p * m) * T) with (b * i * T - p * m * T) by ring.
  rewrite HT at 1.
  replace (b * i * (ka * p - a * u0)) with (b * i * ka * p - b * (a * i) * u0) by ring.
  rewrite Hai. ring.
Qed.
Lemma divides_dot d u : (forall x, In x u -> (d | x)) -> forall t, (d | zdot t u).
Proof.
  induction u as [|y u IH]; intros H [|b t]; simpl; try apply Z.divide_0_r.
  apply Z.divide_add_r.
  - apply Z.divide_mul_r, H. now left.
  - apply IH. intros z Hz. apply H. now right.
Qed.

Definition forces (p d : Z) (n : nat) (rows : list (list Z)) : Prop := 1 < d /\ (d | p) /\
  forall u, length u = n -> (forall r, In r rows -> (p | zdot r u)) -> forall x, In x u -> (d | x).

Lemma regular_step p a i t others rows n : 1 < p -> (forall r, In r rows -> length r = S n) -> In (a :: t) rows ->
  (forall r, In r others -> In r rows) -> (p | a * i - 1) ->
  (exists d, forces p d n (map (eliminate p i t) others)) -> exists d, forces p d (S n) rows.
Proof.
  intros Hp Hlen Hin Hothers Hi (d & Hd & Hdp & H). exists d. split; [assumption|]. split; [assumption|].
  intros u Hu Hdot x Hx. assert (Ht : length t = n) by (specialize (Hlen _ Hin); simpl in Hlen; lia).
  destruct u as [|u0 u]; [discriminate|]. simpl in Hu.
  assert (Hzero : forall y, In y u -> (d | y)).
  { apply H; [lia|]. intros r Hr. apply in_map_iff in Hr as [q [<- Hq]].
    apply (eliminated p a i t q u u0 Hp Hi).
    - specialize (Hlen _ (Hothers _ Hq)). lia.
    - lia.
    - apply (Hdot _ Hin).
    - apply Hdot. auto. }
  destruct Hx as [<-|Hx]; [|auto].
  assert (Ha : (d | a * u0)).
  { replace (a * u0) with (zdot (a :: t) (u0 :: u) - zdot t u) by (simpl; ring).
    apply Z.divide_sub_r; [apply Z.divide_trans with p; auto|now apply divides_dot]. }
  replace u0 with (i * (a * u0) - (a * i - 1) * u0) by ring.
  apply Z.divide_sub_r; [now apply Z.divide_mul_r|]. apply Z.divide_mul_l. now apply Z.divide_trans with p.
Qed.

Theorem regular_mod p n : forall rows, 1 < p -> (forall r, In r rows -> length r = n) -> regular p n rows = true ->
  exists d, forces p d n rows.
Proof.
  induction n as [|n IH]; intros rows Hp Hlen H; simpl in H.
  - exists p. split; [assumption|]. split; [apply Z.divide_refl|]. intros [|y u] Hu _ x Hx; [destruct Hx|discriminate].
  - destruct (take_pivot rows) as [[[a t] others]|] eqn:E; [|discriminate].
    apply take_pivot_spec in E as [Hin Hothers].
    assert (Ht : length t = n) by (specialize (Hlen _ Hin); simpl in Hlen; lia).
    assert (Hinner : forall i, forall r, In r (map (eliminate p i t) others) -> length r = n).
    { intros i r Hr. apply in_map_iff in Hr as [q [<- Hq]]. pose proof (Hlen _ (Hothers _ Hq)) as Hlq.
      destruct q as [|b q]; [discriminate|]. simpl in *. rewrite length_zaxpy; lia. }
    assert (Hgo : (match inverse p a with Some i => regular p n (map (eliminate p i t) others) | None => false end) = true
                  -> exists d, forces p d (S n) rows).
    { intro G. destruct (inverse p a) as [i|] eqn:Ei; [|discriminate]. apply inverse_spec in Ei; [|assumption].
      apply (regular_step p a i t others rows n); try assumption. now apply IH; [|apply Hinner|]. }
    destruct n as [|n]; [|now apply Hgo]. destruct others as [|o others]; [|now apply Hgo].
    destruct (last_pivot p a Hp H) as (d & Hd & Hdp & Hx). exists d. split; [assumption|]. split; [assumption|].
    intros u Hu Hdot x Hin'. destruct u as [|u0 [|]]; try discriminate. destruct Hin' as [<-|[]].
    apply Hx. specialize (Hdot _ Hin). destruct t; [|discriminate]. simpl in Hdot. now rewrite Z.add_0_r in Hdot.
Qed.
