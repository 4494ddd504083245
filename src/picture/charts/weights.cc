#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numeric/compensated_sum.h"
#include "picture/html.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"
#include "report/optimality.h"
#include "report/words.h"

namespace linsep {
namespace {

void add(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  constexpr std::size_t kMost = 40;
  if (input.models.empty() || input.models.front().model->form != Model::Form::kLinear) return;
  const Model& model = *input.models.front().model;
  std::vector<std::uint32_t> columns(model.theta.size());
  std::iota(columns.begin(), columns.end(), 0U);
  std::erase_if(columns, [&](std::uint32_t j) { return model.theta[j] == 0; });
  const auto end = columns.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, columns.size()));
  std::partial_sort(columns.begin(), end, columns.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double left = std::fabs(model.theta[a]), right = std::fabs(model.theta[b]);
    return left != right ? left > right : a < b;
  });
  Picture::Weights& weights = *(picture.weights = Picture::Weights{});
  for (auto j = columns.begin(); j != end; ++j) {
    const double weight = model.theta[*j];
    weights.heaviest.push_back(
        {*j, short_text(feature_name(model, *j)), weight, weight_text(weight, model.weight_error)});
  }
  Sum rest;
  for (auto j = end; j != columns.end(); ++j) {
    const double share = model.theta[*j] / gathered.norm;
    rest.add(share * share);
  }
  weights.rest = columns.end() - end;
  weights.rest_share = rest.value();
  weights.norm = gathered.norm;
  weights.offset = model.offset;
}

void write_json(PictureWriter& out, const Picture& picture) {
  if (!picture.weights) return;
  const Picture::Weights& weights = *picture.weights;
  using One = Picture::Weights::One;
  out.key("weights");
  out.open('{');
  out.key("heaviest");
  out.open('{');
  out.column("column", weights.heaviest, [](const One& one) { return std::uint64_t{one.column} + 1; });
  out.column("name", weights.heaviest, &One::name);
  out.column("weight", weights.heaviest, &One::weight, kAllDigits);
  out.column("text", weights.heaviest, &One::text);
  out.close('}');
  out.field("rest", weights.rest);
  out.field("rest_share", weights.rest_share);
  out.field("norm", weights.norm);
  out.field("offset", weights.offset, kAllDigits);
  out.close('}');
}

void write_sentences(const Sentences& writer) {
  const auto& weights = writer.picture.weights;
  const Model* model = writer.model();
  if (model == nullptr) return;
  if (theta_is_zero(writer)) return writer.headline("weights", "All weights are 0.");
  if (!weights || weights->heaviest.empty()) return;
  const auto& first = weights->heaviest.front();
  writer.headline("weights", fmt::format("{} has the heaviest weight: {}.", first.name,
                                         first.text.empty() ? figure_text(first.weight) : first.text));
  const std::string rest = weights->rest > 0 ? fmt::format(" The other {} make up {:.2g} % of ‖θ‖².",
                                                           counted(weights->rest, "weight"), 100 * weights->rest_share)
                                             : "";
  writer.caption("weights", "Weights by size. Those to the right favour the positive class." + rest);
  const bool claimed = writer.input.trained == nullptr;
  const auto within = [&](double error, std::string_view by) {
    writer.note("weights", fmt::format("Each weight is within ±{:.2g} of its best possible value{}.", error, by));
  };
  if (writer.input.bounds != nullptr && std::isfinite(weights_within(*writer.input.bounds))) {
    within(weights_within(*writer.input.bounds), ", by the proof of the model");
  } else if (model->weight_error > 0) {
    within(model->weight_error, claimed ? kClaimed : ", by a bound computed in training");
  }
  if (std::string zeros = zeros_words(*model, claimed); !zeros.empty()) {
    zeros.pop_back();  // the end of its line
    writer.note("weights", zeros);
  }
  if (model->origin) {
    writer.note("weights", "The classifier goes through the origin: θ0 is 0.");
  } else if (model->form == Model::Form::kLinear && model->offset == 0) {
    writer.note("weights", "The intercept θ0 is 0.");
  }
}

std::string table(const Picture& picture) {
  if (!picture.weights) return "";
  const auto& heaviest = picture.weights->heaviest;
  return html_table("The heaviest weights", {{"feature", false}, {"column"}, {"weight"}}, heaviest.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& one = heaviest[r];
                      return c == 0   ? html_name(one.name)
                             : c == 1 ? html_count(std::int64_t{one.column} + 1)
                                      : html_text(one.text.empty() ? html_number(one.weight) : one.text);
                    });
}

}  // namespace

const ReportChart kWeightsChart = {
    "weights", "Weights", add, write_json, write_sentences, table, [](const Picture& picture) {
      return picture.weights && !picture.weights->heaviest.empty();
    }};

}  // namespace linsep
