// PageLabels: the labels of one page while it is parsed: numbers until the first word, then words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace linsep {

/// The name of a class that is written as a number: the shortest decimal that gives the number back; "0" for −0.
std::string number_name(double number);

/// The name of a class: a number's name where the text is a number ("+1", "1.0" and "1" are one class), else the text.
std::string class_name(std::string_view written);

/// Whether a class's name is a number's, and which.
bool label_number(std::string_view name, double& number);

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
  /// REQUIRES: `word` is not a number.
  void add_word(std::string_view word);

  std::size_t size() const { return size_; }
  /// Empty: the labels are numbers. Else they are indices into these names.
  std::vector<std::string>& words() { return words_; }

 private:
  void add_name(std::string name);

  double* out_;
  std::size_t size_ = 0;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::size_t> index_;  ///< of each word
  std::size_t last_ = 0;                                ///< index of the word added last
};

}  // namespace linsep
