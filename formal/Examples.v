(** Small cases that a reader can follow: the definitions mean what they should, and the checker refuses. *)
From Coq Require Import List ZArith QArith Qreals Reals Lra.
From Linsep Require Import Vectors Checker Statements Soundness Columns Optimality OptimalityChecker.
Import ListNotations.
Open Scope Q_scope.

Example columns_of_products : names Products 3 false = [[1]; [2]; [3]; [1; 2]; [1; 3]; [2; 3]; []]%nat.
Proof. reflexivity. Qed.
Example columns_of_polynomials : names (Polynomial 2) 2 true = [[1]; [2]; [1; 1]; [1; 2]; [2; 2]]%nat.
Proof. reflexivity. Qed.

(** Row −1 with x = (2, 1/2), mapped: −(2, 1/2, 1, 1). *)
Definition a_row : raw_row := {| is_positive := false; entries := [(1%nat, 2); (2%nat, 1 # 2)] |}.
Example a_signed_row : signed (names Products 2 false) a_row = [-(2); -(1 # 2); -(1); -(1)].
Proof. reflexivity. Qed.

(** Xor, checked without its data set. *)
Definition xor_file (last : Q) (prime : Z) : file :=
  {| f_map := NoMap; f_features := 2; f_origin := false; f_rows := 4; f_claim := Overlapping; f_levels := []; f_left := 0;
     f_witness := [(0%nat, 1 # 2); (1%nat, 1 # 2); (2%nat, 1 # 2); (3%nat, last)];
     f_span := Some ([0; 1; 2]%nat, prime, []); f_at_least_squared := None; f_at_most_squared := None; f_alpha := [];
     f_radius_squared := None; f_mistake_bound := None; f_packing := []; f_at_least := 0; f_at_most := None;
     f_weights := []; f_plus := []; f_minus := []; f_finite := []; f_undetermined := []; f_directions := [];
     f_steps := [] |}.
Definition xor_row (positive : bool) (x : list (nat * Q)) : raw_row := {| is_positive := positive; entries := x |}.
Definition xor_rows : list raw_row :=
  [xor_row false []; xor_row true [(2%nat, 1)]; xor_row true [(1%nat, 1)]; xor_row false [(1%nat, 1); (2%nat, 1)]].
Definition carry (rows : list raw_row) : list (nat * raw_row) := combine (seq 0 (length rows)) rows.

Example xor_overlaps : check_file_carried (carry xor_rows) (xor_file (1 # 2) (2 ^ 61 - 1)) = true.
Proof. vm_compute. reflexivity. Qed.
Example with_its_data_set : check_file xor_rows (xor_file (1 # 2) 7) = true.
Proof. vm_compute. reflexivity. Qed.
Example another_alpha_is_refused : check_file_carried (carry xor_rows) (xor_file (1 # 3) (2 ^ 61 - 1)) = false.
Proof. vm_compute. reflexivity. Qed.
Example a_missing_row_is_refused : check_file_carried (carry (firstn 3 xor_rows)) (xor_file (1 # 2) (2 ^ 61 - 1)) = false.
Proof. vm_compute. reflexivity. Qed.
Example no_prime_is_refused : check_file_carried (carry xor_rows) (xor_file (1 # 2) 1) = false.
Proof. vm_compute. reflexivity. Qed.

(** So no real weight vector separates any of these rows without a mistake elsewhere. *)
Theorem xor : holds (signed_rows (xor_file (1 # 2) 7) xor_rows) Overlapping.
Proof. exact (claim_of_file xor_rows (xor_file (1 # 2) 7) with_its_data_set). Qed.

(** A model of the same rows whose weights are all 0: by the hinge its objective is 1, and with the share 1 of each row no classifier
    has a lower one. *)
Definition zero_model (loss : loss_name) (share : Z) (at_most at_least : Q) (logs : list (Z * Z)) (losses : list Z) : model_file :=
  {| g_features := 2; g_origin := false; g_rows := 4; g_loss := loss; g_lambda := 1 # 4; g_l1_ratio := 0; g_offset_penalty := 0;
     g_negative_weight := 1; g_positive_weight := 1; g_weights := []; g_model := []; g_at_most := at_most; g_at_least := at_least;
     g_shares := repeat share 4; g_reference := None; g_lower_by := 0; g_logs := logs; g_losses := losses;
     g_losses_below := []; g_reference_losses := [] |}.
Example best_of_xor : check_model_file xor_rows (zero_model Hinge (2 ^ 40) 1 1 [] []) = true.
Proof. vm_compute. reflexivity. Qed.
Example squared_best_of_xor : check_model_file xor_rows (zero_model SquaredHinge (2 ^ 41) 1 1 [] []) = true.
Proof. vm_compute. reflexivity. Qed.
Example a_higher_bound_is_refused : check_model_file xor_rows (zero_model Hinge (2 ^ 40) 1 (1000001 # 1000000) [] []) = false.
Proof. vm_compute. reflexivity. Qed.
Example a_share_beyond_the_range_is_refused : check_model_file xor_rows (zero_model Hinge (2 ^ 40 + 1) 1 1 [] []) = false.
Proof. vm_compute. reflexivity. Qed.
(** The logistic loss at 0 is ln 2 = 0.693147180559945309417…: whole numbers of 2⁻⁷² below and above it. *)
Definition below_ln_2 : Z := 3273295013171879848905.
Definition logistic_zero_model (moved : Z) : model_file :=
  zero_model Logistic (2 ^ 39) (693147180559945310 # 10 ^ 18) (693147180559945309 # 10 ^ 18)
    (repeat (below_ln_2 + moved, below_ln_2 + moved)%Z 4) (repeat (below_ln_2 + 1)%Z 4).
Example logistic_best_of_xor : check_model_file xor_rows (logistic_zero_model 0) = true.
Proof. vm_compute. reflexivity. Qed.
Example a_wrong_logarithm_is_refused : check_model_file xor_rows (logistic_zero_model 1) = false.
Proof. vm_compute. reflexivity. Qed.

(** No real weights and no real intercept have a mean hinge loss, plus 1/8 of the square of the weights, below 1. *)
Theorem nothing_is_better_on_xor : forall w : nat -> R,
  (1 <= objective hinge (weighted_rows (zero_model Hinge 0 1 1 [] []) xor_rows) 2
          {| lambda := 1 # 4; l1_ratio := 0; offset_penalty := 0 |} w)%R.
Proof. intro w. pose proof (no_classifier_is_better _ _ best_of_xor w) as H. simpl g_at_least in H. rewrite Q2R_1 in H. exact H. Qed.
