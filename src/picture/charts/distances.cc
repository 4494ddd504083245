#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/tools/distances.h"
#include "picture/html.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"

namespace linsep {
namespace {

/// Few bins for few rows.
std::size_t bins_for(std::int64_t rows) {
  return static_cast<std::size_t>(std::clamp(2 * std::sqrt(static_cast<double>(rows)), 10.0, 60.0));
}

void add(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  if (!gathered.evaluation || !(gathered.norm > 0) || !is_two_class(*input.models.front().model)) return;
  const ScoreCounts& counts = gathered.evaluation->scores.front();
  if (counts.places.empty()) return;
  // The bins of the outermost distances are those of all.
  const std::vector<double> ends = {counts.places.back().least / gathered.norm,
                                    counts.places.front().least / gathered.norm};
  Picture::DistanceBins& distances = *(picture.distances = Picture::DistanceBins{});
  for (const Bin& bin : histogram(ends, bins_for(gathered.rows))) distances.bins.push_back({bin.low, bin.high, 0, 0});
  for (const ScoreCounts::Place& place : counts.places) {
    const double distance = place.least / gathered.norm;
    const auto above = std::ranges::upper_bound(distances.bins, distance, {}, &Picture::DistanceBins::Bin::low);
    auto& bin = above == distances.bins.begin() ? *above : *std::prev(above);
    bin.negative += place.negative;
    bin.positive += place.positive;
  }
  distances.norm = gathered.norm;
  if (gathered.has_margin) distances.margin = 1 / gathered.norm;
}

void write_json(PictureWriter& out, const Picture& picture) {
  if (!picture.distances) return;
  const Picture::DistanceBins& distances = *picture.distances;
  using Bin = Picture::DistanceBins::Bin;
  out.key("distances");
  out.open('{');
  out.key("bins");
  out.open('{');
  out.column("low", distances.bins, &Bin::low);
  out.column("high", distances.bins, &Bin::high);
  out.column("negative", distances.bins, &Bin::negative);
  out.column("positive", distances.bins, &Bin::positive);
  out.close('}');
  out.field("margin", distances.margin);
  out.field("norm", distances.norm);
  out.close('}');
}

void write_sentences(const Sentences& writer) {
  if (!are_two_classes(writer)) return;
  if (theta_is_zero(writer)) {
    const double offset = writer.model()->offset;
    writer.headline("distances", offset == 0 ? "θ is 0: every row lies on the boundary."
                                             : "θ is 0: every row has the same score, and there is no boundary.");
    return;
  }
  if (!writer.picture.distances) return;
  writer.headline("distances", wrong_text(writer));
  const auto& names = writer.picture.about.class_names;
  std::string caption = "Rows by signed distance z/‖θ‖ from the boundary";
  if (names.size() == 2)
    caption += fmt::format(": class {} above, class {} below; misclassified rows are hatched", names[1], names[0]);
  caption += writer.picture.distances->margin ? ". Lines at 0 and at z = ±1." : ".";
  writer.caption("distances", caption);
}

std::string table(const Picture& picture) {
  if (!picture.distances) return "";
  using Bin = Picture::DistanceBins::Bin;
  return html_table<Bin>("Rows by signed distance from the boundary", picture.distances->bins,
                         {{"from", &Bin::low},
                          {"to", &Bin::high},
                          {"rows of the negative class", &Bin::negative},
                          {"rows of the positive class", &Bin::positive}});
}

}  // namespace

const ReportChart kDistancesChart = {
    "distances", "Distances", add, write_json, write_sentences, table, [](const Picture& picture) {
      return picture.distances.has_value();
    }};

}  // namespace linsep
