// The checker. It reads the certificate, checks what needs only its witnesses, then what needs the data set.
#include "proof/verify.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/deadline.h"
#include "core/words.h"
#include "linsep/error.h"
#include "linsep/tools/leaves.h"
#include "linsep/tools/statement.h"
#include "proof/exact_text.h"

namespace linsep {
namespace {

/// A checked number, short enough to be read.
std::string shown(const std::string& number) {
  constexpr std::size_t kMost = 60;
  return number.size() <= kMost ? number : fmt::format("{}…", std::string_view(number).substr(0, kMost));
}

Rational parse_bound(const std::string& text) {
  const auto value = parse_exact(text);
  need(value.has_value(), "a bound is not an exact number");
  return *value;
}

void check_witness(const ReadCertificate& read, const NamedRows& rows, std::vector<std::string>& proven) {
  if (read.witness.empty()) return;
  need(combine(read.witness, rows).empty(), "the witness's sum is not 0");
  proven.push_back(not_separable_words(statement_of(read.file)));
}

void check_margin_above(const ReadCertificate& read, const NamedRows& rows, std::vector<std::string>& proven) {
  const MarginBounds& margin = read.file.margin;
  if (!margin.at_most_squared) return;
  need(!read.alpha.empty(), "the margin's upper bound has no alpha");
  const Rational bound = parse_bound(*margin.at_most_squared);
  const auto total = combine(read.alpha, rows);
  need(read.columns.origin || !total.contains(read.columns.offset()), "the margin's alpha doesn't balance the classes");
  Rational square;
  for (const auto& [column, value] : total) square += value * value;
  Rational scale;
  for (const auto& [row, alpha] : read.alpha) scale += alpha;
  need(square <= bound * scale * scale, "a greater margin is not excluded");
  proven.push_back("no separator's geometric margin has a square above " + shown(*margin.at_most_squared));
}

void check_packing(const ReadCertificate& read, const NamedRows& rows, std::vector<std::string>& proven) {
  if (read.packing.empty()) return;
  std::set<std::int64_t> seen;
  for (const Alphas& witness : read.packing) {
    need(!witness.empty(), "a witness is empty");
    for (const auto& [row, alpha] : witness) need(seen.insert(row).second, "two witnesses share a row");
    need(combine(witness, rows).empty(), "the sum of one of the witnesses is not 0");
  }
  proven.push_back(least_words(statement_of(read.file), static_cast<std::int64_t>(read.packing.size())));
}

/// What the levels achieve.
std::string levels_sentence(const ReadCertificate& read) {
  const std::int64_t all = read.made.rows(), left = read.file.left_at_zero;
  const std::string count = std::to_string(all);
  if (read.made.jointly()) {
    const std::string of = "the weights score a row's own class above another in ";
    const std::string pairs = " pairs of a row and another class";
    if (left == 0) return of + "all " + count + pairs;
    return of + std::to_string(all - left) + " of " + count + pairs + ", and equal to it in the others";
  }
  if (left == 0) return "the weights separate all " + count + " rows";
  return "the weights separate " + std::to_string(all - left) + " of " + count +
         " rows and have the others on their boundary";
}

void check_levels(const ReadCertificate& read, const DataFindings& found, std::vector<std::string>& proven) {
  const Certificate& file = read.file;
  if (!read.levels.empty()) {
    need(found.left_at_zero == file.left_at_zero, "left_at_zero is not the number of rows left at zero");
    proven.push_back(levels_sentence(read));
  }
  const MarginBounds& margin = file.margin;
  if (margin.radius_squared)
    proven.push_back("every row has a squared norm of at most " + shown(*margin.radius_squared));
  need(!margin.mistake_bound || (margin.at_least_squared && margin.radius_squared), "the mistake bound has no parts");
  if (!file.margin.at_least_squared) return;
  const Rational bound = parse_bound(*file.margin.at_least_squared);
  need(read.levels.size() == 1 && found.left_at_zero == 0 && found.least && sign_of(bound) > 0 &&
           sign_of(found.squared_norm) > 0,
       "there is no margin to bound");
  need(*found.least * *found.least >= bound * found.squared_norm, "the margin is smaller than claimed");
  proven.push_back("the weights' geometric margin has a square of at least " + shown(*file.margin.at_least_squared));
  if (!margin.mistake_bound) return;
  const Rational length = *read.radius_squared + (read.columns.origin ? 0 : 1);
  need(length * found.squared_norm_with_offset <= parse_bound(*margin.mistake_bound) * *found.least * *found.least,
       "a perceptron could make more mistakes than claimed");
  proven.push_back(fmt::format("a {} that begins at 0 makes at most {} mistakes",
                               classifier_words(statement_of(file), "perceptron"), shown(*margin.mistake_bound)));
}

void check_claim(const ReadCertificate& read) {
  const Certificate& file = read.file;
  const bool levels = !read.levels.empty();
  const bool witness = !read.witness.empty();
  bool proven = false;
  switch (file.claim) {
    case Claim::kSeparable:
      proven = levels && file.left_at_zero == 0;
      break;
    case Claim::kQuasiSeparable:
      proven = levels && file.left_at_zero < read.made.rows() && witness;
      break;
    case Claim::kOverlapping:
      proven = !levels && witness && file.span;
      break;
    case Claim::kUndecided:
      proven = levels || witness || file.margin.at_most_squared;
      break;
  }
  need(proven, "its parts don't prove the claim");
}

}  // namespace

void check_rest(const ReadCertificate& read, const NamedRows& rows, const DataFindings* found, const Schema& schema,
                std::uint64_t memory, std::vector<std::string>& proven) {
  const Certificate& file = read.file;
  check_witness(read, rows, proven);
  if (file.span) check_span(read, rows, memory);
  check_margin_above(read, rows, proven);
  check_packing(read, rows, proven);
  const bool needs_data = !read.levels.empty() || !read.equations.empty() || file.mistakes.at_most ||
                          file.margin.at_least_squared || read.radius_squared || file.margin.mistake_bound ||
                          !file.coefficients.empty();
  if (found == nullptr && needs_data) {
    throw NeedsData("the data set is needed; without it only the witnesses are proven");
  }
  if (found != nullptr) {
    check_levels(read, *found, proven);
    if (file.mistakes.at_most) {
      need(found->mistakes == *file.mistakes.at_most, "the classifier makes a different number of mistakes");
      proven.push_back(
          fmt::format("one {} makes {}", classifier_words(statement_of(file)), counted(found->mistakes, "mistake")));
    }
  }
  check_claim(read);
  if (!file.coefficients.empty()) check_coefficients(read, *found, schema, proven);
}

namespace {

/// `find(read)` returns what one pass over the data, which `schema` describes, shows. Nothing if there are no data.
template <class Find>
CheckResult verified(const Certificate& certificate, const Schema& schema, const ProofOptions& options,
                     const Find& find) {
  CheckResult result;
  const auto check = [&] {
    const ReadCertificate read = read_certificate(certificate, false);
    NamedRows carried;
    read_carried(read, carried);
    const std::optional<DataFindings> found = find(read);
    check_rest(read, found ? found->rows : carried, found ? &*found : nullptr, schema, options.memory, result.proven);
  };
  try {
    if (options.interrupt == nullptr) {
      check();
    } else {
      Deadline interrupt([&] { return options.interrupted(); });
      if (!interrupt.run(check)) throw interrupted_error();
    }
    result.valid = true;
    result.reason = claim_words(statement_of(certificate));
  } catch (const NeedsData& missing) {
    result.needs_data = true;
    result.reason = missing.what();
  } catch (const Refusal& refusal) {
    result.reason = refusal.what();
  }
  return result;
}

}  // namespace

CheckResult verify_certificate(const Certificate& certificate, Source* data, const ProofOptions& options,
                               const Observer& observe) {
  const Schema schema = data == nullptr ? Schema{} : data->schema();
  return verified(certificate, schema, options, [&](const ReadCertificate& read) {
    return data == nullptr ? std::nullopt : std::optional(check_data(read, *data, options, observe));
  });
}

CheckResult verify_leaves(const Certificate& certificate, std::string_view leaves, const ProofOptions& options) {
  return verified(certificate, {}, options,
                  [&](const ReadCertificate& read) { return std::optional(check_leaves(read, leaves)); });
}

}  // namespace linsep
