// Certificate: what is proven about every linear classifier on a data set, in a form that a stranger can check.
//
// Words. φ is the certificate's feature map (none: φ(x) = x). z_i = y_i·(φ(x_i), 1), or y_i·φ(x_i) through the origin.
// Columns are those of φ, from 0; the offset is column `mapped features`, the last. Rows count from 0 here and from 1
// in the file. Numbers are exact: text of the form "p", "p/q" or "1.25" (no exponent), so that this header needs no
// arithmetic. The file is described in docs/reference/formats/certificate.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// What a certificate claims. The parts that prove it are said beside them, in Certificate.
enum class Claim {
  kSeparable,       ///< some w has z_i·w > 0 for every row: `levels` that leave no row at zero
  kQuasiSeparable,  ///< not separable, but some w has all z_i·w ≥ 0 and one > 0: `levels` and a `witness`
  kOverlapping,     ///< no such w: no levels, a `witness` and its `span`
  kUndecided,       ///< at least one of `levels`, `witness`, `margin.at_most_squared`; proves only what that part says
};
/// "separable", "quasi-separable", "overlapping", "undecided".
std::string_view claim_name(Claim claim);

/// One weight of a sparse vector over φ's columns and the offset.
struct ColumnWeight {
  std::uint32_t column = 0;
  std::string weight;  ///< exact; not 0

  bool operator==(const ColumnWeight&) const = default;
};
/// Columns ascend strictly; columns that are left out weigh 0.
using ExactWeights = std::vector<ColumnWeight>;

/// One row of a witness.
struct RowWeight {
  std::int64_t row = 0;
  std::string alpha;  ///< exact; above 0

  bool operator==(const RowWeight&) const = default;
};
/// Rows ascend strictly. A witness has Σ α_i z_i = 0: a point in both convex hulls, so no w has all z_i·w > 0 on these
/// rows. α may have any scale: integers without a common divisor are the shortest.
using RowWeights = std::vector<RowWeight>;

/// Proof that the rows of a witness span the space of all rows that the levels leave at zero (of all rows, when there
/// are no levels). Then every w with z_i·w ≥ 0 on those rows has z_i·w = 0 on all of them: none can be separated.
struct SpanProof {
  /// On every row left at zero, (φ(x), 1)[column] = Σ weight·(φ(x), 1)[its column]; the sum runs over columns that are
  /// not themselves dependent. Ascending. None when the witness has full rank: then no data set is needed to check it.
  struct Dependent {
    std::uint32_t column = 0;
    ExactWeights sum;

    bool operator==(const Dependent&) const = default;
  };
  std::vector<Dependent> dependent;
  /// As many rows of the witness (ascending) as there are independent columns; the square matrix of these rows and
  /// those columns has a determinant that isn't 0 modulo `prime`.
  std::vector<std::int64_t> rows;
  std::uint64_t prime = (std::uint64_t{1} << 61) - 1;  ///< below 2⁶², prime to 10; the checkers need nothing more of it

  bool operator==(const SpanProof&) const = default;
};

/// Bounds on the greatest geometric margin min_i y_i(θ·φ(x_i) + θ0)/‖θ‖ of any separator (‖θ‖ without the offset).
struct MarginBounds {
  /// The single level of `levels` has a geometric margin whose square is at least this (above 0). Claim separable only.
  std::optional<std::string> at_least_squared;
  /// No separator's geometric margin has a square above this: ‖Σ α_i z_i‖² ≤ this·(Σ α_i)². With an offset
  /// Σ α_i y_i = 0 is required: scale the α of one class. "0" says that the rows aren't separable.
  std::optional<std::string> at_most_squared;
  RowWeights alpha;  ///< with `at_most_squared`
  /// Every row has ‖φ(x_i)‖² ≤ this.
  std::optional<std::string> radius_squared = {};
  /// A perceptron that begins at θ = 0 makes at most this many mistakes on any sequence of these rows, at any rate:
  /// (radius_squared + 1)·‖w‖²/(min_i z_i·w)² ≤ this, w the single level with its offset; through the origin without
  /// the 1. With `at_least_squared` and `radius_squared`.
  std::optional<std::string> mistake_bound = {};

  bool operator==(const MarginBounds&) const = default;
};

/// Bounds on the least number of mistakes (y·z ≤ 0) of any linear classifier.
struct MistakeBounds {
  /// At least `witnesses.size()`: no two of them share a row.
  std::vector<RowWeights> witnesses;
  /// At most this: the classifier `weights` makes this many mistakes. Needs the data set to check.
  std::optional<std::int64_t> at_most;
  ExactWeights weights;

  bool operator==(const MistakeBounds&) const = default;
};

/// What separation says of a logistic regression's coefficients. A direction is a w with z_i·w ≥ 0 for every row; along
/// those with z_i·w > 0 on all rows that can be separated the likelihood rises forever. A coefficient is infinite
/// where all of these agree on its sign, finite where all are 0 there, and undetermined where two disagree. Columns
/// that are in no list weren't worked out. Claims separable, and quasi-separable with a span, only; needs the data set
/// to check.
struct Coefficients {
  /// Σ α_i z_i − c·e_column lies in the span of the rows left at zero (is 0 where there are none), c above 0 for plus
  /// infinity and below 0 for minus infinity. The rows are separated ones.
  struct Infinite {
    std::uint32_t column = 0;
    RowWeights alpha;

    bool operator==(const Infinite&) const = default;
  };
  std::vector<Infinite> plus_infinity, minus_infinity;  ///< by ascending column
  /// Ascending; neither dependent nor in the sum of a dependent column of `span`.
  std::vector<std::uint32_t> finite;
  /// Ascending. Of the directions, and directions[0] + step·e_column, one is above 0 at the column and one below.
  std::vector<std::uint32_t> undetermined;
  std::vector<ExactWeights> directions;
  ExactWeights steps;  ///< directions[0] + weight·e_column is a direction too

  bool empty() const {
    return plus_infinity.empty() && minus_infinity.empty() && finite.empty() && undetermined.empty() &&
           directions.empty() && steps.empty();
  }
  bool operator==(const Coefficients&) const = default;
};

/// The data set that a certificate speaks of.
struct DataDigest {
  std::int64_t rows = 0;
  std::uint32_t features = 0;  ///< raw features; no row has a column beyond
  std::string negative;        ///< the two labels as written; labels that are numbers are compared as numbers
  std::string positive;
  std::string root;                     ///< 64 hexadecimal digits, see digest_rows
  std::vector<std::string> names = {};  ///< of the features; empty: they are called by their number. Not in version 1
  Reading reading = {};                 ///< not in version 1
  /// More than two classes, as written, in their order; else empty. `positive` then names the class that is separated
  /// from all others and `negative` is ""; or both are "": all classes together, each row of the certificate is a row
  /// of the data and a class that it is not of (docs/reference/formats/certificate.md, "Several classes").
  std::vector<std::string> classes = {};
  /// What rows of a table were encoded by: its map's JSON (table_to_json) or, where that has more than 1,000,000 bytes,
  /// "sha256:" and 64 hexadecimal digits; "": the features are the columns themselves. Not in version 1.
  std::string table = {};

  bool operator==(const DataDigest&) const = default;
};

/// A row that a certificate carries, so that it can be checked without the data set.
struct CarriedRow {
  /// "17 +1 1:0.5 3:-2": number from 1, sign of the label, entries that aren't 0; salted, then " #" and 32
  /// hexadecimal digits.
  std::string leaf;
  std::vector<std::string> path;  ///< hashes of the audit path, from the leaf upwards, hexadecimal

  bool operator==(const CarriedRow&) const = default;
};

/// A plain value. A part that is empty or unset isn't claimed.
struct Certificate {
  int version = 2;  ///< of the format: 1 or 2
  Claim claim = Claim::kUndecided;
  bool origin = false;
  FeatureMap map;
  DataDigest data;

  /// Weight vectors in order of importance. For every row the first of them with z_i·w ≠ 0 has z_i·w > 0 (then
  /// w_1 + ε·w_2 + ε²·w_3 + … does the same at once, for a small ε). A single separator is one level; a round of sign
  /// peeling is a level with weight ±1 on each feature of one sign; peeling and then a separator of the core is all of
  /// these in a row.
  std::vector<ExactWeights> levels;
  std::int64_t left_at_zero = 0;  ///< with levels: how many rows have z_i·w = 0 in every level

  RowWeights witness;             ///< not separable. With levels it lies on rows left at zero by itself
  std::optional<SpanProof> span;  ///< with a witness. Quasi-separable: no other w separates more rows than `levels`
  MarginBounds margin;
  MistakeBounds mistakes;
  Coefficients coefficients;
  std::string stopped_because;  ///< undecided: what ran out, in words; not checked

  std::vector<CarriedRow> rows;  ///< the rows named by witnesses, margin.alpha and coefficients, ascending; or none

  bool operator==(const Certificate&) const = default;
};

/// The result of a checker.
struct CheckResult {
  bool valid = false;               ///< every part that the certificate claims is proven
  bool needs_data = false;          ///< not valid only because the data set wasn't given
  std::string reason;               ///< valid: the claim in a sentence; else what is wrong or missing
  std::vector<std::string> proven;  ///< in words, what was proven before a data set was found missing, or in all
};

/// How to go through the rows of a proof. Of the limits, threads and interrupt count: an interrupt is an Error of kind
/// kInterrupted.
struct ProofOptions : RunLimits {
  bool carry = true;        ///< when sealing: put the rows that are named into the certificate
  std::string secret = {};  ///< salts every leaf: 64 lower-case hexadecimal digits that nobody can guess; "": no salt
};

/// Checks a certificate exactly; shares no arithmetic with what found it. `data` (may be nullptr) is the raw data set,
/// without the feature map; it is gone through once, by `written`. Throws Error only where the data can't be read:
/// whatever is wrong with the certificate is a CheckResult. Where the data set says how it was read and what its
/// features are called, that must be what the certificate says. The observer hears of blocks of rows, in the order of
/// the rows. A certificate is untrusted: what would cost much memory or time is refused
/// (docs/reference/formats/certificate.md, "Limits").
CheckResult verify_certificate(const Certificate& certificate, Source* data, const ProofOptions& options = {},
                               const Observer& observe = {});

/// The same checks on a certificate that isn't sealed yet, for whoever found it: no root is compared, no limit is kept,
/// and rows whose side can't be in doubt are judged by the values of batches, with a bound on every rounding; all
/// others as written. Collective where there are several workers, each with its shard; all return the same.
CheckResult check_unsealed(const Certificate& certificate, Source& data, Comm& comm, const ProofOptions& options = {},
                           const Observer& observe = {});

/// Fills in `data` (digest, labels, names, reading) and, when `carry` is set, `rows`: the last step of making a
/// certificate. REQUIRES: `data.features` is the data's, since the certificate's columns are counted by it. One pass
/// over the data, by `written`. Throws Error where a row isn't of the two classes or isn't numbers.
void seal_certificate(Certificate& certificate, Source& data, const ProofOptions& options = {},
                      const Observer& observe = {});
/// The same where every worker has a shard of the rows, in the order of the ranks. A collective call; the certificate
/// is the same on all, and the same as one worker's.
void seal_certificate(Certificate& certificate, Source& data, Comm& comm, const ProofOptions& options = {},
                      const Observer& observe = {});

/// The digest of a data set, without a certificate: its `root` is SHA-256(0x03 ‖ data ‖ tree), data what is said
/// besides the rows and tree a SHA-256 Merkle tree (as in RFC 6962) over canonical rows. 1.50, 1.5 and 15e-1 are the
/// same value, a binary number is its dyadic value, and entries that are 0 don't count.
DataDigest digest_rows(Source& data, const ProofOptions& options = {}, const Observer& observe = {});

/// The file as text, and back. Reading throws an input Error that says what is wrong with the file.
std::string certificate_to_json(const Certificate& certificate);
Certificate certificate_from_json(std::string_view json, const std::string& name_for_errors);
/// The file appears whole or not at all. Throws a system Error.
void save_certificate(const Certificate& certificate, const std::string& path);
Certificate load_certificate(const std::string& path);

}  // namespace linsep
