#include "format/labels/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "bytes/number.h"
#include "core/bytes.h"
#include "core/keyed_map.h"
#include "format/labels/labels.h"
#include "linsep/error.h"

namespace linsep {

std::string shard_labels_to_bytes(const ShardLabels& labels) {
  ByteWriter writer;
  writer.number<std::uint64_t>(labels.classes.size());
  for (const std::vector<ClassFirstSeen>& column : labels.classes) {
    writer.number<std::uint64_t>(column.size());
    for (const ClassFirstSeen& met : column) {
      writer.text(met.name);
      writer.number(met.row);
    }
  }
  writer.number<std::uint64_t>(labels.combinations.size());
  for (const std::string& combination : labels.combinations) writer.text(combination);
  writer.number<std::uint64_t>(labels.sets.size());
  for (const auto& set : labels.sets) writer.numbers(set);
  return writer.bytes();
}

ShardLabels shard_labels_from_bytes(const std::string& bytes) {
  ByteReader reader(bytes);
  ShardLabels labels;
  labels.classes.resize(reader.number<std::uint64_t>());
  for (std::vector<ClassFirstSeen>& column : labels.classes) {
    column.resize(reader.number<std::uint64_t>());
    for (ClassFirstSeen& met : column) {
      met.name = reader.text();
      met.row = reader.number<std::int64_t>();
    }
  }
  labels.combinations.resize(reader.number<std::uint64_t>());
  for (std::string& combination : labels.combinations) combination = reader.text();
  labels.sets.resize(reader.number<std::uint64_t>());
  for (auto& set : labels.sets) set = reader.numbers<std::uint64_t>();
  return labels;
}

std::vector<std::string> merge_classes(
    std::span<const ShardLabels> shards, std::size_t column,
    const std::function<std::string(std::span<const std::string>, const std::string&)>& refuse) {
  std::vector<std::string> merged;
  KeyedSet<std::string> known;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (const ClassFirstSeen& met : shards[s].classes[column]) {
      if (!known.insert(met.name).second) continue;
      std::string reason = refuse(merged, met.name);
      if (!reason.empty()) throw ShardLabelError{s, met.row, std::move(reason)};
      merged.push_back(met.name);
    }
  }
  return merged;
}

std::vector<std::size_t> places_in(const std::vector<std::string>& merged, const std::vector<ClassFirstSeen>& met) {
  KeyedMap<std::string, std::size_t> place;
  for (std::size_t k = 0; k < merged.size(); ++k) place.emplace(merged[k], k);
  std::vector<std::size_t> places;
  for (const ClassFirstSeen& one : met) places.push_back(place.at(one.name));
  return places;
}

namespace {

/// The largest possible number of classes.
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
  if (shard_ && names_.size() > kMostLabels) return 0;  // too many, which is reported when the shards meet
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
  KeyedMap<double, double> place;  // for each number or word of the page
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
  std::vector<ClassFirstSeen>& names = mine.classes.emplace_back();
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
  const ClassOrder is_before(std::ranges::all_of(names_, ClassOrder::is_number));
  std::vector<std::size_t> order(names_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return is_before(names_[a], names_[b]); });
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

/// The first row that has each of the words.
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
  // Finds the meaning of the page's words column by column. A page of one row per word is resolved in its place.
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
    // A stand-in that meant "negative" shows, by what becomes of it, whether the column's classes are swapped.
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

ShardTotals count_together(std::int64_t rows, std::uint32_t features, Comm& comm) {
  ByteWriter writer;
  writer.number(rows);
  writer.number(features);
  ShardTotals all;
  int rank = 0;
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    ByteReader reader(bytes);
    const auto theirs = reader.number<std::int64_t>();
    if (rank++ < comm.rank()) all.rows_before += theirs;
    all.rows += theirs;
    all.features = std::max(all.features, reader.number<std::uint32_t>());
  }
  return all;
}

void adopt_labels(LabelColumns& labels, std::span<Page> pages, Comm& comm, const RowError& error_at) {
  if (comm.size() == 1) return;
  std::vector<ShardLabels> met;
  for (const std::string& bytes : gather_text(comm, shard_labels_to_bytes(labels.met()))) {
    met.push_back(shard_labels_from_bytes(bytes));
  }
  const auto rank = static_cast<std::size_t>(comm.rank());
  std::optional<ShardLabelError> refused;
  try {
    labels.adopt(met, rank, pages);
  } catch (const ShardLabelError& error) {
    refused = error;
  }
  rethrow_on_all(comm, [&] {
    if (refused && refused->shard == rank) throw error_at(refused->row, refused->message);
  });
}

ShardTotals finish_pages(LabelColumns& labels, std::span<Page> pages, std::uint32_t features,
                         const ReadOptions& options, const std::string& name, Comm& comm, const RowError& error_at) {
  std::int64_t rows = 0;
  for (const Page& page : pages) rows += page.batch.rows;
  const ShardTotals all = count_together(rows, features, comm);
  adopt_labels(labels, pages, comm, error_at);
  if (all.rows == 0 && options.labelled) throw no_rows_error(name, options);
  labels.finish(pages, all.rows, name);
  for (Page& page : pages) page.batch.first_row += all.rows_before;
  return all;
}

}  // namespace linsep
