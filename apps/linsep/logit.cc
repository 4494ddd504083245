// linsep logit: logistic regression with standard errors, tests, intervals and odds ratios, after separation is
// decided.
#include "linsep/logit.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "clock.h"
#include "keep_proof.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/logit.h"
#include "report/run.h"
#include "tables/proof_table.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

struct LogitCommand {
  Reading reading;
  TableChoice columns;
  std::string proof, offset, reference;
  std::vector<std::string> tests;
  bool firth = false, flic = false, flac = false, wald = false, robust = false, origin = false, per_deviation = false;
  bool json = false, csv = false, markdown = false, latex = false;
  double confidence = 0.95;

  void declare(CLI::App& app);
  int run();

 private:
  void check() const;
  void code_categories(TableMap& map, LogitReport& report) const;
  std::unique_ptr<Source> open_rows(LogitReport& report) const;
  void name_columns(const Source& source, LogitReport& report) const;
  LogitOptions options_for(const Source& source, const LogitReport& report) const;
  std::uint32_t column_named(const std::string& option, const std::string& name, const LogitReport& report) const;
  void keep(Source& source, LogitReport& report) const;
};

void LogitCommand::declare(CLI::App& app) {
  app.add_flag("--firth", firth,
               "Maximise Firth's penalised likelihood instead: its estimates are finite whatever the rows.");
  app.add_flag("--flic", flic,
               "Firth's estimates with the intercept fitted again, so that the mean probability is right.");
  app.add_flag("--flac", flac, "Firth's estimates by an added covariate, so that the mean probability is right.");
  app.add_flag("--wald", wald, "Wald tests and intervals instead of likelihood ratios and profiles. Faster.");
  app.add_option("--confidence", confidence, "Confidence of the intervals. [0.95]")
      ->type_name("SHARE")
      ->check(number_from_to(0.5, 0.999999));
  app.add_flag("--robust", robust, "Robust standard errors (sandwich, HC1); with Wald tests and intervals.");
  app.add_option("--offset", offset, "A column of numbers that is added to the score, with a coefficient of 1.")
      ->type_name("COLUMN");
  app.add_option("--reference", reference,
                 "Reference levels of categories, such as smoker=never,stage=1. [the first level in the alphabet]")
      ->type_name("COLUMN=LEVEL,…");
  app.add_option("--test", tests, "Test these columns jointly, separated by commas. May be repeated. [every category]")
      ->type_name("COLUMNS")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--per-sd", per_deviation, "Odds ratios per standard deviation of a column, instead of per unit.");
  app.add_flag("--origin", origin, "Leave out the intercept.");
  app.add_option("-o,--output", proof, "Write the certificate of separation to this file; `linsep verify` checks it.")
      ->type_name("FILE");
  columns.declare(app);
  reading.declare(app, true);
  const std::string group = "Reports";
  app.add_flag("--json", json, "Print one JSON object instead of words.")->group(group);
  app.add_flag("--csv", csv, "Print the table as CSV, with all digits.")->group(group);
  app.add_flag("--markdown", markdown, "Print the table in Markdown.")->group(group);
  app.add_flag("--latex", latex, "Print the table in LaTeX.")->group(group);
}

void LogitCommand::check() const {
  if (reading.standard_input()) throw usage_error("logit needs a file, because it reads the rows more than once");
  if (firth + flic + flac > 1) throw usage_error("use one of --firth, --flic and --flac");
  if (robust && (firth || flic || flac)) throw usage_error("--robust needs maximum likelihood: leave out the penalty");
  if (json + csv + markdown + latex > 1) throw usage_error("use one of --json, --csv, --markdown and --latex");
  if (!proof.empty() && !offset.empty()) {
    throw usage_error(
        fmt::format("-o with --offset isn't supported: `linsep certify {} --ignore {} -o {}` writes the certificate",
                    reading.argument(), quoted(offset), quoted(proof)));
  }
  check_bundle(proof, "");
}

/// Of every category one level is the reference: it has no column of its own.
void LogitCommand::code_categories(TableMap& map, LogitReport& report) const {
  std::map<std::string, std::string> asked;
  for (const std::string& word : split_words(reference)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      throw usage_error(fmt::format("--reference takes COLUMN=LEVEL, such as smoker=never; not '{}'", word));
    }
    asked[word.substr(0, equals)] = word.substr(equals + 1);
  }
  for (Encoder& encoder : map.encoders) {
    auto* category = encoder.get<CategoryEncoder>();
    if (category == nullptr || category->hashed() || category->terms.empty() || origin) continue;
    auto level = std::ranges::min_element(category->terms);
    const auto named = asked.find(encoder.column);
    if (named != asked.end()) {
      level = std::ranges::find(category->terms, named->second);
      if (level == category->terms.end()) {
        throw usage_error(fmt::format("--reference: column '{}' has no level '{}'. Its levels are: {}", named->first,
                                      named->second, fmt::join(category->terms, ", ")));
      }
      asked.erase(named);
    }
    report.references.push_back(fmt::format("{}={}", encoder.column, *level));
    category->terms.erase(level);
  }
  if (!asked.empty()) {
    throw usage_error(fmt::format("--reference: there is no category '{}'", asked.begin()->first));
  }
}

std::unique_ptr<Source> LogitCommand::open_rows(LogitReport& report) const {
  ReadOptions options = reading.complete();
  if (!options.labels.empty() || options.label_sets) {
    throw usage_error("logit needs one label per row: leave out --labels and --label-sets");
  }
  options.double_values = true;
  options.exact_values = true;
  options.interrupt = &interrupt_flag();
  TableSpec spec = columns.spec(true);
  const std::vector<std::string> given = columns.options.given();
  if (std::ranges::find(given, "min-count") == given.end()) spec.min_count = 1;
  columns.take(reading, spec, options, true);
  TableMap map = options.table ? *options.table : TableMap{};
  code_categories(map, report);
  if (!map.empty()) options.table = std::make_shared<const TableMap>(std::move(map));
  ProgressBar bar("reading");
  return load(reading.paths, options, workers(), [&](const Progress& progress) { bar.observe(progress); });
}

void LogitCommand::name_columns(const Source& source, LogitReport& report) const {
  Model words;
  words.schema = with_feature_names(source.schema());
  words.features = source.shape().features;
  if (source.schema().table) words.table = *source.schema().table;
  for (std::uint32_t j = 0; j < words.features; ++j) report.names.push_back(feature_name(words, j));
  report.names.emplace_back("(intercept)");
  report.label = source.schema().reading.label;
  report.negative = source.schema().classes.at(0);
  report.positive = source.schema().classes.at(1);
  report.missing_labels = all_reduce_sum(workers(), source.schema().dropped);
}

std::uint32_t LogitCommand::column_named(const std::string& option, const std::string& name,
                                         const LogitReport& report) const {
  const auto end = report.names.end() - 1;
  const auto found = std::find(report.names.begin(), end, name);
  if (found == end) throw usage_error(fmt::format("{}: there is no column of numbers '{}'", option, name));
  return static_cast<std::uint32_t>(found - report.names.begin());
}

LogitOptions LogitCommand::options_for(const Source& source, const LogitReport& report) const {
  LogitOptions options{reading.limits(0)};
  options.method = firth  ? LogitOptions::Method::kFirth
                   : flic ? LogitOptions::Method::kFlic
                   : flac ? LogitOptions::Method::kFlac
                          : LogitOptions::Method::kMaximumLikelihood;
  options.origin = origin;
  options.confidence = confidence;
  options.profile = report.profile;
  if (robust) options.errors = LogitOptions::Errors::kRobust;
  if (!offset.empty()) options.offset = column_named("--offset", offset, report);
  const std::vector<std::string> given = columns.options.given();
  const bool keeps_missing = std::ranges::find(given, "missing") != given.end();
  std::map<std::string, std::vector<std::uint32_t>> of_column;
  for (std::uint32_t j = 0; j + 1 < report.names.size(); ++j) of_column[report.names[j]] = {j};
  if (const auto& table = source.schema().table) {
    const std::vector<std::uint32_t> starts = encoder_starts(*table);
    for (std::size_t k = 0; k < table->encoders.size(); ++k) {
      const Encoder& encoder = table->encoders[k];
      const bool drops = encoder.has_indicator() && !keeps_missing;
      if (drops) options.missing.push_back(starts[k + 1] - 1);
      std::vector<std::uint32_t>& features = of_column[encoder_column(encoder)];
      features.clear();
      for (std::uint32_t j = starts[k]; j < starts[k + 1] - (drops ? 1 : 0); ++j) features.push_back(j);
      if (tests.empty() && encoder.is<CategoryEncoder>() && features.size() > 1) {
        options.terms.push_back({encoder_column(encoder), features});
      }
    }
  }
  for (const std::string& test : tests) {
    LogitTerm& term = options.terms.emplace_back();
    term.name = test;
    for (const std::string& name : split_words(test)) {
      const auto found = of_column.find(name);
      if (found == of_column.end()) throw usage_error(fmt::format("--test: there is no column '{}'", name));
      term.columns.insert(term.columns.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(term.columns);
  }
  return options;
}

void LogitCommand::keep(Source& source, LogitReport& report) const {
  if (proof.empty()) return;
  if (report.result.incomplete + report.result.weightless > 0) {
    throw usage_error(
        "-o needs all rows of the file in the model, but some were left out: a certificate is about the whole file");
  }
  keep_proof(report.result.separation.certificate, source, proof, reading.name());
  report.proof = proof;
  report.check = is_bundle(proof) ? fmt::format("unpack {} and open its README.html", quoted(proof))
                                  : fmt::format("linsep verify {} {}", quoted(proof), reading.argument());
}

int LogitCommand::run() {
  check();
  try_outputs({proof});
  catch_interrupt();
  LogitReport report;
  report.data = reading.name();
  report.confidence = confidence;
  report.profile = !wald && !robust;
  report.robust = robust;
  report.per_deviation = per_deviation;
  report.offset = offset;
  report.weight = reading.options.weight;
  const std::unique_ptr<Source> source = open_rows(report);
  name_columns(*source, report);
  const double began = now();
  const LogitOptions options = options_for(*source, report);
  {
    ProgressBar bar("", ProgressBar::kUnknownPasses);
    report.result = logit(*source, options, workers(), [&](const Progress& progress) { bar.observe(progress); });
  }
  report.seconds = now() - began;
  keep(*source, report);
  if (json) {
    print_json(logit_json(report));
  } else if (csv) {
    print(logit_csv(report));
  } else if (markdown) {
    print(logit_markdown(report));
  } else if (latex) {
    print(logit_latex(report));
  } else {
    print_words(logit_words(report));
  }
  return kDone;
}

}  // namespace

Verb logit_verb() {
  return {"logit", "Logistic regression with standard errors, tests, intervals and odds ratios.",
          "  linsep logit endometrial.csv --label HG\n"
          "      Profile intervals and likelihood-ratio tests; infinite coefficients are proven.\n"
          "  linsep logit endometrial.csv --label HG --firth\n"
          "      Firth's penalised estimates, finite even under separation.\n"
          "  linsep logit patients.csv --label died --reference smoker=never,stage=1\n"
          "      Categories by reference levels; rows with missing values are left out.\n"
          "  linsep logit patients.csv --label died --csv > table.csv\n"
          "      The table with all digits; also --json, --markdown and --latex.\n",
          [](CLI::App& app) -> std::function<int()> {
            auto command = std::make_shared<LogitCommand>();
            command->declare(app);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
