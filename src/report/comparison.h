// What `linsep evaluate` reports about two models on the same rows, about groups of rows, and whether a model may take
// the place of another.
#pragma once

#include <string>
#include <vector>

#include "linsep/tools/compare.h"
#include "report/json.h"

namespace linsep {

/// "error+0.005": the error may grow by this much. "area_under_curve-1%": the area may fall by this share of the other
/// model's.
struct WorseRule {
  std::string text;    ///< as written
  std::string metric;  ///< its name in `Comparison`
  double margin = 0;   ///< at least 0
  bool relative = false;
};

/// Reads rules with commas between them. Throws a usage Error.
std::vector<WorseRule> read_worse_rules(const std::string& text);

/// What to do if the interval has the margin inside it, so that the rows don't tell.
enum class IfUnsure { kFail, kPass };

struct RuleResult {
  enum class Finding { kNoWorse, kUnsure, kWorse };
  WorseRule rule;
  MetricComparison metric;
  double margin = 0;  ///< the rule's, as a difference
  Finding finding = Finding::kUnsure;
  bool passed = false;
};

struct GateResult {
  IfUnsure if_unsure = IfUnsure::kFail;
  std::vector<RuleResult> rules;

  bool passed() const;
};

/// Throws an Error if nothing can be decided: a metric that the models don't have (usage), or rows of one class only or
/// a figure that isn't defined (input). REQUIRES: a comparison.
GateResult pass_gate(const Model& model, const FullEvaluation& result, const std::vector<WorseRule>& rules,
                     IfUnsure if_unsure);

Json gate_json(const GateResult& gate);
/// A sentence for each rule.
std::string gate_words(const GateResult& gate);

Json comparison_json(const Comparison& comparison);
/// The metrics of both models side by side. REQUIRES: a comparison.
std::string comparison_words(const FullEvaluation& result);

Json groups_json(const FullEvaluation& result, const Model& model, const Model* against);
/// The figures of each group, a line for each.
std::string groups_words(const FullEvaluation& result, const Model& model, const std::string& column);

/// All that was measured, as one object.
Json full_evaluation_json(const FullEvaluation& result, const Model& model, const Model* against);

}  // namespace linsep
