#include <fmt/format.h>

#include <algorithm>

#include "core/words.h"
#include "linsep/table/fit.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

/// Counts characters, the way a terminal does for most scripts.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

/// A name, cut at 60 characters.
std::string shown_name(const std::string& name) {
  constexpr std::size_t kMost = 60;
  std::string shown = shown_text(name);
  if (width_of(shown) <= kMost) return shown;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < shown.size(); ++end) {
    if ((static_cast<unsigned char>(shown[end]) & 0xc0) != 0x80 && ++characters == kMost) break;
  }
  return shown.substr(0, end) + "…";
}

std::string delimiter_text(char delimiter) { return delimiter == '\t' ? "tab" : fmt::format("'{}'", delimiter); }

std::string head_line(const TableAccount& account) {
  const auto rows = static_cast<std::uint64_t>(account.rows), seen = static_cast<std::uint64_t>(account.looked_at);
  std::string text = fmt::format("{}: ", shown_text(account.file));
  const bool is_text = account.delimiter != 0;
  if (rows > 0) text += fmt::format("{} rows{} ", with_commas(rows), is_text ? "," : ";");
  if (is_text) {
    text += fmt::format("{}, {}; ", account.header ? "header" : "no header", delimiter_text(account.delimiter));
  }
  if (account.decimal != '.') text += fmt::format("decimal '{}'; ", account.decimal);
  return text + (seen == rows ? "looked at all rows" : fmt::format("looked at the first {} rows", with_commas(seen)));
}

}  // namespace

std::string account_text(const TableAccount& account) {
  std::size_t names = 0, purposes = 0, details = 0;
  for (const ColumnAccount& column : account.columns) {
    names = std::max(names, width_of(shown_name(column.name)));
    purposes = std::max(purposes, width_of(column.purpose));
    if (!column.reason.empty()) details = std::max(details, width_of(shown_text(column.detail)));
  }
  std::string text = head_line(account) + "\n";
  for (const ColumnAccount& column : account.columns) {
    const std::string detail = shown_text(column.detail), reason = shown_text(column.reason);
    std::string line =
        fmt::format("  {}  {}  ", padded(shown_name(column.name), names), padded(column.purpose, purposes));
    if (detail.empty() || reason.empty()) {
      line += detail + reason;
    } else {
      line += fmt::format("{}  {}", padded(detail, details), reason);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + fmt::format("{} feature{}\n", with_commas(account.features), account.features == 1 ? "" : "s");
}

}  // namespace linsep
