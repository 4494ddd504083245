#include "report/witness_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFew = 10, kFewRows = 12;
constexpr std::size_t kLongFraction = 7;

}  // namespace

std::string row_words(const NamedRow& row) {
  const std::string number = std::to_string(row.row + 1);  // without commas: it stands in lists
  return row.id.empty() ? number : fmt::format("{} ({})", number, shown_text(row.id));
}

std::string share_words(const WitnessRow& row) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSigns = {
      {{"1/2", "½"}, {"1/3", "⅓"}, {"2/3", "⅔"}, {"1/4", "¼"}, {"3/4", "¾"}}};
  for (const auto& [plain, sign] : kSigns) {
    if (row.exact_share == plain) return std::string(sign);
  }
  const bool is_short = !row.exact_share.empty() && row.exact_share.size() <= kLongFraction;
  return is_short ? row.exact_share : figure(row.share);
}

std::vector<std::size_t> shown_rows(const std::vector<double>& shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (shares.size() > kFewRows) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    order.resize(kFew);
  }
  return order;
}

std::string aligned(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> width;
  for (const auto& row : cells) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], text_width(row[c]));
  }
  std::string text;
  for (const auto& row : cells) {
    text += "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += row[c];
      if (c + 1 < row.size()) text.append(width[c] + 2 - text_width(row[c]), ' ');
    }
    text += "\n";
  }
  return text;
}

std::string passes_words(std::int64_t passes) {
  return passes == 1 ? "1 pass" : fmt::format("{} passes", thousands(passes));
}

std::string time_words(double seconds) { return seconds < 0.01 ? "under 0.01 s" : duration(seconds); }

std::string ending_words(const CertifyOutcome& outcome) {
  switch (outcome.reason) {
    case StopReason::kTime:
      return "the time ran out";
    case StopReason::kInterrupted:
      return "it was interrupted";
    case StopReason::kPasses:
      return "the passes ran out";
    default:
      return "the search ended";
  }
}

}  // namespace linsep::app
