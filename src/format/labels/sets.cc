#include "format/labels/sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "format/labels/page_labels.h"
#include "format/text/number.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// As many as there may be classes.
constexpr std::size_t kMostLabels = 10'000;

std::string too_many() { return fmt::format("more than {} labels", kMostLabels); }

}  // namespace

LabelSets::LabelSets(const ReadOptions& options, LabelScope scope) {
  if (!options.positive.empty()) throw usage_error("of sets of labels none is the positive class: leave it out");
  for (std::size_t k = 0; k + 1 < options.classes.size(); k += 2) {
    number_.emplace(options.classes[k + 1], names_.size());
    names_.push_back(options.classes[k + 1]);
    met_in_.push_back(0);
  }
  given_ = !names_.empty();
  shard_ = scope == LabelScope::kShard;
  if (scope == LabelScope::kStream && !given_)
    throw usage_error("sets of labels must all be read before rows are used");
}

std::size_t LabelSets::label_of(const std::string& name, std::int64_t row) {
  const auto known = number_.find(name);
  if (known != number_.end()) return known->second;
  if (given_) throw LabelError{row, fmt::format("expected one of {} labels, found '{}'", names_.size(), name)};
  if (shard_ && names_.size() > kMostLabels) return 0;  // too many, as will be said when the shards meet
  if (!shard_ && names_.size() == kMostLabels) throw LabelError{row, too_many()};
  number_.emplace(name, names_.size());
  names_.push_back(name);
  met_in_.push_back(rows_ + row);
  return names_.size() - 1;
}

std::size_t LabelSets::place_of(const std::string& set, std::int64_t row) {
  const auto written = known_.find(set);
  if (written != known_.end()) return written->second;
  std::vector<std::size_t> labels;
  for (std::size_t begin = 0; begin <= set.size();) {
    const std::size_t end = std::min(set.find(',', begin), set.size());
    if (end == begin) throw LabelError{row, fmt::format("expected labels with commas between them, found '{}'", set)};
    labels.push_back(label_of(class_name(std::string_view(set).substr(begin, end - begin)), row));
    begin = end + 1;
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto [place, is_new] = place_.try_emplace(labels, sets_.size());
  if (is_new) sets_.push_back(labels);
  known_.emplace(set, place->second);
  return place->second;
}

void LabelSets::take(ParsedPage& parsed) {
  const std::span<double> label = parsed.page.label;
  std::unordered_map<double, double> place;  // of each number or word of the page
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto [found, is_new] = place.try_emplace(label[i], 0);
    if (is_new) {
      const bool word = !parsed.label_words.empty();
      const std::string set = word ? parsed.label_words[static_cast<std::size_t>(label[i])] : number_name(label[i]);
      found->second = static_cast<double>(place_of(set, static_cast<std::int64_t>(i)));
    }
    label[i] = found->second;
  }
  rows_ += static_cast<std::int64_t>(label.size());
}

ShardLabels LabelSets::met() const {
  ShardLabels mine;
  std::vector<MetClass>& names = mine.classes.emplace_back();
  for (std::size_t k = 0; k < names_.size(); ++k) names.push_back({names_[k], met_in_[k]});
  for (const std::vector<std::size_t>& set : sets_) mine.sets.emplace_back(set.begin(), set.end());
  return mine;
}

void LabelSets::adopt(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages) {
  names_ = merge_classes(shards, 0, [&](std::span<const std::string> before, const std::string&) {
    return given_ || before.size() < kMostLabels ? std::string() : too_many();
  });
  place_.clear();
  sets_.clear();
  std::vector<double> meaning;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    const std::vector<std::size_t> places = places_in(names_, shards[s].classes[0]);
    for (const std::vector<std::uint64_t>& written : shards[s].sets) {
      std::vector<std::size_t> set;
      for (const std::uint64_t label : written) set.push_back(places[static_cast<std::size_t>(label)]);
      std::ranges::sort(set);
      const auto [known, is_new] = place_.try_emplace(set, sets_.size());
      if (is_new) sets_.push_back(set);
      if (s == own) meaning.push_back(static_cast<double>(known->second));
    }
  }
  for (Page& page : pages) {
    for (double& label : page.label) label = meaning[static_cast<std::size_t>(label)];
  }
}

void LabelSets::finish() {
  if (given_) return;
  std::vector<double> value(names_.size());
  bool numbers = true;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const std::string& name = names_[k];
    numbers = parse_whole_number(name.data(), name.data() + name.size(), value[k]) && numbers;
  }
  std::vector<std::size_t> order(names_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, [&](std::size_t a, std::size_t b) { return numbers ? value[a] < value[b] : names_[a] < names_[b]; });
  std::vector<std::string> names;
  std::vector<std::size_t> rank(order.size());
  for (const std::size_t k : order) {
    rank[k] = names.size();
    names.push_back(names_[k]);
  }
  for (std::vector<std::size_t>& set : sets_) {
    for (std::size_t& label : set) label = rank[label];
  }
  names_ = std::move(names);
}

void LabelSets::describe(Schema& schema) const {
  schema.labels = names_;
  schema.classes.clear();
  for (const std::string& name : names_) {
    schema.classes.emplace_back();
    schema.classes.push_back(name);
  }
  for (std::size_t s = schema.combinations.size(); s < sets_.size(); ++s) {
    std::string& combination = schema.combinations.emplace_back(names_.size(), '0');
    for (const std::size_t label : sets_[s]) combination[label] = '1';
  }
}

}  // namespace linsep
