#include "certify/exact/witness.h"

#include <algorithm>
#include <cstddef>

#include "core/poll.h"

namespace linsep {

IntegerVector as_integers(const std::vector<Rational>& values) {
  Integer common = 1;
  for (const Rational& value : values) {
    poll(200);
    grow_to_common_multiple(common, denominator(value));
  }
  IntegerVector integers;
  integers.reserve(values.size());
  for (const Rational& value : values) {
    const std::size_t words = 1 + bit_length(numerator(value)) / 64;
    poll(200 + words * 10);
    integers.push_back(numerator(value) * (common / denominator(value)));
  }
  reduce_content(integers);
  return integers;
}

// Rows of integers without a common divisor that are opposite differ in their signs alone.
bool opposite(const ExactRow& a, const ExactRow& b) {
  if (a.column != b.column) return false;
  for (std::size_t k = 0; k < a.value.size(); ++k) {
    if (a.value[k] != -b.value[k]) return false;
  }
  return true;
}

Witness as_witness(std::vector<std::pair<std::int64_t, Rational>> weights) {
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Rational> alpha;
  alpha.reserve(weights.size());
  for (const auto& [row, weight] : weights) alpha.push_back(weight);
  const IntegerVector integers = as_integers(alpha);
  Witness witness;
  witness.reserve(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) witness.emplace_back(weights[k].first, integers[k]);
  return witness;
}

Witness witness_of_pair(const ExactRow& a, const ExactRow& b) {
  if (!opposite(a, b)) return {};
  return as_witness({{a.row, a.scale}, {b.row, b.scale}});
}

}  // namespace linsep
