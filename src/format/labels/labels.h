// Labels: the words or numbers of a file become the classes −1 and +1 or, if there are more than two, 0 … k − 1.
//
// A class written as a number is named by the number's shortest decimal, so "+1", "1.0" and "1" are one class. From
// 2^53 on, doubles skip integers, so the decimal as written counts. The larger of two numbers is positive, and so is
// the word that comes later in byte order. `positive` and `classes` overrule that. More than two classes have the same
// order.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/keyed_map.h"
#include "data/memory_source.h"
#include "format/text/format.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {

/// The name of a class that is written as a number. It is the shortest decimal that gives the number back, and "0" for
/// −0.
std::string number_name(double number);

/// The name of a class. It is a number's name if the text is a number ("+1", "1.0" and "1" are one class), else the
/// text. Numbers from 2^53 on that aren't the decimal of `number_name` are named by all their digits.
std::string class_name(std::string_view written);

/// Whether a class's name is `number_name` of a number. Sets that number.
bool label_number(std::string_view name, double& number);

/// Sorts names of classes: numbers by size if all are numbers, else by bytes.
class ClassOrder {
 public:
  explicit ClassOrder(bool numbers) : numbers_(numbers) {}
  /// Whether a name is a number.
  static bool is_number(std::string_view name);

  bool operator()(std::string_view a, std::string_view b) const;

 private:
  bool numbers_;
};

/// 2^53, the first integer to which the next one rounds as a double.
inline constexpr double kFirstSkipped = 9007199254740992;

class PageLabels {
 public:
  /// REQUIRES: room for every label of the page at `out`.
  explicit PageLabels(double* out) : out_(out) {}

  void add_number(double number) {
    if (words_.empty()) [[likely]] {
      out_[size_++] = number;
    } else {
      add_name(number_name(number));
    }
  }
  /// Adds a number with its text.
  void add_number(double number, std::string_view written) {
    if (std::fabs(number) < kFirstSkipped) [[likely]] {
      add_number(number);
    } else {
      add_large_number(number, written);
    }
  }
  /// REQUIRES: `word` isn't a number.
  void add_word(std::string_view word);

  std::size_t size() const { return size_; }
  /// Empty if the labels are numbers. Else they are indices into these names.
  std::vector<std::string>& words() { return words_; }

 private:
  void add_large_number(double number, std::string_view written);
  void begin_words();
  void add_name(std::string name);

  double* out_;
  std::size_t size_ = 0;
  std::vector<std::string> words_;
  KeyedMap<std::string, std::size_t> index_;  ///< by word
  std::size_t last_ = 0;                      ///< index of the latest word
};

/// Whether a word stands for a missing value: nothing, NA, N/A, NaN, null or ?, in any case.
bool looks_missing(std::string_view word);

class MissingLabels {
 public:
  /// No label is missing.
  MissingLabels() = default;
  /// Words that look missing count as missing unless the options name them as a class. None does if labels aren't
  /// needed.
  explicit MissingLabels(const ReadOptions& options);

  bool is_missing(std::string_view word) const { return looked_for_ && looks_missing(word) && !is_named(word); }
  /// Whether rows without a label are left out. Else they are refused.
  bool drop() const { return drop_; }
  /// The words that look missing and are classes, ascending.
  const std::vector<std::string>& named() const { return named_; }

 private:
  bool is_named(std::string_view word) const;

  bool looked_for_ = false;
  bool drop_ = false;
  std::vector<std::string> named_;
};

/// Why a row is refused. "{}" stands for the option kMissingLabelOption.
std::string missing_label_message(std::string_view word);
inline constexpr const char* kMissingLabelOption = "missing-label";

/// The error for files without a row to learn from.
Error no_rows_error(const std::string& name, const ReadOptions& options);

/// With more classes than this, they are numbers to be predicted, or names of rows.
inline constexpr std::size_t kMostClasses = 10'000;

/// A label that can't be accepted, in a row of the given page (from 0).
struct LabelError {
  std::int64_t row = 0;
  std::string message;
};

/// The rows whose labels are taken.
enum class LabelScope {
  kAll,     ///< all rows, before any is used
  kStream,  ///< rows are used before all are read, so the classes must be known: given, or −1, 0 and 1
  kShard,   ///< a part of all rows: `adopt` brings the classes of the other parts, before `finish`
};

/// A class, and the first row in which it was met, counted from 0 over all pages taken.
struct ClassFirstSeen {
  std::string name;
  std::int64_t row = 0;
};

/// Takes the labels of pages in the order of the file.
class LabelResolver {
 public:
  /// Throws a usage Error if classes or the positive class make no sense.
  LabelResolver(const ReadOptions& options, LabelScope scope);

  /// Replaces the labels of the next page by −1 and +1 or a class's index. If classes are still to be found, replaces
  /// them by stand-ins, which `finish` replaces. Targets of a regression stay. Throws LabelError, but in a shard not
  /// for too many classes.
  void take(ParsedPage& parsed) { take(parsed, {}, static_cast<std::int64_t>(parsed.page.label.size())); }
  /// The same for labels of other rows, out of `rows` rows. `row_of` has the row of each label. If it is empty, they
  /// are their own.
  void take(ParsedPage& parsed, std::span<const std::int64_t> row_of, std::int64_t rows);

  /// Whether the classes are inferred from the labels.
  bool finds_classes() const { return mode_ == Mode::kFound; }
  /// kShard: the classes in the order met. If there are too many, more than allowed.
  std::vector<ClassFirstSeen> met() const;
  /// Why one more class than these is too many, or "" if it isn't.
  std::string refusal(std::span<const std::string> classes, const std::string& one_more) const;
  /// kShard: continues like a resolver that met these classes in all rows. Returns the replacement of the stand-in for
  /// the k-th class that was met here. REQUIRES: all of `met` are among `classes`, and they aren't too many.
  std::vector<double> adopt(std::span<const std::string> classes);

  /// Resolves the classes after the last page and replaces the stand-ins. `rows` counts those of all shards. `name` is
  /// the file's, for an input Error.
  void finish(std::span<Page> pages, std::int64_t rows, const std::string& name);

  /// {negative, positive} or all classes. Empty in a regression or if nothing was labeled. In a stream the negative
  /// class turns from "-1" to "0" if the first 0 is met before any −1.
  const std::vector<std::string>& classes() const { return classes_; }

 private:
  enum class Mode {
    kNone,     ///< unlabeled
    kTargets,  ///< regression
    kGiven,    ///< classes known beforehand
    kSigns,    ///< a stream of 1 and either −1 or 0
    kFound,    ///< the first two classes met, or all
  };
  struct Class {
    std::string name;
    double number = 0;
    bool is_number = false;  ///< `name` is `number_name` of `number`
    std::int64_t row = 0;    ///< the first that has it
  };

  static Class make_class(const std::string& name);
  std::size_t place_of(const Class& label, std::int64_t row);
  std::size_t meet(Class label, std::int64_t row);
  std::size_t most_classes() const;
  void take_numbers(std::span<double> label);
  void take_words(std::span<double> label, const std::vector<std::string>& words);
  std::int64_t row_of(std::int64_t i) const { return row_of_.empty() ? i : row_of_[static_cast<std::size_t>(i)]; }
  void complete_found(const std::string& name);
  void set_classes(std::vector<Class> known);
  void add_known(const Class& label);
  std::size_t place_of_number(double number, std::int64_t row);
  double mark(std::size_t place) const {
    return known_.size() > 2 || counting_ ? static_cast<double>(place) : mark_[place];
  }

  Mode mode_ = Mode::kNone;
  std::string positive_;                      ///< the positive class's name, empty if not requested
  bool as_booleans_ = true;                   ///< if two classes are booleans, true is positive. Not in proofs
  bool many_ = false;                         ///< kFound: more than two classes are allowed
  bool shard_ = false;                        ///< kFound, in a shard that has yet to adopt the classes of all
  bool counting_ = false;                     ///< kFound, many classes or a shard: stand-ins are indices in `known_`
  std::int64_t rows_ = 0;                     ///< taken before the current page
  std::span<const std::int64_t> row_of_;      ///< of the current page, see `take`
  std::vector<Class> known_;                  ///< kGiven, kSigns: negative first. kFound: in the order met
  KeyedMap<std::string, std::size_t> place_;  ///< in `known_`, by name
  KeyedMap<double, std::size_t> number_place_;
  bool negative_met_ = false;  ///< kSigns
  double mark_[2] = {-1, 1};   ///< replacements for labels of the two known classes
  std::vector<std::string> classes_;
};

}  // namespace linsep
