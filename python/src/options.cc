// Binding of linsep/options.h and learner_info.h, the tables from which parameters, their checks and their
// documentation are made.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.h"
#include "linsep/learner_info.h"
#include "linsep/options.h"
#include "linsep/select.h"
#include "linsep/table/options.h"
#include "linsep/tools/generate.h"
#include "linsep/tools/simd.h"
#include "module.h"
#include "os/memory.h"
#include "os/process.h"

namespace linsep::python {
namespace {

std::string_view kind_name(OptionSpec::Kind kind) {
  using Kind = OptionSpec::Kind;
  switch (kind) {
    case Kind::kFlag:
      return "flag";
    case Kind::kInteger:
      return "integer";
    case Kind::kNumber:
      return "number";
    case Kind::kChoice:
      return "choice";
    case Kind::kText:
      return "text";
    case Kind::kNumbers:
      return "numbers";
  }
  return "";
}

nb::dict option_dict(const OptionSpec& spec) {
  nb::list choices;
  for (const std::string_view choice : spec.choices) choices.append(to_str(choice));
  nb::dict row;
  row["name"] = to_str(spec.name);
  row["kind"] = to_str(kind_name(spec.kind));
  row["default"] = from_option(spec.fallback);
  row["choices"] = choices;
  row["low"] = spec.low;
  row["high"] = spec.high;
  row["above_low"] = spec.above_low;
  row["help"] = to_str(spec.help);
  row["group"] = to_str(spec.group);
  row["details"] = to_str(spec.details);
  return row;
}

nb::list option_list(const OptionTable& table) {
  nb::list rows;
  for (const OptionSpec& spec : table) rows.append(option_dict(spec));
  return rows;
}

nb::dict learner_dict(const LearnerInfo& info) {
  nb::dict learner;
  learner["name"] = to_str(info.name);
  learner["help"] = to_str(info.help);
  learner["formula"] = to_str(info.formula);
  learner["regression"] = info.regression;
  learner["many"] = info.many;
  learner["starts"] = info.starts;
  learner["objective"] = info.objective;
  learner["mistake_bound"] = info.mistake_bound;
  learner["options"] = option_list(info.table);
  return learner;
}

Dict tables() {
  nb::list every_learner, every_generator;
  for (const LearnerInfo& info : learners()) every_learner.append(learner_dict(info));
  for (const GeneratorInfo& info : generators()) {
    nb::dict generator;
    generator["name"] = to_str(info.name);
    generator["help"] = to_str(info.help);
    generator["options"] = option_list(info.table);
    every_generator.append(generator);
  }
  Dict all;
  all["learners"] = every_learner;
  all["selection"] = option_list(selection_options());
  all["generators"] = every_generator;
  all["tables"] = option_list(table_options());
  return all;
}

Dict versions() {
  Dict all;
  all["linsep"] = LINSEP_VERSION;
  all["simd"] = to_str(kernel_version());
  all["exact"] = LINSEP_EXACT_NUMBERS;
  all["compiler"] = LINSEP_COMPILER;
  return all;
}

}  // namespace

void bind_options(nb::module_& m) {
  m.def("tables", &tables, "Every learner, generator and set of options, as plain values.");
  m.def("versions", &versions);
  m.def("memory_left", [] { return memory_left().bytes; }, "Bytes that this process may still take.");
  m.def("available_threads", &allowed_cpus, "Cores that this process may use.");
  m.def(
      "nearest_word",
      [](const std::string& word, const std::vector<std::string>& candidates) {
        const std::vector<std::string_view> views(candidates.begin(), candidates.end());
        return nearest_word(word, views);
      },
      nb::arg("word"), nb::arg("candidates"), "The candidate nearest to the word, or \"\".");
}

}  // namespace linsep::python
