// Coefficients of a logistic regression. Some go to infinity, some stay finite, and some are left open by separation.
#include <fmt/format.h>

#include <algorithm>

#include "core/words.h"
#include "linsep/table/map.h"
#include "linsep/tools/statement.h"
#include "proof/verify.h"

namespace linsep {
namespace {

constexpr std::size_t kFewColumns = 10;

Rational weight_at(const Vector& vector, std::uint32_t column) {
  const auto found = std::ranges::lower_bound(vector, column, {}, [](const auto& each) { return each.first; });
  return found == vector.end() || found->first != column ? Rational(0) : found->second;
}

Rational times(const Vector& vector, const std::map<std::uint32_t, Rational>& sum) {
  Rational product = 0;
  for (const auto& [column, weight] : vector) {
    const auto found = sum.find(column);
    if (found != sum.end()) product += weight * found->second;
  }
  return product;
}

/// c with (Σ α_i z_i − c·e_column)·g = 0 for every g. Throws Refusal if there is none, or any would do.
Rational share_of(const ReadCertificate& read, std::uint32_t column, const Alphas& alphas, const NamedRows& rows) {
  const std::map<std::uint32_t, Rational> sum = combine(alphas, rows);
  if (!read.file.span) {
    need(sum.size() == 1 && sum.begin()->first == column, "the sum behind an infinite coefficient has other columns");
    return sum.begin()->second;
  }
  std::optional<Rational> share;
  for (const Vector& equation : read.equations) {
    const Rational weight = weight_at(equation, column);
    if (sign_of(weight) != 0 && !share) share = times(equation, sum) / weight;
  }
  need(share.has_value(), "an infinite coefficient is 0 in every direction");
  for (const Vector& equation : read.equations) {
    need(times(equation, sum) == *share * weight_at(equation, column),
         "the sum behind an infinite coefficient is not its column and rows at zero");
  }
  return *share;
}

void check_infinite(const ReadCertificate& read, const DataFindings& found, int sign,
                    const std::vector<std::pair<std::uint32_t, Alphas>>& list) {
  for (const auto& [column, alphas] : list) {
    need(!alphas.empty(), "an infinite coefficient has no rows");
    for (const auto& [row, alpha] : alphas) {
      need(found.separated.contains(row), "a row behind an infinite coefficient is not separated");
    }
    need(sign_of(share_of(read, column, alphas, found.rows)) == sign, "an infinite coefficient has another sign");
  }
}

void check_undetermined(const ReadCertificate& read) {
  for (const std::uint32_t column : read.file.coefficients.undetermined) {
    bool up = false, down = false;
    const auto hear = [&](const Rational& weight) {
      up = up || sign_of(weight) > 0;
      down = down || sign_of(weight) < 0;
    };
    for (const Vector& direction : read.directions) hear(weight_at(direction, column));
    const Rational step = weight_at(read.steps, column);
    if (sign_of(step) != 0) hear(weight_at(read.directions.front(), column) + step);
    need(up && down, "no two directions disagree on a coefficient");
  }
}

/// What people call a feature: its name, that of the encoded value of a table, or its number.
std::string feature_words(const DataDigest& data, const Schema& schema, std::uint32_t feature) {
  if (feature < data.names.size()) return data.names[feature];
  if (feature < schema.feature_names.size()) return schema.feature_names[feature];
  if (schema.table && !schema.table->empty()) return encoded_name(*schema.table, feature);
  return fmt::format("x{}", std::uint64_t{feature} + 1);
}

/// What people call a column: "dose", "x3", "dose·age", "the intercept", or jointly "dose of setosa".
std::string words_for(const ReadCertificate& read, const Schema& schema, std::uint32_t column) {
  const Columns& columns = read.columns;
  const DataDigest& data = read.file.data;
  if (columns.block > 0) {
    const std::uint32_t place = column % columns.block;
    const std::string& name = data.classes[column / columns.block];
    return fmt::format("{} of {}", place == data.features ? "the intercept" : feature_words(data, schema, place), name);
  }
  if (!columns.origin && column == columns.offset()) return "the intercept";
  std::vector<std::string> factors;
  for (const std::uint32_t factor : columns.factors(column)) factors.push_back(feature_words(data, schema, factor));
  return fmt::format("{}", fmt::join(factors, "·"));
}

template <class List, class Column>
void tell(const ReadCertificate& read, const Schema& schema, const List& list, Column&& column_of,
          const std::string& what, std::vector<std::string>& proven) {
  if (list.empty()) return;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(list.size(), kFewColumns); ++k) {
    names.push_back(words_for(read, schema, column_of(list[k])));
  }
  proven.push_back(fmt::format("coefficients of a {} {}: {}", regression_words(statement_of(read.file)), what,
                               listed(names, kFewColumns, list.size())));
}

}  // namespace

void check_coefficients(const ReadCertificate& read, const DataFindings& found, const Schema& schema,
                        std::vector<std::string>& proven) {
  const Certificate& file = read.file;
  const bool decided =
      file.claim == Claim::kSeparable ? !file.span : file.claim == Claim::kQuasiSeparable && file.span.has_value();
  need(decided, "coefficients need separable rows, or quasi-separable ones with a span");
  check_infinite(read, found, 1, read.plus_infinity);
  check_infinite(read, found, -1, read.minus_infinity);
  for (const std::uint32_t column : file.coefficients.finite) {
    const auto has = [column](const Vector& equation) { return sign_of(weight_at(equation, column)) != 0; };
    need(file.span && std::ranges::none_of(read.equations, has), "a finite coefficient isn't 0 in every direction");
  }
  check_undetermined(read);
  const auto first = [](const auto& entry) { return entry.first; };
  const auto itself = [](std::uint32_t column) { return column; };
  tell(read, schema, read.plus_infinity, first, "that go to +infinity", proven);
  tell(read, schema, read.minus_infinity, first, "that go to -infinity", proven);
  tell(read, schema, file.coefficients.finite, itself, "that stay finite", proven);
  tell(read, schema, file.coefficients.undetermined, itself, "whose sign separation doesn't determine", proven);
}

}  // namespace linsep
