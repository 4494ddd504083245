#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"
#include "linsep/tools/distances.h"
#include "picture/html.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"
#include "report/words.h"

namespace linsep {
namespace {

void add(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  constexpr std::size_t kMost = 60;
  if (!gathered.evaluation || !input.models.front().model->regression) return;
  std::vector<std::int64_t> shown = gathered.drawn;
  std::ranges::sort(shown);
  Picture::Residuals& residuals = *(picture.residuals = Picture::Residuals{});
  std::vector<double> values;
  std::vector<PlanePoint> ends = {{NAN, NAN}, {NAN, NAN}};
  predict(*input.data, *input.models.front().model, spec.limits, [&](const Batch& batch, std::span<const double> z) {
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const double said = z[static_cast<std::size_t>(i)], label = batch.label_of(i);
      if (!std::isfinite(said)) continue;
      values.push_back(label - said);
      ends[0].x = std::fmin(ends[0].x, std::fmin(said, label));
      ends[1].x = std::fmax(ends[1].x, std::fmax(said, label));
      if (spec.no_rows || !std::ranges::binary_search(shown, batch.number_of(i))) continue;
      residuals.at.push_back({batch.number_of(i), said, label});
    }
  });
  std::ranges::sort(residuals.at, {}, &Picture::Residuals::At::row);
  for (const Bin& bin : histogram(values, kMost)) residuals.bins.push_back({bin.low, bin.high, bin.rows});
  if (values.empty()) return;
  const std::vector<PlanePoint> diagonal = {{ends[0].x, ends[0].x}, {ends[1].x, ends[1].x}};
  const Window window = window_around(diagonal);
  residuals.low = window.x_low;
  residuals.high = window.x_high;
  residuals.root_mean_square = std::sqrt(gathered.evaluation->sum_of_squares / static_cast<double>(values.size()));
}

void write_json(PictureWriter& out, const Picture& picture) {
  if (!picture.residuals) return;
  const Picture::Residuals& residuals = *picture.residuals;
  using Bin = Picture::Residuals::Bin;
  using At = Picture::Residuals::At;
  const int digits = digits_between(residuals.low, residuals.high);
  out.key("residuals");
  out.open('{');
  out.key("bins");
  out.open('{');
  out.column("low", residuals.bins, &Bin::low);
  out.column("high", residuals.bins, &Bin::high);
  out.column("rows", residuals.bins, &Bin::rows);
  out.close('}');
  out.column("row", residuals.at, [](const At& at) { return at.row + 1; });
  out.column("predicted", residuals.at, &At::predicted, digits);
  out.column("label", residuals.at, &At::label, digits);
  out.field("root_mean_square", residuals.root_mean_square);
  out.field("low", residuals.low, digits);
  out.field("high", residuals.high, digits);
  out.close('}');
}

void write_sentences(const Sentences& writer) {
  if (!writer.picture.residuals) return;
  const Picture::Residuals& residuals = *writer.picture.residuals;
  writer.headline("residuals", fmt::format("Root mean square error {}.", figure_text(residuals.root_mean_square)));
  writer.caption("residuals",
                 "Left: residuals y − z. Right: each row's y against its prediction z; on the diagonal both "
                 "agree.");
  const auto shown = static_cast<std::int64_t>(residuals.at.size());
  if (shown > 0 && shown < writer.gathered.rows) {
    writer.note("residuals",
                fmt::format("{} of {} are drawn as points, chosen by a hash of the row number with seed {}; the "
                            "bins count every row.",
                            with_commas(shown), counted(writer.gathered.rows, "row"), writer.spec.seed));
  }
}

std::string table(const Picture& picture) {
  if (!picture.residuals) return "";
  using Bin = Picture::Residuals::Bin;
  return html_table<Bin>("Residuals y − z", picture.residuals->bins,
                         {{"from", &Bin::low}, {"to", &Bin::high}, {"rows", &Bin::rows}});
}

}  // namespace

const ReportChart kResidualsChart = {
    "residuals", "Residuals", add, write_json, write_sentences, table, [](const Picture& picture) {
      return picture.residuals.has_value();
    }};

}  // namespace linsep
