// Labels: the words or numbers of a file become the classes −1 and +1, or, of more than two, 0 … k − 1.
//
// A class written as a number is named by the number's shortest decimal, so "+1", "1.0" and "1" are one class. From
// 2^53 on, where doubles skip integers, it is the decimal as written that counts. Of two numbers the greater is
// positive, of two words the one later in byte order; `positive` and `classes` overrule that. More than two classes
// stand in that order as well.
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

/// The name of a class that is written as a number: the shortest decimal that gives the number back; "0" for −0.
std::string number_name(double number);

/// The name of a class: a number's name where the text is a number ("+1", "1.0" and "1" are one class), else the text.
/// Numbers from 2^53 on that aren't the decimal of `number_name` are named by all their digits.
std::string class_name(std::string_view written);

/// Whether a class's name is `number_name` of a number, and of which.
bool label_number(std::string_view name, double& number);

/// Puts names of classes in order: numbers by size where all are numbers, else by bytes.
class ClassOrder {
 public:
  explicit ClassOrder(bool numbers) : numbers_(numbers) {}
  /// Whether a name is a number.
  static bool is_number(std::string_view name);

  bool operator()(std::string_view a, std::string_view b) const;

 private:
  bool numbers_;
};

/// 2^53: the first integer that the next one rounds to as a double.
inline constexpr double kFirstSkipped = 9007199254740992;

class PageLabels {
 public:
  /// REQUIRES: room for every label of the page behind `out`.
  explicit PageLabels(double* out) : out_(out) {}

  void add_number(double number) {
    if (words_.empty()) [[likely]] {
      out_[size_++] = number;
    } else {
      add_name(number_name(number));
    }
  }
  /// A number as it is written.
  void add_number(double number, std::string_view written) {
    if (std::fabs(number) < kFirstSkipped) [[likely]] {
      add_number(number);
    } else {
      add_large_number(number, written);
    }
  }
  /// REQUIRES: `word` is not a number.
  void add_word(std::string_view word);

  std::size_t size() const { return size_; }
  /// Empty: the labels are numbers. Else they are indices into these names.
  std::vector<std::string>& words() { return words_; }

 private:
  void add_large_number(double number, std::string_view written);
  void begin_words();
  void add_name(std::string name);

  double* out_;
  std::size_t size_ = 0;
  std::vector<std::string> words_;
  KeyedMap<std::string, std::size_t> index_;  ///< of each word
  std::size_t last_ = 0;                      ///< index of the word added last
};

/// Whether a word stands for something missing: nothing, NA, N/A, NaN, null or ?, in any letter case.
bool looks_missing(std::string_view word);

class MissingLabels {
 public:
  /// No label is missing.
  MissingLabels() = default;
  /// Those that look missing and aren't named as a class by the options; none where labels aren't wanted.
  explicit MissingLabels(const ReadOptions& options);

  bool is_missing(std::string_view word) const { return looked_for_ && looks_missing(word) && !is_named(word); }
  /// Whether rows without a label are left out; else they are refused.
  bool drop() const { return drop_; }
  /// The words that look missing and are classes, ascending.
  const std::vector<std::string>& named() const { return named_; }

 private:
  bool is_named(std::string_view word) const;

  bool looked_for_ = false;
  bool drop_ = false;
  std::vector<std::string> named_;
};

/// Why a row is refused; "{}" stands for the option kMissingLabelOption.
std::string missing_label_message(std::string_view word);
inline constexpr const char* kMissingLabelOption = "missing-label";

/// For files without a row to learn from.
Error no_rows_error(const std::string& name, const ReadOptions& options);

/// More classes than this are numbers to be predicted, or names of rows.
inline constexpr std::size_t kMostClasses = 10'000;

/// A label that can't be taken, in a row of the page given (from 0).
struct LabelError {
  std::int64_t row = 0;
  std::string message;
};

/// Which rows labels are taken of.
enum class LabelScope {
  kAll,     ///< all rows, before any is used
  kStream,  ///< rows are used before all are read, so the classes must be known: given, or −1, 0 and 1
  kShard,   ///< a part of all rows; the classes of the other parts become known by `adopt`, before `finish`
};

/// A class, and the first row in which it was met, counted from 0 over all pages taken.
struct ClassFirstSeen {
  std::string name;
  std::int64_t row = 0;
};

/// Takes the labels of pages in the order of the file.
class LabelResolver {
 public:
  /// Throws a usage Error when classes or the positive class make no sense.
  LabelResolver(const ReadOptions& options, LabelScope scope);

  /// Replaces the labels of the next page: by −1 and +1 or a class's index, or, where classes are still to be found, by
  /// a stand-in that `finish` replaces; targets of a regression stay. Throws LabelError, but in a shard not for too
  /// many classes.
  void take(ParsedPage& parsed) { take(parsed, {}, static_cast<std::int64_t>(parsed.page.label.size())); }
  /// The same where the page's labels are those of other rows (`row_of` each; empty: their own), out of `rows` rows.
  void take(ParsedPage& parsed, std::span<const std::int64_t> row_of, std::int64_t rows);

  /// Whether the classes are those that labels turn out to have.
  bool finds_classes() const { return mode_ == Mode::kFound; }
  /// kShard: the classes in the order in which they were met; more than there may be where there are too many.
  std::vector<ClassFirstSeen> met() const;
  /// Why one more class than these is too many; "" if it isn't.
  std::string refusal(std::span<const std::string> classes, const std::string& one_more) const;
  /// kShard: continues as a resolver that met these classes in all rows. Returns what stand-ins are to be replaced by,
  /// for the k-th class that was met here. REQUIRES: all of `met` are among `classes`, and they aren't too many.
  std::vector<double> adopt(std::span<const std::string> classes);

  /// Resolves the classes after the last page and replaces the stand-ins. `rows`: of all shards. `name` is the file's,
  /// for an input Error.
  void finish(std::span<Page> pages, std::int64_t rows, const std::string& name);

  /// {negative, positive} or all classes; empty in a regression or when nothing was labelled. In a stream the negative
  /// class turns from "-1" to "0" when the first 0 is met before any −1.
  const std::vector<std::string>& classes() const { return classes_; }

 private:
  enum class Mode {
    kNone,     ///< unlabelled
    kTargets,  ///< regression
    kGiven,    ///< classes known beforehand
    kSigns,    ///< a stream of 1 and either −1 or 0
    kFound,    ///< the first two classes met, or all
  };
  struct Class {
    std::string name;
    double number = 0;
    bool is_number = false;  ///< `name` is `number_name` of `number`
    std::int64_t row = 0;    ///< in which it was met
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
  std::string positive_;                      ///< by name, empty if not asked for
  bool as_booleans_ = true;                   ///< of two classes that are booleans: True is true. Not in proofs
  bool many_ = false;                         ///< kFound: more than two classes are allowed
  bool shard_ = false;                        ///< kFound, of a shard that has yet to adopt the classes of all
  bool counting_ = false;                     ///< kFound, many or a shard: the stand-in is the index in `known_`
  std::int64_t rows_ = 0;                     ///< taken before the page at hand
  std::span<const std::int64_t> row_of_;      ///< of the page at hand, see `take`
  std::vector<Class> known_;                  ///< kGiven, kSigns: negative first; kFound: as they were met
  KeyedMap<std::string, std::size_t> place_;  ///< in `known_`, by name
  KeyedMap<double, std::size_t> number_place_;
  bool negative_met_ = false;  ///< kSigns
  double mark_[2] = {-1, 1};   ///< what labels of the two known classes are replaced by
  std::vector<std::string> classes_;
};

}  // namespace linsep
