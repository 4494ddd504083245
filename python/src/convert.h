// Converts between Python's values and the library's: options, lists of names, arrays that Python then owns.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linsep/options.h"

namespace linsep::python {

namespace nb = nanobind;

// These have names that type checkers understand.
using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using Dicts = nb::typed<nb::list, Dict>;
using Words = nb::typed<nb::list, nb::str>;
template <class T>
using Vector = nb::ndarray<nb::numpy, T>;

nb::str to_str(std::string_view text);
Words to_list(const std::vector<std::string>& words);

/// Converts a value by its option's kind, so that 1 is a number if a number is meant, and True isn't one. If `spec` is
/// null (no such option), converts by the value's type alone, and complete_options then reports what is wrong. Throws a
/// usage Error that names the option.
OptionValue to_option(const OptionSpec* spec, const std::string& name, nb::handle value);
/// Converts a dict to options by the table's names.
Options to_options(const OptionTable& table, const nb::dict& given);
nb::object from_option(const OptionValue& value);
Dict from_options(const Options& options);

/// Turns the vector's memory into an array. Nothing is copied.
template <class T>
Vector<T> to_array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owner->data();
  const nb::capsule capsule(owner.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  (void)owner.release();
  return Vector<T>(data, shape.size(), shape.begin(), capsule);
}
template <class T>
Vector<T> to_array(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_array(std::move(values), {size});
}

}  // namespace linsep::python
