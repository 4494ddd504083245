// Words that all rooms share, for whole numbers, shares and lists as people read them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linsep {

/// "1,234,567", "−5"
template <std::integral Integer>
std::string with_commas(Integer number) {
  if constexpr (std::is_signed_v<Integer>) {
    if (number < 0) return "−" + with_commas(std::uint64_t{0} - static_cast<std::uint64_t>(number));
  }
  auto rest = static_cast<std::uint64_t>(number);
  std::string digits;
  for (; rest >= 1000; rest /= 1000) digits = fmt::format(",{:03}{}", rest % 1000, digits);
  return fmt::format("{}{}", rest, digits);
}

/// "1 row", "1,000 rows"
inline std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(number), noun, number == 1 ? "" : "s");
}

/// "1 pass", "1,000 passes"
inline std::string counted_passes(std::int64_t passes) {
  return passes == 1 ? "1 pass" : with_commas(passes) + " passes";
}

/// "0.0984 %", a share to three figures.
inline std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

/// Whether a gap proves anything, in the figures shown, since no objective is negative.
inline bool is_bound(double gap) { return gap < 1 && percent(gap) != "100 %"; }

/// What a gap means for an objective, as in "within 0.08 % of the best possible".
inline std::string distance_words(double gap) {
  return is_bound(gap) ? fmt::format("within {} of the best possible", percent(gap))
                       : "not yet proven to be near the best possible";
}
/// The same for training, whose bound nobody has checked yet, as in "within 0.08 % of the best possible (bound computed
/// in training)". `asked` is the gap asked for, or 0 for none.
inline std::string gap_words(double gap, double asked = 0) {
  std::string more = asked > 0 ? fmt::format("asked: {}", percent(asked)) : "";
  if (is_bound(gap)) more += fmt::format("{}bound computed in training", more.empty() ? "" : "; ");
  return distance_words(gap) + (more.empty() ? "" : fmt::format(" ({})", more));
}

/// "a, b and c", or with more than `most` words "a, b and 7 more". `count` is how many there are if `words` has only
/// the first of them (0 if these are all).
template <class Word>
std::string listed(const std::vector<Word>& words, std::size_t most = 10, std::size_t count = 0,
                   std::string_view last = "and") {
  count = std::max(count, words.size());
  const std::size_t shown = std::min(words.size(), most);
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    if (k > 0) text += k + 1 == count ? fmt::format(" {} ", last) : ", ";
    text += words[k];
  }
  return count > shown ? fmt::format("{} and {} more", text, with_commas(count - shown)) : text;
}

}  // namespace linsep
