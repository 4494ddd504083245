// PictureWriter writes the JSON of a picture, without blanks, safe to stand inside of HTML.
//
// A number has as many significant digits as the caller asks for. 17 stands for the shortest text that reads back to
// the same bits. A number that isn't finite is null. '<' is \u003c in every text, and bytes that aren't UTF-8 become
// U+FFFD.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linsep/picture/document.h"

namespace linsep {

inline constexpr int kShortDigits = 6, kAllDigits = 17;

/// Digits that distinguish 10⁵ places between `low` and `high`.
int digits_between(double low, double high);

class PictureWriter {
 public:
  void open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    text_ += bracket;
    first_ = false;
  }
  void key(std::string_view name);

  void put(double number, int digits);
  void put(std::string_view text, int digits = 0);
  void put(const std::string& text, int digits = 0) { put(std::string_view(text), digits); }
  void put(bool flag, int digits = 0);
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  void put(Integer number, int /*digits*/ = 0) {
    separate();
    text_ += std::to_string(number);
  }
  template <class T>
  void put(const std::optional<T>& value, int digits) {
    if (value) {
      put(*value, digits);
    } else {
      put_null();
    }
  }
  template <class T>
  void put(const std::vector<T>& items, int digits) {
    open('[');
    for (const T& item : items) put(item, digits);
    close(']');
  }

  /// "name": value. An unset optional, an empty text and an empty list are left out.
  template <class T>
  void field(std::string_view name, const T& value, int digits = kShortDigits) {
    if constexpr (requires { value.has_value(); }) {
      if (!value.has_value()) return;
    } else if constexpr (requires { value.empty(); }) {
      if (value.empty()) return;
    }
    key(name);
    put(value, digits);
  }

  /// "name": the list of get(record). If get returns optionals and none is set, nothing.
  template <class Records, class Get>
  void column(std::string_view name, const Records& records, const Get& get, int digits = kShortDigits) {
    using Value = std::remove_cvref_t<std::invoke_result_t<const Get&, decltype(*records.begin())>>;
    if constexpr (requires(Value value) { value.has_value(); }) {
      if (std::none_of(records.begin(), records.end(), [&](const auto& r) { return get(r).has_value(); })) return;
    }
    key(name);
    open('[');
    for (const auto& record : records) put(std::invoke(get, record), digits);
    close(']');
  }

  std::string take() { return std::move(text_); }

 private:
  void put_null();
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace linsep
