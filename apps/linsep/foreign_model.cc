#include "foreign_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <string_view>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "os/file.h"

namespace linsep::app {
namespace {

/// The solvers of LIBLINEAR whose objective a proof can be about.
struct Solver {
  std::string_view name;
  Loss loss;
};
constexpr std::array kSolvers = {
    Solver{"L2R_LR", Loss::kLogistic},
    Solver{"L2R_LR_DUAL", Loss::kLogistic},
    Solver{"L2R_L2LOSS_SVC", Loss::kSquaredHinge},
    Solver{"L2R_L2LOSS_SVC_DUAL", Loss::kSquaredHinge},
    Solver{"L2R_L1LOSS_SVC_DUAL", Loss::kHinge},
};

/// The lines of a text, one after the other, without their ends.
class Lines {
 public:
  Lines(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::optional<std::string_view> next() {
    if (text_.empty()) return std::nullopt;
    const std::size_t end = text_.find('\n');
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++number_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    return line;
  }
  std::uint64_t number() const { return number_; }
  Error wrong(const std::string& what) const { return Error(Place{path_, number_, 0}, what); }

 private:
  std::string_view text_;
  const std::string& path_;
  std::uint64_t number_ = 0;
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

std::optional<std::uint32_t> count_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void take_solver(const std::string& name, ForeignModel& model, const Lines& lines) {
  const auto found = std::ranges::find(kSolvers, name, &Solver::name);
  if (found == kSolvers.end()) {
    throw lines.wrong(fmt::format(
        "the objective of the solver {} isn't supported: it must be one of -s 0, 1, 2, 3 and 7", shown_text(name)));
  }
  model.loss = found->loss;
}

void take_labels(const std::vector<std::string>& words, ForeignModel& model, const Lines& lines) {
  if (words.size() != 3) throw lines.wrong("models of two classes are supported so far");
  model.classes = {words[2], words[1]};  // a score above 0 means the first class
}

ForeignModel read_liblinear(std::string_view text, const std::string& path) {
  ForeignModel model;
  model.path = path;
  model.liblinear = true;
  Lines lines(text, path);
  std::string bias = "-1";
  for (bool head = true; head;) {
    const auto line = lines.next();
    if (!line) throw lines.wrong("the file ends before the weights");
    const std::vector<std::string> words = words_of(*line);
    const std::string name = words.empty() ? "" : words[0];
    head = name != "w";
    if (name == "label") {
      take_labels(words, model, lines);
    } else if (head && words.size() != 2) {
      throw lines.wrong("expected a name and a value, as in LIBLINEAR's model file");
    } else if (name == "solver_type") {
      take_solver(words[1], model, lines);
    } else if (name == "nr_feature") {
      const auto count = count_of(words[1]);
      if (!count) throw lines.wrong("nr_feature isn't a whole number");
      model.features = *count;
    } else if (name == "bias") {
      bias = words[1];
    }
  }
  if (!model.loss || model.classes.empty()) throw lines.wrong("solver_type or label is missing");
  const auto weight = [&] {
    const auto line = lines.next();
    if (!line) throw lines.wrong(fmt::format("expected {} weights", model.features));
    const std::vector<std::string> words = words_of(*line);
    if (words.size() != 1) throw lines.wrong("expected one weight");
    return words[0];
  };
  for (std::uint32_t j = 1; j <= model.features; ++j) {
    std::string value = weight();
    model.weights.push_back({std::to_string(j), std::move(value), lines.number()});
  }
  const double constant = std::strtod(bias.c_str(), nullptr);
  if (constant > 0) {  // the weight of a column of zeros means nothing
    model.offset = weight();
    model.constant = bias;
  }
  return model;
}

/// Splits a line of CSV into its two fields.
std::optional<std::pair<std::string, std::string>> two_fields(std::string_view line) {
  std::string first;
  if (line.starts_with('"')) {
    std::size_t k = 1;
    for (; k < line.size(); ++k) {
      if (line[k] == '"' && (k + 1 == line.size() || line[k + 1] != '"')) break;
      if (line[k] == '"') ++k;
      first += line[k];
    }
    line.remove_prefix(std::min(k + 1, line.size()));
  } else {
    const std::size_t comma = std::min(line.find(','), line.size());
    first = line.substr(0, comma);
    line.remove_prefix(comma);
  }
  if (!line.starts_with(',') || line.find(',', 1) != std::string_view::npos) return std::nullopt;
  return std::pair(first, std::string(line.substr(1)));
}

/// The beginning of such files.
constexpr std::string_view kLiblinear = "solver_type ", kHeader = "column,weight";

ForeignModel read_weights(std::string_view text, const std::string& path) {
  ForeignModel model;
  model.path = path;
  Lines lines(text, path);
  lines.next();
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    const auto fields = two_fields(*line);
    if (!fields) throw lines.wrong("expected a column and its weight");
    if (fields->first == "intercept") {
      if (model.offset) throw lines.wrong("the intercept stands here for the second time");
      model.offset = fields->second;
    } else {
      model.weights.push_back({fields->first, fields->second, lines.number()});
    }
  }
  return model;
}

/// From columns to their numbers, by name, or by number from 1, perhaps after an x.
class Columns {
 public:
  explicit Columns(const Model& names) : features_(names.features) {
    for (std::uint32_t j = 0; j < features_; ++j) by_name_.emplace(feature_name(names, j), j);
  }

  std::optional<std::uint32_t> find(const std::string& name) const {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    const auto number = count_of(name);
    if (!number || *number == 0 || *number > features_) return std::nullopt;
    return *number - 1;
  }

 private:
  std::uint32_t features_;
  std::map<std::string, std::uint32_t> by_name_;
};

ExactWeights placed_weights(const ForeignModel& model, const Model& names) {
  const Columns columns(names);
  ExactWeights weights;
  for (const ForeignModel::Weight& weight : model.weights) {
    const auto place = columns.find(weight.column);
    if (!place) {
      throw Error(Place{model.path, weight.line, 0},
                  fmt::format("the rows have no column '{}'", shown_text(weight.column)));
    }
    weights.push_back({*place, weight.value});
  }
  std::ranges::sort(weights, {}, &ColumnWeight::column);
  const auto twice = std::ranges::adjacent_find(weights, {}, &ColumnWeight::column);
  if (twice != weights.end()) {
    throw Error(Place{model.path, 0, 0},
                fmt::format("the column '{}' has two weights", shown_text(feature_name(names, twice->column))));
  }
  if (model.offset) weights.push_back({names.features, *model.offset});
  return weights;
}

}  // namespace

void ObjectiveChoice::declare(CommandOptions& options) {
  options.add("Model of another tool",
              {{"--loss", &loss, "LOSS", "What it was trained for: hinge, squared-hinge or logistic.",
                OneOf{"hinge squared-hinge logistic"}},
               {"--C", &c, "NUMBER", "The inverse strength of its L2 penalty, as LIBLINEAR's -c: λ = 1/(C·rows)."},
               {"--lambda", &lambda, "NUMBER", "Instead of --C: λ of the mean loss plus λ/2·‖θ‖²."},
               {"--class-weight", &class_weight, "WEIGHTS",
                "The weights of classes that it was trained with: balanced, or CLASS=WEIGHT,…"},
               {"--penalize-intercept", &penalty, "FACTOR",
                "The intercept counts in the penalty, times this factor: 1 is as any other weight. [0; of LIBLINEAR's "
                "file as LIBLINEAR penalizes it]"}});
}

std::optional<ForeignModel> read_foreign_model(const std::string& path) {
  const std::optional<FileStatus> status = file_status(path);
  if (!status || !status->regular()) return std::nullopt;
  std::array<char, 16> bytes{};
  const std::size_t size = OpenFile::at(path).read_at(0, bytes);
  const std::string_view head(bytes.data(), size);
  if (head.starts_with(kLiblinear)) return read_liblinear(read_whole_file(path), path);
  if (head.starts_with(kHeader)) return read_weights(read_whole_file(path), path);
  return std::nullopt;
}

GivenWeights given_weights(const ForeignModel& model, const ObjectiveChoice& choice, const Model& names) {
  if (model.liblinear && !choice.loss.empty())
    throw usage_error("LIBLINEAR's model file names the loss: leave out --loss");
  if (!model.loss && choice.loss.empty()) {
    throw usage_error("weights don't say what they were trained for: use --loss, and --C or --lambda");
  }
  if (choice.c.empty() == choice.lambda.empty()) {
    throw usage_error(!choice.c.empty() ? "use --C or --lambda, not both"
                      : model.liblinear ? "LIBLINEAR's model file doesn't hold C: use --C (its option -c, 1 by default)"
                                        : "use --C or --lambda to say how strong the penalty was");
  }
  GivenWeights given;
  given.origin = !model.offset;
  given.features = names.features;
  given.classes = model.classes;
  given.objective.loss = model.loss ? *model.loss : provable_loss(choice.loss);
  given.objective.lambda = choice.lambda;
  given.objective.offset_penalty = !choice.penalty.empty() ? choice.penalty : model.constant.empty() ? "0" : "";
  given.c = choice.c;
  given.class_weight = choice.class_weight;
  given.weights = placed_weights(model, names);
  given.constant = model.constant;
  return given;
}

}  // namespace linsep::app
