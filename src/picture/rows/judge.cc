#include "picture/rows/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "picture/gathered.h"

namespace linsep {
namespace {

Judgement judge_two(double threshold, bool labelled, double y, double z) {
  Judgement result;
  result.said = z >= threshold ? 1 : 0;
  result.mistake = labelled && (threshold == 0 ? !(y * z > 0) : (z >= threshold) != (y > 0));
  return result;
}

Judgement judge_classes(bool labelled, std::int64_t own, std::span<const double> z) {
  Judgement result;
  result.said = predicted_class(z);
  if (!labelled || own < 0 || static_cast<std::size_t>(own) >= z.size()) return result;
  const auto at = static_cast<std::size_t>(own);
  for (std::size_t c = 0; c < z.size(); ++c) result.mistake = result.mistake || (c != at && !(z[at] > z[c]));
  return result;
}

Judgement judge_labels(const Schema& schema, bool labelled, double label, std::span<const double> z) {
  Judgement result;
  for (const double one : z) result.said = keyed_hash(result.said, one >= 0 ? 1 : 0);
  const bool known = labelled && label >= 0 && label < static_cast<double>(schema.combinations.size());
  if (!known) return result;
  const std::string& combination = schema.combinations[static_cast<std::size_t>(label)];
  for (std::size_t k = 0; k < std::min(z.size(), combination.size()); ++k) {
    if (combination[k] != '-') result.mistake = result.mistake || !((combination[k] == '1' ? 1 : -1) * z[k] > 0);
  }
  return result;
}

}  // namespace

std::int64_t class_of(const Schema& schema, bool labelled, double label) {
  if (!labelled || schema.classes.empty() || !schema.labels.empty()) return -1;
  if (schema.classes.size() == 2) return label > 0 ? 1 : 0;
  return label >= 0 && label < static_cast<double>(schema.classes.size()) ? static_cast<std::int64_t>(label) : -1;
}

Judgement judge(const Model& model, const Schema& schema, bool labelled, double label, std::span<const double> z) {
  if (!std::ranges::all_of(z, [](double one) { return std::isfinite(one); })) {
    return {false, labelled && !model.regression, std::numeric_limits<std::uint64_t>::max()};
  }
  if (model.regression) return {};
  if (model.form == Model::Form::kClasses) return judge_classes(labelled, class_of(schema, labelled, label), z);
  if (model.form == Model::Form::kLabels) return judge_labels(schema, labelled, label, z);
  return judge_two(model.threshold, labelled, label, z[0]);
}

}  // namespace linsep
