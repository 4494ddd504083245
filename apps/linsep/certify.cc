// linsep certify proves what every linear classifier could do on a file of labeled rows.
#include "linsep/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "clock.h"
#include "foreign_model.h"
#include "keep_proof.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/certify_classes.h"
#include "linsep/tools/leaves.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shown_text.h"
#include "linsep/train.h"
#include "model_proof.h"
#include "options/checkpoint_options.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/classes.h"
#include "report/proof.h"
#include "report/run.h"
#include "tables/proof_table.h"
#include "tables/saved_table.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

/// The most separated rows that are named.
constexpr std::size_t kNamedRows = 10;
/// Rows are named until this many seconds after the time limit. At most this share of the time is kept for sealing.
constexpr double kNaming = 0.7, kSealingShare = 0.5;
/// Rows later in a file may be longer than those that the time was measured on.
constexpr double kSealingSlack = 1.25;

struct CertifyCommand {
  InputOptions reading;
  std::string proof, model_path, map, salt, against, saved_table;
  TableChoice columns;
  CheckpointOptions keeping;
  ObjectiveChoice objective;
  double gap = 1e-3;
  bool origin = false, maps = false, coefficients = false, mistakes = false, jointly = false, json = false;
  bool full = false, quiet = false;
  std::int64_t limit = 0;
  double time = 0;

  void declare(CommandOptions& options);
  int run();

 private:
  void check();
  std::string check_words() const;
  std::unique_ptr<Source> open_rows(CertifyReport& report) const;
  void choose_class(const Schema& schema, CertifyReport& report);
  CertifyOptions options_for(const FeatureMap& with, double seconds) const;
  CertifyOutcome certify_under(Source& source, const FeatureMap& with, double seconds) const;
  void certify_classes(Source& source, Source& all, ClassesReport& report) const;
  int run_classes(Source& source, Source& all, const CertifyReport& so_far) const;
  void try_maps(Source& source, CertifyReport& report) const;
  void name_rows(Source& source, Source& all, CertifyReport& report) const;
  void train_perceptron(Source& source, CertifyReport& report) const;
  void keep(Source& source, CertifyReport& report) const;
  bool proves_model() const;
  bool out_of_time() const;
  void keep_time_for_sealing(Source& source);

  std::optional<Model> guide_;
  std::optional<ForeignModel> foreign_;  ///< instead of guide_
  std::optional<std::size_t> positive_;  ///< with several classes, the one separated from the others
  std::string secret_;
  double began_ = 0;
};

/// Whether time is up for any worker, because all must do the same from here. A collective call.
bool CertifyCommand::out_of_time() const {
  return all_reduce_any(workers(),
                        interrupt_flag().load(std::memory_order_relaxed) || (time > 0 && now() - began_ >= time));
}

/// Keeps time for sealing, which goes through all rows as written after everything else.
void CertifyCommand::keep_time_for_sealing(Source& source) {
  if (proof.empty() || time <= 0) return;
  const ProofOptions options{reading.limits(0)};
  const double mine = workers().size() == 1 ? leaf_seconds(source, options) : 0;
  time -= std::min(kSealingSlack * mine, kSealingShare * time);
}

void CertifyCommand::declare(CommandOptions& options) {
  options.add({
      {"-o,--output", &proof, "FILE",
       "Write the proof to this file; `linsep verify` checks it. A name that ends in .zip gets a bundle for "
       "reviewers, with the rows and scripts that check it. With more than two classes: the proof for all "
       "jointly, or with --against for one."},
      {"--salt", &salt, "FILE",
       "With -o: salt every row with the secret in this file, which is created if missing. Rows that the "
       "proof doesn't show can't be guessed from it then."},
      {"--against", &against, "CLASS",
       "With more than two classes: ask whether this one can be separated from all others together."},
      {"--jointly", &jointly,
       "With more than two classes: ask only whether a classifier with one score per class gets every row "
       "right. [this, and each class against the rest]"},
      {"--origin", &origin, "Ask about classifiers through the origin only, without an intercept."},
      {"--map", &map, "MAP", "Map the features first: products (x1·x2, …) or polynomial:DEGREE. [none]"},
      {"--maps", &maps,
       "Try none, products, polynomial:2 and polynomial:3, and show the first map that makes the rows separable."},
      {"--coefficients", &coefficients,
       "Prove for every coefficient whether a logistic regression sends it to infinity, even if that takes "
       "longer than the verdict."},
      {"--mistakes", &mistakes,
       "Also prove how many mistakes no linear classifier can avoid, and which rows cause them. The verdict "
       "then gets at most half of --time."},
      {"--limit", &limit, "N", "With --mistakes: stop once this many are proven.",
       WholeFromTo{1, std::numeric_limits<std::int64_t>::max()}},
      {"-m,--model", &model_path, "FILE",
       "Prove how far this model's objective is from the best possible one, on the rows it was trained on: linsep's, "
       "LIBLINEAR's, or weights as CSV with the columns column and weight. With --mistakes: the linear model whose "
       "mistakes are explained. [the best of a few trained ones]\nFor a perceptron, also shows its mistakes beside "
       "the bound."},
      {"--gap", &gap, "FRACTION",
       "With --model: train for a better bound if the model's own scores prove a larger distance than this. [0.001]",
       NumberFromTo{1e-12, 1}},
      {"--time", &time, "SECONDS", "Stop after this many seconds, with what is proven so far.", NumberFromTo{0, 1e9}},
  });
  objective.declare(options);
  keeping.declare(options, "the same proof");
  columns.declare(options);
  options.add(kColumnsOfTables,
              {{"--save-table", &saved_table, "FILE",
                "Save the encoding of the rows to this file; checking a proof that has only its hash needs it."}});
  reading.declare(options, true);
  options.add("Reports", {{"--json", &json, "Print one JSON object instead of words."},
                          {"--full", &full, "With --json: list all features and rows, however many."},
                          {"--quiet", &quiet, "Print nothing but errors."}});
}

void CertifyCommand::check() {
  if (reading.standard_input()) throw usage_error("certify needs a file, because it reads the rows more than once");
  if (maps && !map.empty()) throw usage_error("--maps tries every map: leave out --map");
  if (maps && mistakes) throw usage_error("--mistakes needs a single map: use --map");
  if (maps && !model_path.empty()) throw usage_error("-m MODEL has a map of its own: leave out --maps");
  if (!salt.empty() && proof.empty()) throw usage_error("--salt needs -o: it salts the rows of a saved proof");
  if (limit > 0 && !mistakes) throw usage_error("--limit needs --mistakes");
  if (jointly && !against.empty()) throw usage_error("use --against or --jointly, not both");
  if (maps && keeping.asked_for()) throw usage_error("--checkpoint needs a single question: leave out --maps");
  check_bundle(proof, salt);
  keeping.complete(quiet);
}

/// What can be asked about more than two classes.
void CertifyCommand::choose_class(const Schema& schema, CertifyReport& report) {
  const std::vector<std::string>& classes = schema.classes;
  if (classes.size() <= 2) {
    const char* option = jointly ? "--jointly" : "--against";
    if (jointly || !against.empty()) throw usage_error(fmt::format("{} needs more than two classes", option));
    return;
  }
  if (guide_) throw usage_error(fmt::format("-m MODEL needs two classes, not {}", classes.size()));
  if (against.empty()) {
    const char* option = mistakes ? "--mistakes" : maps ? "--maps" : !map.empty() ? "--map" : nullptr;
    if (keeping.asked_for() && !jointly) {
      throw usage_error(
          "--checkpoint needs a single question: with more than two classes, use --against CLASS or --jointly");
    }
    if (option != nullptr) {
      throw usage_error(fmt::format("with more than two classes, {} needs --against CLASS", option));
    }
    return;
  }
  const auto found = std::ranges::find(classes, against);
  if (found == classes.end()) {
    throw usage_error(
        fmt::format("--against: there is no class '{}'. The classes are: {}", against, fmt::join(classes, ", ")));
  }
  positive_ = static_cast<std::size_t>(found - classes.begin());
  report.against = against;
}

std::string CertifyCommand::check_words() const {
  std::string table;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) table += fmt::format(" {} {}", name, quoted(value));
  };
  if (guide_ && !guide_->table.empty()) {
    add("--table", model_path);
  } else if (!saved_table.empty()) {
    add("--table", saved_table);
  } else {
    add("--table", columns.model);
    add("--columns", columns.columns);
    for (const auto& [name, value] : columns.options.chosen("table")) {
      table += " --" + name;
      if (!std::holds_alternative<bool>(value)) table += " " + quoted(option_text(value));
    }
  }
  return check_command(proof, reading, guide_ ? unusual_classes(*guide_) : "", table, salt);
}

std::unique_ptr<Source> CertifyCommand::open_rows(CertifyReport& report) const {
  ReadOptions options =
      guide_ ? read_options_for_proof(*guide_, reading.complete()) : read_options_for_proof(reading.complete());
  if (!guide_ && (!options.labels.empty() || options.label_sets)) {
    throw usage_error("certify needs one label per row: leave out --labels and --label-sets");
  }
  if (foreign_) options.features = foreign_->features;
  const double began = now();
  options.interrupt = &interrupt_flag();
  if (options.table) {
    if (columns.given()) throw usage_error("-m MODEL has a table of its own: leave out the table options");
  } else {
    columns.take(reading, columns.spec(true), options, json || quiet);
  }
  ProgressBar bar("reading");
  std::unique_ptr<Source> source =
      load(reading.paths, options, workers(), [&](const Progress& progress) { bar.observe(progress); });
  if (guide_) require_columns_of(*guide_, *source, reading.name());
  if (foreign_ && foreign_->features > 0) require_features(foreign_->features, *source, reading.name());
  if (!saved_table.empty()) {
    if (!options.table || options.table->empty())
      throw usage_error("--save-table needs a table: these rows are plain numbers");
    save_table(*options.table, saved_table);
  }
  report.read_seconds = now() - began;
  return source;
}

CertifyOptions CertifyCommand::options_for(const FeatureMap& with, double seconds) const {
  CertifyOptions options{reading.limits(seconds)};
  options.origin = origin;
  options.map = with;
  options.coefficients = coefficients;
  options.mistakes = mistakes;
  options.mistake_limit = limit;
  options.guide = guide_ ? &*guide_ : nullptr;
  options.checkpoint = keeping.checkpoint;
  return options;
}

CertifyOutcome CertifyCommand::certify_under(Source& source, const FeatureMap& with, double seconds) const {
  const CertifyOptions options = options_for(with, seconds);
  ProgressBar bar("certifying", ProgressBar::kUnknownPasses);
  const auto observe = [&](const Progress& progress) { bar.observe(progress); };
  CertifyOutcome outcome = positive_ ? certify_against_the_rest(source, *positive_, options, workers(), observe)
                                     : certify(source, options, workers(), observe);
  keeping.tell_if_stopped(outcome.reason);
  return outcome;
}

/// Each class gets an even share of the time that is left, and the joint question gets the rest.
void CertifyCommand::certify_classes(Source& source, Source& all, ClassesReport& report) const {
  const std::size_t classes = jointly ? 0 : report.schema.classes.size();
  const auto left = [&](std::size_t parts) {
    constexpr double kNone = 1e-3;
    if (out_of_time()) return kNone;
    return time > 0 ? std::max(kNone, (time - (now() - began_)) / static_cast<double>(parts)) : 0;
  };
  for (std::size_t c = 0; c < classes; ++c) {
    if (c > 0 && out_of_time()) break;
    const double began = now();
    ProgressBar bar(fmt::format("certifying {} ({} of {})", shown_text(report.schema.classes[c]), c + 1, classes + 1),
                    ProgressBar::kUnknownPasses);
    ClassTrial& trial = report.against.emplace_back();
    trial.outcome = certify_against_the_rest(source, c, options_for({}, left(classes + 1 - c)), workers(),
                                             [&](const Progress& progress) { bar.observe(progress); });
    trial.witness = witness_rows(trial.outcome.certificate.witness, origin, all);
    trial.seconds = now() - began;
  }
  ProgressBar bar("certifying all classes jointly", ProgressBar::kUnknownPasses);
  report.joint = certify_jointly(source, options_for({}, left(1)), workers(),
                                 [&](const Progress& progress) { bar.observe(progress); });
  report.witness = rival_rows(report.joint.certificate, all);
}

int CertifyCommand::run_classes(Source& source, Source& all, const CertifyReport& so_far) const {
  ClassesReport report;
  report.data = so_far.data;
  report.schema = so_far.schema;
  report.rows = so_far.rows;
  report.read_seconds = so_far.read_seconds;
  certify_classes(source, all, report);
  report.certify_seconds = now() - began_;
  if (!proof.empty() && proves_something(report.joint.certificate)) {
    const double began = now();
    keep_proof(report.joint.certificate, source, proof, reading, secret_);
    report.proof = proof;
    report.check = check_words();
    report.seal_seconds = now() - began;
  }
  if (json) {
    print_json(report_json(report, full));
  } else if (!quiet) {
    print_words(report_words(report));
  }
  return kDone;
}

std::string trial_verdict(const CertifyOutcome& outcome) {
  const Certificate& certificate = outcome.certificate;
  if (certificate.claim == Claim::kUndecided && !certificate.witness.empty()) return "not separable";
  return std::string(claim_name(certificate.claim));
}

/// Each map gets an even share of the time that is left. The report is about the first map that separates. If there is
/// none, it is about the last map under which the rows are proven not to be separable. That map's witness holds for the
/// maps before it.
void CertifyCommand::try_maps(Source& source, CertifyReport& report) const {
  int left = 4;
  for (const char* name : {"none", "products", "polynomial:2", "polynomial:3"}) {
    if (left < 4 && out_of_time()) break;
    MapTrial trial;
    trial.map = parse_map(name);
    const double began = now();
    const double seconds = time > 0 ? (time - (began - began_)) / left : 0;
    --left;
    try {
      mapped_features(trial.map, source.shape().features);
    } catch (const Error&) {
      trial.verdict = "too many features";
      report.trials.push_back(std::move(trial));
      continue;
    }
    CertifyOutcome outcome = certify_under(source, trial.map, seconds);
    trial.verdict = trial_verdict(outcome);
    trial.passes = outcome.passes;
    trial.seconds = now() - began;
    report.trials.push_back(trial);
    const bool separable = outcome.certificate.claim == Claim::kSeparable;
    const bool first = report.trials.size() == 1;
    if (separable) report.first_separable = trial.map;
    if (first || separable || !outcome.certificate.witness.empty()) report.outcome = std::move(outcome);
    if (separable) break;
  }
}

void CertifyCommand::name_rows(Source& source, Source& all, CertifyReport& report) const {
  const Certificate& certificate = report.outcome.certificate;
  report.witness = witness_rows(certificate.witness, certificate.origin, all);
  if (!certificate.mistakes.witnesses.empty()) {
    report.mistakes = witness_rows(certificate.mistakes.witnesses, certificate.origin, all);
  }
  if (certificate.claim == Claim::kQuasiSeparable) {
    const std::size_t most = full ? std::numeric_limits<std::size_t>::max() : json ? kLongVector : kNamedRows;
    const double left = time > 0 ? std::max(1e-3, time + kNaming - (now() - began_)) : 0;
    report.separated = separated_rows(certificate, source, most, reading.limits(left), workers());
  }
}

/// Repeats the run that made the model, because a model file doesn't hold the mistakes on the way. Only if the run
/// began at 0 and asked the same question as the certificate does. And only on one worker, since several take another
/// course.
void CertifyCommand::train_perceptron(Source& source, CertifyReport& report) const {
  if (workers().size() > 1) return;
  const Certificate& certificate = report.outcome.certificate;
  const LearnerInfo* learner = guide_ ? find_learner(guide_->learner) : nullptr;
  if (learner == nullptr || !learner->mistake_bound || certificate.claim != Claim::kSeparable) return;
  if (guide_->origin != certificate.origin || out_of_time()) return;
  TrainSpec spec;
  spec.learner = guide_->learner;
  spec.options = guide_->options;
  spec.options.erase("trace");
  spec.map = guide_->map;
  const auto init = spec.options.find("init");
  if (init != spec.options.end() && !option_text(init->second).empty()) return;
  const TrainOptions limits{reading.limits(time > 0 ? time - (now() - began_) : 0)};
  ProgressBar bar("training", ProgressBar::kUnknownPasses);
  const Outcome outcome =
      fit(source, spec, limits, workers(), [&](const Progress& progress) { bar.observe(progress); });
  report.perceptron = {outcome.stats.mistakes, outcome.passes, outcome.reason == StopReason::kConverged};
}

void CertifyCommand::keep(Source& source, CertifyReport& report) const {
  if (proof.empty() || !proves_something(report.outcome.certificate)) return;
  const double began = now();
  keep_proof(report.outcome.certificate, source, proof, reading, secret_);
  report.proof = proof;
  report.check = check_words();
  report.seal_seconds = now() - began;
}

/// Whether the question is how good the model is, rather than what any classifier could do.
bool CertifyCommand::proves_model() const {
  if (foreign_) return true;
  const bool other = mistakes || origin || coefficients || jointly || !map.empty() || !against.empty();
  return guide_ && has_objective(*guide_) && guide_->map.kind == FeatureMap::Kind::kNone && !other;
}

int CertifyCommand::run() {
  check();
  FeatureMap with = parse_map(map.empty() ? "none" : map);
  if (!model_path.empty()) foreign_ = read_foreign_model(model_path);
  if (objective.given() && !foreign_) {
    throw usage_error(
        "--loss, --C, --lambda, --class-weight and --penalize-intercept are for models of other tools, with --model");
  }
  if (foreign_ && (mistakes || origin || coefficients || jointly || maps || !map.empty() || !against.empty())) {
    throw usage_error(fmt::format("{} is a model of another tool: only how good it is can be asked", model_path));
  }
  if (!model_path.empty() && !foreign_) {
    guide_ = load_model_within(model_path, reading.memory_limit());
    if (guide_->regression) throw usage_error(fmt::format("{} predicts numbers, not classes", model_path));
    if (map.empty()) with = guide_->map;
    guide_->table.single = false;  // the proof is about the doubles
  }
  try_outputs({proof, saved_table});
  secret_ = salt_secret(salt, true);
  catch_interrupt();
  CertifyReport report;
  report.data = reading.name();
  report.guide = model_path;
  report.mistake_limit = limit;
  const std::unique_ptr<Source> source = open_rows(report);
  report.schema = with_feature_names(source->schema());
  const std::unique_ptr<Source> all = rows_of_all(*source, workers());
  report.rows = all->shape().rows;
  const std::int64_t dropped = all_reduce_sum(workers(), source->schema().dropped);
  if (!quiet) tell(dropped_sentence(dropped));
  if (proves_model()) {
    const ModelProofTask task = {
        reading.name(), model_path, proof, check_words(), json, quiet, ProofOptions{reading.limits(0)}, gap};
    if (guide_) return certify_model(*guide_, *source, reading, task);
    Model names;
    names.features = source->shape().features;
    names.schema = report.schema;
    return certify_weights(given_weights(*foreign_, objective, names), *source, reading, task);
  }
  if (!quiet && !reading.options.weight.empty()) tell(weight_0_sentence(*source, workers()));
  choose_class(report.schema, report);
  mapped_features(with, source->shape().features);  // throws if they are too many

  began_ = now();
  keep_time_for_sealing(*source);
  if (report.schema.classes.size() > 2 && !positive_) return run_classes(*source, *all, report);
  if (maps) {
    try_maps(*source, report);
  } else {
    report.outcome = certify_under(*source, with, time);
  }
  report.certify_seconds = now() - began_;
  report.mistakes_cut = mistakes && out_of_time();
  train_perceptron(*source, report);
  name_rows(*source, *all, report);
  keep(*source, report);
  if (json) {
    print_json(report_json(report, full));
  } else if (!quiet) {
    print_words(report_words(report));
  }
  return kDone;
}

}  // namespace

Verb certify_verb() {
  return {"certify", "Prove whether any linear classifier separates the rows: yes, almost, or no.",
          "  linsep certify data.svm -o proof.json\n"
          "      Separable, quasi-separable or overlapping, with a proof that anyone can check.\n"
          "  linsep certify data.csv -o appendix.zip\n"
          "      An appendix for reviewers: the proof, the rows, and scripts that check them without linsep.\n"
          "  linsep certify patients.csv --label outcome --id name --mistakes --time 60\n"
          "      How many mistakes are unavoidable, and which rows cause them, within a minute.\n"
          "  linsep certify data.svm --model model.json -o proof.json\n"
          "      How far the model's objective is from the best possible one, with a proof.\n"
          "  linsep certify data.svm --model liblinear.model --C 1\n"
          "      The same for a model that LIBLINEAR trained.\n"
          "  linsep certify xor.svm --maps\n"
          "      The first feature map that makes the rows separable.\n"
          "  linsep certify iris.csv\n"
          "      More than two classes: each against the rest, and all jointly with one score per class.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<CertifyCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
