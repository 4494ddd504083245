#include "report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "linsep/tools/shown_text.h"
#include "report/json.h"
#include "report/model.h"
#include "report/words.h"

namespace linsep {
namespace {

using Field = ColumnParts::Field;
/// "+0.31". Four figures are enough to see what matters.
std::string signed_words(double number) {
  const std::string size = fmt::format("{:.4g}", std::fabs(number));
  return (number < 0 ? "−" : "+") + size;
}

std::string line(double number, std::size_t indent, const std::string& words) {
  const std::string shown = signed_words(number);
  const std::size_t width = text_width(shown);
  constexpr std::size_t kWidth = 10;
  return fmt::format("{:>{}}{}  {}\n", "", indent + kWidth - std::min(width, kWidth), shown, words);
}

/// The features of the `top` largest parts.
std::set<std::uint32_t> largest(const Explanation& explanation, std::size_t top) {
  std::vector<const ScorePart*> all;
  for (const ColumnParts& column : explanation.columns) {
    for (const ScorePart& part : column.parts) all.push_back(&part);
  }
  top = std::min(top, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(top), all.end(),
                    [](const ScorePart* a, const ScorePart* b) {
                      const double x = std::fabs(a->part), y = std::fabs(b->part);
                      return x != y ? x > y : a->feature < b->feature;
                    });
  std::set<std::uint32_t> features;
  for (std::size_t i = 0; i < top; ++i) {
    if (all[i]->part != 0) features.insert(all[i]->feature);
  }
  return features;
}

const Encoder* encoder_of(const Model& model, std::uint32_t feature) {
  const auto place = place_of(model, feature);
  return place ? &model.table.encoders[place->encoder] : nullptr;
}

/// The content of the row there: " = 120 (mean 80.1)", " ×2", or "".
std::string written_words(const Model& model, const ScorePart& part) {
  const Encoder* encoder = encoder_of(model, part.feature);
  if (encoder == nullptr) return fmt::format(" = {}", figure_text(part.value));
  if (encoder->is<TextEncoder>()) return part.written && *part.written > 1 ? fmt::format(" ×{}", *part.written) : "";
  if (part.written)
    return fmt::format(" = {} (mean {})", figure_text(*part.written), figure_text(encoder->scaling()->mean));
  return encoder->is<VectorEncoder>() ? fmt::format(" = {}", figure_text(part.value)) : "";
}

std::string part_words(const Model& model, const ScorePart& part) {
  return shown_feature(model, part.feature) + written_words(model, part);
}

std::string field_words(const Model& model, const ColumnParts& column) {
  if (column.field == Field::kHole) return "no value";
  if (column.field == Field::kKnown) return "";
  const auto& encoders = model.table.encoders;
  const auto found = std::ranges::find(encoders, column.name, &Encoder::column);
  const bool text = found != encoders.end() && found->is<TextEncoder>();
  return text ? "no term seen in training" : "a value that was rare or never seen in training";
}

/// A column with a single nonzero part gets one line.
std::string one_line(const Model& model, const ColumnParts& column, const ScorePart* part) {
  const std::string note = field_words(model, column);
  if (part == nullptr) return line(column.total, 0, fmt::format("{}: {}", short_text(column.name), note));
  const std::string words = part_words(model, *part);
  const bool said = note.empty() || column.field == Field::kHole;  // by the name of the feature that is 1 for a hole
  return line(column.total, 0, said ? words : fmt::format("{}: {}", words, note));
}

std::string column_words(const Model& model, const ColumnParts& column, const std::set<std::uint32_t>& shown) {
  const auto counts = [](const ScorePart& part) { return part.part != 0; };
  const auto first = std::ranges::find_if(column.parts, counts);
  if (std::ranges::count_if(column.parts, counts) <= 1) {
    return one_line(model, column, first == column.parts.end() ? nullptr : &*first);
  }
  const std::string note = field_words(model, column);
  std::string text = line(column.total, 0, short_text(column.name) + (note.empty() ? "" : ": " + note));
  double rest = 0;
  std::int64_t others = 0;
  for (const ScorePart& part : column.parts) {
    if (shown.contains(part.feature)) {
      text += line(part.part, 3, part_words(model, part));
    } else if (counts(part)) {
      rest += part.part;
      ++others;
    }
  }
  return others == 0 ? text : text + line(rest, 3, fmt::format("{} more", with_commas(others)));
}

/// The prediction, with two classes by the model's threshold.
std::string prediction(const Model& model, const Explanation& e) {
  if (model.regression) return "";
  const std::vector<std::string>& classes = model.schema.classes;
  if (model.form == Model::Form::kClasses) return classes[predicted_class(e.scores)];
  const bool positive = model.form == Model::Form::kLinear ? e.scores[0] >= model.threshold : e.scores[e.part] >= 0;
  const std::size_t first = 2 * e.part;
  return classes.size() > first + 1 ? classes[first + (positive ? 1 : 0)] : positive ? "1" : "-1";
}

std::vector<double> probabilities_of(const Model& model, const Explanation& e) {
  std::vector<double> p(e.scores.size());
  if (!has_probabilities(model)) return {};
  probabilities(model, e.scores, p);
  return p;
}

/// The class or label column of the explained score, if there are several.
std::string part_label(const Model& model, const Explanation& e) {
  return model.offsets.empty() ? "" : part_name(model, e.part);
}

std::string headline(const Model& model, const Explanation& e) {
  std::string text = fmt::format("Row {}: ", with_commas(e.row + 1));
  const std::string of = part_label(model, e), label = prediction(model, e);
  if (model.form == Model::Form::kLabels) text += fmt::format("{}: ", shown_text(of));
  if (!label.empty()) text += fmt::format("{}; ", shown_text(label));
  text += model.form == Model::Form::kClasses ? fmt::format("score of {} ", shown_text(of)) : "score ";
  text += figure_text(e.scores[e.part]);
  const std::vector<double> p = probabilities_of(model, e);
  if (!p.empty()) text += std::isnan(p[e.part]) ? ", no probability" : fmt::format(", probability {:.4g}", p[e.part]);
  return text + "\n";
}

Json part_json(const Model& model, const ScorePart& part) {
  Json object{{"feature", std::uint64_t{part.feature} + 1},
              {"name", feature_name(model, part.feature)},
              {"part", part.part},
              {"weight", part.weight},
              {"value", part.value},
              {"base", part.base}};
  if (const std::string other = other_term(model, part.feature); !other.empty()) object["also"] = other;
  if (!part.written) return object;
  const Encoder* encoder = encoder_of(model, part.feature);
  if (encoder != nullptr && encoder->is<TextEncoder>()) {
    object["count"] = std::llround(*part.written);
  } else {
    object["written"] = *part.written;
  }
  return object;
}

}  // namespace

std::string explanation_words(const Model& model, const Explanation& explanation, std::size_t top) {
  const std::set<std::uint32_t> shown = largest(explanation, top);
  std::string text = headline(model, explanation);
  double rest = 0;
  std::int64_t others = 0;
  for (const ColumnParts& column : explanation.columns) {
    const bool any = std::ranges::any_of(column.parts, [&](const ScorePart& p) { return shown.contains(p.feature); });
    if (any || column.field != Field::kKnown) {
      text += column_words(model, column, shown);
    } else {
      rest += column.total;
      others += std::ranges::count_if(column.parts, [](const ScorePart& p) { return p.part != 0; });
    }
  }
  if (others > 0) text += line(rest, 0, fmt::format("the rest, {}", counted(others, "feature")));
  const double own = model.offsets.empty() ? model.offset : model.offsets[explanation.part];
  text += line(explanation.offset, 0,
               explanation.offset == own ? "intercept" : "intercept, with all numbers at their means");
  return text;
}

Json explanation_json(const Model& model, const Explanation& explanation, std::size_t top) {
  const std::set<std::uint32_t> shown = largest(explanation, top);
  const std::string label = prediction(model, explanation), of = part_label(model, explanation);
  Json columns = Json::array();
  double rest = 0;
  std::int64_t others = 0;
  for (const ColumnParts& column : explanation.columns) {
    Json parts = Json::array();
    for (const ScorePart& part : column.parts) {
      if (shown.contains(part.feature)) {
        parts.push_back(part_json(model, part));
      } else {
        rest += part.part;
        ++others;
      }
    }
    const char* field = column.field == Field::kHole ? "missing" : column.field == Field::kUnseen ? "unseen" : "known";
    if (parts.empty() && column.field == Field::kKnown) continue;
    columns.push_back({{"column", column.name}, {"total", column.total}, {"field", field}, {"parts", parts}});
  }
  const std::vector<double> p = probabilities_of(model, explanation);
  return {{"row", explanation.row + 1},
          {"prediction", label.empty() ? Json(nullptr) : Json(label)},
          {"of", of.empty() ? Json(nullptr) : Json(of)},
          {"score", explanation.scores[explanation.part]},
          {"probability", p.empty() ? Json(nullptr) : Json(p[explanation.part])},
          {"offset", explanation.offset},
          {"columns", columns},
          {"rest", {{"features", others}, {"part", rest}}}};
}

}  // namespace linsep
