#include "format/labels/page_labels.h"

#include <charconv>
#include <utility>

#include "format/text/number.h"

namespace linsep {

std::string number_name(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), number == 0 ? 0.0 : number);
  return {text, end.ptr};
}

std::string class_name(std::string_view written) {
  double number = 0;
  if (parse_whole_number(written.data(), written.data() + written.size(), number)) return number_name(number);
  return std::string(written);
}

bool label_number(std::string_view name, double& number) {
  return parse_whole_number(name.data(), name.data() + name.size(), number);
}

void PageLabels::add_word(std::string_view word) {
  if (words_.empty()) {
    const std::size_t numbers = std::exchange(size_, 0);
    for (std::size_t i = 0; i < numbers; ++i) add_name(number_name(out_[i]));
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

}  // namespace linsep
