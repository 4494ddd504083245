// events, scores and gram are arrays of numbers that a call leaves for JavaScript to read at once, instead of JSON.
// bound and curve are the perceptron's bound on mistakes, and the wedge that ‖θ‖ stays in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "call.h"
#include "linsep/error.h"
#include "linsep/picture/make.h"
#include "report/model.h"
#include "rows.h"

namespace linsep::wasm {
namespace {

std::optional<Picture::Bound> last_bound;

/// The array that `numbers` and `number_count` give access to.
std::vector<double>& last_numbers() {
  static std::vector<double> numbers;
  return numbers;
}

constexpr std::size_t kMostGramRows = 200;

const Outcome& outcome_now() {
  if (!trained()) throw usage_error("nothing was trained on these rows yet");
  return trained()->outcome;
}

double norm_of(const std::vector<double>& theta, double offset, bool origin) {
  double sum = origin ? 0 : offset * offset;
  for (const double weight : theta) sum += weight * weight;
  return std::sqrt(sum);
}

/// Visit, pass, row, before, after, mistake, θ0, ‖θ‖, θ …, with −0 as 0.
void add_visit(const RowVisit& visit, std::int64_t row, bool origin, std::size_t features, std::vector<double>& out) {
  for (const std::int64_t number : {visit.visit, visit.pass, row}) out.push_back(static_cast<double>(number));
  out.insert(out.end(), {visit.before + 0.0, visit.after + 0.0, visit.mistake ? 1.0 : 0.0, visit.offset,
                         norm_of(visit.theta, visit.offset, origin)});
  out.insert(out.end(), visit.theta.begin(), visit.theta.end());
  out.resize(out.size() + features - visit.theta.size());
}

/// Count, stride, features, whether only mistakes are listed, visits in all. Then come the visits, the start first.
void collect_events(std::vector<double>& out) {
  constexpr std::size_t kFixed = 8, kHead = 5;
  out.assign(kHead, 0);
  if (!trained()) return;
  const Outcome& outcome = outcome_now();
  const VisitRecord& record = outcome.stats.visits;
  if (record.visits == 0) return;
  const std::size_t features = record.start.size();
  const bool origin = outcome.model.origin;
  RowVisit start;
  start.theta = record.start;
  start.offset = record.start_offset;
  add_visit(start, 0, origin, features, out);
  for (const RowVisit& visit : record.at) add_visit(visit, visit.row + 1, origin, features, out);
  out[0] = static_cast<double>(record.at.size() + 1);
  out[1] = static_cast<double>(kFixed + features);
  out[2] = static_cast<double>(features);
  out[3] = record.mistakes_only ? 1 : 0;
  out[4] = static_cast<double>(record.visits);
}

Kernel kernel_of(const Json& request) {
  Kernel kernel;
  const std::string kind = text_of(request, "kind", "linear");
  if (kind == "polynomial") {
    kernel.kind = Kernel::Kind::kPolynomial;
  } else if (kind == "gaussian") {
    kernel.kind = Kernel::Kind::kGaussian;
  } else if (kind != "linear") {
    throw usage_error(fmt::format("a kernel is linear, polynomial or gaussian, not '{}'", kind));
  }
  kernel.degree = static_cast<int>(number_of(request, "degree", kernel.degree));
  kernel.constant = number_of(request, "constant", kernel.constant);
  kernel.gamma = number_of(request, "gamma", kernel.gamma);
  return kernel;
}

}  // namespace

LINSEP_EXPORT(numbers) const double* numbers() { return last_numbers().data(); }
LINSEP_EXPORT(number_count) std::uint32_t number_count() { return static_cast<std::uint32_t>(last_numbers().size()); }

LINSEP_EXPORT(events) const double* events() {
  static std::vector<double> told;
  collect_events(told);
  return told.data();
}

LINSEP_EXPORT(scores)
std::int32_t scores(const double* points, std::uint32_t count, std::uint32_t features) {
  return answer_with([&]() -> Json {
    const Model& model = outcome_now().model;
    if (features == 0 || count % features != 0)
      throw usage_error("points must have as many numbers as there are features");
    Batch batch;
    batch.rows = count / features;
    batch.features = features;
    batch.stride = features;
    batch.dense = true;
    batch.is_float = false;
    batch.value64 = {points, count};
    last_numbers().assign(static_cast<std::size_t>(batch.rows), 0);
    score(model, batch, std::span<double>(last_numbers()));
    return Json::object();
  });
}

LINSEP_EXPORT(gram) std::int32_t gram(const char* text, std::uint32_t size) {
  return answer_with([&]() -> Json {
    const Kernel kernel = kernel_of(parsed(text, size));
    const PlainRows& all = plain_rows();
    const std::size_t count = all.y.size();
    if (count > kMostGramRows) {
      throw usage_error(fmt::format("the Gram matrix of more than {} rows isn't computed here", kMostGramRows));
    }
    Model model;
    model.form = Model::Form::kDual;
    model.features = all.features;
    model.kernel = kernel;
    model.coefficient.assign(count, 1);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint32_t j = 0; j < all.features; ++j) {
        model.kept.column.push_back(j);
        model.kept.value.push_back(all.at(i, j));
      }
      model.kept.start.push_back(model.kept.column.size());
    }
    last_numbers() = gram_matrix(model);
    return Json::object();
  });
}

LINSEP_EXPORT(bound) std::int32_t bound(const char* text, std::uint32_t size) {
  return answer_with([&]() -> Json {
    const Json request = parsed(text, size);
    last_bound.reset();
    if (rows().regression) return {{"bound", nullptr}};
    const std::unique_ptr<Source> source = read_rows(true);
    last_bound = perceptron_bound(*source, flag_of(request, "origin"), parse_map(text_of(request, "map", "none")));
    if (!last_bound) return {{"bound", nullptr}};
    return {{"bound",
             {{"radius", last_bound->radius},
              {"margin", last_bound->margin},
              {"mistakes", last_bound->mistakes},
              {"mistakes_text", last_bound->mistakes_text}}}};
  });
}

LINSEP_EXPORT(curve) std::int32_t curve() {
  return answer_with([]() -> Json {
    constexpr double kMost = 200;
    last_numbers().clear();
    if (!last_bound) return Json::object();
    const double end = std::ceil(last_bound->mistakes);
    const double steps = std::min(std::max(end, 1.0), kMost - 1);
    for (double i = 0; i <= steps; ++i) {
      const double k = end * i / steps;
      last_numbers().insert(last_numbers().end(), {k, k * last_bound->margin, last_bound->radius * std::sqrt(k)});
    }
    return Json::object();
  });
}

}  // namespace linsep::wasm
