#include "export/c/answers.h"

#include <fmt/format.h>

#include "export/c/text.h"

namespace linsep {
namespace {

/// A function @probability_N(z) for one calibration.
std::string calibration_function(const Calibration& calibration, std::size_t number) {
  if (calibration.kind != Calibration::Kind::kIsotonic) {
    return fmt::format(R"(
static double @calibrated_{0}(double z) {{
  const double f = {1} * z + {2}, e = exp(-fabs(f));
  return (f >= 0.0 ? 1.0 : e) / (1.0 + e);
}}
)",
                       number, c_number(calibration.slope), c_number(calibration.offset));
  }
  std::vector<std::string> score, probability;
  for (const double z : calibration.score) score.push_back(c_number(z));
  for (const double p : calibration.probability) probability.push_back(c_number(p));
  std::string text = c_array("double", fmt::format("@knots_{}", number), score);
  text += c_array("double", fmt::format("@heights_{}", number), probability);
  return text + fmt::format(R"(
static double @calibrated_{0}(double z) {{
  const double *knot = @knots_{0}, *height = @heights_{0};
  size_t low = 0, high = {1};
  double part, low_height, high_height, p;
  while (low < high) {{
    const size_t middle = low + (high - low) / 2;
    if (z < knot[middle]) high = middle; else low = middle + 1;
  }}
  if (low == 0) return height[0];
  if (low == {1}) return height[low - 1];
  part = (z / 2 - knot[low - 1] / 2) / (knot[low] / 2 - knot[low - 1] / 2);
  low_height = height[low - 1];
  high_height = height[low];
  if (low_height == 0.0) return part * high_height;
  p = low_height + part * (high_height - low_height);
  return p > high_height ? high_height : p;
}}
)",
                            number, calibration.score.size());
}

std::string names_array(const std::string& name, const std::vector<std::string>& names) {
  return c_string_array(name, std::vector<std::string_view>(names.begin(), names.end()));
}

void add(CAnswers& answers, const std::string& declaration, const std::string& body) {
  answers.declarations.push_back(declaration + ";");
  answers.functions += fmt::format("\n{} {{\n{}}}\n", declaration, body);
}

CAnswers one_score(const Model& model) {
  CAnswers answers;
  add(answers, "double @score(const struct @row *row)", "  double z;\n  @fill_scores(row, &z);\n  return z;\n");
  if (!model.regression) {
    answers.functions += names_array("@names", model.schema.classes);
    add(answers, "const char *@label(const struct @row *row)",
        fmt::format("  return @names[@score(row) >= {} ? 1 : 0];\n", c_number(model.threshold)));
  }
  if (!has_probabilities(model)) return answers;
  answers.functions += calibration_function(model.calibration, 0);
  add(answers, "double @probability(const struct @row *row)", "  return @calibrated_0(@score(row));\n");
  return answers;
}

std::string probabilities_body(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  std::string body = "  @fill_scores(row, p);\n";
  if (model.calibration.kind == Calibration::Kind::kSoftmax) {
    body = "  double greatest;\n  @fill_scores(row, p);\n  greatest = p[0];\n";
    body += fmt::format("  for (part = 1; part < {}; ++part) if (greatest < p[part]) greatest = p[part];\n", parts);
    body += fmt::format("  for (part = 0; part < {}; ++part) p[part] = exp(p[part] - greatest);\n", parts);
  } else {
    for (std::size_t part = 0; part < parts; ++part) body += fmt::format("  p[{0}] = @calibrated_{0}(p[{0}]);\n", part);
  }
  if (model.form != Model::Form::kClasses) return body;
  return fmt::format("  double sum = 0.0;\n  int part;\n{}", body) +
         fmt::format(
             "  for (part = 0; part < {0}; ++part) sum += p[part];\n"
             "  for (part = 0; part < {0}; ++part) p[part] = sum == 0.0 ? 1.0 / {1} : p[part] / sum;\n",
             parts, c_number(static_cast<double>(parts)));
}

CAnswers several_scores(const Model& model) {
  CAnswers answers;
  const std::size_t parts = scores_per_row(model);
  add(answers, fmt::format("void @scores(const struct @row *row, double z[{}])", parts), "  @fill_scores(row, z);\n");
  answers.functions += names_array("@names", model.schema.classes);
  if (model.form == Model::Form::kClasses) {
    add(answers, "const char *@label(const struct @row *row)",
        fmt::format("  double z[{0}];\n  int part, best = 0;\n  @fill_scores(row, z);\n"
                    "  for (part = 1; part < {0}; ++part) if (z[best] < z[part]) best = part;\n"
                    "  return @names[best];\n",
                    parts));
  } else {
    answers.functions += names_array("@columns", model.schema.labels);
    add(answers, fmt::format("void @labels(const struct @row *row, const char *label[{}])", parts),
        fmt::format("  double z[{0}];\n  int part;\n  @fill_scores(row, z);\n"
                    "  for (part = 0; part < {0}; ++part) label[part] = @names[2 * part + (z[part] >= 0.0 ? 1 : 0)];\n",
                    parts));
    add(answers, "const char *@label_column(int part)", "  return @columns[part];\n");
  }
  if (!has_probabilities(model)) return answers;
  for (std::size_t part = 0; part < model.calibrations.size(); ++part) {
    answers.functions += calibration_function(model.calibrations[part], part);
  }
  add(answers, fmt::format("void @probabilities(const struct @row *row, double p[{}])", parts),
      probabilities_body(model));
  return answers;
}

}  // namespace

CAnswers c_answers(const Model& model) { return model.offsets.empty() ? one_score(model) : several_scores(model); }

}  // namespace linsep
