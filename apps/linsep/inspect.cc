// linsep inspect shows what a model file holds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "linsep/tools/explain.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/json.h"
#include "report/model.h"
#include "report/selection.h"
#include "report/words.h"
#include "verb.h"

namespace linsep::app {
namespace {

std::string_view form_name(Model::Form form) {
  if (form == Model::Form::kDual) return "dual";
  if (form == Model::Form::kClasses) return "classes";
  if (form == Model::Form::kLabels) return "labels";
  return form == Model::Form::kVoted ? "voted" : "linear";
}

bool has_parts(const Model& model) { return !model.offsets.empty(); }
bool keeps_rows(const Model& model) { return model.form == Model::Form::kDual || model.form == Model::Form::kVoted; }

std::string kernel_words(const Kernel& kernel) {
  switch (kernel.kind) {
    case Kernel::Kind::kPolynomial:
      return fmt::format("(x·x′ + {})^{}", kernel.constant, kernel.degree);
    case Kernel::Kind::kGaussian:
      return fmt::format("exp(−{}·‖x − x′‖²)", kernel.gamma);
    case Kernel::Kind::kLinear:
      break;
  }
  return "x·x′";
}

/// The features with the largest |θ|, ties by number.
std::vector<std::uint32_t> heaviest(std::span<const double> theta, std::size_t count) {
  std::vector<std::uint32_t> order(theta.size());
  std::iota(order.begin(), order.end(), 0U);
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const double x = std::fabs(theta[a]), y = std::fabs(theta[b]);
                      return x != y ? x > y : a < b;
                    });
  order.resize(count);
  while (!order.empty() && theta[order.back()] == 0) order.pop_back();
  return order;
}

/// The largest |θ|.
double largest(const Model& model) {
  double most = 0;
  for (const double weight : model.theta) most = std::max(most, std::fabs(weight));
  return most;
}

std::int64_t nonzeros(const Model& model) {
  return std::count_if(model.theta.begin(), model.theta.end(), [](double weight) { return weight != 0; });
}

Json weights_json(const Model& model, std::span<const double> theta, std::size_t top) {
  Json weights = Json::array();
  for (const std::uint32_t j : heaviest(theta, top)) {
    weights.push_back({{"feature", std::uint64_t{j} + 1}, {"name", feature_name(model, j)}, {"weight", theta[j]}});
  }
  return weights;
}

/// The heaviest weights. With several classes or label columns, one list for each.
Json heaviest_json(const Model& model, std::size_t top) {
  if (!has_parts(model)) return weights_json(model, model.theta, top);
  Json all = Json::array();
  for (std::size_t part = 0; part < scores_per_row(model); ++part) {
    all.push_back({{"of", part_name(model, part)}, {"weights", weights_json(model, weights_of(model, part), top)}});
  }
  return all;
}

/// How the run ended, by the file's own account.
Json training_json(const TrainingRecord& training) {
  Json object{{"stopped_because", stop_reason_name(*training.stopped)}};
  if (training.objective) object["objective"] = *training.objective;
  if (training.bound) object["bound"] = *training.bound;
  if (training.gap) object["gap"] = *training.gap;
  if (!training.root.empty()) object["root"] = training.root;
  return object;
}

Json inspect_json(const Model& model, std::size_t top, bool full) {
  Json object{{"learner", model.learner},
              {"options", to_json(model.options)},
              {"form", form_name(model.form)},
              {"classes", classes_json(model.schema)},
              {"regression", model.regression},
              {"features", model.features},
              {"map", map_text(model.map)},
              {"origin", model.origin},
              {"offset", offset_json(model)},
              {"weights", model.theta.size()},
              {"nonzero_weights", nonzeros(model)},
              {"weight_error", model.weight_error > 0 ? Json(model.weight_error) : Json(nullptr)},
              {"heaviest_weights", heaviest_json(model, top)},
              {"calibration", probabilities_json(model)}};
  if (model.open_zeros) object["proven_zeros"] = proven_zeros(model);
  if (model.training.stopped) object["training"] = training_json(model.training);
  if (!model.table.empty()) object["table"] = table_json(model);
  if (model.threshold != 0) object["threshold"] = model.threshold;
  if (const Json odds = odds_json(model, full); !odds.is_null()) object["coefficients"] = odds;
  if (model.form == Model::Form::kDual) object["kernel"] = kernel_words(model.kernel);
  if (keeps_rows(model)) object["kept_rows"] = model.kept.size();
  return object;
}

std::string parts_words(const Model& model, std::size_t top) {
  std::string text = fmt::format("Weights    {} of {} are not 0{}\n", with_commas(nonzeros(model)),
                                 with_commas(model.theta.size()), model.origin ? " (through the origin)" : "");
  for (std::size_t part = 0; part < scores_per_row(model); ++part) {
    const auto theta = weights_of(model, part);
    text += fmt::format("{}: intercept {}; heaviest weights:\n", shown_text(part_name(model, part)),
                        figure_text(model.offsets[part]));
    for (const std::uint32_t j : heaviest(theta, top)) {
      text += fmt::format("  {:>12}  {}\n", weight_text(theta[j], model.weight_error), shown_feature(model, j));
    }
  }
  return text + training_words(model.training) + precision_words(model, largest(model)) + zeros_words(model, true);
}

/// The first begins with "Calibrated", in the column of the other facts.
std::string probability_lines(const Model& model) {
  std::string text = probabilities_words(model);
  if (text.empty()) return text;
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 12)) {
    text.insert(at + 1, std::string(11, ' '));
  }
  return "Calibrated " + text;
}

std::string inspect_words(const Model& model, std::size_t top) {
  const Schema schema = shown_names(model.schema);
  std::string text = fmt::format("Learner    {}", shown_text(model.learner));
  if (model.form != Model::Form::kLinear) text += fmt::format(" ({} form)", form_name(model.form));
  text += "\nOptions   ";
  for (const auto& [name, value] : model.options) {
    const std::string shown = option_text(value);
    if (!shown.empty()) text += fmt::format(" {}={}", shown_text(name), shown_text(shown));
  }
  if (model.form == Model::Form::kLabels) {
    text += "\nLabels    ";
    for (std::size_t k = 0; k < schema.labels.size(); ++k) {
      text += fmt::format("{} {}", k == 0 ? "" : ",", schema.labels[k]);
      if (schema.classes[2 * k].empty()) continue;
      text += fmt::format(" ({} or {})", schema.classes[2 * k], schema.classes[2 * k + 1]);
    }
  } else if (model.form == Model::Form::kClasses) {
    text += fmt::format("\nClasses    {}", fmt::join(schema.classes, ", "));
  } else if (schema.classes.size() == 2) {
    text += fmt::format("\nClasses    {} (negative), {} (positive)", schema.classes[0], schema.classes[1]);
  }
  text += fmt::format("\nFeatures   {}", with_commas(model.features));
  if (model.map.kind != FeatureMap::Kind::kNone) {
    text += fmt::format(", mapped by {}", map_text(model.map));
    const auto mapped = static_cast<std::int64_t>(weights_of(model, 0).size());
    if (mapped > 0) text += fmt::format(" to {}", with_commas(mapped));
  }
  text += "\n" + table_words(model);
  if (has_parts(model)) return text + probability_lines(model) + parts_words(model, top);
  text += fmt::format("Intercept  {}{}\n", figure_text(model.offset), model.origin ? " (through the origin)" : "");
  if (model.threshold != 0) text += fmt::format("Threshold  {}\n", figure_text(model.threshold));
  if (model.form == Model::Form::kDual) text += fmt::format("Kernel     {}\n", kernel_words(model.kernel));
  if (keeps_rows(model)) {
    text += fmt::format("Keeps      {}\n", counted(static_cast<std::int64_t>(model.kept.size()), "row"));
  }
  text += probability_lines(model);
  if (model.theta.empty()) return text;
  text += fmt::format("Weights    {} of {} are not 0", with_commas(nonzeros(model)), with_commas(model.theta.size()));
  const std::vector<std::uint32_t> heavy = heaviest(model.theta, top);
  text += heavy.empty() ? ".\n" : "; the heaviest:\n";
  for (const std::uint32_t j : heavy) {
    text += fmt::format("  {:>12}  {}\n", weight_text(model.theta[j], model.weight_error), shown_feature(model, j));
  }
  return text + training_words(model.training) + precision_words(model, largest(model)) + zeros_words(model, true) +
         odds_words(model, top);
}

struct InspectCommand {
  InputOptions reading;
  std::string path;
  std::size_t top = 10;
  double tolerance = 1e-3;
  bool json = false, full = false, gram = false;

  void declare(CommandOptions& options) {
    options.add({{"MODEL", &path, "A model file that `linsep train` wrote."}});
    reading.declare(options, false);
    options.describe("DATA",
                     "Labelled rows to measure from the boundary: distances, margin, support vectors. Optional.");
    options.add("Reading", {{"--weight", &reading.options.weight, "COLUMN", "CSV: the column with row weights."}});
    options.add({
        {"--top", &top, "N", "How many of the heaviest weights to show. [10]"},
        {"--tolerance", &tolerance, "T", "How close to 1 a row's y·z must be to count as on the margin. [0.001]",
         NumberFromTo{0, 1}},
        {"--gram", &gram, "Dual form: also show the kernel matrix of the rows that the model keeps."},
        {"--json", &json, "Print one JSON object instead of words."},
        {"--full", &full, "With --json: list all rows, however many."},
    });
  }

  std::optional<Distances> distances(const Model& model) const {
    if (reading.paths.empty()) return std::nullopt;
    const std::unique_ptr<Source> source = open_stream(reading.paths, reading.complete_for(model), *solo());
    ProgressBar bar("measuring");
    return measure_distances(*source, model, tolerance, [&](const Progress& progress) { bar.observe(progress); });
  }

  /// The buckets among the heaviest weights, and the terms of the data that share each.
  struct Shares {
    std::vector<std::uint32_t> buckets;
    std::vector<std::vector<BucketTerm>> terms;
  };
  Shares shares_of(const Model& model) const {
    Shares shares;
    if (reading.paths.empty() || reading.standard_input() || model.theta.empty()) return shares;
    std::vector<std::uint32_t> shown;
    for (std::size_t part = 0; part < scores_per_row(model); ++part) {
      for (const std::uint32_t j : heaviest(weights_of(model, part), top)) shown.push_back(j);
    }
    std::ranges::sort(shown);
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    shares.buckets = buckets_among(model, shown);
    if (shares.buckets.empty()) return shares;
    shares.terms = terms_of_buckets(model, shares.buckets, reading.paths, reading.complete_for(model), *solo());
    return shares;
  }

  int run() const {
    if (path.empty()) throw usage_error("MODEL is missing: which model should be shown?");
    const Model model = load_model(path);
    const std::optional<Distances> found = distances(model);
    const Shares shares = shares_of(model);
    if (json) {
      Json object = inspect_json(model, top, full);
      if (gram) object["gram"] = gram_json(model);
      if (found) object["data"] = distances_json(model, *found, tolerance, full);
      if (!shares.buckets.empty()) object["bucket_terms"] = shares_json(model, shares.buckets, shares.terms);
      print_json(object);
    } else {
      print_words(inspect_words(model, top) + (gram ? gram_words(model) : "") +
                  (found ? distances_words(model, *found, tolerance, reading.name()) : "") +
                  shares_words(model, shares.buckets, shares.terms));
    }
    return kDone;
  }
};

}  // namespace

Verb inspect_verb() {
  return {"inspect", "Show what is in a model file, and how far rows are from its boundary.",
          "  linsep inspect model.json\n"
          "      In words.\n"
          "  linsep inspect model.json --top 50 --json\n"
          "      As one JSON object, with the 50 heaviest weights by name.\n"
          "  linsep inspect model.json rows.svm\n"
          "      Also signed distances, the margin's boundaries and width, and support vectors; for a hashed\n      "
          "model, the terms that share the weights shown.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<InspectCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
