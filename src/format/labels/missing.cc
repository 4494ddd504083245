#include "format/labels/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace linsep {

bool looks_missing(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords = {"", "na", "n/a", "nan", "null", "?"};
  constexpr std::size_t kLongest = 4;
  if (word.size() > kLongest) return false;
  if (!word.empty() && word[0] != 'n' && word[0] != 'N' && word[0] != '?') return false;
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
  return std::ranges::any_of(kWords, [&](std::string_view known) { return std::ranges::equal(word, known, same); });
}

MissingLabels::MissingLabels(const ReadOptions& options)
    : looked_for_(options.labelled), drop_(options.labelled && options.drop_missing_labels) {
  for (const std::string& name : options.classes) {
    if (looks_missing(name)) named_.push_back(name);
  }
  if (!options.positive.empty() && looks_missing(options.positive)) named_.push_back(options.positive);
  // Of sets of labels an empty class is that of rows without the label, and no word of the file.
  if (options.label_sets) std::erase(named_, "");
  std::ranges::sort(named_);
}

bool MissingLabels::is_named(std::string_view word) const { return std::ranges::find(named_, word) != named_.end(); }

std::string missing_label_message(std::string_view word) {
  const std::string found = word.empty() ? "the field is empty" : fmt::format("'{}'", word);
  return fmt::format("this row has no label ({}): put the label in, or leave such rows out with {{}} drop", found);
}

Error no_rows_error(const std::string& name, const ReadOptions& options) {
  return {Place{name, 0, 0}, options.drop_missing_labels ? "there are no rows with a label" : "there are no rows"};
}

}  // namespace linsep
