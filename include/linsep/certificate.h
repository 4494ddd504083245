// Certificate holds what is proven about every linear classifier on a data set, in a form that a stranger can check.
//
// φ is the certificate's feature map (without one, φ(x) = x). z_i = y_i·(φ(x_i), 1), or y_i·φ(x_i) through the origin.
// Columns are those of φ, from 0. The intercept is the last column, number `mapped features`. Rows count from 0 here
// and from 1 in the file. Numbers are exact text of the form "p", "p/q" or "1.25" (no exponent), so this header needs
// no arithmetic. The file is described in docs/reference/formats/certificate.md.
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

/// What a certificate claims. Beside each claim are the parts of Certificate that prove it.
enum class Claim {
  kSeparable,       ///< some w has z_i·w > 0 for every row: `levels` that leave no row at zero
  kQuasiSeparable,  ///< not separable, but some w has all z_i·w ≥ 0 and one > 0: `levels` and a `witness`
  kOverlapping,     ///< no such w: no levels, a `witness` and its `span`
  kUndecided,       ///< proves only its parts, at least one of `levels`, `witness` and `margin.at_most_squared`
};
/// "separable", "quasi-separable", "overlapping", "undecided".
std::string_view claim_name(Claim claim);

/// One weight of a sparse vector over φ's columns and the intercept.
struct ColumnWeight {
  std::uint32_t column = 0;
  std::string weight;  ///< exact, and not 0

  bool operator==(const ColumnWeight&) const = default;
};
/// Columns ascend strictly. Columns that are left out weigh 0.
using ExactWeights = std::vector<ColumnWeight>;

/// One row of a witness.
struct RowWeight {
  std::int64_t row = 0;
  std::string alpha;  ///< exact, and above 0

  bool operator==(const RowWeight&) const = default;
};
/// Rows ascend strictly. A witness has Σ α_i z_i = 0, a point in both convex hulls, so no w has all z_i·w > 0 on these
/// rows. α may have any scale. Integers without a common divisor are the shortest.
using RowWeights = std::vector<RowWeight>;

/// Proof that the rows of a witness span the space of all rows that the levels leave at zero (of all rows, when there
/// are no levels). Then every w with z_i·w ≥ 0 on those rows has z_i·w = 0 on all of them, so none can be separated.
struct SpanProof {
  /// On every row left at zero, (φ(x), 1)[column] = Σ weight·(φ(x), 1)[its column]. The sum runs over columns that are
  /// not dependent themselves. Ascending. Empty if the witness has full rank. Then no data set is needed to check it.
  struct Dependent {
    std::uint32_t column = 0;
    ExactWeights sum;

    bool operator==(const Dependent&) const = default;
  };
  std::vector<Dependent> dependent;
  /// As many rows of the witness (ascending) as there are independent columns. The square matrix of these rows and
  /// those columns has a determinant that isn't 0 modulo `prime`.
  std::vector<std::int64_t> rows;
  std::uint64_t prime = (std::uint64_t{1} << 61) - 1;  ///< below 2⁶² and prime to 10. The checkers need no more of it

  bool operator==(const SpanProof&) const = default;
};

/// Bounds on the largest geometric margin min_i y_i(θ·φ(x_i) + θ0)/‖θ‖ of any separator (‖θ‖ without the intercept).
struct MarginBounds {
  /// The single level of `levels` has a geometric margin whose square is at least this (above 0). Claim separable only.
  std::optional<std::string> at_least_squared;
  /// No separator's geometric margin has a square above this: ‖Σ α_i z_i‖² ≤ this·(Σ α_i)². With an intercept the sum Σ
  /// α_i y_i must be 0, which is achieved by scaling the α of one class. "0" means that the rows aren't separable.
  std::optional<std::string> at_most_squared;
  RowWeights alpha;  ///< with `at_most_squared`
  /// Every row has ‖φ(x_i)‖² ≤ this.
  std::optional<std::string> radius_squared = {};
  /// The most mistakes that a perceptron can make on any sequence of these rows, at any rate, if it begins at θ = 0.
  /// (radius_squared + 1)·‖w‖²/(min_i z_i·w)² ≤ this, with w the single level and its intercept. Through the origin the
  /// 1 is missing. Needs `at_least_squared` and `radius_squared`.
  std::optional<std::string> mistake_bound = {};

  bool operator==(const MarginBounds&) const = default;
};

/// Bounds on the smallest number of mistakes (y·z ≤ 0) of any linear classifier.
struct MistakeBounds {
  /// There are at least `witnesses.size()` mistakes, because no two witnesses share a row.
  std::vector<RowWeights> witnesses;
  /// There are at most this many, because the classifier `weights` makes no more. Needs the data set to check.
  std::optional<std::int64_t> at_most;
  ExactWeights weights;

  bool operator==(const MistakeBounds&) const = default;
};

/// What separation implies for the coefficients of a logistic regression. A direction is a w with z_i·w ≥ 0 for every
/// row. Along directions with z_i·w > 0 on all rows that can be separated, the likelihood rises forever. A coefficient
/// is infinite if all of these agree on its sign, finite if all of them are 0 there, and undetermined if two disagree.
/// Columns in none of the lists weren't worked out. Only claimed with separable, and with quasi-separable with a span.
/// Needs the data set to check.
struct Coefficients {
  /// Σ α_i z_i − c·e_column lies in the span of the rows left at zero (is 0 if there are none), with c above 0 for plus
  /// infinity and below 0 for minus infinity. The rows are separated ones.
  struct Infinite {
    std::uint32_t column = 0;
    RowWeights alpha;

    bool operator==(const Infinite&) const = default;
  };
  std::vector<Infinite> plus_infinity, minus_infinity;  ///< by ascending column
  /// Ascending. None is dependent, or in the sum of a dependent column of `span`.
  std::vector<std::uint32_t> finite;
  /// Ascending. Among the directions and directions[0] + step·e_column, one is above 0 at the column and one below.
  std::vector<std::uint32_t> undetermined;
  std::vector<ExactWeights> directions;
  ExactWeights steps;  ///< directions[0] + weight·e_column is a direction too

  bool empty() const {
    return plus_infinity.empty() && minus_infinity.empty() && finite.empty() && undetermined.empty() &&
           directions.empty() && steps.empty();
  }
  bool operator==(const Coefficients&) const = default;
};

/// One of several label columns, each of two classes.
struct LabelColumn {
  std::string name, negative, positive;

  bool operator==(const LabelColumn&) const = default;
};

/// The data set that a certificate is about.
struct DataDigest {
  std::int64_t rows = 0;
  std::uint32_t features = 0;  ///< raw features. No row has a column beyond
  std::string negative;        ///< the two labels as written, compared as numbers if they are numbers
  std::string positive;
  std::string root;                     ///< 64 hexadecimal digits, see digest_rows
  std::vector<std::string> names = {};  ///< of the features, or empty if they go by number. Not in version 1
  Reading reading = {};                 ///< not in version 1
  /// If there are more than two classes, their names as written, in their order. Otherwise empty. With several classes,
  /// `positive` names the class that is separated from all others and `negative` is "". If both are "", the certificate
  /// is about all classes together, and each of its rows is a row of the data with a class that it is not of
  /// (docs/reference/formats/certificate.md, "Several classes").
  std::vector<std::string> classes = {};
  /// How the rows of a table were encoded, as its map's JSON (table_to_json). If that has more than 1,000,000 bytes,
  /// "sha256:" and 64 hexadecimal digits instead. "" if the features are the columns themselves. Not in version 1.
  std::string table = {};
  /// Of rows with several labels, which only proofs about models are about. Then `positive` is the name of the column
  /// that is asked about, and `negative` and `classes` are empty.
  std::vector<LabelColumn> labels = {};

  bool operator==(const DataDigest&) const = default;
};

/// A row that a certificate carries, so that it can be checked without the data set.
struct CarriedRow {
  /// "17 +1 1:0.5 3:-2" has the number from 1, the sign of the label, and the entries that aren't 0. If salted, " #"
  /// and 32 hexadecimal digits follow.
  std::string leaf;
  std::vector<std::string> path;  ///< hashes of the audit path, from the leaf upwards, hexadecimal

  bool operator==(const CarriedRow&) const = default;
};

/// A plain value. A part that is empty or unset isn't claimed.
struct Certificate {
  int version = 2;  ///< of the format, 1 or 2
  Claim claim = Claim::kUndecided;
  bool origin = false;
  FeatureMap map;
  DataDigest data;

  /// Weight vectors in order of importance. For every row, the first of them with z_i·w ≠ 0 has z_i·w > 0. (For a small
  /// ε, w_1 + ε·w_2 + ε²·w_3 + … then does the same at once.) A single separator is one level. A round of sign peeling
  /// is a level with weight ±1 on each feature of one sign. Peeling and then a separator of the core is all of these in
  /// a row.
  std::vector<ExactWeights> levels;
  std::int64_t left_at_zero = 0;  ///< with levels, how many rows have z_i·w = 0 in every level

  RowWeights witness;             ///< if not separable. With levels it necessarily lies on rows left at zero
  std::optional<SpanProof> span;  ///< with a witness. If quasi-separable, no other w separates more rows than `levels`
  MarginBounds margin;
  MistakeBounds mistakes;
  Coefficients coefficients;
  std::string stopped_because;  ///< if undecided, what ran out, in words that aren't checked

  std::vector<CarriedRow> rows;  ///< the rows named by witnesses, margin.alpha and coefficients, ascending, or none

  bool operator==(const Certificate&) const = default;
};

/// The result of a checker.
struct CheckResult {
  bool valid = false;               ///< every part that the certificate claims is proven
  bool needs_data = false;          ///< not valid, but only because the data set wasn't given
  std::string reason;               ///< if valid, the claim in a sentence, otherwise what is wrong or missing
  std::vector<std::string> proven;  ///< in words, what was proven in all, or before a data set was found missing
};

/// How to go through the rows of a proof. The only limits that count are threads and interrupt. An interrupt is an
/// Error of kind kInterrupted.
struct ProofOptions : RunLimits {
  bool carry = true;        ///< when sealing: put the rows that are named into the certificate
  std::string secret = {};  ///< salts every leaf: 64 lower-case hexadecimal digits that nobody can guess; "": no salt
  bool weights = false;     ///< leaves have the rows' weights, as in proofs about models
};

/// Checks a certificate exactly, and shares no arithmetic with the code that found it. `data` (may be nullptr) is the
/// raw data set, without the feature map. It is read once, by `written`. Throws Error only if the data can't be read.
/// Anything wrong with the certificate is a CheckResult. If the data set knows how it was read and what its features
/// are called, both must be as in the certificate. The observer hears of blocks of rows, in the order of the rows. A
/// certificate is untrusted, so whatever would cost much memory or time is refused
/// (docs/reference/formats/certificate.md, "Limits").
CheckResult verify_certificate(const Certificate& certificate, Source* data, const ProofOptions& options = {},
                               const Observer& observe = {});

/// The same checks on a certificate that isn't sealed yet, for the code that found it. No root is compared and no limit
/// applies. Rows whose side can't be in doubt are judged by the values of batches, with a bound on every rounding, and
/// all others as written. With several workers, each with its shard, this is a collective call that returns the same on
/// all of them.
CheckResult check_unsealed(const Certificate& certificate, Source& data, Comm& comm, const ProofOptions& options = {},
                           const Observer& observe = {});

/// The last step of making a certificate: fills in `data` (digest, labels, names, reading) and, if `carry` is set,
/// `rows`. REQUIRES: `data.features` is the data's, since the certificate's columns are counted by it. One pass over
/// the data, by `written`. Throws Error if a row isn't of the two classes or isn't numbers.
void seal_certificate(Certificate& certificate, Source& data, const ProofOptions& options = {},
                      const Observer& observe = {});
/// The same if every worker has a shard of the rows, in the order of the ranks. A collective call. The certificate is
/// the same on all workers, and the same as one worker's.
void seal_certificate(Certificate& certificate, Source& data, Comm& comm, const ProofOptions& options = {},
                      const Observer& observe = {});

/// The digest of a data set, without a certificate. Its `root` is SHA-256(0x03 ‖ data ‖ tree). Here data is everything
/// stated besides the rows, and tree is a SHA-256 Merkle tree (as in RFC 6962) over canonical rows. 1.50, 1.5 and 15e-1
/// are the same value, a binary number is its dyadic value, and entries that are 0 don't count.
DataDigest digest_rows(Source& data, const ProofOptions& options = {}, const Observer& observe = {});

/// The file as text, and back. Reading throws an input Error that explains what is wrong with the file.
std::string certificate_to_json(const Certificate& certificate);
Certificate certificate_from_json(std::string_view json, const std::string& name_for_errors);
/// The file appears whole or not at all. Throws a system Error.
void save_certificate(const Certificate& certificate, const std::string& path);
Certificate load_certificate(const std::string& path);

}  // namespace linsep
