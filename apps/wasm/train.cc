// train makes the object of `linsep train --json`, and what the page shows besides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "call.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "report/proof.h"
#include "report/run.h"
#include "report/words.h"
#include "rows.h"

namespace linsep::wasm {
namespace {

/// `init` with this name starts from that learner's classifier.
constexpr std::string_view kStartLearner = "basic";

/// With more visits of rows than this, only those with a mistake are listed.
constexpr std::int64_t kMostVisits = 5000;

/// A value as it would be typed on the command line.
std::string typed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& one : value) text += (text.empty() ? "" : ",") + typed(one);
  return text;
}

struct Asked {
  TrainSpec spec;
  bool starts_basic = false;
  std::string command;  ///< the very command line
};

void add_option(const LearnerInfo& info, const std::string& name, const std::string& text, Asked& asked) {
  const OptionSpec* option = find_option(info.table, name);
  if (name == "init" && text == kStartLearner && info.starts) {
    asked.starts_basic = true;
    asked.command += fmt::format(" --init {}", text);
    return;
  }
  if (option == nullptr) throw usage_error(fmt::format("the learner {} has no option --{}", info.name, name));
  if (text.empty() && option->kind == OptionSpec::Kind::kNumbers) return;
  OptionValue value = parse_option(*option, text);
  if (value != option->fallback && name != "trace") {
    asked.command += fmt::format(" --{}", name);
    if (option->kind != OptionSpec::Kind::kFlag) asked.command += fmt::format("{}{}", text[0] == '-' ? "=" : " ", text);
  }
  asked.spec.options[name] = std::move(value);
}

Asked asked_for(const Json& request) {
  Asked asked;
  const LearnerInfo& info = learner_info(text_of(request, "learner", TrainSpec{}.learner));
  asked.spec.learner = info.name;
  asked.command = fmt::format("linsep train {} --learner {}", kRowsName, info.name);
  const auto options = request.find("options");
  if (options != request.end() && options->is_object()) {
    for (const auto& [name, value] : options->items()) {
      if (!value.is_null()) add_option(info, name, typed(value), asked);
    }
  }
  const std::string map = text_of(request, "map", "none");
  asked.spec.map = parse_map(map);
  if (asked.spec.map.kind != FeatureMap::Kind::kNone) asked.command += fmt::format(" --map {}", map);
  return asked;
}

Outcome basic_start(Source& source, const TrainSpec& spec, Comm& comm) {
  TrainSpec basic;
  basic.learner = kStartLearner;
  basic.map = spec.map;
  const auto origin = spec.options.find("origin");
  if (origin != spec.options.end()) basic.options["origin"] = origin->second;
  return fit(source, basic, {}, comm);
}

/// y·z of every row, or, in a regression, y − z.
std::vector<double> row_margins(const Model& model) {
  std::vector<double> margins;
  predict(scored_rows(), model, {}, [&](const Batch& batch, std::span<const double> z) {
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const double score = z[static_cast<std::size_t>(i)];
      margins.push_back(model.regression ? batch.label_of(i) - score : batch.label_of(i) * score);
    }
  });
  return margins;
}

double norm_of(const std::vector<double>& theta) {
  double sum = 0;
  for (const double weight : theta) sum += weight * weight;
  return std::sqrt(sum);
}

Json model_json(const Model& model) {
  Json terms = Json::array();
  for (std::size_t j = 0; j < model.theta.size(); ++j) {
    terms.push_back({{"name", feature_name(model, static_cast<std::uint32_t>(j))}, {"weight", model.theta[j]}});
  }
  const bool linear = model.form == Model::Form::kLinear && !model.theta.empty();
  return {{"theta", model.theta},
          {"offset", model.offset},
          {"formula", linear ? score_formula(model) : ""},
          {"norm", norm_of(model.theta)},
          {"terms", std::move(terms)}};
}

/// Rows that hold the margin, which are those of a hard margin's nearest points, or those within z = ±1 up to what the
/// gap leaves open.
std::vector<std::int64_t> support_rows(const Outcome& outcome, const std::vector<double>& margins) {
  std::vector<std::int64_t> rows;
  if (outcome.hard_margin) {
    for (const auto& [row, weight] : outcome.stats.hull_weights) rows.push_back(row + 1);
    return rows;
  }
  if (!outcome.margin) return rows;
  constexpr double kRounding = 1e-3;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (margins[i] <= 1 + kRounding) rows.push_back(static_cast<std::int64_t>(i) + 1);
  }
  return rows;
}

/// Adds what the page shows besides the command line's object.
void add_extras(Json& object, const Asked& asked, const Outcome& outcome) {
  const std::vector<double> margins = row_margins(outcome.model);
  object["model"] = model_json(outcome.model);
  if (!object.contains("mistakes_by_row")) object["mistakes_by_row"] = Json::array();
  std::vector<std::int64_t> wrong;
  for (std::size_t i = 0; i < margins.size() && !outcome.model.regression; ++i) {
    if (!(margins[i] > 0)) wrong.push_back(static_cast<std::int64_t>(i) + 1);
  }
  object[outcome.model.regression ? "residuals" : "margins"] = margins;
  object["wrong"] = wrong;
  object["support"] = support_rows(outcome, margins);
  object["command"] = asked.command;
}

Json trained_json(const Json& request) {
  Asked asked = asked_for(request);
  TrainSpec& spec = asked.spec;
  const auto flag = spec.options.find("hard");
  const bool hard = flag != spec.options.end() && std::get<bool>(flag->second);
  const LearnerInfo& info = learner_info(spec.learner);
  if (info.regression != rows().regression) {
    throw usage_error(info.regression ? "the labels of these rows are classes, not numbers to be predicted"
                                      : "the labels of these rows are numbers to be predicted, not classes");
  }
  const std::unique_ptr<Comm> comm = solo();
  const std::unique_ptr<Source> source = read_rows(hard);
  std::optional<Outcome> start;
  if (asked.starts_basic) start = basic_start(*source, spec, *comm);
  if (start) spec.start = &start->model;
  TrainReport report;
  report.data = report.argument = kRowsName;
  report.rows = source->shape().rows;
  if (start) report.start = fmt::format("the classifier of the learner {}", kStartLearner);
  spec.on_finished = [&](Source& seen, const Outcome& outcome) {
    if (clean_pass_proves(outcome)) {
      report.result.emplace().rows = report.rows;
    } else {
      report.result = evaluate(seen, outcome.model, false, *comm);
    }
    add_advice(seen, outcome, {hard, false, 0}, *comm, report);
  };
  spec.visits = kMostVisits;
  report.outcome = fit(*source, spec, {}, *comm);
  if (report.outcome.reason == StopReason::kInseparable) {
    const InseparableReport found{kRowsName, "", *report.outcome.certificate, source.get()};
    throw AnsweredError{inseparable_json(found, true)};  // its "error" is in words
  }
  report.features = report.outcome.model.features;
  Json object = report_json(report, true);
  add_extras(object, asked, report.outcome);
  object["words"] = report_words(report);
  spec.start = nullptr;
  spec.on_finished = {};
  trained() = Trained{std::move(spec), std::move(report.outcome)};
  return object;
}

}  // namespace

LINSEP_EXPORT(train) std::int32_t train_export(const char* spec, std::uint32_t size) {
  return answer_with([&] { return trained_json(parsed(spec, size)); });
}

}  // namespace linsep::wasm
