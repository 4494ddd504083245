#include "format/csv/misfits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "bytes/number.h"
#include "core/words.h"
#include "format/csv/columns.h"
#include "linsep/tools/shown_text.h"
#include "table/kinds.h"

namespace linsep::csv {
namespace {

/// Joins the hints after "use": "{} a, {} b or {} c".
class Hints {
 public:
  void add(const std::string& option, const std::string& argument) {
    options.push_back(option);
    arguments_.push_back(argument);
  }
  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const bool last = i + 1 == arguments_.size();
      out += i == 0 ? "; use " : last ? " or " : ", ";
      out += "{} " + arguments_[i];
    }
    return out;
  }

  std::vector<std::string> options;

 private:
  std::vector<std::string> arguments_;
};

bool is_infinite(std::string_view field) {
  const char *begin = field.data(), *end = begin + field.size();
  return looks_infinite(begin, end) || is_too_large(begin, end);
}

std::string wanted(const AskedColumn& asked, const TableColumns& table, bool infinite) {
  if (asked.kind == ColumnKind::kNumber) {
    if (infinite) return "a finite number";
    if (asked.format == kBooleanStyle) return "true or false";
    if (!asked.format.empty()) return fmt::format("a number written as {}", asked.format);
    return table.decimal == ',' ? "a number (with a decimal comma)" : "a number";
  }
  return asked.format == "iso" ? "a date such as 2026-11-15" : fmt::format("a date of the form {}", asked.format);
}

std::string so_it_was(std::int64_t looked_at) {
  return fmt::format(" (as in the first {} rows)", with_commas(looked_at));
}

/// Adds the hint that the word may stand for a missing value.
void add_word(std::string_view written, Hints& hints) {
  constexpr std::size_t kLongWord = 40;
  if (written.size() <= kLongWord) hints.add("missing-words", as_argument(written));
}

Misfit said(const Layout& layout, const Field& field, std::size_t column, const std::string& wanted,
            const std::string& so, const Hints& hints) {
  return {without_braces(fmt::format("expected {} in {}{}, found {}", wanted, layout.columns.shown(column), so,
                                     shown_field(field.text))) +
              hints.text(),
          hints.options};
}

/// Lists the odd fields other than the first: "line 180: '#N/A'".
std::string others_text(const OddFields& odd) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 1; i < std::min(odd.texts.size(), kMost); ++i) {
    text += fmt::format("{}{}: {}", i == 1 ? " (also " : ", ", odd.places[i], shown_field(odd.texts[i]));
  }
  if (odd.texts.size() > kMost) text += fmt::format(" and {} more", with_commas(odd.texts.size() - kMost));
  return text.empty() ? "" : text + ")";
}

/// All of them as words for missing values, "#REF!,#N/A". "" if they can't be.
std::string all_words(const OddFields& odd) {
  constexpr std::size_t kLongest = 80;
  std::vector<std::string_view> words;
  for (const std::string_view text : odd.texts) {
    const std::string_view word = trimmed(text);
    if (word.find(',') != std::string_view::npos) return "";
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    if (words.size() > kLongest) return "";
  }
  std::string joined = fmt::format("{}", fmt::join(words, ","));
  return joined.size() > kLongest ? "" : joined;
}

}  // namespace

std::string without_braces(std::string text) {
  std::ranges::replace(text, '{', '(');
  std::ranges::replace(text, '}', ')');
  return text;
}

Misfit misfit_in_sample(const Columns& columns, const TableColumns& table, const OddFields& odd) {
  Hints hints;
  const std::string name = columns.argument(odd.column);
  if (const std::string words = all_words(odd); !words.empty()) hints.add("missing-words", as_argument(words));
  hints.add("category", name);
  hints.add("ignore", name);
  const std::string_view first = trimmed(odd.texts[0]);
  const bool infinite = is_infinite(first);
  return {
      without_braces(fmt::format("expected {} in {} (as in {} of the first {} values), found {}{}",
                                 wanted(odd.asked, table, infinite), columns.shown(odd.column), with_commas(odd.fine),
                                 with_commas(odd.of), shown_field(odd.texts[0]), others_text(odd))) +
          hints.text(),
      hints.options};
}

std::string more_misfits(std::size_t columns) {
  return columns <= kMostMisfits ? "" : fmt::format("; and {} more columns", with_commas(columns - kMostMisfits));
}

NumberEnd read_decimal(std::string_view field, const NumberStyle& style, double& value) {
  std::optional<std::string> plain;
  std::string_view text = field;
  if (!style.is_plain()) {
    plain = plain_decimal(field, style);
    if (!plain) return {field.data(), NumberFault::kNoDigits};
    text = *plain;
  }
  NumberEnd got = parse_number(text.data(), text.data() + text.size(), value);
  if (got.fault == NumberFault::kNone && got.end != text.data() + text.size()) got.fault = NumberFault::kNoDigits;
  got.end = got.fault == NumberFault::kNone ? field.data() + field.size() : field.data();
  return got;
}

NumberStyle style_of_column(const AskedColumn& asked, char decimal) {
  return style_of(asked.format).value_or(NumberStyle{decimal, 0, "", false});
}

std::string as_argument(std::string_view word) {
  const std::string text(word);
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '/';
  });
  if (plain) return text;
  const bool harmless = !text.empty() && text.find_first_of("'{") == std::string::npos && shown_text(text) == text;
  return harmless ? fmt::format("'{}'", text) : "…";
}

Misfit misfit_of_number(const Layout& layout, const Field& field, std::size_t column) {
  const std::string_view written = trimmed(field.text);
  const std::string name = layout.columns.argument(column);
  Hints hints;
  if (is_hole(written, {})) {
    hints.add("number", name);
  } else {
    add_word(written, hints);
    hints.add("category", name);
  }
  hints.add("ignore", name);
  const bool infinite = is_infinite(written);
  return said(layout, field, column, infinite ? "a finite number" : "a number", so_it_was(layout.looked_at), hints);
}

Misfit misfit_in_table(const Layout& layout, const Field& field, std::size_t column) {
  const TableColumns& table = *layout.table;
  const std::size_t place = layout.columns.feature[column];
  const AskedColumn& asked = table.asked[place];
  const std::string_view written = trimmed(field.text);
  const std::string name = layout.columns.argument(column);
  const bool hole = written.empty() || is_hole(written, table.missing_words);
  const bool infinite = is_infinite(written);
  if (!table.fitting) {
    Misfit misfit = said(layout, field, column, wanted(asked, table, infinite), "", {});
    misfit.message += "; leave the field empty if the value is missing";
    return misfit;
  }
  Hints hints;
  if (table.empty[place]) {
    for (const char* kind : {"number", "category", "text", "ignore"}) hints.add(kind, name);
    return said(layout, field, column, "no value",
                fmt::format(" (it had none in the first {} rows)", with_commas(table.looked_at)), hints);
  }
  if (hole) {
    hints.add("missing", "indicator");
  } else {
    add_word(written, hints);
    if (asked.kind == ColumnKind::kDate && asked.format == "iso") hints.add("date", name + ":%d.%m.%Y");
    hints.add("category", name);
  }
  hints.add("ignore", name);
  const bool category = asked.kind == ColumnKind::kCategory;
  return said(layout, field, column, category ? "a value" : wanted(asked, table, infinite),
              table.found[place] ? so_it_was(table.looked_at) : "", hints);
}

}  // namespace linsep::csv
