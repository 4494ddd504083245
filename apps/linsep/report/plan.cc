#include "report/plan.h"

#include <fmt/format.h>

#include "linsep/limits.h"
#include "linsep/map.h"
#include "report/words.h"

namespace linsep::app {
namespace {

std::string size_sentence(const TrainPlan& plan, std::int64_t rows) {
  const std::string many = rows < 0 ? "A stream of rows" : counted(rows, "row");
  std::string text = fmt::format("{} with {}", many, counted(plan.shape.features, "feature"));
  if (plan.map.kind != FeatureMap::Kind::kNone) {
    text += fmt::format(", mapped to {} ({})", thousands(plan.mapped.features), map_text(plan.map));
  }
  if (plan.workers > 1) text += fmt::format(", on {}", counted(plan.workers, "worker"));
  return text + ".\n";
}

std::string parts_sentence(const TrainPlan& plan) {
  if (plan.parts == 0) return "";
  const auto parts = static_cast<std::int64_t>(plan.parts);
  return fmt::format("{}, {}.\n", counted(parts, "classifier"),
                     plan.joint ? "trained together" : "trained in the same passes");
}

std::string_view order_words(VisitOrder order) {
  switch (order) {
    case VisitOrder::kGiven:
      return "as given";
    case VisitOrder::kShuffled:
      return "shuffled anew in each pass";
    case VisitOrder::kDrawn:
      return "drawn at random";
    case VisitOrder::kPermuted:
      return "in a random order, groups of them shuffled anew in each pass";
  }
  return "";
}

}  // namespace

Json plan_json(const TrainPlan& plan, std::int64_t rows) {
  Json object;
  object["learner"] = plan.learner->name;
  object["formula"] = plan.learner->formula;
  object["options"] = to_json(plan.options);
  object["map"] = map_text(plan.map);
  object["rows"] = rows < 0 ? Json(nullptr) : Json(rows);
  object["features"] = plan.shape.features;
  object["mapped_features"] = plan.mapped.features;
  object["workers"] = plan.workers;
  object["classifiers"] = std::max<std::size_t>(plan.parts, 1);
  object["joint"] = plan.joint;
  if (!plan.choice.solver.empty()) {
    object["solver"] = plan.choice.solver;
    object["solver_because"] = plan.choice.because;
    object["solver_otherwise"] = plan.choice.otherwise.empty() ? Json(nullptr) : Json(plan.choice.otherwise);
  }
  object["order"] = visit_order_name(plan.order);
  object["certifies_first"] = plan.certifies;
  object["passes_at_most"] = plan.passes;
  object["bytes"] = plan.bytes;
  return object;
}

std::string plan_words(const TrainPlan& plan, std::int64_t rows) {
  std::string text = fmt::format("Learner {}: {}\n", plan.learner->name, plan.learner->formula);
  text += size_sentence(plan, rows) + parts_sentence(plan);
  if (plan.certifies) text += "First the rows are proven separable, or the run ends with a proof that they aren't.\n";
  if (!plan.choice.solver.empty()) {
    text += fmt::format("Solver {}, because {}", plan.choice.solver, plan.choice.because);
    text +=
        plan.choice.otherwise.empty() ? ".\n" : fmt::format("; if it is slow, {} takes over.\n", plan.choice.otherwise);
  }
  text += fmt::format("Rows are visited {}, at most {}.\n", order_words(plan.order),
                      plan.passes == 1 ? "once" : fmt::format("{} times", thousands(plan.passes)));
  text += fmt::format("Besides the rows it needs at most {} of memory.\n", size_words(plan.bytes));
  return text + "Nothing was trained: leave out --plan.\n";
}

}  // namespace linsep::app
