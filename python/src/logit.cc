// Binding of linsep/logit.h: a logistic regression with its inference as a dict, and its table as text.
#include "linsep/logit.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "module.h"
#include "numeric/dependent_columns.h"
#include "report/logit.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

using Method = LogitOptions::Method;

Method method_named(const std::string& name) {
  if (name == "ml") return Method::kMaximumLikelihood;
  if (name == "firth") return Method::kFirth;
  if (name == "flic") return Method::kFlic;
  if (name == "flac") return Method::kFlac;
  throw option_error("method", "{} is 'ml', 'firth', 'flic' or 'flac', not '" + name + "'");
}

Dict test_dict(const LogitTest& test) {
  Dict out;
  out["name"] = to_str(test.name);
  out["test"] = to_str(test.wald ? "wald" : "likelihood ratio");
  out["chi_square"] = test.chi_square;
  out["degrees"] = test.degrees;
  out["p"] = test.p;
  return out;
}

Dicts coefficient_dicts(const LogitReport& report) {
  Dicts out;
  for (const LogitCoefficient& each : report.result.coefficients) {
    Dict one;
    one["name"] = to_str(report.names.at(each.column));
    one["column"] = each.column;
    one["status"] = to_str(status_name(each.status));
    one["estimate"] = each.estimate;
    one["error"] = each.error;
    one["standard_error"] = each.standard_error;
    one["z"] = each.z;
    one["wald_p"] = each.wald_p;
    one["chi_square"] = each.chi_square;
    one["p"] = each.p;
    one["low"] = each.low;
    one["high"] = each.high;
    one["deviation"] = each.deviation;
    out.append(one);
  }
  return out;
}

Dict result_dict(LogitReport report) {
  LogitResult& result = report.result;
  Dict out;
  out["coefficients"] = coefficient_dicts(report);
  out["separation"] = to_str(claim_name(result.separation.certificate.claim));
  Dicts terms, aliases;
  for (const LogitTest& test : result.terms) terms.append(test_dict(test));
  for (const LogitAlias& alias : result.aliases) {
    Dict one;
    one["name"] = to_str(report.names.at(alias.column));
    std::vector<std::string> of;
    for (const std::uint32_t column : alias.of) of.push_back(report.names.at(column));
    one["depends_on"] = to_list(of);
    aliases.append(one);
  }
  out["terms"] = terms;
  out["aliases"] = aliases;
  out["overall"] = test_dict(result.overall);
  out["overall_wald"] = test_dict(result.overall_wald);
  out["clusters"] = result.clusters;
  out["log_likelihood"] = result.log_likelihood;
  out["penalised_log_likelihood"] = result.penalised_log_likelihood;
  out["null_log_likelihood"] = result.null_log_likelihood;
  out["degrees"] = result.degrees;
  out["aic"] = result.aic;
  out["bic"] = result.bic;
  out["rows"] = result.rows;
  out["observations"] = result.observations;
  out["positives"] = result.positives;
  out["separated_rows"] = result.separated;
  out["words"] = to_str(logit_words(report));
  out["markdown"] = to_str(logit_markdown(report));
  out["latex"] = to_str(logit_latex(report));
  const std::size_t count = result.coefficients.size();
  if (result.covariance.empty()) result.covariance.assign(count * count, LogitCoefficient::kNone);
  out["covariance"] = nb::cast(to_array(std::move(result.covariance), {count, count}));
  return out;
}

/// A number for each row.
using Clusters = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Dict logit_rows(Rows& rows, const std::vector<std::string>& names, const std::string& outcome,
                const std::string& method, bool origin, double confidence, bool profile,
                const std::string& infinite_interval, bool robust, const std::optional<Clusters>& cluster,
                const std::string& cluster_name, std::optional<std::uint32_t> offset,
                const std::vector<std::vector<std::uint32_t>>& terms, std::int64_t incomplete, int threads,
                nb::object observe) {
  const RowsLock use(rows);
  LogitOptions options;
  options.method = method_named(method);
  options.origin = origin;
  options.confidence = confidence;
  options.profile = profile;
  options.infinite_interval = infinite_interval_named(infinite_interval);
  if (robust) options.errors = LogitOptions::Errors::kRobust;
  if (cluster) {
    options.errors = LogitOptions::Errors::kClustered;
    options.cluster.assign(cluster->data(), cluster->data() + cluster->size());
  }
  options.offset = offset;
  for (const std::vector<std::uint32_t>& columns : terms) options.terms.push_back({"", columns});
  LogitReport report = supervised(std::move(observe), [&](const Watch& watch) {
    Source& source = rows.source(watch, for_proof());
    static_cast<RunLimits&>(options) = watch.limits(threads);
    LogitReport made;
    made.data = "arrays";
    made.label = outcome;
    made.names = names;
    made.confidence = confidence;
    made.profile = profile;
    made.infinite_interval = options.infinite_interval;
    made.robust = robust;
    made.cluster = cluster ? cluster_name : "";
    if (offset) made.offset = names.at(*offset);
    if (source.schema().classes.size() == 2) {
      made.negative = source.schema().classes[0];
      made.positive = source.schema().classes[1];
    }
    const std::unique_ptr<Comm> alone = solo();
    made.result = logit(source, options, *alone, watch.observe);
    made.result.incomplete = incomplete;
    return made;
  });
  return result_dict(std::move(report));
}

using Products = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Groups of columns, each those that one is nearly a sum of, and itself. `products` are those of columns of length 1.
std::vector<std::vector<std::size_t>> nearly_dependent(const Products& products) {
  SymmetricMatrix matrix;
  matrix.resize(products.shape(0));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = i; j < matrix.size(); ++j) matrix.at(i, j) = products(i, j);
  }
  std::vector<char> active(matrix.size(), 1);
  std::vector<std::vector<std::size_t>> groups;
  for (const DependentColumn& dependent : find_dependent_columns(matrix, active)) {
    groups.push_back(dependent.summands());
    groups.back().push_back(dependent.column);
  }
  return groups;
}

}  // namespace

void bind_logit(nb::module_& m) {
  m.def("logit", &logit_rows, "rows"_a, nb::kw_only(), "names"_a, "outcome"_a, "method"_a, "origin"_a, "confidence"_a,
        "profile"_a, "infinite_interval"_a, "robust"_a, "cluster"_a = nb::none(), "cluster_name"_a = "",
        "offset"_a = nb::none(), "terms"_a, "incomplete"_a = 0, "threads"_a = 0, "observe"_a = nb::none(),
        "Fits a logistic regression. `names`: of the columns, then of the intercept; `incomplete`: rows that "
        "the caller left out.");
  m.def("nearly_dependent", &nearly_dependent, "products"_a, "Columns that are nearly sums of those before them.");
}

}  // namespace linsep::python
