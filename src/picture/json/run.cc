#include "picture/json/writer.h"

namespace linsep {
namespace {

using Pass = Picture::History::Pass;

void write_passes(PictureWriter& out, std::string_view name, const std::vector<Pass>& passes) {
  if (passes.empty()) return;
  out.key(name);
  out.open('{');
  out.column("pass", passes, &Pass::pass);
  out.column("seconds", passes, &Pass::seconds);
  out.column("mistakes", passes, [](const Pass& pass) { return pass.mistakes; });
  out.column("mistakes_so_far", passes, [](const Pass& pass) { return pass.mistakes_so_far; });
  out.column("objective", passes, [](const Pass& pass) { return pass.objective; });
  out.column("lower_bound", passes, [](const Pass& pass) { return pass.lower_bound; });
  out.column("gap", passes, [](const Pass& pass) { return pass.gap; });
  out.column("residual", passes, [](const Pass& pass) { return pass.residual; });
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

}  // namespace

void write_run(PictureWriter& out, const Picture& picture) {
  if (picture.history) write_history(out, *picture.history);
  if (picture.bound) write_bound(out, *picture.bound);
  if (picture.events) write_events(out, *picture.events);
  if (picture.alpha) write_alpha(out, *picture.alpha);
}

}  // namespace linsep
