#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "picture/html.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"
#include "report/words.h"

namespace linsep {
namespace {

using At = Picture::Thresholds::At;

constexpr std::size_t kMost = 512;

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : std::numeric_limits<double>::quiet_NaN();
}

struct Totals {
  std::int64_t positive = 0, negative = 0;
  double norm = 0;
};

At threshold_at(double threshold, std::int64_t tp, std::int64_t fp, const Totals& all) {
  At at;
  at.threshold = threshold;
  at.distance = all.norm > 0 ? threshold / all.norm : std::numeric_limits<double>::quiet_NaN();
  at.tp = tp;
  at.fp = fp;
  at.tn = all.negative - fp;
  at.fn = all.positive - tp;
  at.precision = ratio(tp, tp + fp);
  at.recall = ratio(tp, all.positive);
  at.false_positive_rate = ratio(fp, all.negative);
  at.error = ratio(at.fp + at.fn, all.positive + all.negative);
  at.text = fmt::format("z ≥ {}: {} of {} found, {}", figure_text(threshold), with_commas(tp),
                        with_commas(all.positive), counted(fp, "false alarm"));
  return at;
}

/// Thresholds at which something changes, descending. All of them, or if there are many, some that are evenly spread
/// along the curve of recall against false alarms.
std::vector<At> spread(const ScoreCounts& counts, const Totals& all) {
  constexpr std::size_t kSpread = kMost - 4;
  std::vector<At> result;
  const double above = std::nextafter(greatest_score(counts, 0), std::numeric_limits<double>::max());
  result.push_back(threshold_at(above, 0, 0, all));
  result.back().text = fmt::format("above every score: 0 of {} found, 0 false alarms", with_commas(all.positive));
  std::int64_t tp = 0, fp = 0;
  std::size_t last_step = 0;
  for (std::size_t k = 0; k < counts.places.size(); ++k) {
    tp += counts.places[k].positive;
    fp += counts.places[k].negative;
    const double along = (ratio(tp, all.positive) + ratio(fp, all.negative)) / 2;
    const auto step = static_cast<std::size_t>(along * static_cast<double>(kSpread));
    const bool few = counts.places.size() <= kSpread;
    if (!few && step == last_step && k + 1 < counts.places.size()) continue;
    last_step = step;
    result.push_back(threshold_at(counts.places[k].least, tp, fp, all));
  }
  return result;
}

/// Puts the model's own threshold at its rank, with the counts of `evaluate`.
std::size_t put_chosen(std::vector<At>& at, const Evaluation& evaluation, double threshold, const Totals& all) {
  if (std::isnan(threshold)) return 0;
  const At own = threshold_at(threshold, evaluation.true_positive, evaluation.false_positive, all);
  const auto place = std::ranges::find_if(at, [&](const At& one) { return one.threshold <= threshold; });
  const auto index = static_cast<std::size_t>(place - at.begin());
  if (place != at.end() && place->threshold == threshold) {
    *place = own;
  } else {
    at.insert(place, own);
  }
  return index;
}

std::string bounds_text(const Bounded& bounds) {
  if (!bounds.defined()) return "";
  if (figure_text(bounds.at_least) == figure_text(bounds.at_most)) return figure_text(bounds.at_least);
  return fmt::format("between {} and {}", figure_text(bounds.at_least), figure_text(bounds.at_most));
}

void add(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  if (!gathered.evaluation || !is_two_class(*input.models.front().model)) return;
  const ScoreCounts& counts = gathered.evaluation->scores.front();
  const Ranking ranking = rank_rows(counts);
  const Totals all{ranking.positive, ranking.negative, gathered.norm};
  if (all.positive == 0 || all.negative == 0) return;
  Picture::Thresholds& thresholds = *(picture.thresholds = Picture::Thresholds{});
  thresholds.at = spread(counts, all);
  thresholds.chosen = put_chosen(thresholds.at, *gathered.evaluation, input.models.front().model->threshold, all);
  thresholds.area_under_curve = ranking.area_under_curve.middle();
  thresholds.average_precision = ranking.average_precision.middle();
  thresholds.prevalence = ratio(all.positive, all.positive + all.negative);
  thresholds.area_text = bounds_text(ranking.area_under_curve);
  thresholds.precision_text = bounds_text(ranking.average_precision);
}

void write_json(PictureWriter& out, const Picture& picture) {
  if (!picture.thresholds) return;
  const Picture::Thresholds& thresholds = *picture.thresholds;
  out.key("thresholds");
  out.open('{');
  out.column("threshold", thresholds.at, &At::threshold, kAllDigits);
  out.column("distance", thresholds.at, &At::distance);
  out.column("tp", thresholds.at, &At::tp);
  out.column("fp", thresholds.at, &At::fp);
  out.column("tn", thresholds.at, &At::tn);
  out.column("fn", thresholds.at, &At::fn);
  out.column("precision", thresholds.at, &At::precision);
  out.column("recall", thresholds.at, &At::recall);
  out.column("false_positive_rate", thresholds.at, &At::false_positive_rate);
  out.column("error", thresholds.at, &At::error);
  out.column("text", thresholds.at, &At::text);
  out.field("chosen", thresholds.chosen);
  out.field("area_under_curve", thresholds.area_under_curve);
  out.field("average_precision", thresholds.average_precision);
  out.field("prevalence", thresholds.prevalence);
  out.field("area_text", thresholds.area_text);
  out.field("precision_text", thresholds.precision_text);
  out.close('}');
}

void write_sentences(const Sentences& writer) {
  if (!are_two_classes(writer)) return;
  if (one_class(writer)) {
    writer.headline("threshold", "All rows belong to one class: there is nothing to trade off.");
    return;
  }
  if (!writer.picture.thresholds) return;
  const Picture::Thresholds& at = *writer.picture.thresholds;
  const auto& names = writer.picture.about.class_names;
  const std::string positive = names.size() == 2 ? fmt::format(" (class {})", names[1]) : "";
  writer.headline(
      "threshold",
      fmt::format("Area under the ROC curve {}, average precision {}{}.",
                  at.area_text.empty() ? figure_text(at.area_under_curve) : at.area_text,
                  at.precision_text.empty() ? figure_text(at.average_precision) : at.precision_text, positive));
  writer.caption("threshold",
                 fmt::format("What each threshold on z finds, and at what price. The threshold line and the "
                             "points on both curves move together. Muted lines: guessing at random, and the "
                             "share of positive rows, {}.",
                             figure_text(at.prevalence)));
}

std::string table(const Picture& picture) {
  if (!picture.thresholds) return "";
  return html_table<At>("What each threshold does", picture.thresholds->at,
                        {{"z at least", &At::threshold},
                         {"found", &At::tp},
                         {"false alarms", &At::fp},
                         {"correct rejections", &At::tn},
                         {"missed", &At::fn},
                         {"precision", &At::precision},
                         {"recall", &At::recall},
                         {"false-positive rate", &At::false_positive_rate},
                         {"error", &At::error}});
}

}  // namespace

const ReportChart kThresholdChart = {
    "threshold", "Threshold", add, write_json, write_sentences, table, [](const Picture& picture) {
      return picture.thresholds.has_value();
    }};

}  // namespace linsep
