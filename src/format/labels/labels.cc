#include "format/labels/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "bytes/number.h"
#include "linsep/error.h"
#include "table/number_style.h"

namespace linsep {

std::string number_name(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), number == 0 ? 0.0 : number);
  return {text, end.ptr};
}

namespace {

/// A decimal as written: 0.DIGITS · 10^point, with no 0 at either end of DIGITS.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t point = 0;

  bool operator==(const Decimal&) const = default;
};

/// REQUIRES: `text` is a number, finite as a double.
Decimal decimal_of(std::string_view text) {
  Decimal decimal;
  decimal.negative = text.front() == '-';
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  bool behind = false;
  for (; !text.empty() && text.front() != 'e' && text.front() != 'E'; text.remove_prefix(1)) {
    if (text.front() == '.') {
      behind = true;
      continue;
    }
    if (text.front() == '0' && decimal.digits.empty()) {
      decimal.point -= behind ? 1 : 0;
      continue;
    }
    decimal.digits += text.front();
    decimal.point += behind ? 0 : 1;
  }
  if (!text.empty()) {
    text.remove_prefix(text.size() > 1 && text[1] == '+' ? 2 : 1);
    std::int64_t exponent = 0;
    std::from_chars(text.data(), text.data() + text.size(), exponent);
    decimal.point += exponent;
  }
  while (decimal.digits.ends_with('0')) decimal.digits.pop_back();
  return decimal;
}

/// All digits of the decimal. REQUIRES: its absolute value is 1 or more.
std::string plain_text(const Decimal& decimal) {
  std::string text = decimal.digits;
  const auto point = static_cast<std::size_t>(decimal.point);
  if (text.size() < point) text.append(point - text.size(), '0');
  if (text.size() > point) text.insert(point, ".");
  return decimal.negative ? "-" + text : text;
}

/// Whether a is smaller. REQUIRES: the nearest doubles are the same and not 0.
bool is_less(const Decimal& a, const Decimal& b) {
  if (a.point != b.point) return (a.point < b.point) != a.negative;
  return a.negative ? b.digits < a.digits : a.digits < b.digits;
}

}  // namespace

std::string class_name(std::string_view written) {
  double number = 0;
  if (!parse_whole_number(written.data(), written.data() + written.size(), number)) return std::string(written);
  std::string name = number_name(number);
  if (std::fabs(number) < kFirstSkipped) return name;
  const Decimal decimal = decimal_of(written);
  return decimal == decimal_of(name) ? name : plain_text(decimal);
}

bool label_number(std::string_view name, double& number) {
  return parse_whole_number(name.data(), name.data() + name.size(), number) && number_name(number) == name;
}

bool ClassOrder::is_number(std::string_view name) {
  double number = 0;
  return parse_whole_number(name.data(), name.data() + name.size(), number);
}

bool ClassOrder::operator()(std::string_view a, std::string_view b) const {
  if (!numbers_) return a < b;
  double x = 0, y = 0;
  parse_whole_number(a.data(), a.data() + a.size(), x);
  parse_whole_number(b.data(), b.data() + b.size(), y);
  return x == y && std::fabs(x) >= kFirstSkipped ? is_less(decimal_of(a), decimal_of(b)) : x < y;
}

void PageLabels::add_large_number(double number, std::string_view written) {
  std::string name = class_name(written);
  if (name == number_name(number)) return add_number(number);
  begin_words();
  add_name(std::move(name));
}

/// Turns the numbers so far into words.
void PageLabels::begin_words() {
  if (!words_.empty()) return;
  const std::size_t numbers = std::exchange(size_, 0);
  for (std::size_t i = 0; i < numbers; ++i) add_name(number_name(out_[i]));
}

void PageLabels::add_word(std::string_view word) {
  if (words_.empty()) {
    begin_words();
  } else if (words_[last_] == word) {
    out_[size_++] = static_cast<double>(last_);
    return;
  }
  add_name(std::string(word));
}

void PageLabels::add_name(std::string name) {
  const auto [place, is_new] = index_.try_emplace(name, words_.size());
  if (is_new) words_.push_back(std::move(name));
  last_ = place->second;
  out_[size_++] = static_cast<double>(last_);
}

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
  // With sets of labels, an empty class is that of rows without the label, and no word of the file.
  if (options.label_sets) std::erase(named_, "");
  std::ranges::sort(named_);
}

bool MissingLabels::is_named(std::string_view word) const { return std::ranges::find(named_, word) != named_.end(); }

std::string missing_label_message(std::string_view word) {
  const std::string found = word.empty() ? "the field is empty" : fmt::format("'{}'", word);
  return fmt::format("this row has no label ({}): fill it in, or leave such rows out with {{}} drop", found);
}

Error no_rows_error(const std::string& name, const ReadOptions& options) {
  return {Place{name, 0, 0}, options.drop_missing_labels ? "there are no rows with a label" : "there are no rows"};
}

namespace {

/// Up to `kFewClasses` need no second look. If there are more, a class should have some rows.
constexpr std::size_t kFewClasses = 20, kRowsAClass = 3;

}  // namespace

LabelResolver::Class LabelResolver::make_class(const std::string& name) {
  Class label;
  label.name = class_name(name);
  label.is_number = label_number(label.name, label.number);
  return label;
}

LabelResolver::LabelResolver(const ReadOptions& options, LabelScope scope) {
  if (!options.labelled) return;
  as_booleans_ = !options.exact_values;
  if (options.regression) {
    mode_ = Mode::kTargets;
    const char* named = !options.positive.empty() ? "positive" : !options.classes.empty() ? "classes" : nullptr;
    if (named != nullptr)
      throw option_error(named, "{} names classes, but a regression predicts numbers: leave it out");
    return;
  }
  if (!options.positive.empty()) positive_ = class_name(options.positive);
  if (!options.classes.empty()) {
    mode_ = Mode::kGiven;
    std::set<std::string> names;
    for (const std::string& name : options.classes) names.insert(class_name(name));
    const std::size_t given = options.classes.size();
    if (names.size() != given || given < 2 || (given > 2 && !options.many_classes)) {
      throw usage_error(fmt::format("name {} different classes, not '{}'",
                                    options.many_classes ? "at least two" : "two", fmt::join(options.classes, "', '")));
    }
    std::vector<Class> classes;
    for (const std::string& name : options.classes) classes.push_back(make_class(name));
    set_classes(std::move(classes));
  } else if (scope == LabelScope::kStream) {
    if (positive_.empty() || positive_ == "1") {
      mode_ = Mode::kSigns;
      set_classes({make_class("-1"), make_class("1")});
    } else if (positive_ == "-1" || positive_ == "0") {
      mode_ = Mode::kGiven;
      set_classes({make_class("1"), make_class(positive_)});
    } else {
      throw usage_error(fmt::format("the rows are read only once: name both classes, not only '{}'", positive_));
    }
  } else {
    mode_ = Mode::kFound;
    many_ = options.many_classes;
    shard_ = scope == LabelScope::kShard;
    counting_ = many_ || shard_;
  }
}

/// REQUIRES: two classes, negative first unless `positive_` overrules that, or more.
void LabelResolver::set_classes(std::vector<Class> known) {
  if (!positive_.empty() && known.size() > 2) {
    throw usage_error(
        fmt::format("with more than two classes ({}), none is positive: leave out '{}'", known.size(), positive_));
  }
  const bool booleans = as_booleans_ && known.size() == 2 && are_booleans(known[0].name, known[1].name);
  if (booleans && boolean_of(positive_)) {
    positive_ = known[boolean_of(positive_) == boolean_of(known[1].name) ? 1 : 0].name;
  }
  if (!positive_.empty() && positive_ != known[1].name) {
    if (positive_ != known[0].name) {
      throw usage_error(fmt::format("there is no class '{}': the classes are '{}' and '{}'", positive_, known[0].name,
                                    known[1].name));
    }
    std::swap(known[0], known[1]);
  }
  classes_.clear();
  known_.clear();
  place_.clear();
  number_place_.clear();
  for (const Class& label : known) {
    classes_.push_back(label.name);
    add_known(label);
  }
}

void LabelResolver::add_known(const Class& label) {
  place_.emplace(label.name, known_.size());
  if (label.is_number) number_place_.emplace(label.number, known_.size());
  known_.push_back(label);
}

std::size_t LabelResolver::place_of(const Class& label, std::int64_t row) {
  const auto known = place_.find(label.name);
  return known == place_.end() ? meet(label, row) : known->second;
}

constexpr auto kIsThisTheLabel =
    ": if this isn't the label, name its column with --label; if it is a number to predict, use a regression";

std::size_t LabelResolver::most_classes() const { return many_ ? kMostClasses : 2; }

std::string LabelResolver::refusal(std::span<const std::string> classes, const std::string& one_more) const {
  if (classes.size() < most_classes()) return "";
  if (many_) {
    return fmt::format("more than {} classes{}", kMostClasses, kIsThisTheLabel);
  }
  return fmt::format("expected two classes, found a third: '{}' after '{}' and '{}'", one_more, classes[0], classes[1]);
}

/// Adds a class that isn't known yet.
std::size_t LabelResolver::meet(Class label, std::int64_t row) {
  row = row_of(row);
  if (mode_ == Mode::kFound) {
    // Readers have already refused such a label or left out its row. Labels of arrays come straight here.
    if (looks_missing(label.name) && label.name != positive_) {
      throw LabelError{row, fmt::format("this row has no label ('{}')", label.name)};
    }
    if (shard_ && known_.size() > most_classes()) return 0;  // too many, which is reported when the shards meet
    if (!shard_ && known_.size() == most_classes()) {
      std::vector<std::string> names;
      for (const Class& known : known_) names.push_back(known.name);
      throw LabelError{row, refusal(names, label.name)};
    }
    label.row = rows_ + row;
    add_known(label);
    return known_.size() - 1;
  }
  if (mode_ == Mode::kGiven && known_.size() > 2) {
    throw LabelError{row, fmt::format("expected one of {} classes from '{}' to '{}', found '{}'", known_.size(),
                                      known_.front().name, known_.back().name, label.name)};
  }
  if (mode_ == Mode::kGiven) {
    const std::optional<bool> truth = boolean_of(label.name);
    if (as_booleans_ && truth && are_booleans(known_[0].name, known_[1].name)) {
      const std::size_t place = boolean_of(known_[1].name) == truth ? 1 : 0;
      place_.emplace(label.name, place);
      return place;
    }
    throw LabelError{
        row, fmt::format("expected the label '{}' or '{}', found '{}'", known_[0].name, known_[1].name, label.name)};
  }
  if (label.is_number && label.number == 0 && !negative_met_) {
    const Class positive = known_[1];
    set_classes({label, positive});
    negative_met_ = true;
    return 0;
  }
  throw LabelError{
      row, fmt::format(
               "expected the label '{}' or '1', found '{}' (the rows are read only once: name both classes beforehand)",
               negative_met_ ? known_[0].name : "-1' or '0", label.name)};
}

std::size_t LabelResolver::place_of_number(double number, std::int64_t row) {
  // With two classes, nearly every label is found without a search.
  for (std::size_t k = 0; k < std::min<std::size_t>(known_.size(), 2); ++k) {
    if (known_[k].is_number && known_[k].number == number) return k;
  }
  const auto known = number_place_.find(number);
  return known != number_place_.end() ? known->second : meet({number_name(number), number, true}, row);
}

void LabelResolver::take_numbers(std::span<double> label) {
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::size_t place = place_of_number(label[i], static_cast<std::int64_t>(i));
    negative_met_ = negative_met_ || place == 0;
    label[i] = mark(place);
  }
}

void LabelResolver::take_words(std::span<double> label, const std::vector<std::string>& words) {
  std::vector<int> place(words.size(), -1);
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto word = static_cast<std::size_t>(label[i]);
    if (place[word] < 0) {
      place[word] = static_cast<int>(place_of(make_class(words[word]), static_cast<std::int64_t>(i)));
      negative_met_ = negative_met_ || place[word] == 0;
    }
    label[i] = mark(static_cast<std::size_t>(place[word]));
  }
}

void LabelResolver::take(ParsedPage& parsed, std::span<const std::int64_t> row_of, std::int64_t rows) {
  const std::span<double> label = parsed.page.label;
  row_of_ = row_of;
  if (mode_ == Mode::kNone) {
    std::fill(label.begin(), label.end(), 0.0);
  } else if (mode_ == Mode::kTargets) {
    if (!parsed.label_words.empty() && !label.empty()) {
      throw LabelError{0, fmt::format("expected numbers as labels, found '{}'", parsed.label_words[0])};
    }
  } else if (parsed.label_words.empty()) {
    take_numbers(label);
  } else {
    take_words(label, parsed.label_words);
  }
  rows_ += rows;
}

std::vector<ClassFirstSeen> LabelResolver::met() const {
  std::vector<ClassFirstSeen> met;
  for (const Class& label : known_) met.push_back({label.name, label.row});
  return met;
}

std::vector<double> LabelResolver::adopt(std::span<const std::string> classes) {
  const std::vector<Class> met = std::exchange(known_, {});
  place_.clear();
  number_place_.clear();
  for (const std::string& name : classes) add_known(make_class(name));
  shard_ = false;
  counting_ = many_;
  std::vector<double> meaning;
  for (const Class& label : met) meaning.push_back(mark(place_.at(label.name)));
  return meaning;
}

/// If only one class was met, the other is known if it is one of −1, 0 and 1, or if it is the positive one.
void LabelResolver::complete_found(const std::string& name) {
  if (known_.empty()) throw Error(Place{name, 0, 0}, "there are no rows");
  if (known_.size() >= 2) return;
  const Class only = known_[0];
  if (!positive_.empty() && positive_ != only.name) {
    add_known(make_class(positive_));
  } else if (only.is_number && (only.number == -1 || only.number == 0 || only.number == 1)) {
    add_known(make_class(only.number == 1 ? "-1" : "1"));
  } else {
    throw Error(Place{name, 0, 0},
                fmt::format("expected two classes, found '{}' in every row: name both classes", only.name));
  }
}

void LabelResolver::finish(std::span<Page> pages, std::int64_t rows, const std::string& name) {
  if (mode_ != Mode::kFound) return;
  complete_found(name);
  const std::vector<Class> met = known_;
  if (met.size() > kFewClasses && static_cast<std::size_t>(rows) < kRowsAClass * met.size()) {
    throw Error(Place{name, 0, 0}, fmt::format("found {} classes in {} rows{}", met.size(), rows, kIsThisTheLabel));
  }
  std::vector<Class> ordered = met;
  std::ranges::sort(ordered, ClassOrder(std::ranges::all_of(ordered, ClassOrder::is_number, &Class::name)),
                    &Class::name);
  set_classes(std::move(ordered));
  // The meaning of each stand-in: −1 and +1, or the indices of the classes in the order met.
  std::vector<double> meaning;
  for (const Class& label : met) {
    const std::size_t place = place_.at(label.name);
    meaning.push_back(met.size() > 2 ? static_cast<double>(place) : mark_[place]);
  }
  const auto stands_for = [&](double label) { return static_cast<std::size_t>(counting_ ? label : (label + 1) / 2); };
  if (!counting_ && meaning[0] == mark_[0]) return;
  for (Page& page : pages) {
    for (double& label : page.label) label = meaning[stands_for(label)];
  }
}

}  // namespace linsep
