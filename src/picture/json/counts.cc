#include "picture/json/writer.h"

namespace linsep {
namespace {

void write_weights(PictureWriter& out, const Picture::Weights& weights) {
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

void write_distances(PictureWriter& out, const Picture::DistanceBins& distances) {
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

void write_thresholds(PictureWriter& out, const Picture::Thresholds& thresholds) {
  using At = Picture::Thresholds::At;
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

void write_calibration(PictureWriter& out, const Picture::CalibrationBins& calibration) {
  using Bin = Picture::CalibrationBins::Bin;
  out.key("calibration");
  out.open('{');
  out.key("bins");
  out.open('{');
  out.column("from", calibration.bins, &Bin::from);
  out.column("to", calibration.bins, &Bin::to);
  out.column("rows", calibration.bins, &Bin::rows);
  out.column("predicted", calibration.bins, &Bin::predicted);
  out.column("observed", calibration.bins, &Bin::observed);
  out.column("low", calibration.bins, &Bin::low);
  out.column("high", calibration.bins, &Bin::high);
  out.close('}');
  out.field("log_loss", calibration.log_loss);
  out.field("brier", calibration.brier);
  out.close('}');
}

void write_confusion(PictureWriter& out, const Picture::Confusion& confusion) {
  out.key("confusion");
  out.open('{');
  out.field("classes", confusion.classes);
  out.field("counts", confusion.counts);
  out.field("left_out", confusion.left_out);
  out.close('}');
}

void write_residuals(PictureWriter& out, const Picture::Residuals& residuals) {
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

}  // namespace

void write_counts(PictureWriter& out, const Picture& picture) {
  if (picture.weights) write_weights(out, *picture.weights);
  if (picture.distances) write_distances(out, *picture.distances);
  if (picture.thresholds) write_thresholds(out, *picture.thresholds);
  if (picture.calibration) write_calibration(out, *picture.calibration);
  if (picture.confusion) write_confusion(out, *picture.confusion);
  if (picture.residuals) write_residuals(out, *picture.residuals);
}

}  // namespace linsep
