// The parts of the checker. Each throws Refusal, or NeedsData, when it can't confirm what the certificate says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "exact/number.h"
#include "linsep/certificate.h"
#include "proof/columns.h"

namespace linsep {

/// What is wrong with a certificate; caught in verify_certificate and never seen outside.
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
using Vector = std::vector<std::pair<std::uint32_t, Rational>>;
using Alphas = std::vector<std::pair<std::int64_t, Rational>>;
struct ReadCertificate {
  const Certificate& file;
  Columns columns;
  std::vector<Vector> levels;
  Alphas witness;
  std::vector<Vector> equations;           // one for each dependent column: 0 on every row left at zero
  std::vector<std::uint32_t> independent;  // columns that the span proof doesn't call dependent
  Alphas alpha;
  std::vector<Alphas> packing;
  Vector classifier;
};
ReadCertificate read_certificate(const Certificate& certificate);

/// The rows that the witnesses name, as z = y·(φ(x), 1).
using NamedRows = std::map<std::int64_t, ExactRow>;
/// The numbers of those rows, ascending.
std::vector<std::int64_t> named_rows(const Certificate& certificate);

/// Σ α_i z_i, without columns where it is 0. Throws NeedsData when a row isn't there.
std::map<std::uint32_t, Rational> combine(const Alphas& alphas, const NamedRows& rows);

/// The carried rows, each checked against the digest.
void read_carried(const ReadCertificate& certificate, NamedRows& rows);

/// What one pass over the data set shows, once every row was found to be as claimed.
struct DataFindings {
  std::int64_t left_at_zero = 0;
  std::int64_t mistakes = 0;      // of the classifier of mistakes.at_most
  std::optional<Rational> least;  // least margin under the first level, when margin.at_least_squared asks for it
  Rational squared_norm;          // of the first level, without the offset; both in the same scale
};
DataFindings check_data(const ReadCertificate& certificate, Source& data, NamedRows& rows, const RunLimits& limits,
                        const Observer& observe);

/// That the rows of the span proof are independent in the independent columns.
void check_span(const ReadCertificate& certificate, const NamedRows& rows);

}  // namespace linsep
