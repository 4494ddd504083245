#include "format/label_columns.h"

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

}  // namespace

LabelColumns::LabelColumns(const ReadOptions& options, std::vector<std::string> names, bool streaming)
    : names_(std::move(names)) {
  if (options.label_sets && options.labelled) {
    if (!names_.empty()) throw usage_error("several label columns hold no sets of labels");
    sets_.emplace(options, streaming);
    return;
  }
  if (names_.empty() || !options.labelled) {
    ReadOptions one = options;
    if (!names_.empty()) one.classes.clear();
    settlers_.emplace_back(one, streaming);
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
    settlers_.emplace_back(own, streaming);
  }
}

void LabelColumns::take(ParsedPage& parsed) {
  if (sets_) return sets_->take(parsed);
  const std::span<double> label = parsed.page.label;
  if (names_.empty() || parsed.label_words.empty()) return settlers_[0].take(parsed);
  // What the page's words mean, column by column: a page of one row a word is settled in the page's place.
  const std::size_t words = parsed.label_words.size();
  std::vector<std::string> meaning(words, std::string(names_.size(), '0'));
  for (std::size_t k = 0; k < names_.size(); ++k) {
    std::vector<double> own(words);
    for (std::size_t w = 0; w < words; ++w) own[w] = static_cast<double>(w);
    ParsedPage one;
    one.page.label = own;
    one.label_words = column_words(parsed.label_words, k);
    try {
      settlers_[k].take(one);
    } catch (const LabelError& error) {
      const auto first = std::ranges::find(label, static_cast<double>(error.row));
      throw LabelError{first - label.begin(), fmt::format("label column '{}': {}", names_[k], error.message)};
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

void LabelColumns::finish(std::span<Page> pages, const std::string& name) {
  if (sets_) return sets_->finish();
  if (names_.empty() || combinations_.empty()) return settlers_[0].finish(pages, name);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    // What becomes of a stand-in that said "negative" shows whether the column's classes change places.
    double negative = -1;
    Page one;
    one.label = std::span(&negative, 1);
    settlers_[k].finish(std::span(&one, 1), fmt::format("{}, label column '{}'", name, names_[k]));
    if (negative < 0) continue;
    for (std::string& combination : combinations_) combination[k] = combination[k] == '1' ? '0' : '1';
  }
}

void LabelColumns::describe(Schema& schema) const {
  if (sets_) return sets_->describe(schema);
  schema.classes.clear();
  for (const LabelSettler& settler : settlers_) {
    schema.classes.insert(schema.classes.end(), settler.classes().begin(), settler.classes().end());
  }
  schema.labels = names_;
  if (schema.combinations.size() != combinations_.size()) schema.combinations = combinations_;
}

}  // namespace linsep
