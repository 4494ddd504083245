#include "format/csv/misfits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/with_commas.h"
#include "format/csv/table_columns.h"
#include "format/text/shown.h"
#include "linsep/tools/shown_text.h"
#include "table/kinds.h"

namespace linsep::csv {
namespace {

/// Joins what is said behind "say": "{} a, {} b or {} c".
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
      out += i == 0 ? "; say " : last ? " or " : ", ";
      out += "{} " + arguments_[i];
    }
    return out;
  }

  std::vector<std::string> options;

 private:
  std::vector<std::string> arguments_;
};

/// A "{}" of the data would stand for an option.
std::string without_braces(std::string text) {
  std::ranges::replace(text, '{', '(');
  std::ranges::replace(text, '}', ')');
  return text;
}

std::string wanted(const AskedColumn& asked, const TableColumns& table, bool infinite) {
  if (asked.kind == Encoder::Kind::kNumber) {
    if (infinite) return "a finite number";
    return table.decimal == ',' ? "a number (with a decimal comma)" : "a number";
  }
  return asked.format == "iso" ? "a date such as 2026-11-15" : fmt::format("a date of the form {}", asked.format);
}

std::string counted(std::int64_t rows) { return with_commas(static_cast<std::uint64_t>(rows)); }

std::string so_it_was(std::int64_t looked_at) {
  return fmt::format(" (so it was in the first {} rows)", counted(looked_at));
}

/// That the word stands for a hole.
void add_word(std::string_view written, Hints& hints) {
  constexpr std::size_t kLongWord = 40;
  const bool infinite = looks_infinite(written.data(), written.data() + written.size());
  if (!infinite && written.size() <= kLongWord) hints.add("missing-words", as_argument(written));
}

Misfit said(const Layout& layout, const Field& field, std::size_t column, const std::string& wanted,
            const std::string& so, const Hints& hints) {
  return {without_braces(fmt::format("expected {} in {}{}, found {}", wanted, layout.columns.shown(column), so,
                                     shown_field(field.text))) +
              hints.text(),
          hints.options};
}

}  // namespace

NumberEnd read_decimal(std::string_view field, char decimal, double& value) {
  constexpr std::size_t kShort = 64;
  if (decimal == '.') {
    NumberEnd got = parse_number(field.data(), field.data() + field.size(), value);
    if (got.fault == NumberFault::kNone && got.end != field.data() + field.size()) got.fault = NumberFault::kNoDigits;
    return got;
  }
  if (field.find('.') != std::string_view::npos || std::ranges::count(field, ',') > 1) {
    return {field.data(), NumberFault::kNoDigits};
  }
  char few[kShort];
  std::string many;
  char* copy = few;
  if (field.size() > kShort) {
    many.resize(field.size());
    copy = many.data();
  }
  std::ranges::replace_copy(field, copy, ',', '.');
  NumberEnd got = parse_number(copy, copy + field.size(), value);
  if (got.fault == NumberFault::kNone && got.end != copy + field.size()) got.fault = NumberFault::kNoDigits;
  got.end = field.data() + (got.end - copy);
  return got;
}

std::string with_point(std::string_view field, char decimal) {
  std::string out(field);
  if (decimal != '.') std::ranges::replace(out, decimal, '.');
  return out;
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
  const bool infinite = looks_infinite(written.data(), written.data() + written.size());
  return said(layout, field, column, infinite ? "a finite number" : "a number", so_it_was(layout.looked_at), hints);
}

Misfit misfit_in_table(const Layout& layout, const Field& field, std::size_t column) {
  const TableColumns& table = *layout.table;
  const std::size_t place = layout.columns.feature[column];
  const AskedColumn& asked = table.asked[place];
  const std::string_view written = trimmed(field.text);
  const std::string name = layout.columns.argument(column);
  const bool hole = written.empty() || is_hole(written, table.missing_words);
  const bool infinite = looks_infinite(written.data(), written.data() + written.size());
  if (!table.fitting) {
    Misfit misfit = said(layout, field, column, wanted(asked, table, infinite), "", {});
    misfit.message += "; an empty field is a hole";
    return misfit;
  }
  Hints hints;
  if (table.empty[place]) {
    for (const char* kind : {"number", "category", "text", "ignore"}) hints.add(kind, name);
    return said(layout, field, column, "nothing",
                fmt::format(" (there was nothing in the first {} rows)", counted(table.looked_at)), hints);
  }
  if (hole) {
    hints.add("missing", "indicator");
  } else {
    add_word(written, hints);
    if (asked.kind == Encoder::Kind::kDate && asked.format == "iso") hints.add("date", name + ":%d.%m.%Y");
    hints.add("category", name);
  }
  hints.add("ignore", name);
  const bool category = asked.kind == Encoder::Kind::kCategory;
  return said(layout, field, column, category ? "a value" : wanted(asked, table, infinite),
              table.found[place] ? so_it_was(table.looked_at) : "", hints);
}

}  // namespace linsep::csv
