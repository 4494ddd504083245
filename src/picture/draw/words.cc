#include "picture/draw/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "report/words.h"

namespace linsep {
namespace {

/// The code point that begins at `at`, which moves past it. Bytes that aren't UTF-8 count one by one.
char32_t next_code_point(std::string_view text, std::size_t* at) {
  const auto lead = static_cast<unsigned char>(text[*at]);
  const std::size_t size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  char32_t point = size == 1 ? lead : lead & (0x7fU >> size);
  for (std::size_t i = 1; i < size && *at + i < text.size(); ++i) {
    point = (point << 6) | (static_cast<unsigned char>(text[*at + i]) & 0x3fU);
  }
  *at = std::min(*at + size, text.size());
  return point;
}

std::size_t columns_of(char32_t point) {
  if ((point >= 0x300 && point <= 0x36f) || (point >= 0xfe00 && point <= 0xfe0f)) return 0;
  constexpr std::array<std::pair<char32_t, char32_t>, 9> kWide = {{{0x1100, 0x115f},
                                                                   {0x2e80, 0xa4cf},
                                                                   {0xac00, 0xd7a3},
                                                                   {0xf900, 0xfaff},
                                                                   {0xfe30, 0xfe6f},
                                                                   {0xff00, 0xff60},
                                                                   {0xffe0, 0xffe6},
                                                                   {0x1f300, 0x1faff},
                                                                   {0x20000, 0x3fffd}}};
  const bool wide = std::any_of(kWide.begin(), kWide.end(),
                                [&](const auto& range) { return point >= range.first && point <= range.second; });
  return wide ? 2 : 1;
}

}  // namespace

std::string tick_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return fmt::format("{:.6g}", value == 0 ? 0.0 : value);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) columns += columns_of(next_code_point(text, &at));
  return columns;
}

std::string cut_to(std::string_view text, std::size_t columns, bool ascii) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::string_view end = ascii ? "..." : "…";
  const std::size_t room = columns - std::min(columns, columns_of(end));
  std::size_t kept = 0, used = 0;
  for (std::size_t at = 0; at < text.size();) {
    used += columns_of(next_code_point(text, &at));
    if (used > room) break;
    kept = at;
  }
  while (kept > 0 && text[kept - 1] == ' ') --kept;
  return columns < columns_of(end) ? std::string() : std::string(text.substr(0, kept)).append(end);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t most, bool ascii) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() + 1 < most && columns_of(text) > columns) {
    std::size_t end = std::string_view::npos;
    for (std::size_t blank = text.find(' '); blank != std::string_view::npos; blank = text.find(' ', blank + 1)) {
      if (columns_of(text.substr(0, blank)) > columns) break;
      end = blank;
    }
    if (end == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) lines.push_back(cut_to(text, columns, ascii));
  return lines;
}

std::string in_ascii(std::string_view text) {
  constexpr std::array<std::pair<char32_t, std::string_view>, 19> kNames = {{
      {U'θ', "theta"}, {U'λ', "lambda"}, {U'γ', "gamma"}, {U'α', "alpha"}, {U'φ', "phi"}, {U'−', "-"},  {U'–', "-"},
      {U'·', "*"},     {U'×', "x"},      {U'≤', "<="},    {U'≥', ">="},    {U'±', "+/-"}, {U'‖', "||"}, {U'…', "..."},
      {U'½', "1/2"},   {U'²', "^2"},     {U'√', "sqrt"},  {U'∞', "inf"},   {U'°', ""},
  }};
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = next_code_point(text, &at);
    if (point < 0x80) {
      plain += static_cast<char>(point);
      continue;
    }
    const auto* const found =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto& name) { return name.first == point; });
    plain += found == kNames.end() ? "?" : found->second;
  }
  return plain;
}

}  // namespace linsep
