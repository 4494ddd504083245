(** The checker: what docs/reference/formats/certificate.md asks of a certificate, as a function that runs.

    It takes signed rows z and a certificate whose columns are numbers from 0; Columns.v makes these from raw rows and
    from column names. Rows are numbered from 0. *)
From Coq Require Import List Arith Bool ZArith QArith.
From Linsep Require Import Vectors Elimination.
Import ListNotations.

Inductive claim := Separable | QuasiSeparable | Overlapping | Undecided.

(** Row numbers with their alpha. *)
Definition alphas := list (nat * Q).

Record span_proof := {
  basis : list nat;                (* rows *)
  prime : Z;
  dependent : list (nat * vec)     (* a column, and its sum over independent columns *)
}.

Record certificate := {
  the_claim : claim;
  levels : list vec;
  left_at_zero : Z;
  witness : alphas;
  span : option span_proof;
  at_least_squared : option Q;
  at_most_squared : option Q;
  alpha : alphas;
  radius_squared : option Q;
  mistake_bound : option Q;
  packing : list alphas;
  at_least : Z;
  at_most : option Z;
  weights : vec;
  plus_infinity : list (nat * alphas);
  minus_infinity : list (nat * alphas);
  finite : list nat;
  undetermined : list nat;
  directions : list vec;
  steps : list (nat * Q)
}.

(** How many columns there are: [features] mapped ones and perhaps the offset, the last. *)
Record shape := { features : nat; offset : bool; row_count : nat }.
Definition columns (s : shape) : nat := if offset s then S (features s) else features s.

Definition is_none {A : Type} (o : option A) : bool := match o with Some _ => false | None => true end.
Definition is_nil {A : Type} (l : list A) : bool := match l with [] => true | _ => false end.
Definition mem (j : nat) (l : list nat) : bool := existsb (Nat.eqb j) l.
Fixpoint ascending (l : list nat) : bool :=
  match l with
  | a :: (b :: _) as t => Nat.ltb a b && ascending t
  | _ => true
  end.
Fixpoint distinct (l : list nat) : bool :=
  match l with
  | [] => true
  | a :: t => negb (mem a t) && distinct t
  end.

(** ** Rows that witnesses name: [row] finds a row by its number, in the data set or among carried rows *)
Section Named.
  Variable s : shape.
  Variable row : nat -> option vec.

  Definition alphas_ok (al : alphas) : bool :=
    ascending (map fst al) && forallb (fun e => Nat.ltb (fst e) (row_count s) && qpos (snd e)) al.

  (** Σ α_i z_i; None where a row isn't known. *)
  Fixpoint total (al : alphas) : option vec :=
    match al with
    | [] => Some []
    | (i, a) :: rest => match row i, total rest with
                        | Some z, Some t => Some (axpy a z t)
                        | _, _ => None
                        end
    end.
  Definition alpha_sum (al : alphas) : Q := fold_right (fun e t => qadd (snd e) t) 0%Q al.
  Definition balanced (al : alphas) : bool :=
    alphas_ok al && match total al with Some t => zero t | None => false end.

  Definition dependent_columns (p : span_proof) : list nat := map fst (dependent p).
  (** From the last on: the order of elimination. *)
  Definition independent (p : span_proof) : list nat :=
    filter (fun j => negb (mem j (dependent_columns p))) (rev (seq 0 (columns s))).
  Definition pick (cols : list nat) (z : vec) : vec := map (fun j => nth j z 0%Q) cols.
  Definition span_ok (w : alphas) (p : span_proof) : bool :=
    distinct (dependent_columns p) && forallb (fun j => Nat.ltb j (columns s)) (dependent_columns p) &&
    forallb (fun e => Nat.leb (length (snd e)) (columns s) &&
                      forallb (fun j => qis0 (nth j (snd e) 0%Q)) (dependent_columns p)) (dependent p) &&
    ascending (basis p) && forallb (fun i => mem i (map fst w)) (basis p) &&
    Nat.eqb (length (basis p)) (length (independent p)) &&
    match all_some row (basis p) with
    | Some rows => regular_matrix (prime p) (length (independent p)) (map (pick (independent p)) rows)
    | None => false
    end.

  Definition margin_above_ok (bound : Q) (al : alphas) : bool :=
    alphas_ok al && negb (is_nil al) &&
    match total al with
    | Some t => zero (skipn (features s) t) &&
                Qle_bool (qsq (firstn (features s) t)) (qmul bound (qmul (alpha_sum al) (alpha_sum al)))
    | None => false
    end.

  Definition packing_ok (packed : list alphas) : bool :=
    forallb (fun al => negb (is_nil al) && balanced al) packed && distinct (concat (map (map fst) packed)).

  Definition named_ok (c : certificate) : bool :=
    balanced (witness c) &&
    match span c with Some p => span_ok (witness c) p | None => true end &&
    alphas_ok (alpha c) &&
    match at_most_squared c with Some b => margin_above_ok b (alpha c) | None => true end &&
    packing_ok (packing c) && Z.eqb (at_least c) (Z.of_nat (length (packing c))).
End Named.

(** ** The whole data set *)
(** The sign of a row under levels: that of the first that isn't 0. *)
Fixpoint side (levels : list vec) (z : vec) : comparison :=
  match levels with
  | [] => Eq
  | w :: rest => let v := qdot z w in
                 if qis0 v then side rest z else if qpos v then Gt else Lt
  end.
Definition left_out (levels : list vec) (z : vec) : bool := match side levels z with Eq => true | _ => false end.
Definition separated (levels : list vec) (z : vec) : bool := match side levels z with Gt => true | _ => false end.
Definition count (f : vec -> bool) (rows : list vec) : Z := Z.of_nat (length (filter f rows)).

(** A dependent column's vector with −1 at the column: 0 on every row left at zero. *)
Definition equation (e : nat * vec) : vec := axpy (-1) (unit_vec (fst e)) (snd e).
Definition equations (c : certificate) : list vec :=
  match span c with Some p => map equation (dependent p) | None => [] end.

Section Data.
  Variable s : shape.
  Variable rows : list vec.

  Definition row_ok (z : vec) : bool :=
    Nat.eqb (length z) (columns s) &&
    (negb (offset s) || (let y := nth (features s) z 0%Q in Qeq_bool (y * y) 1)).
  Definition levels_ok (c : certificate) : bool :=
    forallb (fun w => Nat.leb (length w) (columns s)) (levels c) &&
    forallb (fun z => match side (levels c) z with Lt => false | _ => true end) rows &&
    (is_nil (levels c) || Z.eqb (count (left_out (levels c)) rows) (left_at_zero c)).
  Definition equations_ok (c : certificate) : bool :=
    forallb (fun z => negb (left_out (levels c) z) || forallb (fun g => qis0 (qdot z g)) (equations c)) rows.

  Definition margin_below_ok (c : certificate) (bound : Q) : bool :=
    match levels c with
    | [w] => let norm := qsq (firstn (features s) w) in
             negb (is_nil rows) && qpos bound && qpos norm &&
             forallb (fun z => let v := qdot z w in qpos v && Qle_bool (qmul bound norm) (qmul v v)) rows
    | _ => false
    end.
  Definition radius_ok (bound : Q) : bool := forallb (fun z => Qle_bool (qsq (firstn (features s) z)) bound) rows.
  Definition mistake_bound_ok (c : certificate) (bound : Q) : bool :=
    match levels c, at_least_squared c, radius_squared c with
    | [w], Some _, Some r =>
        let largest := qmul (if offset s then qadd r 1 else r) (qsq w) in
        forallb (fun z => let v := qdot z w in Qle_bool largest (qmul bound (qmul v v))) rows
    | _, _, _ => false
    end.
  Definition at_most_ok (c : certificate) (most : Z) : bool :=
    Z.eqb (count (fun z => negb (qpos (qdot z (weights c)))) rows) most.

  (** *** Coefficients *)
  Definition no_coefficients (c : certificate) : bool :=
    is_nil (plus_infinity c) && is_nil (minus_infinity c) && is_nil (finite c) && is_nil (undetermined c) &&
    is_nil (directions c) && is_nil (steps c).
  (** Every direction is a combination of these: all columns where the rows are separable, else the equations. *)
  Definition generators (c : certificate) : list vec :=
    match the_claim c with
    | Separable => map unit_vec (seq 0 (columns s))
    | _ => equations c
    end.
  (** The number k with (t − k·e_j)·g = 0 for every g, where there is only one. *)
  Definition multiple (gens : list vec) (t : vec) (j : nat) : option Q :=
    match filter (fun g => negb (qis0 (nth j g 0%Q))) gens with
    | [] => None
    | g :: _ => let k := Qred (qdot t g / nth j g 0%Q) in
                if forallb (fun g => Qeq_bool (qdot t g) (qmul k (nth j g 0%Q))) gens then Some k else None
    end.
  Definition infinite_ok (c : certificate) (sign : Q) (e : nat * alphas) : bool :=
    let (j, al) := e in
    Nat.ltb j (columns s) && alphas_ok s al && negb (is_nil al) &&
    forallb (fun i => match nth_error rows i with Some z => separated (levels c) z | None => false end) (map fst al) &&
    match total (nth_error rows) al with
    | Some t => match multiple (generators c) t j with Some k => qpos (sign * k) | None => false end
    | None => false
    end.
  Definition finite_ok (c : certificate) (j : nat) : bool :=
    Nat.ltb j (columns s) && forallb (fun g => qis0 (nth j g 0%Q)) (generators c).
  Definition is_direction (w : vec) : bool := forallb (fun z => Qle_bool 0 (qdot z w)) rows.
  (** The directions, and the first of them with each step. *)
  Definition all_directions (c : certificate) : list vec :=
    directions c ++ map (fun e => axpy (snd e) (unit_vec (fst e)) (hd [] (directions c))) (steps c).
  Definition undetermined_ok (c : certificate) (j : nat) : bool :=
    Nat.ltb j (columns s) && existsb (fun w => qpos (nth j w 0%Q)) (all_directions c) &&
    existsb (fun w => qpos (- nth j w 0%Q)) (all_directions c).
  Definition coefficients_ok (c : certificate) : bool :=
    no_coefficients c ||
    (match the_claim c with
     | Separable => is_none (span c)
     | QuasiSeparable => negb (is_none (span c))
     | _ => false
     end &&
     forallb (infinite_ok c 1) (plus_infinity c) && forallb (infinite_ok c (-1)) (minus_infinity c) &&
     forallb (finite_ok c) (finite c) &&
     (is_nil (steps c) || negb (is_nil (directions c))) &&
     forallb is_direction (all_directions c) && forallb (undetermined_ok c) (undetermined c) &&
     distinct (map fst (plus_infinity c) ++ map fst (minus_infinity c) ++ finite c ++ undetermined c)).

  Definition data_ok (c : certificate) : bool :=
    Nat.eqb (length rows) (row_count s) && forallb row_ok rows && levels_ok c && equations_ok c &&
    match at_least_squared c with Some b => margin_below_ok c b | None => true end &&
    match radius_squared c with Some b => radius_ok b | None => true end &&
    match mistake_bound c with Some b => mistake_bound_ok c b | None => true end &&
    match at_most c with Some k => at_most_ok c k | None => true end &&
    coefficients_ok c.
End Data.

Definition claim_ok (s : shape) (c : certificate) : bool :=
  match the_claim c with
  | Separable => negb (is_nil (levels c)) && Z.eqb (left_at_zero c) 0
  | QuasiSeparable => negb (is_nil (levels c)) && Z.ltb (left_at_zero c) (Z.of_nat (row_count s)) &&
                      negb (is_nil (witness c))
  | Overlapping => is_nil (levels c) && negb (is_nil (witness c)) && negb (is_none (span c))
  | Undecided => negb (is_nil (levels c)) || negb (is_nil (witness c)) || negb (is_none (at_most_squared c))
  end.

(** With the data set. *)
Definition check (s : shape) (rows : list vec) (c : certificate) : bool :=
  data_ok s rows c && named_ok s (nth_error rows) c && claim_ok s c.

(** Without the data set: carried rows suffice for what needs no other. *)
Definition needs_data (c : certificate) : bool :=
  negb (is_nil (levels c) && is_nil (equations c) && is_none (at_least_squared c) && is_none (radius_squared c) &&
        is_none (mistake_bound c) && is_none (at_most c) && no_coefficients c).
Definition find_carried (carried : list (nat * vec)) (i : nat) : option vec :=
  match find (fun e => Nat.eqb (fst e) i) carried with Some e => Some (snd e) | None => None end.
Definition check_carried (s : shape) (carried : list (nat * vec)) (c : certificate) : bool :=
  negb (needs_data c) && named_ok s (find_carried carried) c && claim_ok s c.
