#include "proof/columns.h"

#include <algorithm>
#include <charconv>

#include "core/deadline.h"
#include "proof/class_rows.h"

namespace linsep {
namespace {

constexpr std::uint64_t kMost = 0xfffffffeULL;  // one more for the intercept still has a 32-bit number
constexpr int kMostDegree = 9;

// n over k, or some number above kMost if it is above kMost.
std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    __extension__ using Wide = unsigned __int128;
    const Wide next = static_cast<Wide>(result) * (n - k + i) / i;
    if (next > kMost * kMost) return kMost + 1;
    result = static_cast<std::uint64_t>(next);
  }
  return result;
}

bool products(const Columns& columns) { return columns.map.kind == FeatureMap::Kind::kProducts; }

// How many ways there are to choose k ascending factors out of n features.
std::uint64_t choices(const Columns& columns, std::uint64_t n, std::uint64_t k) {
  if (k == 0) return 1;
  if (n == 0) return 0;
  return products(columns) ? choose(n, k) : choose(n + k - 1, k);
}

// Products of fewer than `size` factors.
std::uint64_t smaller(const Columns& columns, std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t k = 1; k < size; ++k) sum += choices(columns, columns.features, k);
  return sum;
}

// Ascending products of k factors whose first factor is at least `first`: those from `first` on.
std::uint64_t from_first(const Columns& columns, std::uint32_t first, std::size_t k) {
  return choices(columns, columns.features - first, k);
}

}  // namespace

int Columns::degree() const {
  switch (map.kind) {
    case FeatureMap::Kind::kNone:
      return 1;
    case FeatureMap::Kind::kProducts:
      return 2;
    case FeatureMap::Kind::kPolynomial:
      return map.degree;
  }
  return 0;
}

std::optional<std::uint32_t> Columns::mapped() const {
  if (degree() < 1 || degree() > kMostDegree) return std::nullopt;
  std::uint64_t sum = 0;
  for (int k = 1; k <= degree(); ++k) {
    sum += choices(*this, features, static_cast<std::uint64_t>(k));
    if (sum > kMost) return std::nullopt;
  }
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t Columns::number(const std::vector<std::uint32_t>& list) const {
  std::uint64_t result = smaller(*this, list.size());
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t left = list.size() - i;
    result += from_first(*this, first, left) - from_first(*this, list[i], left);
    first = list[i] + (products(*this) ? 1 : 0);
  }
  return static_cast<std::uint32_t>(result);
}

std::vector<std::uint32_t> Columns::factors(std::uint32_t column) const {
  std::size_t size = 1;
  while (column >= smaller(*this, size + 1)) ++size;
  std::uint64_t rest = column - smaller(*this, size);
  std::vector<std::uint32_t> list;
  std::uint32_t first = 0;
  for (std::size_t left = size; left > 0; --left) {
    // The last factor f with at most `rest` products before it.
    std::uint32_t low = first;
    std::uint32_t high = features;
    while (high - low > 1) {
      const std::uint32_t middle = low + (high - low) / 2;
      (from_first(*this, first, left) - from_first(*this, middle, left) <= rest ? low : high) = middle;
    }
    rest -= from_first(*this, first, left) - from_first(*this, low, left);
    list.push_back(low);
    first = low + (products(*this) ? 1 : 0);
  }
  return list;
}

std::string Columns::name(std::uint32_t column) const {
  if (block > 0) {
    const std::uint32_t place = column % block + 1;
    return std::to_string(column / block + 1) + ":" +
           (block_offset && place == block ? "offset" : std::to_string(place));
  }
  if (column == offset()) return "offset";
  std::string text;
  for (const std::uint32_t factor : factors(column)) {
    if (!text.empty()) text += '*';
    text += std::to_string(std::uint64_t{factor} + 1);
  }
  return text;
}

/// "2:3", "2:offset".
std::optional<std::uint32_t> Columns::number_in_blocks(std::string_view text) const {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const Columns classes{{}, features / block, true};
  const Columns columns{{}, block - (block_offset ? 1 : 0), !block_offset};
  const auto at = classes.number(text.substr(0, colon));
  const auto column = columns.number(text.substr(colon + 1));
  if (!at || !column) return std::nullopt;
  return *at * block + *column;
}

std::optional<std::uint32_t> Columns::number(std::string_view text) const {
  if (block > 0) return number_in_blocks(text);
  if (text == "offset") return origin ? std::nullopt : std::optional(offset());
  std::vector<std::uint32_t> list;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::uint32_t factor = 0;
    if (at == end || *at < '1' || *at > '9') return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, factor);
    if (error != std::errc() || factor > features) return std::nullopt;
    if (!list.empty() && (factor - 1 < list.back() || (products(*this) && factor - 1 == list.back())))
      return std::nullopt;
    list.push_back(factor - 1);
    if (next == end) break;
    if (*next != '*') return std::nullopt;
    at = next + 1;
  }
  if (list.size() > static_cast<std::size_t>(degree())) return std::nullopt;
  return number(list);
}

Columns columns_of(const Certificate& certificate) {
  const ClassRows rows(certificate.data, certificate.origin);
  if (!rows.jointly()) return {certificate.map, certificate.data.features, certificate.origin};
  const std::uint64_t blocks = certificate.data.classes.size() - 1;
  const bool too_many = rows.block() > kMost || blocks * rows.block() > kMost;
  const std::uint64_t features = too_many ? kMost + 1 : blocks * rows.block();
  return {certificate.map, static_cast<std::uint32_t>(features), true, static_cast<std::uint32_t>(rows.block()),
          !certificate.origin};
}

std::uint64_t products_of(const Columns& columns, std::size_t entries) {
  std::uint64_t sum = 0;
  for (int k = 1; k <= columns.degree(); ++k) sum += choices(columns, entries, static_cast<std::uint64_t>(k));
  return sum;
}

RationalRow map_row(const Columns& columns, const RationalRow& raw) {
  RationalRow row = raw;
  // Products of k factors. Each is extended by one more factor that doesn't come before its last.
  std::vector<std::pair<std::vector<std::size_t>, Rational>> last;
  for (std::size_t i = 0; i < raw.size(); ++i) last.push_back({{i}, raw[i].second});
  for (int k = 2; k <= columns.degree(); ++k) {
    decltype(last) next;
    for (const auto& [places, value] : last) {
      for (std::size_t i = places.back() + (products(columns) ? 1 : 0); i < raw.size(); ++i) {
        poll(500);
        std::vector<std::size_t> longer = places;
        longer.push_back(i);
        std::vector<std::uint32_t> list;
        for (const std::size_t place : longer) list.push_back(raw[place].first);
        const Rational product = value * raw[i].second;
        row.emplace_back(columns.number(list), product);
        next.emplace_back(std::move(longer), product);
      }
    }
    last = std::move(next);
  }
  if (!columns.origin) row.emplace_back(columns.offset(), Rational(1));
  return row;
}

}  // namespace linsep
