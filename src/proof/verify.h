// The parts of the checker. Each throws Refusal, or NeedsData, if it can't confirm the certificate's statements.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exact/number.h"
#include "linsep/certificate.h"
#include "proof/class_rows.h"
#include "proof/columns.h"
#include "proof/leaves.h"
#include "proof/linear_form.h"

namespace linsep {

/// What is wrong with a certificate. It is caught in verify_certificate and never seen outside.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct NeedsData : Refusal {
  using Refusal::Refusal;
};
inline void need(bool condition, const char* message) {
  if (!condition) throw Refusal(message);
}

/// A certificate with its numbers read and its shape checked.
using Vector = std::vector<std::pair<std::uint32_t, Rational>>;  // by ascending column
using Alphas = std::vector<std::pair<std::int64_t, Rational>>;
struct ReadCertificate {
  const Certificate& file;
  ClassRows made;  // the rows z, of those of the data
  Columns columns;
  std::vector<Vector> levels;
  Alphas witness;
  std::vector<Vector> equations;           // one for each dependent column, −1 there: 0 on every row left at zero
  std::vector<std::uint32_t> independent;  // columns that the span proof doesn't call dependent
  Alphas alpha;
  std::vector<Alphas> packing;
  Vector classifier;
  std::optional<Rational> radius_squared;
  // The statements about coefficients.
  std::vector<std::pair<std::uint32_t, Alphas>> plus_infinity, minus_infinity;
  std::vector<Vector> directions;
  Vector steps;
  bool trusted;  // no limits on memory are kept
};
/// If `trusted`, whoever found the certificate asks, so it may be of any size.
ReadCertificate read_certificate(const Certificate& certificate, bool trusted);

/// Refuses rows that have too many products under the map. `entries` are raw.
void need_few_products(const ReadCertificate& certificate, std::size_t entries);

/// Counts what the named rows take before it is taken. At most 262,144 entries of z and 64 for each byte of their
/// leaves are allowed.
class NamedEntries {
 public:
  explicit NamedEntries(const ReadCertificate& certificate) : read_(certificate) {}
  /// Throws Refusal if there are too many entries. REQUIRES: the row was not mapped yet.
  void add(std::size_t bytes, const CheckedRow& row);

 private:
  const ReadCertificate& read_;
  std::uint64_t entries_ = 0, bytes_ = 0;
};

/// The rows that the witnesses name, as z = y·(φ(x), 1).
using NamedRows = std::map<std::int64_t, RationalRow>;
/// The numbers of those rows, ascending.
std::vector<std::int64_t> named_rows(const Certificate& certificate);
/// The rows of the data from which these are made, ascending.
std::vector<std::int64_t> named_data_rows(const Certificate& certificate);

/// Σ α_i z_i, without the columns in which it is 0. Throws NeedsData if a row is missing.
std::map<std::uint32_t, Rational> combine(const Alphas& alphas, const NamedRows& rows);

/// Reads the carried rows, and checks each against the digest.
void read_carried(const ReadCertificate& certificate, NamedRows& rows);

/// What one pass over the data set shows, once every row was found to be as claimed.
struct DataFindings {
  std::int64_t left_at_zero = 0;
  std::int64_t mistakes = 0;      // of the classifier of mistakes.at_most
  std::optional<Rational> least;  // smallest margin under the first level, if margin.at_least_squared needs it
  Rational squared_norm;          // of the first level, without the intercept, all in the same scale
  Rational squared_norm_with_offset;
  NamedRows rows;                    // those that are named
  std::set<std::int64_t> separated;  // and of these, those that the levels separate
};
/// Calls `visit` with the leaf of every row in order. Refuses data that aren't those that `about` is about.
void check_rows(const Certificate& about, Source& data, const ProofOptions& options, const Observer& observe,
                const std::function<void(const std::string& leaf)>& visit);
/// Calls `judge` with the leaf of each of this worker's rows, on several threads. Refuses data of all workers that
/// aren't those that `about` is about. Collective if there is a comm.
void check_rows(const Certificate& about, Source& data, Comm* comm, const ProofOptions& options,
                const Observer& observe, const LeafJudge& judge);
DataFindings check_data(const ReadCertificate& certificate, Source& data, const ProofOptions& options,
                        const Observer& observe);

/// The same as check_rows of leaves, one each line below a line about the data, as `linsep leaves` prints them without
/// a salt. `weights`: they may have one.
void check_leaf_text(const Certificate& about, std::string_view text,
                     const std::function<void(const std::string& leaf)>& visit, bool weights = false);
DataFindings check_leaves(const ReadCertificate& certificate, std::string_view text);

/// Checks everything that is left once the rows are known. `found` is unset if there was no data set. If there was one,
/// `schema` describes it. Adds to `proven` what it has shown.
void check_rest(const ReadCertificate& certificate, const NamedRows& rows, const DataFindings* found,
                const Schema& schema, std::uint64_t memory, std::vector<std::string>& proven);

/// Checks the statements about a logistic regression's coefficients, which are named as in the data.
void check_coefficients(const ReadCertificate& certificate, const DataFindings& found, const Schema& schema,
                        std::vector<std::string>& proven);

/// Checks that the rows of the span proof are independent in the independent columns. `memory` as in RunLimits.
void check_span(const ReadCertificate& certificate, const NamedRows& rows, std::uint64_t memory);

}  // namespace linsep
