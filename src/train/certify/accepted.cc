#include "train/certify/steps.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/from_chars.h"
#include "core/random.h"
#include "linsep/batch.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/train.h"
#include "proof/canonical.h"
#include "proof/columns.h"

namespace linsep {
namespace {

/// A hash of a row's label and of its values that aren't 0, which come by ascending column.
class RowHash {
 public:
  explicit RowHash(double label) { add(label); }
  void add(std::uint32_t column, double value) {
    if (value == 0) return;
    hash_ = keyed_hash(hash_, column);
    add(value);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void add(double number) { hash_ = keyed_hash(hash_, std::bit_cast<std::uint64_t>(number)); }

  std::uint64_t hash_ = 0;
};

double value_of(const WrittenValue& value) {
  double number = value.binary;
  const std::string_view digits = std::string_view(value.decimal).substr(value.decimal.starts_with('+') ? 1 : 0);
  if (!digits.empty()) from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// The first row (from 0) whose values or label aren't those of the text that it was read from. This happens if a page
/// file was forged or its text was changed afterwards. −1 if there is none.
std::int64_t row_unlike_its_text(Source& source) {
  constexpr std::size_t kRowsAtOnce = 4096;
  std::vector<std::int64_t> numbers;
  std::vector<std::uint64_t> hashes;
  bool is_float = false;
  source.rewind(0);
  while (const auto batch = source.next()) {
    is_float = batch->is_float;
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      RowHash hash(batch->label_of(i));
      for_each_entry(row, [&](std::uint32_t column, double value) { hash.add(column, value); });
      numbers.push_back(batch->number_of(i));
      hashes.push_back(hash.value());
    });
  }
  const std::vector<std::string>& classes = source.schema().classes;
  const LabelSigns labels(classes);
  for (std::size_t at = 0; at < numbers.size(); at += kRowsAtOnce) {
    const auto some = std::span(numbers).subspan(at, std::min(kRowsAtOnce, numbers.size() - at));
    std::size_t k = at;
    for (const WrittenRow& row : source.written(some)) {
      const std::string mark(labels.mark(row.label));
      RowHash hash(classes.size() == 2 ? (mark == "+1" ? 1 : -1) : std::strtod(mark.c_str(), nullptr) - 1);
      for (const WrittenValue& value : row.values) {
        const double number = value_of(value);
        hash.add(value.column, is_float ? static_cast<float>(number) : number);
      }
      if (hash.value() != hashes[k++]) return row.row;
    }
  }
  return -1;
}

/// Keeps what was checked before, or if that is missing, only the claim.
void keep_less(CertifyOutcome& outcome, const CheckedParts& before) {
  Certificate& certificate = outcome.certificate;
  if (before.certificate) {
    certificate = *before.certificate;
  } else {
    certificate.coefficients = {};
    certificate.mistakes = {};
  }
  if (certificate.coefficients.empty()) {
    for (CoefficientEstimate& estimate : outcome.estimates) estimate.estimate = Estimate::kUnknown;
  }
  if (certificate.claim == Claim::kSeparable) return;  // then no mistake is needed
  outcome.mistakes_at_least = before.mistakes_at_least;
  outcome.mistakes_at_most = before.mistakes_at_most;
}

/// Removes everything that was proven from the outcome.
void keep_nothing(CertifyOutcome& outcome, const CertifyOptions& options) {
  outcome.reason = options.interrupted() ? StopReason::kInterrupted : StopReason::kTime;
  Certificate& certificate = outcome.certificate;
  Certificate kept;
  kept.origin = options.origin;
  kept.map = options.map;
  kept.data = std::move(certificate.data);
  kept.claim = Claim::kUndecided;
  kept.stopped_because = std::string(stop_reason_name(outcome.reason));
  certificate = std::move(kept);
  outcome.estimates.clear();
  outcome.common_point.clear();
  outcome.margin = outcome.radius = outcome.mistake_bound = std::nullopt;
  outcome.mistakes_at_least = outcome.mistakes_at_most = std::nullopt;
  outcome.peeled = outcome.separated = 0;
}

void keep_witness(CertifyOutcome& outcome, const CertifyOptions& options) {
  RowWeights witness = std::move(outcome.certificate.witness);
  std::vector<double> point = std::move(outcome.common_point);
  keep_nothing(outcome, options);
  outcome.certificate.witness = std::move(witness);
  outcome.common_point = std::move(point);
}

}  // namespace

bool states_something(const Certificate& certificate) {
  if (certificate.claim == Claim::kSeparable && certificate.levels.empty()) return certificate.data.rows > 0;
  return certificate.claim != Claim::kUndecided || !certificate.levels.empty() || !certificate.witness.empty() ||
         certificate.margin.at_most_squared;
}

void require_known_map(const FeatureMap& map, std::uint32_t features) {
  Columns columns;
  columns.map = map;
  columns.features = features;
  if (columns.mapped()) return;
  throw usage_error("certify doesn't support the map " + map_text(map) +
                    ": a certificate supports products of at most 9 features, and at most 4294967294 columns");
}

void require_accepted(const Certificate& certificate, Source& source, const RunLimits& limits, Comm& comm,
                      const Observer& observe) {
  if (!states_something(certificate)) return;
  ProofOptions options;
  options.threads = limits.threads;
  const CheckResult check = check_unsealed(certificate, source, comm, options, observe);
  if (check.valid) return;
  std::int64_t unlike = -1;
  rethrow_on_all(comm, [&] { unlike = row_unlike_its_text(source); });
  unlike = all_reduce_max(comm, unlike);
  if (unlike >= 0) {
    throw Error(comm.size() == 1 ? Place{source.place_of(unlike).file, 0, 0} : Place{},
                "row " + std::to_string(unlike + 1) +
                    " differs from the page file made from this text, so one of them was changed. Delete the page "
                    "file, or convert the text again");
  }
  throw bug_error("this is a bug in linsep, please report it with the data: a proof that the rows are " +
                  std::string(claim_name(certificate.claim)) + " was found, but the checker refused it (" +
                  check.reason + "). No verdict is given");
}

void keep_accepted_before(CertifyOutcome& outcome, const CheckedParts& before, const CertifyOptions& options) {
  keep_nothing(outcome, options);
  if (!before.certificate) return;
  outcome.certificate = *before.certificate;
  outcome.mistakes_at_least = before.mistakes_at_least;
  outcome.mistakes_at_most = before.mistakes_at_most;
}

void keep_accepted(CertifyOutcome& outcome, CheckedParts& before, Source& source, const CertifyOptions& options,
                   const Deadline& deadline, Comm& comm, const Observer& observe) {
  const auto accepted = [&](double grace) {
    return run_until(deadline, grace, comm,
                     [&] { require_accepted(outcome.certificate, source, options, comm, observe); });
  };
  if (accepted(Grace::kChecking)) {
    if (options.time_limit > 0) before = {outcome.certificate, outcome.mistakes_at_least, outcome.mistakes_at_most};
    return;
  }
  const Certificate& certificate = outcome.certificate;
  if (before.certificate && before.certificate->claim != certificate.claim) {
    keep_accepted_before(outcome, before, options);
    return;
  }
  const bool more_than_the_claim =
      !certificate.coefficients.empty() || certificate.mistakes.at_most || !certificate.mistakes.witnesses.empty();
  keep_less(outcome, before);
  if (before.certificate) return;
  if (more_than_the_claim && accepted(Grace::kCheckingLess)) return;
  keep_witness(outcome, options);
  if (!certificate.witness.empty() && accepted(Grace::kCheckingWitness)) return;
  keep_nothing(outcome, options);
}

}  // namespace linsep
