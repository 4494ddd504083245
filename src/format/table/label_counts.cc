#include "format/table/label_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/with_commas.h"
#include "format/labels/labels.h"
#include "format/labels/page_labels.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

constexpr std::size_t kMostShown = 8;

struct Counted {
  std::string name;
  std::int64_t rows = 0;
};

/// In the order that classes have: as given, or numbers by size and words by bytes; the positive class last of two.
std::vector<Counted> in_order(const std::map<std::string, std::int64_t>& rows, const ReadOptions& options) {
  std::vector<Counted> classes;
  bool numbers = true;
  for (const auto& [name, count] : rows) {
    double number = 0;
    numbers = numbers && label_number(name, number);
    classes.push_back({name, count});
  }
  const auto place = [&](const std::string& name) { return std::ranges::find(options.classes, name); };
  std::ranges::stable_sort(classes, [&](const Counted& a, const Counted& b) {
    if (!options.classes.empty()) return place(a.name) < place(b.name);
    double x = 0, y = 0;
    if (numbers && label_number(a.name, x) && label_number(b.name, y)) return x < y;
    return a.name < b.name;
  });
  if (classes.size() == 2 && !options.positive.empty() && classes[0].name == class_name(options.positive)) {
    std::swap(classes[0], classes[1]);
  }
  return classes;
}

}  // namespace

void LabelCounts::take(const ParsedPage& page) {
  std::vector<std::int64_t> words(page.label_words.size());
  double last = 0;
  std::int64_t* count = nullptr;
  for (const double label : page.page.label) {
    if (!words.empty()) {
      ++words[static_cast<std::size_t>(label)];
      continue;
    }
    if (count == nullptr || label != last) {
      if (rows_.size() > kMostClasses) return;
      count = &rows_[number_name(label)];
      last = label;
    }
    ++*count;
  }
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (rows_.size() <= kMostClasses) rows_[page.label_words[k]] += words[k];
  }
}

void LabelCounts::merge(const LabelCounts& other) {
  for (const auto& [name, count] : other.rows_) rows_[name] += count;
}

std::string LabelCounts::text(const ReadOptions& options, Comm& comm) const {
  ByteWriter writer;
  for (const auto& [name, count] : rows_) {
    writer.text(name);
    writer.number(count);
  }
  std::map<std::string, std::int64_t> all;
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    for (ByteReader reader(bytes); !reader.at_end();) {
      const std::string name = reader.text();
      all[name] += reader.number<std::int64_t>();
    }
  }
  if (!options.labelled || options.regression || options.label_sets || !options.labels.empty()) return "";
  if (all.size() > kMostShown) return fmt::format("{} different labels", with_commas(all.size()));
  const std::vector<Counted> classes = in_order(all, options);
  std::string out;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const char* side = classes.size() != 2 ? "" : k == 0 ? "negative, " : "positive, ";
    out += fmt::format("{}{} ({}{})", k == 0 ? "" : ", ", shown_text(classes[k].name), side,
                       with_commas(static_cast<std::uint64_t>(classes[k].rows)));
  }
  return out;
}

}  // namespace linsep
