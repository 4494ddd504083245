// Binding of linsep/certify.h and linsep/tools/certify_classes.h, which prove whether rows are separable.
#include "linsep/certify.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/certify_classes.h"
#include "module.h"
#include "report/proof.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

struct Found {
  CertifyOutcome outcome;
  std::vector<std::string> names;  ///< of the columns of `estimates`
  std::string warning;             ///< about rows of weight 0
};
struct Certified : Found {
  nb::object pending;  ///< an exception, or None
};

/// What to certify about more than two classes: one against the rest, or all jointly.
struct Question {
  bool jointly = false;
  std::optional<std::size_t> against;
};

Question question_of(const Schema& schema, const std::optional<std::string>& against) {
  const std::vector<std::string>& classes = schema.classes;
  if (classes.size() <= 2) {
    if (against) throw option_error("against", "{} needs more than two classes");
    return {};
  }
  if (!against) return {true, {}};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (classes[c] == *against) return {false, c};
  }
  throw option_error("against", "{}: there is no class '" + *against + "'");
}

/// The columns' names: those of features, of their products, and of the intercept.
std::vector<std::string> names_of(const CertifyOutcome& outcome, const Schema& schema, const FeatureMap& map) {
  Model words;
  words.schema.feature_names = schema.feature_names;
  words.features = outcome.features;
  words.map = map;
  if (schema.table) words.table = *schema.table;
  const std::uint32_t mapped = mapped_features(map, outcome.features);
  std::vector<std::string> names;
  for (const CoefficientEstimate& each : outcome.estimates) {
    names.push_back(each.column < mapped ? feature_name(words, each.column) : "offset");
  }
  return names;
}

/// Fills in classes and names, which an unsealed certificate lacks. Sealing sets the same ones again.
void describe(Certificate& certificate, const Schema& schema) {
  if (schema.classes.size() == 2) {
    certificate.data.negative = schema.classes[0];
    certificate.data.positive = schema.classes[1];
  }
  if (certificate.data.names.empty()) certificate.data.names = schema.feature_names;
}

Certified certify_rows(Rows& rows, bool origin, const std::string& map, bool coefficients, bool mistakes,
                       std::int64_t mistake_limit, const Model* guide, std::optional<std::string> against, int threads,
                       std::optional<double> time_limit, nb::object observe) {
  const RowsLock use(rows);
  CertifyOptions options;
  options.origin = origin;
  options.map = parse_map(map);
  options.coefficients = coefficients;
  options.mistakes = mistakes;
  options.mistake_limit = mistake_limit;
  options.guide = guide;
  auto done = supervise(std::move(observe), [&](const Watch& watch) {
    Source& source = rows.source(watch, for_proof(guide));
    static_cast<RunLimits&>(options) = watch.limits(threads, time_limit.value_or(0));
    const Question question = question_of(source.schema(), against);
    Comm& comm = rows.comm();
    Found made;
    if (question.jointly) {
      made.outcome = certify_jointly(source, options, comm, watch.observe);
    } else {
      made.outcome = question.against
                         ? certify_against_the_rest(source, *question.against, options, comm, watch.observe)
                         : certify(source, options, comm, watch.observe);
      made.names = names_of(made.outcome, source.schema(), options.map);
    }
    describe(made.outcome.certificate, source.schema());
    if (rows.store().weighted()) made.warning = weight_0_sentence(source, comm);
    if (!made.warning.empty()) made.warning.pop_back();  // '\n'
    return made;
  });
  return {std::move(done.value), std::move(done.pending)};
}

Dicts estimates_of(const Certified& made) {
  Dicts out;
  for (std::size_t k = 0; k < made.outcome.estimates.size(); ++k) {
    const CoefficientEstimate& each = made.outcome.estimates[k];
    Dict one;
    one["column"] = each.column;
    one["name"] = to_str(k < made.names.size() ? made.names[k] : "");
    one["estimate"] = to_str(estimate_name(each.estimate));
    one["computed_sign"] = each.computed_sign;
    out.append(one);
  }
  return out;
}

Dicts history_of(const Certified& made) {
  Dicts out;
  for (const Progress& record : made.outcome.history) out.append(progress_dict(record));
  return out;
}

/// An exception may lead back to the outcome, by way of the frames that it went through.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Certified>(self)->pending.ptr());
  return 0;
}

int clear(PyObject* self) {
  nb::inst_ptr<Certified>(self)->pending.reset();
  return 0;
}

}  // namespace

void bind_certify(nb::module_& m) {
  bind_certificate(m);
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};
  const auto of = [](auto member) { return [member](const Certified& made) { return made.outcome.*member; }; };
  nb::class_<Certified>(m, "CertifyOutcome", "A certificate, and what was found on the way to it.",
                        nb::type_slots(slots))
      .def_prop_ro("certificate", [](const Certified& made) -> const Certificate& { return made.outcome.certificate; })
      .def_prop_ro("reason", [](const Certified& made) { return std::string(stop_reason_name(made.outcome.reason)); })
      .def_prop_ro("rows", of(&CertifyOutcome::rows))
      .def_prop_ro("features", of(&CertifyOutcome::features))
      .def_prop_ro("passes", of(&CertifyOutcome::passes))
      .def_prop_ro("separated", of(&CertifyOutcome::separated))
      .def_prop_ro("history", &history_of)
      .def_prop_ro("margin", of(&CertifyOutcome::margin))
      .def_prop_ro("radius", of(&CertifyOutcome::radius))
      .def_prop_ro("mistake_bound", of(&CertifyOutcome::mistake_bound))
      .def_prop_ro("estimates", &estimates_of)
      .def_prop_ro("common_point", [](const Certified& made) { return nb::cast(to_array(made.outcome.common_point)); })
      .def_prop_ro("mistakes_at_least", of(&CertifyOutcome::mistakes_at_least))
      .def_prop_ro("mistakes_at_most", of(&CertifyOutcome::mistakes_at_most))
      .def_prop_ro("warning", [](const Certified& made) { return to_str(made.warning); })
      .def_ro("pending", &Certified::pending);
  m.def("certify", &certify_rows, "rows"_a, nb::kw_only(), "origin"_a = false, "map"_a = "none",
        "coefficients"_a = false, "mistakes"_a = false, "mistake_limit"_a = 0, "guide"_a = nb::none(),
        "against"_a = nb::none(), "threads"_a = 0, "time_limit"_a = nb::none(), "observe"_a = nb::none(),
        "Decides whether rows are separable. Of more than two classes: all jointly, or one against the rest.");
  bind_proof(m);
  bind_audit(m);
}

}  // namespace linsep::python
