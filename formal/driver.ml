(* The extracted checker behind a pipe: one question a line on standard input, one answer a line on standard output:
   "valid", "invalid" or "needs data". formal/README.md describes a question. This file only reads: what is checked is
   in Checker.v. *)
open Checker

exception Unreadable of string
type sexp = Word of string | List of sexp list

let parse text =
  let n = String.length text in
  let rec items at found =
    if at >= n then (List (List.rev found), at)
    else match text.[at] with
      | ' ' -> items (at + 1) found
      | ')' -> (List (List.rev found), at)
      | '(' -> let inner, stop = items (at + 1) [] in
        if stop >= n then raise (Unreadable "a parenthesis is open");
        items (stop + 1) (inner :: found)
      | _ ->
        let stop = ref at in
        while !stop < n && not (String.contains " ()" text.[!stop]) do incr stop done;
        items !stop (Word (String.sub text at (!stop - at)) :: found) in
  let result, stop = items 0 [] in
  if stop < n then raise (Unreadable "a parenthesis too many");
  result

let words = function List l -> l | Word w -> raise (Unreadable w)
let word = function Word w -> w | List _ -> raise (Unreadable "a list instead of a word")

(* Coq's numbers. *)
let rec positive k = if k = 1 then XH else if k land 1 = 1 then XI (positive (k / 2)) else XO (positive (k / 2))
let small k = if k = 0 then Z0 else Zpos (positive k)
let rec nat_of k = if k = 0 then O else S (nat_of (k - 1))
let digits text =
  if text = "" then raise (Unreadable "a number without digits");
  String.fold_left (fun sum c ->
      if c < '0' || c > '9' then raise (Unreadable text);
      Z.add (Z.mul sum (small 10)) (small (Char.code c - 48))) Z0 text
let nat text =
  match int_of_string_opt text with
  | Some k when k >= 0 && k <= 100_000 && text = string_of_int k -> nat_of k
  | _ -> raise (Unreadable (text ^ " is no number, or too large for this checker"))
let below_one text = match nat text with O -> raise (Unreadable "rows count from 1") | S k -> k
let integer text =
  if text <> "" && text.[0] = '-' then Z.opp (digits (String.sub text 1 (String.length text - 1))) else digits text
let rational text =
  let negative = text <> "" && text.[0] = '-' in
  let text = if negative then String.sub text 1 (String.length text - 1) else text in
  let over p q = match q with
    | Zpos q -> { qnum = (if negative then Z.opp p else p); qden = q }
    | _ -> raise (Unreadable "a denominator is 0") in
  match String.split_on_char '/' text, String.split_on_char '.' text with
  | [p; q], [_] -> qred (over (digits p) (digits q))
  | [_], [whole] -> over (digits whole) (small 1)
  | [_], [whole; part] ->
    ignore (digits whole); ignore (digits part);
    let scale = String.fold_left (fun s _ -> Z.mul s (small 10)) (small 1) part in
    qred (over (digits (whole ^ part)) scale)
  | _ -> raise (Unreadable text)

(* Parts of a certificate. *)
let name text = if text = "offset" then [] else List.map nat (String.split_on_char '*' text)
let pair left right e = match words e with [a; b] -> (left a, right b) | _ -> raise (Unreadable "no pair")
let vector e = List.map (pair (fun n -> name (word n)) (fun q -> rational (word q))) (words e)
let alphas e = List.map (pair (fun i -> below_one (word i)) (fun q -> rational (word q))) (words e)
let named_alphas e = List.map (pair (fun n -> name (word n)) alphas) (words e)
let raw_row = function
  | Word sign :: entries when sign = "+1" || sign = "-1" ->
    { is_positive = (sign = "+1"); entries = List.map (pair (fun j -> nat (word j)) (fun q -> rational (word q))) entries }
  | _ -> raise (Unreadable "a row without a sign")
let carried e = match words e with
  | number :: row -> (below_one (word number), raw_row row)
  | [] -> raise (Unreadable "an empty row")
let flag = function Word "true" -> true | Word "false" -> false | _ -> raise (Unreadable "neither true nor false")
let the_map text = match text with
  | "none" -> NoMap
  | "products" -> Products
  | _ when String.length text = 12 && String.sub text 0 11 = "polynomial:" && text.[11] > '0' && text.[11] <= '9' ->
    Polynomial (nat (String.sub text 11 1))
  | _ -> raise (Unreadable "no such map")
let the_claim text = match text with
  | "separable" -> Separable | "quasi-separable" -> QuasiSeparable
  | "overlapping" -> Overlapping | "undecided" -> Undecided
  | _ -> raise (Unreadable "no such claim")

let the_loss text = match text with
  | "hinge" -> Hinge | "squared-hinge" -> SquaredHinge | "logistic" -> Logistic
  | _ -> raise (Unreadable "no rules are proven for this loss")
let rows_of e = List.map (fun r -> raw_row (words r)) (words e)

(* A proof about a model. *)
let answer_of_model fields =
  let need key = match List.assoc_opt key fields with Some v -> v | None -> raise (Unreadable (key ^ " is missing")) in
  let number key = rational (word (need key)) in
  let whole e = integer (word e) in
  let list key read = match List.assoc_opt key fields with Some v -> List.map read (words v) | None -> [] in
  let file = {
    g_features = nat (word (need "features")); g_origin = flag (need "origin"); g_rows = nat (word (need "rows"));
    g_loss = the_loss (word (need "loss")); g_lambda = number "lambda"; g_l1_ratio = number "l1_ratio";
    g_offset_penalty = number "offset_penalty"; g_negative_weight = number "negative_weight";
    g_positive_weight = number "positive_weight"; g_weights = list "weights" (fun q -> rational (word q)); g_model = vector (need "model"); g_at_most = number "at_most";
    g_at_least = number "at_least"; g_shares = List.map whole (words (need "shares"));
    g_reference = Option.map vector (List.assoc_opt "reference" fields); g_lower_by = number "lower_by";
    g_logs = list "logs" (pair whole whole); g_losses = list "losses" whole;
    g_losses_below = list "losses_below" whole; g_reference_losses = list "reference_losses" whole } in
  if check_model_file (rows_of (need "data")) file then "valid" else "invalid"

let answer_of_certificate fields =
  let find key read otherwise = match List.assoc_opt key fields with Some v -> read v | None -> otherwise in
  let need key read = match List.assoc_opt key fields with
    | Some v -> read v | None -> raise (Unreadable (key ^ " is missing")) in
  let number key = find key (fun v -> Some (rational (word v))) None in
  let list read e = List.map read (words e) in
  let span e = match words e with
    | [rows; prime; dependent] ->
      ((list (fun i -> below_one (word i)) rows, integer (word prime)),
       list (pair (fun n -> name (word n)) vector) dependent)
    | _ -> raise (Unreadable "no span") in
  let file = {
    f_map = need "map" (fun v -> the_map (word v)); f_features = need "features" (fun v -> nat (word v));
    f_origin = need "origin" flag; f_rows = need "rows" (fun v -> nat (word v));
    f_claim = need "claim" (fun v -> the_claim (word v)); f_levels = find "levels" (list vector) [];
    f_left = find "left_at_zero" (fun v -> integer (word v)) Z0; f_witness = find "witness" alphas [];
    f_span = find "span" (fun v -> Some (span v)) None;
    f_at_least_squared = number "at_least_squared"; f_at_most_squared = number "at_most_squared";
    f_alpha = find "alpha" alphas []; f_radius_squared = number "radius_squared"; f_mistake_bound = number "mistake_bound";
    f_packing = find "witnesses" (list alphas) []; f_at_least = find "at_least" (fun v -> integer (word v)) Z0;
    f_at_most = find "at_most" (fun v -> Some (integer (word v))) None; f_weights = find "weights" vector [];
    f_plus = find "plus_infinity" named_alphas []; f_minus = find "minus_infinity" named_alphas [];
    f_finite = find "finite" (list (fun v -> name (word v))) [];
    f_undetermined = find "undetermined" (list (fun v -> name (word v))) [];
    f_directions = find "directions" (list vector) []; f_steps = find "steps" vector [] } in
  match List.assoc_opt "data" fields with
  | Some data -> if check_file (rows_of data) file then "valid" else "invalid"
  | None ->
    if check_file_carried (find "carried" (list carried) []) file then "valid"
    else if file_needs_data file then "needs data" else "invalid"

let answer line =
  let fields = List.map (fun e -> match words e with
      | Word key :: [value] -> (key, value)
      | _ -> raise (Unreadable "no field")) (words (parse line)) in
  if List.assoc_opt "claim" fields = Some (Word "near-optimal") then answer_of_model fields else answer_of_certificate fields

let () =
  try
    while true do
      print_endline (try answer (read_line ()) with Unreadable what -> "invalid\t" ^ what)
    done
  with End_of_file -> ()
