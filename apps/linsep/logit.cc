// linsep logit fits a logistic regression, with standard errors, tests, intervals and odds ratios, after separation is
// decided.
#include "linsep/logit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "clock.h"
#include "keep_proof.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/picture/make.h"
#include "linsep/picture/page.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "pictures/command.h"
#include "pictures/inputs.h"
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
  InputOptions reading;
  TableChoice columns;
  std::string proof, offset, reference, cluster, page, infinite_interval = "mid-p";
  const CommandOptions* command = nullptr;
  std::vector<std::string> tests;
  bool firth = false, flic = false, flac = false, wald = false, robust = false, origin = false, per_deviation = false;
  bool json = false, csv = false, markdown = false, latex = false;
  double confidence = 0.95;

  void declare(CommandOptions& options);
  int run();

 private:
  void check() const;
  void code_categories(TableMap& map, LogitReport& report);
  std::unique_ptr<Source> open_rows(LogitReport& report);
  std::vector<std::uint32_t> read_clusters(ReadOptions options) const;
  void name_columns(const Source& source, LogitReport& report) const;
  LogitOptions options_for(const Source& source, LogitReport& report) const;
  std::string tested_at(const TableMap& table, const std::vector<std::string>& tested) const;
  std::uint32_t column_named(const std::string& option, const std::string& name, const LogitReport& report) const;
  void keep(Source& source, LogitReport& report) const;
  void write_page(Source& source, const LogitReport& report) const;

  std::vector<std::uint32_t> clusters_;            ///< for this worker's rows
  std::map<std::string, std::string> references_;  ///< of categories, by column
};

void LogitCommand::declare(CommandOptions& options) {
  command = &options;
  options.add({
      {"--firth", &firth, "Maximize Firth's penalized likelihood instead: its estimates are finite whatever the rows."},
      {"--flic", &flic, "Firth's estimates with the intercept fitted again, so that the mean probability is right."},
      {"--flac", &flac, "Firth's estimates by an added covariate, so that the mean probability is right."},
      {"--wald", &wald, "Wald tests and intervals instead of likelihood ratios and profiles. Faster."},
      {"--confidence", &confidence, "SHARE", "Confidence of the intervals. [0.95]", NumberFromTo{0.5, 0.999999}},
      {"--infinite-interval", &infinite_interval, "METHOD",
       "Where the interval of an infinite coefficient ends: mid-p and face take the end from the probability of "
       "the outcomes that are fitted perfectly, face without the mid-p correction and so wider; profile takes it "
       "from the profile likelihood, which is too narrow. [mid-p]",
       OneOf{"mid-p face profile"}},
      {"--robust", &robust, "Robust standard errors (sandwich, HC1); with Wald tests and intervals."},
      {"--cluster", &cluster, "COLUMN",
       "Cluster-robust standard errors: rows with the same value in this column, such as a clinic, may depend "
       "on each other (CR1: times G/(G-1)*(n-1)/(n-k) for G clusters); with Wald tests and intervals."},
      {"--offset", &offset, "COLUMN", "A column of numbers that is added to the score, with a coefficient of 1."},
      {"--reference", &reference, "COLUMN=LEVEL,…",
       "Reference levels of categories, such as smoker=never,stage=1. [the first level in the alphabet]"},
      {"--test", &tests, "COLUMNS",
       "Test these columns jointly, separated by commas. May be repeated. [every category]", OneEach{}},
      {"--per-sd", &per_deviation, "Odds ratios per standard deviation of a column, instead of per unit."},
      {"--origin", &origin, "Leave out the intercept."},
      {"-o,--output", &proof, "FILE", "Write the certificate of separation to this file; `linsep verify` checks it."},
  });
  columns.declare(options);
  reading.declare(options, true);
  options.add("Reports",
              {{"--report", &page, "FILE", "Also write a report of the table, odds ratios and rows to this HTML file."},
               {"--json", &json, "Print one JSON object instead of words."},
               {"--csv", &csv, "Print the table as CSV, with all digits."},
               {"--markdown", &markdown, "Print the table in Markdown."},
               {"--latex", &latex, "Print the table in LaTeX."}});
}

void LogitCommand::check() const {
  if (reading.standard_input()) throw usage_error("logit needs a file, because it reads the rows more than once");
  if (firth + flic + flac > 1) throw usage_error("use one of --firth, --flic and --flac");
  if (robust && !cluster.empty()) throw usage_error("use --robust or --cluster, not both: clusters are robust too");
  if ((robust || !cluster.empty()) && (firth || flic || flac)) {
    throw usage_error(fmt::format("{} needs maximum likelihood: leave out --{}", robust ? "--robust" : "--cluster",
                                  firth  ? "firth"
                                  : flic ? "flic"
                                         : "flac"));
  }
  if (command->given("--infinite-interval") && (firth || flic || flac || wald || robust || !cluster.empty())) {
    throw usage_error(fmt::format(
        "--infinite-interval is about profile intervals by maximum likelihood: leave out --{}", firth    ? "firth"
                                                                                                : flic   ? "flic"
                                                                                                : flac   ? "flac"
                                                                                                : wald   ? "wald"
                                                                                                : robust ? "robust"
                                                                                                         : "cluster"));
  }
  if (json + csv + markdown + latex > 1) throw usage_error("use one of --json, --csv, --markdown and --latex");
  if (!proof.empty() && !offset.empty()) {
    throw usage_error(
        fmt::format("-o with --offset isn't supported: `linsep certify {} --ignore {} -o {}` writes the certificate",
                    reading.argument(), quoted(offset), quoted(proof)));
  }
  if (!page.empty() && workers().size() > 1) throw usage_error("--report needs a single worker");
  check_bundle(proof, "");
}

/// Makes one level of every category the reference. It has no column of its own, and neither do its products. The other
/// levels are in the order of the alphabet. Dates count in days.
void LogitCommand::code_categories(TableMap& map, LogitReport& report) {
  std::map<std::string, std::string> asked;
  for (const std::string& word : split_words(reference)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      throw usage_error(fmt::format("--reference takes COLUMN=LEVEL, such as smoker=never; not '{}'", word));
    }
    asked[word.substr(0, equals)] = word.substr(equals + 1);
  }
  for (Encoder& encoder : map.encoders) {
    // Weekdays and months would add nineteen coefficients.
    if (auto* date = encoder.get<DateEncoder>(); date != nullptr && date->has_days()) {
      date->parts = {DateEncoder::Part::kDays};
      report.dates.push_back(encoder.column);
    }
    auto* category = encoder.get<CategoryEncoder>();
    if (category == nullptr || category->hashed() || category->terms.empty()) continue;
    std::ranges::sort(category->terms);
    if (origin) continue;
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
    references_[encoder.column] = *level;
    category->terms.erase(level);
  }
  for (Encoder& encoder : map.encoders) {
    auto* cross = encoder.get<CrossEncoder>();
    if (cross == nullptr || cross->hashed()) continue;
    std::ranges::sort(cross->terms);
    const auto is_reference = [&](const std::string& column, std::string_view level) {
      const auto found = references_.find(column);
      return found != references_.end() && found->second == level;
    };
    std::erase_if(cross->terms, [&](const std::string& term) {
      const std::size_t between = term.find('\x1f');
      if (between == std::string::npos) return is_reference(cross->second, term);
      return is_reference(encoder.column, std::string_view(term).substr(0, between)) ||
             is_reference(cross->second, std::string_view(term).substr(between + 1));
    });
  }
  if (!asked.empty()) {
    throw usage_error(fmt::format("--reference: there is no category '{}'", asked.begin()->first));
  }
}

/// The cluster column is no feature, so the table is read once more, with that column alone as a category.
std::vector<std::uint32_t> LogitCommand::read_clusters(ReadOptions options) const {
  std::erase(options.ignore, cluster);
  options.table = nullptr;
  options.exact_values = false;
  TableSpec spec;
  spec.category = {cluster};
  spec.only = true;
  spec.min_count = 1;
  spec.as_written = true;
  ProgressBar bar("reading clusters");
  const auto observe = [&](const Progress& progress) { bar.observe(progress); };
  const FittedTable fitted = fit_table(reading.paths, options, spec, workers(), observe);
  const auto* category = fitted.map.encoders.empty() ? nullptr : fitted.map.encoders[0].get<CategoryEncoder>();
  if (category == nullptr) throw usage_error("--cluster needs a table with columns: CSV, TSV, Parquet or Arrow");
  if (category->hashed()) throw usage_error(fmt::format("--cluster: column '{}' has too many values", cluster));
  const std::size_t count = category->terms.size();
  options.table = std::make_shared<const TableMap>(fitted.map);
  const std::unique_ptr<Source> rows = load(reading.paths, options, workers(), observe);
  std::vector<std::uint32_t> clusters;
  rows->rewind(0);
  while (const auto batch = rows->next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t /*i*/) {
      std::uint32_t number = LogitOptions::kNoCluster;
      for_each_entry(row, [&](std::uint32_t j, double x) { number = x != 0 && j < count ? j : number; });
      clusters.push_back(number);
    });
  }
  return clusters;
}

std::unique_ptr<Source> LogitCommand::open_rows(LogitReport& report) {
  ReadOptions options = read_options_for_proof(reading.complete());
  options.many_classes = false;
  if (!options.labels.empty() || options.label_sets) {
    throw usage_error("logit needs one label per row: leave out --labels and --label-sets");
  }
  options.interrupt = &interrupt_flag();
  TableSpec spec = columns.spec(true);
  const std::vector<std::string> given = columns.options.given();
  if (std::ranges::find(given, "min-count") == given.end()) spec.min_count = 1;
  if (!cluster.empty()) options.ignore.push_back(cluster);
  try {
    columns.take(reading, spec, options, true);
  } catch (const Error& error) {
    // The column is left out for a reason other than --ignore.
    if (error.sentence().starts_with("{} " + cluster + ":")) throw option_error("cluster", error.sentence());
    throw;
  }
  if (!cluster.empty()) clusters_ = read_clusters(options);
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

/// A column that interacts with others is tested with these at 0 or at their reference levels, as in "sex=f, dose=0".
std::string LogitCommand::tested_at(const TableMap& table, const std::vector<std::string>& tested) const {
  const auto is_tested = [&](const std::string& column) { return std::ranges::find(tested, column) != tested.end(); };
  std::vector<std::string> at;
  for (const Encoder& encoder : table.encoders) {
    const auto* cross = encoder.get<CrossEncoder>();
    if (cross == nullptr || is_tested(encoder_column(encoder))) continue;
    if (is_tested(encoder.column) == is_tested(cross->second)) continue;
    const std::string& other = is_tested(encoder.column) ? cross->second : encoder.column;
    const auto level = references_.find(other);
    const bool category = std::ranges::any_of(
        table.encoders, [&](const Encoder& each) { return each.column == other && each.is<CategoryEncoder>(); });
    if (category && level == references_.end()) continue;
    const std::string word = fmt::format("{}={}", other, category ? level->second : "0");
    if (std::ranges::find(at, word) == at.end()) at.push_back(word);
  }
  return fmt::format("{}", fmt::join(at, ", "));
}

std::uint32_t LogitCommand::column_named(const std::string& option, const std::string& name,
                                         const LogitReport& report) const {
  const auto end = report.names.end() - 1;
  const auto found = std::find(report.names.begin(), end, name);
  if (found == end) throw usage_error(fmt::format("{}: there is no column of numbers '{}'", option, name));
  return static_cast<std::uint32_t>(found - report.names.begin());
}

LogitOptions LogitCommand::options_for(const Source& source, LogitReport& report) const {
  LogitOptions options{reading.limits(0)};
  options.method = firth  ? LogitOptions::Method::kFirth
                   : flic ? LogitOptions::Method::kFlic
                   : flac ? LogitOptions::Method::kFlac
                          : LogitOptions::Method::kMaximumLikelihood;
  options.origin = origin;
  options.confidence = confidence;
  options.profile = report.profile;
  options.infinite_interval = report.infinite_interval = infinite_interval_named(infinite_interval);
  if (robust) options.errors = LogitOptions::Errors::kRobust;
  if (!cluster.empty()) options.errors = LogitOptions::Errors::kClustered;
  options.cluster = clusters_;
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
      if (drops) {
        options.missing.push_back(starts[k + 1] - 1);
        report.missing_columns.push_back(encoder_column(encoder));
      }
      std::vector<std::uint32_t>& features = of_column[encoder_column(encoder)];
      features.clear();
      for (std::uint32_t j = starts[k]; j < starts[k + 1] - (drops ? 1 : 0); ++j) features.push_back(j);
      const bool levels = encoder.is<CategoryEncoder>() || encoder.is<CrossEncoder>();
      if (tests.empty() && levels && features.size() > 1) {
        options.terms.push_back({encoder_column(encoder), features});
        report.term_at.push_back(tested_at(*table, {encoder_column(encoder)}));
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
    const auto& table = source.schema().table;
    report.term_at.push_back(table ? tested_at(*table, split_words(test)) : "");
  }
  return options;
}

void LogitCommand::keep(Source& source, LogitReport& report) const {
  if (proof.empty()) return;
  if (report.result.incomplete + report.result.weightless > 0) {
    throw usage_error(
        "-o needs all rows of the file in the model, but some were left out: a certificate is about the whole file");
  }
  keep_proof(report.result.separation.certificate, source, proof, reading);
  report.proof = proof;
  report.check = is_bundle(proof) ? fmt::format("unpack {} and open its README.html", quoted(proof))
                                  : fmt::format("linsep verify {} {}", quoted(proof), reading.argument());
}

void LogitCommand::write_page(Source& source, const LogitReport& report) const {
  if (page.empty() || !first_worker()) return;
  PictureInput input;
  input.data = &source;
  // The certificate is about the rows as they are shown, unless some were left out.
  const LogitResult& result = report.result;
  if (result.incomplete + result.weightless == 0 && offset.empty()) input.certified = &result.separation;
  PictureSpec spec;
  for (const std::string& path : reading.paths) spec.files.push_back(file_name(path));
  spec.made.push_back({"Command", command_given(*command, "logit")});
  spec.version = LINSEP_VERSION;
  spec.certify = false;
  spec.limits = reading.limits(0);
  Picture picture = make_picture(input, spec);
  add_coefficients(picture, report);
  Output file(page);
  file.write(report_page(picture));
  file.close();
  tell(fmt::format("Report written to {}.\n", shown_text(page)));
}

int LogitCommand::run() {
  check();
  try_outputs({proof, page});
  catch_interrupt();
  LogitReport report;
  report.data = reading.name();
  report.confidence = confidence;
  report.profile = !wald && !robust && cluster.empty();
  report.robust = robust;
  report.cluster = cluster;
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
  write_page(*source, report);
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
          "      Firth's penalized estimates, finite even under separation.\n"
          "  linsep logit patients.csv --label died --reference smoker=never,stage=1\n"
          "      Categories by reference levels; rows with missing values are left out.\n"
          "  linsep logit patients.csv --label died --cluster clinic\n"
          "      Standard errors for patients of the same clinic who resemble each other.\n"
          "  linsep logit patients.csv --label died --csv > table.csv\n"
          "      The table with all digits; also --json, --markdown and --latex.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<LogitCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
