// Words for people and fields of text: names from files as a terminal may show them, sizes in bytes, the names of
// phases, fields of CSV.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "core/utf8.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/tools/fields.h"
#include "linsep/tools/listed_name.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

/// A screen of 25 lines of 80. A longer text shows this much of its end, because the advice stands there.
constexpr std::size_t kMostShown = 2000, kTailShown = 600;
constexpr std::string_view kLeftOut = " … ";

/// Control characters, and the characters for direction, line ends and joining that Unicode shows nothing for.
bool is_hidden(std::uint32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
  if (c == 0xad || c == 0x61c || c == 0x180e || c == 0xfeff) return true;
  if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f)) return true;
  return (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

std::string escaped(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.size == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (!is_hidden(c.code) || (keep_newlines && c.code == '\n')) {
      out += text.substr(0, c.size);
    } else if (c.code == '\n') {
      out += "\\n";
    } else if (c.code < 0x80) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", c.code);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c.code);
    }
    text.remove_prefix(c.size);
  }
  return out;
}

}  // namespace

std::string cut_to_screen(std::string text) {
  if (text.size() <= kMostShown) return text;
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  std::size_t head = kMostShown - kLeftOut.size() - kTailShown, tail = text.size() - kTailShown;
  while (head > 0 && inside(head)) --head;
  while (tail < text.size() && inside(tail)) ++tail;
  return text.replace(head, tail - head, kLeftOut);
}

std::string shown_text(std::string_view text) { return cut_to_screen(escaped(text, false)); }
std::string shown_lines(std::string_view text) { return escaped(text, true); }

std::string listed_name(std::string_view name) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const bool odd = name.empty() || name == "none" || name.find_first_of("\",;") != std::string_view::npos ||
                   is_blank(name.front()) || is_blank(name.back());
  if (!odd) return shown_text(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return shown_text(quoted + '"');
}

std::string size_words(std::uint64_t bytes) {
  constexpr double kMega = 1024.0 * 1024;
  const double megabytes = std::ceil(static_cast<double>(bytes) / kMega);
  if (megabytes < 2048) return fmt::format("{:.0f}M", megabytes);
  return fmt::format("{:.1f}G", std::ceil(megabytes / 102.4) / 10);
}

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kReading:
      return "reading";
    case Phase::kPaging:
      return "writing pages";
    case Phase::kGenerating:
      return "generating";
    case Phase::kPermuting:
      return "permuting";
    case Phase::kTraining:
      return "training";
    case Phase::kMeasuring:
      return "measuring";
    case Phase::kCertifying:
      return "certifying";
    case Phase::kSealing:
      return "sealing";
    case Phase::kChecking:
      return "checking";
    case Phase::kPredicting:
      return "predicting";
  }
  return "";
}

std::string csv_field(std::string_view text, char delimiter) {
  constexpr std::string_view kSpecial = "\"\r\n";
  const bool plain = text.find_first_of(kSpecial) == std::string_view::npos &&
                     text.find(delimiter) == std::string_view::npos &&
                     (text.empty() || std::string_view(" \t").find(text.front()) == std::string_view::npos) &&
                     (text.empty() || std::string_view(" \t").find(text.back()) == std::string_view::npos);
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  quoted += '"';
  return quoted;
}

}  // namespace linsep
