(** What is claimed of rows. A row is the signed vector z = y·(φ(x), 1), or y·φ(x) through the origin; a weight vector w is
    any vector of real numbers; w classifies a row rightly when z·w > 0. *)
From Coq Require Import List ZArith QArith Reals.
From Linsep Require Import Vectors Checker.
Import ListNotations.
Open Scope R_scope.

Definition separable (rows : list vec) : Prop := exists w, forall z, In z rows -> 0 < dot z w.
Definition direction (rows : list vec) (w : nat -> R) : Prop := forall z, In z rows -> 0 <= dot z w.
Definition separates_some (rows : list vec) (w : nat -> R) : Prop :=
  direction rows w /\ exists z, In z rows /\ 0 < dot z w.

Definition holds (rows : list vec) (c : claim) : Prop :=
  match c with
  | Separable => separable rows
  | QuasiSeparable => ~ separable rows /\ exists w, separates_some rows w
  | Overlapping => ~ exists w, separates_some rows w
  | Undecided => True
  end.

(** The geometric margin of w is at least m; θ, the first [features] weights, isn't 0. *)
Definition margin_at_least (s : shape) (rows : list vec) (w : nat -> R) (m : R) : Prop :=
  0 < sumsq (features s) w /\ forall z, In z rows -> m * sqrt (sumsq (features s) w) <= dot z w.

(** w makes at least k mistakes: k different rows on the wrong side or on the boundary. *)
Definition mistakes_at_least (rows : list vec) (w : nat -> R) (k : nat) : Prop :=
  exists l, NoDup l /\ length l = k /\ forall i, In i l -> exists z, nth_error rows i = Some z /\ dot z w <= 0.
(** w makes k mistakes: they are the rows of a list of length k. *)
Definition mistakes_exactly (rows : list vec) (w : nat -> R) (k : Z) : Prop :=
  exists l, NoDup l /\ Z.of_nat (length l) = k /\
            forall i, In i l <-> exists z, nth_error rows i = Some z /\ dot z w <= 0.

(** The number of mistakes of a perceptron with this rate on a sequence of rows, from weights v on. *)
Fixpoint perceptron (rate : R) (sequence : list vec) (v : nat -> R) : nat :=
  match sequence with
  | [] => 0%nat
  | z :: rest => if Rle_dec (dot z v) 0 then S (perceptron rate rest (fun j => v j + rate * real z j))
                 else perceptron rate rest v
  end.

(** w separates every row that any direction separates. *)
Definition separates_all_it_can (rows : list vec) (w : nat -> R) : Prop :=
  direction rows w /\ forall v, direction rows v -> forall z, In z rows -> 0 < dot z v -> 0 < dot z w.
