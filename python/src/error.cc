// The one exception of the library, as linsep._core.Error. python/linsep/errors.py turns it into what users see.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "module.h"

namespace linsep::python {
namespace {

std::string_view kind_name(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::kUsage:
      return "usage";
    case Error::Kind::kInput:
      return "input";
    case Error::Kind::kSystem:
      return "system";
    case Error::Kind::kBug:
      return "bug";
    case Error::Kind::kInterrupted:
      return "interrupted";
  }
  return "";
}

void raise_error(nb::handle type, const Error& error) {
  const Place& place = error.place();
  const nb::object value = type(to_str(error.what()));
  value.attr("kind") = to_str(kind_name(error.kind()));
  value.attr("file") = place.file.empty() ? nb::none() : nb::object(to_str(place.file));
  value.attr("line") = place.line;
  value.attr("column") = place.column;
  value.attr("options") = to_list(error.options());
  value.attr("sentence") = to_str(error.sentence());
  PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(const std::exception_ptr& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise_error(nb::handle(static_cast<PyObject*>(type)), error);
  }
}

}  // namespace

void bind_error(nb::module_& m) {
  const std::string name = nb::cast<std::string>(m.attr("__name__")) + ".Error";
  const nb::object type = nb::steal(PyErr_NewExceptionWithDoc(
      name.c_str(), "What the library throws: kind, file, line, column, options, sentence.", nullptr, nullptr));
  m.attr("Error") = type;
  nb::register_exception_translator(translate, type.ptr());
  const auto view = [](const nb::bytes& text) { return std::string_view(text.c_str(), text.size()); };
  m.def(
      "shown_text", [view](const nb::bytes& text) { return to_str(shown_text(view(text))); }, nb::arg("text"),
      "The text as a terminal may show it, in one line.");
  m.def(
      "shown_lines", [view](const nb::bytes& text) { return to_str(shown_lines(view(text))); }, nb::arg("text"),
      "The same of several lines.");
}

}  // namespace linsep::python
