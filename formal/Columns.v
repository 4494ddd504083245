(** Raw rows and named columns: the feature map, signed rows, and a certificate as its file has it, columns by name.

    A column's name is the list of its factors, which ascend: [[3]] is x3, [[2; 5]] is x2·x5, [[]] is the offset, an empty
    product. *)
From Coq Require Import List Arith Bool ZArith QArith.
From Linsep Require Import Vectors Elimination Checker Statements Soundness.
Import ListNotations.

Inductive feature_map := NoMap | Products | Polynomial (degree : nat).
Definition name := list nat.

(** All ways to take k of a list, in its order; [again]: an element can be taken more than once. *)
Fixpoint choose (again : bool) (k : nat) : list nat -> list name :=
  match k with
  | O => fun _ => [[]]
  | S k' => fix over (l : list nat) : list name :=
              match l with
              | [] => []
              | a :: rest => map (cons a) (choose again k' (if again then l else rest)) ++ over rest
              end
  end.
Definition mapped (m : feature_map) (d : nat) : list name :=
  match m with
  | NoMap => choose false 1 (seq 1 d)
  | Products => choose false 1 (seq 1 d) ++ choose false 2 (seq 1 d)
  | Polynomial k => flat_map (fun size => choose true size (seq 1 d)) (seq 1 k)
  end.
Definition names (m : feature_map) (d : nat) (origin : bool) : list name := mapped m d ++ if origin then [] else [[]].

(** A row: the sign of its label, and its entries by feature number from 1. *)
Record raw_row := { is_positive : bool; entries : list (nat * Q) }.
Definition value (r : raw_row) (j : nat) : Q :=
  match find (fun e => Nat.eqb (fst e) j) (entries r) with Some e => snd e | None => 0%Q end.
Definition phi (r : raw_row) (n : name) : Q := fold_right (fun j p => qmul (value r j) p) 1%Q n.
(** z = y·(φ(x), 1) *)
Definition signed (cols : list name) (r : raw_row) : vec :=
  map (fun n => if is_positive r then phi r n else Qopp (phi r n)) cols.
Definition raw_ok (d : nat) (r : raw_row) : bool :=
  ascending (map fst (entries r)) && forallb (fun e => Nat.leb 1 (fst e) && Nat.leb (fst e) d) (entries r).

(** ** The certificate's file *)
Definition sparse := list (name * Q).
Record file := {
  f_map : feature_map; f_features : nat; f_origin : bool; f_rows : nat;
  f_claim : claim; f_levels : list sparse; f_left : Z; f_witness : alphas;
  f_span : option (list nat * Z * list (name * sparse));
  f_at_least_squared : option Q; f_at_most_squared : option Q; f_alpha : alphas;
  f_radius_squared : option Q; f_mistake_bound : option Q;
  f_packing : list alphas; f_at_least : Z; f_at_most : option Z; f_weights : sparse;
  f_plus : list (name * alphas); f_minus : list (name * alphas); f_finite : list name; f_undetermined : list name;
  f_directions : list sparse; f_steps : sparse
}.

Fixpoint same (a b : name) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => Nat.eqb x y && same a' b'
  | _, _ => false
  end.
Fixpoint position (cols : list name) (n : name) : option nat :=
  match cols with
  | [] => None
  | c :: rest => if same c n then Some O else match position rest n with Some k => Some (S k) | None => None end
  end.
(** Columns by their numbers; None where there is no such column, or where one stands twice. *)
Definition numbered_columns {A : Type} (cols : list name) (l : list (name * A)) : option (list (nat * A)) :=
  match all_some (fun e => match position cols (fst e) with Some j => Some (j, snd e) | None => None end) l with
  | Some r => if distinct (map fst r) then Some r else None
  | None => None
  end.
Definition dense (cols : list name) (v : sparse) : option vec :=
  match numbered_columns cols v with
  | Some l => Some (map (fun j => match find (fun e => Nat.eqb (fst e) j) l with Some e => snd e | None => 0%Q end)
                        (seq 0 (length cols)))
  | None => None
  end.
(** No sum has a dependent column, be it with weight 0. *)
Definition sums_ok (l : list (name * sparse)) : bool :=
  forallb (fun e => forallb (fun w => negb (existsb (fun d => same (fst d) (fst w)) l)) (snd e)) l.
Definition dense_dependent (cols : list name) (l : list (name * sparse)) : option (list (nat * vec)) :=
  match numbered_columns cols l with
  | Some r => if sums_ok l
              then all_some (fun e => match dense cols (snd e) with Some v => Some (fst e, v) | None => None end) r
              else None
  | None => None
  end.
Definition dense_span (cols : list name) (sp : list nat * Z * list (name * sparse)) : option span_proof :=
  match dense_dependent cols (snd sp) with
  | Some d => Some {| basis := fst (fst sp); prime := snd (fst sp); dependent := d |}
  | None => None
  end.

Definition bind {A B : Type} (o : option A) (f : A -> option B) : option B :=
  match o with Some a => f a | None => None end.
Definition resolve (f : file) : option certificate :=
  let cols := names (f_map f) (f_features f) (f_origin f) in
  bind (all_some (dense cols) (f_levels f)) (fun levels =>
  bind (match f_span f with
        | Some sp => match dense_span cols sp with Some p => Some (Some p) | None => None end
        | None => Some None
        end) (fun span =>
  bind (dense cols (f_weights f)) (fun weights =>
  bind (numbered_columns cols (f_plus f)) (fun plus =>
  bind (numbered_columns cols (f_minus f)) (fun minus =>
  bind (all_some (position cols) (f_finite f)) (fun finite =>
  bind (all_some (position cols) (f_undetermined f)) (fun undetermined =>
  bind (all_some (dense cols) (f_directions f)) (fun directions =>
  bind (numbered_columns cols (f_steps f)) (fun steps =>
  Some {| the_claim := f_claim f; levels := levels; left_at_zero := f_left f; witness := f_witness f; span := span;
          at_least_squared := f_at_least_squared f; at_most_squared := f_at_most_squared f; alpha := f_alpha f;
          radius_squared := f_radius_squared f; mistake_bound := f_mistake_bound f; packing := f_packing f;
          at_least := f_at_least f; at_most := f_at_most f; weights := weights; plus_infinity := plus;
          minus_infinity := minus; finite := finite; undetermined := undetermined; directions := directions;
          steps := steps |}))))))))).

Definition shape_of (f : file) : shape :=
  {| features := length (mapped (f_map f) (f_features f)); offset := negb (f_origin f); row_count := f_rows f |}.
Definition signed_rows (f : file) (rows : list raw_row) : list vec :=
  map (signed (names (f_map f) (f_features f) (f_origin f))) rows.

(** Parts that go with others. *)
Definition parts_ok (f : file) : bool := is_nil (f_weights f) || negb (is_none (f_at_most f)).

(** With the data set, and with carried rows alone. *)
Definition check_file (rows : list raw_row) (f : file) : bool :=
  parts_ok f && forallb (raw_ok (f_features f)) rows &&
  match resolve f with
  | Some c => check (shape_of f) (signed_rows f rows) c
  | None => false
  end.
Definition carried_rows (f : file) (carried : list (nat * raw_row)) : list (nat * vec) :=
  map (fun e => (fst e, signed (names (f_map f) (f_features f) (f_origin f)) (snd e))) carried.
Definition check_file_carried (carried : list (nat * raw_row)) (f : file) : bool :=
  parts_ok f && forallb (fun e => raw_ok (f_features f) (snd e)) carried &&
  match resolve f with
  | Some c => check_carried (shape_of f) (carried_rows f carried) c
  | None => false
  end.
Definition file_needs_data (f : file) : bool := match resolve f with Some c => needs_data c | None => false end.

Theorem check_file_sound rows f : check_file rows f = true ->
  exists c, resolve f = Some c /\ proven (shape_of f) (signed_rows f rows) c.
Proof.
  unfold check_file. rewrite andb_true_iff. intros [_ H]. destruct (resolve f) as [c|]; [|discriminate].
  exists c. split; [reflexivity|]. now apply check_sound.
Qed.

(** Signed rows have the right shape by themselves. *)
Lemma signed_row_ok f r :
  row_ok (shape_of f) (signed (names (f_map f) (f_features f) (f_origin f)) r) = true.
Proof.
  unfold row_ok, shape_of, columns, names, signed. simpl.
  rewrite map_length, app_length. destruct (f_origin f); simpl.
  - rewrite Nat.add_0_r, Nat.eqb_refl. reflexivity.
  - rewrite Nat.add_1_r, Nat.eqb_refl. simpl. rewrite map_app, app_nth2; rewrite map_length; [|apply Nat.le_refl].
    rewrite Nat.sub_diag. simpl. destruct (is_positive r); reflexivity.
Qed.
Theorem check_file_carried_sound carried f : check_file_carried carried f = true ->
  exists c, resolve f = Some c /\
  forall rows, length rows = f_rows f ->
    (forall i r, In (i, r) carried -> nth_error rows i = Some r) -> proven (shape_of f) (signed_rows f rows) c.
Proof.
  unfold check_file_carried. rewrite andb_true_iff. intros [_ H]. destruct (resolve f) as [c|]; [|discriminate].
  exists c. split; [reflexivity|]. intros rows Hlen Hk.
  apply (check_carried_sound _ _ _ H).
  - unfold signed_rows. rewrite map_length. exact Hlen.
  - apply forallb_forall. intros z Hz. apply in_map_iff in Hz as (r & <- & _). apply signed_row_ok.
  - intros i z E. unfold find_carried in E.
    destruct (find (fun e => fst e =? i)%nat (carried_rows f carried)) as [e|] eqn:F; [|discriminate].
    apply find_some in F as [Hin Hi]. apply Nat.eqb_eq in Hi. injection E as <-.
    apply in_map_iff in Hin as ([k r] & <- & Hin). simpl in *. subst k.
    unfold signed_rows. now rewrite nth_error_map, (Hk i r Hin).
Qed.

(** What the claim says, in full: for whoever reads only this. *)
Corollary claim_of_file rows f : check_file rows f = true -> holds (signed_rows f rows) (f_claim f).
Proof.
  intro H. destruct (check_file_sound rows f H) as (c & Hc & P).
  assert (E : the_claim c = f_claim f).
  { unfold resolve, bind in Hc.
    repeat match type of Hc with context [match ?o with Some _ => _ | None => _ end] => destruct o; [|discriminate] end.
    now injection Hc as <-. }
  rewrite <- E. now apply the_claim_holds with (shape_of f).
Qed.
