(** What the theorems rest on, printed by the build, and the checker as an OCaml program. Numbers are extracted as they are
    defined here, bit by bit: slow, but nothing to trust besides. *)
From Coq Require Import Extraction ExtrOcamlBasic QArith.
From Linsep Require Import Vectors Checker Statements Soundness Columns Optimality OptimalityChecker OptimalityFollows.

Print Assumptions check_file_sound.
Print Assumptions check_file_carried_sound.
Print Assumptions claim_of_file.
Print Assumptions logistic_line.
Print Assumptions check_model_file_sound.
Print Assumptions no_classifier_is_better.
Print Assumptions weights_are_near.
Print Assumptions sign_is_certain.
Print Assumptions sign_of_reference_is_certain.
Print Assumptions label_is_certain.
Print Assumptions label_is_certain_l1.

Extraction Language OCaml.
Extraction "checker.ml" check_file check_file_carried file_needs_data check_model_file Qred.
