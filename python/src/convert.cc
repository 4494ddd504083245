#include "convert.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "linsep/error.h"

namespace linsep::python {
namespace {

/// np.bool_ isn't a bool, so this checks both.
bool is_flag(nb::handle value) {
  return PyBool_Check(value.ptr()) != 0 || nb::cast<std::string>(value.type().attr("__name__")) == "bool";
}
bool is_integer(nb::handle value) { return !is_flag(value) && PyIndex_Check(value.ptr()) != 0; }
bool is_text(nb::handle value) { return PyUnicode_Check(value.ptr()) != 0; }
bool is_number(nb::handle value) { return !is_flag(value) && !is_text(value) && nb::hasattr(value, "__float__"); }

std::int64_t integer_of(nb::handle value) { return nb::cast<std::int64_t>(nb::steal(PyNumber_Index(value.ptr()))); }
double number_of(nb::handle value) { return nb::cast<double>(nb::float_(value)); }

OptionValue by_type(nb::handle value) {
  if (is_flag(value)) return nb::cast<bool>(nb::bool_(value));
  if (is_integer(value)) return integer_of(value);
  if (is_text(value)) return nb::cast<std::string>(value);
  if (is_number(value)) return number_of(value);
  std::vector<double> numbers;
  for (const nb::handle number : value) numbers.push_back(number_of(number));
  return numbers;
}

bool fits(OptionSpec::Kind kind, nb::handle value) {
  using Kind = OptionSpec::Kind;
  switch (kind) {
    case Kind::kFlag:
      return is_flag(value);
    case Kind::kInteger:
      return is_integer(value);
    case Kind::kNumber:
      return is_number(value);
    case Kind::kChoice:
    case Kind::kText:
      return is_text(value);
    case Kind::kNumbers:
      return !is_flag(value) && !is_text(value) && !is_integer(value) && nb::hasattr(value, "__iter__");
  }
  return false;
}

std::string_view wanted(OptionSpec::Kind kind) {
  using Kind = OptionSpec::Kind;
  switch (kind) {
    case Kind::kFlag:
      return "{} is True or False";
    case Kind::kInteger:
      return "{} is a whole number";
    case Kind::kNumber:
      return "{} is a number";
    case Kind::kChoice:
    case Kind::kText:
      return "{} is a text";
    case Kind::kNumbers:
      return "{} is a list of numbers";
  }
  return "";
}

}  // namespace

/// Decodes with replacements, because names and contents of files may not be UTF-8.
nb::str to_str(std::string_view text) {
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) nb::raise_python_error();
  return nb::steal<nb::str>(made);
}

Words to_list(const std::vector<std::string>& words) {
  Words list;
  for (const std::string& word : words) list.append(to_str(word));
  return list;
}

OptionValue to_option(const OptionSpec* spec, const std::string& name, nb::handle value) {
  try {
    if (spec == nullptr) return by_type(value);
    if (!fits(spec->kind, value)) throw option_error(name, std::string(wanted(spec->kind)));
    if (spec->kind == OptionSpec::Kind::kNumber) return number_of(value);
    return by_type(value);
  } catch (const nb::python_error&) {
    throw option_error(name, std::string(spec == nullptr ? "{} has a value that no option takes" : wanted(spec->kind)));
  } catch (const nb::cast_error&) {
    throw option_error(name, "{} is too large");
  }
}

Options to_options(const OptionTable& table, const nb::dict& given) {
  Options options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    options.emplace(name, to_option(find_option(table, name), name, value));
  }
  return options;
}

nb::object from_option(const OptionValue& value) {
  return std::visit([](const auto& held) -> nb::object { return nb::cast(held); }, value);
}

Dict from_options(const Options& options) {
  Dict dict;
  for (const auto& [name, value] : options) dict[to_str(name)] = from_option(value);
  return dict;
}

}  // namespace linsep::python
