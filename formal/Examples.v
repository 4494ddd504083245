(** Small cases that a reader can follow: the definitions mean what they should, and the checker refuses. *)
From Coq Require Import List ZArith QArith.
From Linsep Require Import Vectors Checker Statements Soundness Columns.
Import ListNotations.

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
