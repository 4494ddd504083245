// Labels: the words or numbers of a file become the classes −1 and +1, or, of more than two, 0 … k − 1.
//
// A class written as a number is named by the number's shortest decimal, so "+1", "1.0" and "1" are one class. Of two
// numbers the greater is positive, of two words the one later in byte order; `positive` and `classes` overrule that.
// More than two classes stand in that order as well.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/page.h"
#include "format/text_format.h"
#include "linsep/read.h"

namespace linsep {

/// A label that can't be taken, in a row of the page given (from 0).
struct LabelError {
  std::int64_t row = 0;
  std::string message;
};

/// Takes the labels of pages in the order of the file.
class LabelSettler {
 public:
  /// `streaming`: rows are used before all are read, so the classes must be known: given, or −1, 0 and 1.
  /// Throws a usage Error when classes or the positive class make no sense.
  LabelSettler(const ReadOptions& options, bool streaming);

  /// Replaces the labels of the next page: by −1 and +1 or a class's place, or, where classes are still to be found, by
  /// a stand-in that `finish` replaces; targets of a regression stay. Throws LabelError.
  void take(ParsedPage& parsed);

  /// Settles the classes after the last page and replaces the stand-ins. `name` is the file's, for an input Error.
  void finish(std::span<Page> pages, const std::string& name);

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
    bool is_number = false;
  };

  static Class make_class(const std::string& name);
  std::size_t place_of(const Class& label, std::int64_t row);
  std::size_t meet(const Class& label, std::int64_t row);
  void take_numbers(std::span<double> label);
  void take_words(std::span<double> label, const std::vector<std::string>& words);
  void complete_found(const std::string& name);
  void set_classes(std::vector<Class> known);
  void add_known(const Class& label);
  std::size_t place_of_number(double number, std::int64_t row);
  double mark(std::size_t place) const {
    return known_.size() > 2 || counting_ ? static_cast<double>(place) : mark_[place];
  }

  Mode mode_ = Mode::kNone;
  std::string positive_;      ///< by name, empty if not asked for
  bool counting_ = false;     ///< kFound, more than two classes are welcome: the stand-in is the place in `known_`
  std::vector<Class> known_;  ///< kGiven, kSigns: negative first; kFound: as they were met
  std::unordered_map<std::string, std::size_t> place_;  ///< in `known_`, by name
  std::unordered_map<double, std::size_t> number_place_;
  bool negative_met_ = false;  ///< kSigns
  double mark_[2] = {-1, 1};   ///< what labels of the two known classes are replaced by
  std::vector<std::string> classes_;
};

}  // namespace linsep
