#include <cmath>
#include <string_view>

#include "linsep/picture/document.h"
#include "picture/json/writer.h"
#include "picture/report_chart.h"

namespace linsep {
namespace {

/// Digits of places in the plane that is shown.
struct PlaneDigits {
  int x = kShortDigits, y = kShortDigits;
};

/// A text of a column that may be missing, or nothing if it is empty.
inline std::optional<std::string> text_or_nothing(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

void write_axis(PictureWriter& out, std::string_view name, const Picture::Axis& axis, int digits) {
  out.key(name);
  out.open('{');
  out.field("name", axis.name);
  out.field("low", axis.low, digits);
  out.field("high", axis.high, digits);
  out.field("ticks", axis.ticks, digits);
  out.close('}');
}

void write_which(PictureWriter& out, const Picture::Plane& plane, const PlaneDigits& digits) {
  out.key("plane");
  out.open('{');
  out.field("kind", plane.kind);
  write_axis(out, "x", plane.x, digits.x);
  write_axis(out, "y", plane.y, digits.y);
  const bool two = plane.kind == "features";
  if (two || plane.kind == "feature") out.field("x_column", std::uint64_t{plane.x_column} + 1);
  if (two) out.field("y_column", std::uint64_t{plane.y_column} + 1);
  out.field("equal_scales", plane.equal_scales);
  out.close('}');
}

void write_points(PictureWriter& out, const Picture::Points& points, const PlaneDigits& digits) {
  using At = Picture::Points::At;
  out.key("points");
  out.open('{');
  out.field("total", points.total);
  out.field("shown", points.shown);
  out.field("how", points.how);
  out.field("seed", points.seed);
  out.column("row", points.at, [](const At& at) { return at.row + 1; });
  out.column("x", points.at, &At::x, digits.x);
  out.column("y", points.at, &At::y, digits.y);
  out.column("label", points.at, &At::label);
  out.column("margin", points.at,
             [](const At& at) { return std::isfinite(at.margin) ? std::optional(at.margin) : std::nullopt; });
  out.column("role", points.at, &At::role);
  out.column("id", points.at, [](const At& at) { return text_or_nothing(at.id); });
  out.column("together", points.at, &At::together);
  out.close('}');
}

void write_places(PictureWriter& out, const std::vector<PlanePoint>& points, const PlaneDigits& digits) {
  out.open('{');
  out.column("x", points, &PlanePoint::x, digits.x);
  out.column("y", points, &PlanePoint::y, digits.y);
  out.close('}');
}

void write_paths(PictureWriter& out, const std::vector<Picture::Path>& paths, const PlaneDigits& digits) {
  if (paths.empty()) return;
  out.key("paths");
  out.open('[');
  for (const Picture::Path& path : paths) {
    out.open('{');
    out.field("kind", path.kind);
    out.field("model", path.model);
    out.field("closed", path.closed);
    out.key("points");
    write_places(out, path.points, digits);
    out.close('}');
  }
  out.close(']');
}

PlaneDigits plane_digits(const Picture& picture) {
  if (!picture.plane) return {};
  return {digits_between(picture.plane->x.low, picture.plane->x.high),
          digits_between(picture.plane->y.low, picture.plane->y.high)};
}

void write_point(PictureWriter& out, std::string_view name, const std::optional<PlanePoint>& point,
                 const PlaneDigits& digits) {
  if (!point) return;
  out.key(name);
  out.open('{');
  out.field("x", point->x, digits.x);
  out.field("y", point->y, digits.y);
  out.close('}');
}

void write_plane(PictureWriter& out, const Picture& picture) {
  const PlaneDigits digits = plane_digits(picture);
  if (picture.plane) write_which(out, *picture.plane, digits);
  if (picture.points) write_points(out, *picture.points, digits);
  if (picture.cells) {
    out.key("cells");
    out.open('{');
    out.field("x", picture.cells->x, digits.x);
    out.field("y", picture.cells->y, digits.y);
    out.field("negative", picture.cells->negative);
    out.field("positive", picture.cells->positive);
    out.close('}');
  }
  write_paths(out, picture.paths, digits);
  if (picture.half_spaces) {
    out.key("half_spaces");
    out.open('{');
    out.key("negative");
    write_places(out, picture.half_spaces->negative, digits);
    out.key("positive");
    write_places(out, picture.half_spaces->positive, digits);
    out.close('}');
  }
}

using Proof = Picture::Proof;

std::vector<std::int64_t> from_one(const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> result = rows;
  for (std::int64_t& row : result) ++row;
  return result;
}

void write_witness(PictureWriter& out, const std::vector<Proof::Witness>& witness, const PlaneDigits& digits) {
  if (witness.empty()) return;
  using Row = Proof::Witness;
  out.key("witness");
  out.open('{');
  out.column("row", witness, [](const Row& row) { return row.row + 1; });
  out.column("id", witness, [](const Row& row) { return text_or_nothing(row.id); });
  out.column("label", witness, &Row::label);
  out.column("alpha", witness, &Row::alpha);
  out.column("share", witness, &Row::share);
  out.column("x", witness, [](const Row& row) { return row.x; }, digits.x);
  out.column("y", witness, [](const Row& row) { return row.y; }, digits.y);
  out.column("text", witness, [](const Row& row) { return text_or_nothing(row.text); });
  out.close('}');
}

void write_columns(PictureWriter& out, const Proof& proof) {
  if (!proof.infinite.empty()) {
    out.key("infinite");
    out.open('{');
    out.column("name", proof.infinite, &Proof::Infinite::name);
    out.column("sign", proof.infinite, &Proof::Infinite::sign);
    out.close('}');
  }
  out.field("mistakes_at_least", proof.mistakes_at_least);
  out.field("mistakes_at_most", proof.mistakes_at_most);
  if (!proof.packing.empty()) {
    out.key("packing");
    out.open('[');
    for (const std::vector<std::int64_t>& rows : proof.packing) out.put(from_one(rows), 0);
    out.close(']');
  }
  if (!proof.means.empty()) {
    out.key("means");
    out.open('{');
    out.column("name", proof.means, &Proof::Mean::name);
    out.column("negative", proof.means, &Proof::Mean::negative);
    out.column("positive", proof.means, &Proof::Mean::positive);
    out.close('}');
  }
}

/// The default for a missing `classifier`.
constexpr std::string_view kPlainKind = "linear classifier";

void write_proof(PictureWriter& out, const Picture& picture, const PlaneDigits& digits) {
  if (!picture.proof) return;
  const Proof& proof = *picture.proof;
  out.key("proof");
  out.open('{');
  out.field("verdict", proof.verdict);
  write_witness(out, proof.witness, digits);
  out.field("witness_rows", proof.witness_rows);
  write_point(out, "common_point", proof.common_point, digits);
  out.field("margin", proof.margin, kAllDigits);
  out.field("margin_upper_bound", proof.margin_upper_bound, kAllDigits);
  out.field("radius", proof.radius, kAllDigits);
  out.field("mistake_bound", proof.mistake_bound, kAllDigits);
  out.field("separator", proof.separator);
  write_columns(out, proof);
  if (proof.statement.origin) out.field("origin", true);
  if (!proof.statement.against.empty()) out.field("against", proof.statement.against);
  if (const std::string kind = classifier_words(proof.statement); kind != kPlainKind) out.field("classifier", kind);
  out.field("separated", proof.separated);
  out.field("at_zero", proof.at_zero);
  if (!proof.stopped_because.empty()) out.field("stopped_because", proof.stopped_because);
  out.close('}');
}

using HistoryPass = Picture::History::Pass;

void write_passes(PictureWriter& out, std::string_view name, const std::vector<HistoryPass>& passes) {
  if (passes.empty()) return;
  out.key(name);
  out.open('{');
  out.column("pass", passes, &HistoryPass::pass);
  out.column("seconds", passes, &HistoryPass::seconds);
  out.column("mistakes", passes, [](const HistoryPass& pass) { return pass.mistakes; });
  out.column("mistakes_so_far", passes, [](const HistoryPass& pass) { return pass.mistakes_so_far; });
  out.column("objective", passes, [](const HistoryPass& pass) { return pass.objective; });
  out.column("lower_bound", passes, [](const HistoryPass& pass) { return pass.lower_bound; });
  out.column("gap", passes, [](const HistoryPass& pass) { return pass.gap; });
  out.column("residual", passes, [](const HistoryPass& pass) { return pass.residual; });
  out.close('}');
}

void write_history(PictureWriter& out, const Picture::History& history) {
  out.key("history");
  out.open('{');
  out.field("learner", history.learner);
  out.field("solver", history.solver);
  out.field("reason", history.reason);
  out.field("passes_made", history.passes_made);
  out.field("gap_asked", history.gap_asked);
  out.field("seconds", history.seconds);
  write_passes(out, "passes", history.passes);
  out.field("group", history.group);
  write_passes(out, "bars", history.bars);
  out.field("seconds_ticks", history.seconds_ticks);
  out.close('}');
}

void write_bound(PictureWriter& out, const Picture::Bound& bound) {
  out.key("bound");
  out.open('{');
  out.field("radius", bound.radius, kAllDigits);
  out.field("margin", bound.margin, kAllDigits);
  out.field("mistakes", bound.mistakes, kAllDigits);
  out.field("mistakes_text", bound.mistakes_text);
  out.close('}');
}

void write_events(PictureWriter& out, const Picture::Events& events) {
  using Visit = Picture::Events::Visit;
  out.key("events");
  out.open('{');
  out.field("features", events.features);
  out.field("mistakes_only", events.mistakes_only);
  out.field("visits", events.visits);
  out.column("visit", events.at, &Visit::visit);
  out.column("pass", events.at, &Visit::pass);
  out.column("row", events.at, [](const Visit& visit) { return visit.row + 1; });
  out.column("before", events.at, &Visit::before, kAllDigits);
  out.column("after", events.at, &Visit::after, kAllDigits);
  out.column("mistake", events.at, &Visit::mistake);
  out.column("offset", events.at, &Visit::offset, kAllDigits);
  out.column("norm", events.at, &Visit::norm, kAllDigits);
  out.field("theta", events.theta, kAllDigits);
  out.close('}');
}

void write_alpha(PictureWriter& out, const Picture::Alpha& alpha) {
  using Row = Picture::Alpha::Row;
  out.key("alpha");
  out.open('{');
  out.key("rows");
  out.open('{');
  out.column("row", alpha.rows, [](const Row& row) { return row.row + 1; });
  out.column("id", alpha.rows, [](const Row& row) { return text_or_nothing(row.id); });
  out.column("label", alpha.rows, &Row::label);
  out.column("alpha", alpha.rows, &Row::alpha);
  out.close('}');
  out.field("rest", alpha.rest);
  out.close('}');
}

void write_run(PictureWriter& out, const Picture& picture) {
  if (picture.history) write_history(out, *picture.history);
  if (picture.bound) write_bound(out, *picture.bound);
  if (picture.events) write_events(out, *picture.events);
  if (picture.alpha) write_alpha(out, *picture.alpha);
}

void write_sentences(PictureWriter& out, const Picture& picture) {
  if (picture.sentences.empty()) return;
  out.key("sentences");
  out.open('[');
  for (const Picture::Sentence& sentence : picture.sentences) {
    out.open('{');
    out.field("section", sentence.section);
    out.field("role", sentence.role);
    out.field("text", sentence.text);
    out.close('}');
  }
  out.close(']');
}

void write_made(PictureWriter& out, const Picture& picture) {
  if (picture.made.empty()) return;
  out.key("made");
  out.open('{');
  out.column("name", picture.made, &Picture::ProvenanceEntry::name);
  out.column("value", picture.made, &Picture::ProvenanceEntry::value);
  out.close('}');
}

void write_about(PictureWriter& out, const Picture& picture) {
  const Picture::About& about = picture.about;
  out.key("about");
  out.open('{');
  out.field("title", about.title);
  out.field("kinds", about.kinds);
  out.field("task", about.task);
  if (about.rows >= 0) out.field("rows", about.rows);
  out.field("features", about.features);
  out.field("mapped_features", about.mapped_features);
  out.field("classes", about.classes);
  out.field("class_rows", about.class_rows);
  out.field("map", about.map);
  out.field("origin", about.origin);
  out.field("files", about.files);
  out.field("version", about.version);
  out.field("not_finite", about.not_finite);
  out.field("class_names", about.class_names);
  out.close('}');
}

void write_models(PictureWriter& out, const Picture& picture, const PlaneDigits& digits) {
  if (picture.models.empty()) return;
  out.key("models");
  out.open('[');
  for (const Picture::Classifier& model : picture.models) {
    out.open('{');
    out.field("name", model.name);
    out.field("learner", model.learner);
    out.field("description", model.description);
    out.field("formula", model.formula);
    out.field("mistakes", model.mistakes);
    out.field("error", model.error);
    out.field("margin", model.margin);
    out.field("norm", model.norm);
    out.field("offset", model.offset, kAllDigits);
    out.field("seconds", model.seconds);
    out.field("disagreements", model.disagreements);
    write_point(out, "label_at", model.label_at, digits);
    out.close('}');
  }
  out.close(']');
}

void write_coefficients(PictureWriter& out, const Picture& picture) {
  if (!picture.coefficients) return;
  const Picture::Coefficients& part = *picture.coefficients;
  using Ratio = Picture::Coefficients::Ratio;
  out.key("coefficients");
  out.open('{');
  out.field("header", part.header);
  out.key("rows");
  out.put(part.rows, kShortDigits);
  out.key("ratios");
  out.open('{');
  out.column("name", part.ratios, &Ratio::name);
  out.column("ratio", part.ratios, &Ratio::ratio);
  out.column("low", part.ratios, &Ratio::low);
  out.column("high", part.ratios, &Ratio::high);
  out.column("text", part.ratios, &Ratio::text);
  out.close('}');
  out.field("low", part.low);
  out.field("high", part.high);
  out.field("ticks", part.ticks);
  out.close('}');
}

}  // namespace

std::string picture_to_json(const Picture& picture) {
  PictureWriter out;
  const PlaneDigits digits = plane_digits(picture);
  out.open('{');
  out.field("format", std::string("linsep-picture"));
  out.field("version", 1);
  write_about(out, picture);
  write_sentences(out, picture);
  write_plane(out, picture);
  write_proof(out, picture, digits);
  write_run(out, picture);
  for (const ReportChart* chart : kCharts) chart->write_json(out, picture);
  write_coefficients(out, picture);
  write_models(out, picture, digits);
  write_made(out, picture);
  out.close('}');
  return out.take();
}

}  // namespace linsep
