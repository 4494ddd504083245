#include "map/feature_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/deadline.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/options.h"

namespace linsep {
namespace {

constexpr std::uint64_t kTooMany = std::uint64_t{1} << 40;

/// C(n + k − 1, k): ascending sequences of k columns out of n, with repetition. kTooMany if it exceeds 2³² − 1.
std::uint64_t sequences(std::uint64_t n, int k) {
  if (k >= 2 && n >= (std::uint64_t{1} << 17)) return kTooMany;
  std::uint64_t count = 1;
  for (int i = 0; i < k; ++i) {
    count = count * (n + static_cast<std::uint64_t>(i)) / (static_cast<std::uint64_t>(i) + 1);
    if (count > std::numeric_limits<std::uint32_t>::max()) return kTooMany;
  }
  return count;
}

/// Monomials of degree k over n columns. A product is a pair of different columns, which is a sequence with repetition
/// over one column less (subtract each one's position).
std::uint64_t monomials(const FeatureMap& map, std::uint64_t n, int k) {
  if (map.kind == FeatureMap::Kind::kPolynomial || k == 1) return sequences(n, k);
  return n == 0 ? 0 : sequences(n - 1, k);
}

int degree_of(const FeatureMap& map) {
  switch (map.kind) {
    case FeatureMap::Kind::kNone:
      return 1;
    case FeatureMap::Kind::kProducts:
      return 2;
    case FeatureMap::Kind::kPolynomial:
      return map.degree;
  }
  return 1;
}

/// The smallest column that may follow `column` in a monomial.
std::uint64_t next_column(const FeatureMap& map, std::uint64_t column) {
  return map.kind == FeatureMap::Kind::kPolynomial ? column : column + 1;
}

/// Writes the monomials of one degree of one row, in lexicographic order.
struct MonomialWriter {
  const FeatureMap& map;
  std::uint64_t features;
  const SparseRow<double>& row;
  std::vector<std::uint32_t>& column;
  std::vector<double>& value;

  /// Entries from `from` on may follow. `number` is that of the first monomial that begins with the columns chosen so
  /// far and continues from column `least`. `left` more columns are to be chosen. `product` is that of the chosen ones.
  void write(std::size_t from, std::uint64_t number, std::uint64_t least, int left, double product) {
    const std::uint64_t all = monomials(map, features - least, left);
    poll(4 * (row.size - from) + 10);
    for (std::size_t i = from; i < row.size; ++i) {
      if (row.value[i] == 0) continue;
      const std::uint64_t c = row.column[i];
      const double next = product * row.value[i];
      if (left == 1) {
        append(number + (c - least), next);
      } else {
        const std::uint64_t after = next_column(map, c);
        write(after == c ? i : i + 1, number + all - monomials(map, features - c, left), after, left - 1, next);
      }
    }
  }

  void append(std::uint64_t number, double product) {
    if (product == 0) return;
    if (!std::isfinite(product)) throw input_error("a product of feature values overflows");
    column.push_back(static_cast<std::uint32_t>(number));
    value.push_back(product);
  }
};

}  // namespace

std::uint32_t mapped_features(const FeatureMap& map, std::uint32_t features) {
  if (map.kind == FeatureMap::Kind::kPolynomial && (map.degree < 1 || map.degree > kMaxMapDegree)) {
    throw usage_error(
        fmt::format("the degree of a polynomial map must be from 1 to {}, not {}", kMaxMapDegree, map.degree));
  }
  std::uint64_t count = 0;
  for (int k = 1; k <= degree_of(map); ++k) {
    count += monomials(map, features, k);
    if (count > std::numeric_limits<std::uint32_t>::max()) {
      throw usage_error(
          fmt::format("the map {} of {} features has more than 4294967295 features", map_text(map), features));
    }
  }
  return static_cast<std::uint32_t>(count);
}

std::vector<std::uint32_t> monomial(const FeatureMap& map, std::uint32_t features, std::uint32_t j) {
  std::uint64_t rest = j;
  int degree = 1;
  for (std::uint64_t count = features; rest >= count; count = monomials(map, features, degree)) {
    rest -= count;
    ++degree;
  }
  std::vector<std::uint32_t> columns;
  std::uint64_t least = 0;
  for (int left = degree; left > 0; --left) {
    const std::uint64_t all = monomials(map, features - least, left);
    // Finds the largest column before which at most `rest` monomials begin.
    std::uint64_t low = least;
    std::uint64_t high = features;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (all - monomials(map, features - middle, left) <= rest ? low : high) = middle;
    }
    rest -= all - monomials(map, features - low, left);
    columns.push_back(static_cast<std::uint32_t>(low));
    least = next_column(map, low);
  }
  return columns;
}

void apply_map(const FeatureMap& map, std::uint32_t features, const SparseRow<double>& row,
               std::vector<std::uint32_t>& column, std::vector<double>& value) {
  SparseRow<double> known = row;
  known.size = static_cast<std::size_t>(std::lower_bound(row.column, row.column + row.size, features) - row.column);
  MonomialWriter writer{map, features, known, column, value};
  std::uint64_t number = 0;
  for (int degree = 1; degree <= degree_of(map); ++degree) {
    writer.write(0, number, 0, degree, 1);
    number += monomials(map, features, degree);
  }
}

// Feature maps as options and model files spell them.

std::string map_text(const FeatureMap& map) {
  switch (map.kind) {
    case FeatureMap::Kind::kNone:
      return "none";
    case FeatureMap::Kind::kProducts:
      return "products";
    case FeatureMap::Kind::kPolynomial:
      return fmt::format("polynomial:{}", map.degree);
  }
  return "none";
}

FeatureMap parse_map(const std::string& text) {
  static constexpr std::array<std::string_view, 3> kNames = {"none", "products", "polynomial"};
  FeatureMap map;
  if (text == "none") return map;
  if (text == "products") {
    map.kind = FeatureMap::Kind::kProducts;
    return map;
  }
  const std::string_view name = std::string_view(text).substr(0, text.find(':'));
  if (name == "polynomial") {
    map.kind = FeatureMap::Kind::kPolynomial;
    map.degree = 2;
    if (name.size() == text.size()) return map;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + name.size() + 1, end, map.degree);
    if (error == std::errc() && stop == end && map.degree >= 1 && map.degree <= kMaxMapDegree) return map;
    throw usage_error(
        fmt::format("'{}': the degree of a polynomial map must be a whole number from 1 to {}", text, kMaxMapDegree));
  }
  const std::string near = nearest_word(name, kNames);
  throw usage_error(fmt::format("unknown feature map '{}': choose none, products or polynomial:DEGREE{}", text,
                                near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

}  // namespace linsep
