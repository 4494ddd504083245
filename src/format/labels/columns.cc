#include "format/labels/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linsep/error.h"

namespace linsep {
namespace {

/// The words of one column among words of all columns.
std::vector<std::string> column_words(const std::vector<std::string>& all, std::size_t column) {
  std::vector<std::string> own;
  for (const std::string& word : all) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k < column; ++k) begin = word.find(kLabelEnd, begin) + 1;
    own.push_back(word.substr(begin, word.find(kLabelEnd, begin) - begin));
  }
  return own;
}

/// The row in which each of the words stands first.
std::vector<std::int64_t> first_rows(std::span<const double> label, std::size_t words) {
  std::vector<std::int64_t> first(words, -1);
  for (std::size_t i = 0; i < label.size(); ++i) {
    std::int64_t& row = first[static_cast<std::size_t>(label[i])];
    if (row < 0) row = static_cast<std::int64_t>(i);
  }
  return first;
}

std::string in_column(const std::string& name, const std::string& message) {
  return fmt::format("label column '{}': {}", name, message);
}

}  // namespace

LabelColumns::LabelColumns(const ReadOptions& options, std::vector<std::string> names, LabelScope scope)
    : labelled_(options.labelled), names_(std::move(names)) {
  if (options.label_sets && options.labelled) {
    if (!names_.empty()) throw usage_error("several label columns hold no sets of labels");
    sets_.emplace(options, scope);
    return;
  }
  if (names_.empty() || !options.labelled) {
    ReadOptions one = options;
    if (!names_.empty()) one.classes.clear();
    resolvers_.emplace_back(one, scope);
    return;
  }
  if (!options.positive.empty())
    throw usage_error("of several label columns none has the positive class: leave it out");
  if (!options.classes.empty() && options.classes.size() != 2 * names_.size()) {
    throw usage_error(fmt::format("{} label columns have {} classes, not {}", names_.size(), 2 * names_.size(),
                                  options.classes.size()));
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    ReadOptions own = options;
    own.many_classes = false;
    if (!options.classes.empty()) own.classes = {options.classes[2 * k], options.classes[2 * k + 1]};
    resolvers_.emplace_back(own, scope);
  }
}

void LabelColumns::take(ParsedPage& parsed) {
  if (sets_) return sets_->take(parsed);
  const std::span<double> label = parsed.page.label;
  if (names_.empty() || parsed.label_words.empty()) return resolvers_[0].take(parsed);
  // What the page's words mean, column by column: a page of one row per word is resolved in its stead.
  const std::size_t words = parsed.label_words.size();
  std::vector<std::string> meaning(words, std::string(names_.size(), '0'));
  const std::vector<std::int64_t> row_of = first_rows(label, words);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    std::vector<double> own(words);
    for (std::size_t w = 0; w < words; ++w) own[w] = static_cast<double>(w);
    ParsedPage one;
    one.page.label = own;
    one.label_words = column_words(parsed.label_words, k);
    try {
      resolvers_[k].take(one, row_of, static_cast<std::int64_t>(label.size()));
    } catch (const LabelError& error) {
      throw LabelError{error.row, in_column(names_[k], error.message)};
    }
    for (std::size_t w = 0; w < words; ++w) meaning[w][k] = own[w] > 0 ? '1' : '0';
  }
  std::vector<double> place(words);
  for (std::size_t w = 0; w < words; ++w) {
    const auto [known, is_new] = place_.try_emplace(meaning[w], combinations_.size());
    if (is_new) combinations_.push_back(meaning[w]);
    place[w] = static_cast<double>(known->second);
  }
  for (double& one : label) one = place[static_cast<std::size_t>(one)];
}

ShardLabels LabelColumns::met() const {
  if (sets_) return sets_->met();
  ShardLabels mine;
  for (const LabelResolver& resolver : resolvers_) mine.classes.push_back(resolver.met());
  mine.combinations = combinations_;
  return mine;
}

void LabelColumns::adopt(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages) {
  if (sets_) return sets_->adopt(shards, own, pages);
  if (!labelled_) return;
  if (!names_.empty()) return adopt_combinations(shards, own, pages);
  LabelResolver& resolver = resolvers_[0];
  if (!resolver.finds_classes()) return;
  const std::vector<std::string> classes = merge_classes(
      shards, 0, [&](auto before, const std::string& one_more) { return resolver.refusal(before, one_more); });
  const std::vector<double> meaning = resolver.adopt(classes);
  for (Page& page : pages) {
    for (double& label : page.label) label = meaning[static_cast<std::size_t>(label)];
  }
}

void LabelColumns::adopt_combinations(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages) {
  std::optional<ShardLabelError> first;
  std::vector<std::vector<std::string>> classes(names_.size());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    try {
      classes[k] = merge_classes(
          shards, k, [&](auto before, const std::string& one_more) { return resolvers_[k].refusal(before, one_more); });
    } catch (const ShardLabelError& error) {
      if (first && std::pair(first->shard, first->row) <= std::pair(error.shard, error.row)) continue;
      first = {error.shard, error.row, in_column(names_[k], error.message)};
    }
  }
  if (first) throw ShardLabelError(*first);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (resolvers_[k].finds_classes()) resolvers_[k].adopt(classes[k]);
  }
  combinations_.clear();
  place_.clear();
  std::vector<double> meaning;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    std::vector<std::string> translated = shards[s].combinations;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (!resolvers_[k].finds_classes()) continue;
      const std::vector<std::size_t> places = places_in(classes[k], shards[s].classes[k]);
      for (std::string& combination : translated) {
        combination[k] = places[combination[k] == '1' ? 1 : 0] == 1 ? '1' : '0';
      }
    }
    for (const std::string& combination : translated) {
      const auto [known, is_new] = place_.try_emplace(combination, combinations_.size());
      if (is_new) combinations_.push_back(combination);
      if (s == own) meaning.push_back(static_cast<double>(known->second));
    }
  }
  for (Page& page : pages) {
    for (double& label : page.label) label = meaning[static_cast<std::size_t>(label)];
  }
}

void LabelColumns::finish(std::span<Page> pages, std::int64_t rows, const std::string& name) {
  if (sets_) return sets_->finish();
  if (names_.empty() || combinations_.empty()) return resolvers_[0].finish(pages, rows, name);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    // What becomes of a stand-in that said "negative" shows whether the column's classes are swapped.
    double negative = -1;
    Page one;
    one.label = std::span(&negative, 1);
    resolvers_[k].finish(std::span(&one, 1), rows, fmt::format("{}, label column '{}'", name, names_[k]));
    if (negative < 0) continue;
    for (std::string& combination : combinations_) combination[k] = combination[k] == '1' ? '0' : '1';
  }
}

void LabelColumns::describe(Schema& schema) const {
  if (sets_) return sets_->describe(schema);
  schema.classes.clear();
  for (const LabelResolver& resolver : resolvers_) {
    schema.classes.insert(schema.classes.end(), resolver.classes().begin(), resolver.classes().end());
  }
  schema.labels = names_;
  if (schema.combinations.size() != combinations_.size()) schema.combinations = combinations_;
}

}  // namespace linsep
