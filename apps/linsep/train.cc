// linsep train makes a model from a file of labeled rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "advised_error.h"
#include "clock.h"
#include "keep_proof.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/optimality.h"
#include "linsep/picture/page.h"
#include "linsep/plan.h"
#include "linsep/select.h"
#include "linsep/tools/advice.h"
#include "linsep/tools/only_class.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shown_text.h"
#include "linsep/train.h"
#include "model_proof.h"
#include "options/checkpoint_options.h"
#include "options/command_options.h"
#include "options/learner_choice.h"
#include "options/liblinear.h"
#include "options/table_options.h"
#include "os/process.h"
#include "output.h"
#include "pictures/command.h"
#include "pictures/inputs.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/json.h"
#include "report/proof.h"
#include "report/run.h"
#include "report/words.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

TableOptions learner_options() {
  std::vector<TableOptions::Owner> owners;
  for (const LearnerInfo& info : learners()) owners.push_back({info.name, &info.table});
  return {"learner", owners};
}

std::string learner_help() {
  std::string text = fmt::format("The learner. [{}; or the first one that has the given options]", TrainSpec{}.learner);
  for (const LearnerInfo& info : learners()) text += fmt::format("\n{}: {}", info.name, info.help);
  for (const LearnerAlias& alias : learner_aliases()) text += fmt::format("\n{}.", alias_words(alias));
  return text;
}

/// `--init` with this name starts from that learner's classifier instead of a file's.
constexpr std::string_view kStartLearner = "basic";

std::vector<std::string_view> learners_that_start() {
  std::vector<std::string_view> names;
  for (const LearnerInfo& info : learners()) {
    if (info.starts) names.push_back(info.name);
  }
  return names;
}

struct TrainCommand {
  InputOptions reading;
  TableOptions table = learner_options();
  TableOptions selecting{
      "selection", {{"selection", &selection_options()}}, "Choosing λ, and probabilities (learner margin)"};
  TableChoice columns;
  std::string learner;  // as given, and then the learner's own name
  std::string model_path, proof, map = "none", log, trace, report_path;
  bool online = false, plan = false, json = false, full = false, quiet = false;
  bool require_gap = false, keep_partial = false;
  double time = 0;
  CheckpointOptions keeping;

  void declare(CommandOptions& options);
  int run();

 private:
  TrainSpec spec();
  void require_proof(const TrainSpec& spec, const Schema& data) const;
  void choose();
  std::unique_ptr<Source> open_rows(TrainReport& report, const LearnerInfo& info);
  void encode_rows(TrainReport& report, const LearnerInfo& info, ReadOptions& options) const;
  void fit_rows(Source& source, TrainSpec spec, Output* log_file, TrainReport& report);
  std::optional<Model> start_model(const std::string& init, Source& source, const TrainSpec& spec) const;
  void show_plan(const Source& source, TrainSpec spec, std::int64_t rows) const;
  void count_mistakes(Source& rows, const Outcome& outcome, TrainReport& report) const;
  void judge(Source& rows, const Outcome& outcome, TrainReport& report);
  void write_trace(const TrainingStats& stats) const;
  void write_report(Source& source, const TrainReport& report) const;
  void check_workers() const;
  void require_rows_everywhere(const Source& shard, std::int64_t rows) const;
  void require_classes(Source& source, const LearnerInfo& info) const;
  void require_separator(Source& source, const Outcome& outcome) const;
  void require_reached(const TrainReport& report) const;
  bool is_kept(const Outcome& outcome) const;
  int tell_interrupted(bool kept) const;

  LearnerChoice choice_;
  bool hard_ = false;
  bool judged_ = false;
  ReadOptions read_;  // how the rows were read
  const CommandOptions* given_ = nullptr;
  std::string init_;  // kStartLearner or a model's path. Numbers stay in the table
};

void TrainCommand::declare(CommandOptions& options) {
  given_ = &options;
  options.add({
      {"-o,--output", &model_path, "FILE", "Write the model to this file."},
      {"--learner", &learner, "NAME", learner_help()},
      {"--map", &map, "MAP", "Map the features first: products (x1·x2, …) or polynomial:DEGREE. [none]"},
      {"--online", &online, "Read the rows once, in order, in bounded memory."},
      {"--time", &time, "SECONDS",
       "Stop training after this many seconds, not counting reading, and keep the model at that point.",
       NumberFromTo{0, 1e9}},
  });
  options.add({
      {"--require-gap", &require_gap,
       "Write no model unless the objective is within --gap of the best possible. The exit code is 6 then, and an "
       "older file stays."},
      {"--keep-partial", &keep_partial, "Also write the model reached by then if SIGTERM ends training."},
  });
  keeping.declare(options, "the same bits");
  options.add({
      {"--plan", &plan, "Show what training would do, with which solver and how much memory, without training."},
      {"--proof", &proof, "FILE",
       "Write a proof to this file, which `linsep verify` checks: how far the model's objective is from the best "
       "possible "
       "one, or with --hard of the margin, or that the rows can't be separated."},
  });
  table.declare(options, {"trace"});
  options.describe(
      "--init",
      "Start from these weights, one per feature (-1,0.5), from the basic classifier (basic) or from a model file, "
      "whose classes and columns are matched by name. [0]",
      "START");
  selecting.declare(options);
  columns.declare(options);
  reading.declare(options, true);
  options.add("Reports",
              {{"--log", &log, "FILE", "Write a line of JSON for each pass to this file."},
               {"--trace", &trace, "FILE",
                fmt::format("Write every intermediate θ to this file, as lines of JSON ({}).", table.who_has("trace"))},
               {"--report", &report_path, "FILE",
                "Write a report of the run, the model and its rows to this HTML file (see linsep report)."},
               {"--json", &json, "Print one JSON object instead of words."},
               {"--full", &full, "With --json: list all weights and rows, however many."},
               {"--quiet", &quiet, "Print nothing but errors."}});
}

// A list of numbers is the table's own option. "basic" and a model's name are dealt with here.
bool is_number_list(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.,eE ") == std::string::npos;
}

/// If no learner was named, the other options decide, because numbers to start from and a trace are the perceptron's.
void TrainCommand::choose() {
  if (const auto given = table.take("init")) init_ = *given;
  std::vector<std::string> given = table.given();
  if (is_number_list(init_)) given.emplace_back("init");
  if (!trace.empty()) given.emplace_back("trace");
  if (online) given.emplace_back("rate");  // rows that come once are for a learner that corrects row by row
  choice_ = choose_learner(learner, given);
  learner = choice_.info->name;
}

TrainSpec TrainCommand::spec() {
  choose();
  TrainSpec spec;
  spec.learner = learner;
  spec.options = with_alias(choice_, table.chosen(learner));
  if (spec.options.contains("lambda") && spec.options.contains("C")) {
    throw usage_error("--lambda and --C set the same thing, λ = 1/(C·rows): use only one of them");
  }
  const LearnerInfo& info = learner_info(learner);
  const OptionSpec* init = find_option(info.table, "init");
  if (!init_.empty() && !info.starts) {
    throw usage_error(
        fmt::format("the learner {} has no option --init; it belongs to {}", learner, listed(learners_that_start())));
  }
  if (is_number_list(init_) && init == nullptr) {
    throw usage_error(
        fmt::format("the learner {} can start only from a model (--init FILE), not from weights", learner));
  }
  if (is_number_list(init_)) {
    spec.options["init"] = parse_option(*init, init_);
    init_.clear();
  }
  if (!trace.empty()) {
    if (find_option(info.table, "trace") == nullptr) {
      throw usage_error(
          fmt::format("the learner {} has no --trace; it belongs to {}", learner, table.who_has("trace")));
    }
    spec.options["trace"] = true;
  }
  if (require_gap && find_option(info.table, "gap") == nullptr) {
    throw usage_error(fmt::format("--require-gap is for learners that prove a gap, and {} proves none", learner));
  }
  spec.map = parse_map(map);
  hard_ = spec.options.contains("hard") && get_flag(spec.options, "hard");
  if (!proof.empty() && !hard_) require_proof(spec, {});
  if (hard_ && (online || reading.standard_input())) {
    throw usage_error("--hard needs a file, because it reads the rows more than once");
  }
  spec.prove = !proof.empty() && hard_;
  if (online && keeping.asked_for()) {
    throw usage_error(
        "--checkpoint needs a file, because a stream can't be read again: leave out --online or --checkpoint");
  }
  if (online && !report_path.empty()) {
    throw usage_error("--report needs the rows after training: leave out --online");
  }
  keeping.complete(quiet);
  if (online) {
    if (init_ == kStartLearner) throw usage_error("--init basic needs all rows at the start: leave out --online");
    if (find_option(info.table, "passes") != nullptr) spec.options.try_emplace("passes", std::int64_t{1});
  }
  return spec;
}

/// Throws a usage Error where no proof of how good the model is can be made of such a run.
void TrainCommand::require_proof(const TrainSpec& spec, const Schema& data) const {
  if (online || reading.standard_input()) throw usage_error("--proof needs a file, because it reads the rows again");
  Model model;
  model.learner = spec.learner;
  model.options = complete_options(learner_info(spec.learner).table, spec.options);
  model.map = spec.map;
  model.schema.classes = data.classes;
  if (data.classes.size() > 2) model.form = Model::Form::kClasses;
  if (!data.labels.empty()) model.form = Model::Form::kLabels;
  require_provable(model);
  if (workers().size() > 1 && get_text(model.options, "loss") == "hinge") {
    throw usage_error("a proof about a hinge model is found by a single worker so far: leave out --proof");
  }
}

void TrainCommand::encode_rows(TrainReport& report, const LearnerInfo& info, ReadOptions& options) const {
  if (online && columns.model.empty()) {
    if (columns.given()) columns.take_first_rows(reading, options, quiet || json);
    return;
  }
  TableSpec spec = columns.spec(hard_);
  if (spec.scale == Scale::kAuto) spec.scale = usual_scale(info);
  report.table = columns.take(reading, spec, options, quiet || json);
}

std::unique_ptr<Source> TrainCommand::open_rows(TrainReport& report, const LearnerInfo& info) {
  ReadOptions options = read_options_for(info, hard_, reading.complete());
  if (!info.many && (!options.labels.empty() || options.label_sets)) {
    throw usage_error(fmt::format("the learner {} supports only one label column", info.name));
  }
  if (!quiet) tell_if_waiting(reading);
  const double began = now();
  options.interrupt = online ? &wake_flag() : &interrupt_flag();
  encode_rows(report, info, options);
  read_ = options;
  if (online) {
    return open_stream(reading.paths, options, workers());
  }
  ProgressBar bar("");
  std::unique_ptr<Source> source =
      load(reading.paths, options, workers(), [&](const Progress& progress) { bar.observe(progress); });
  report.read_seconds = now() - began;
  return source;
}

std::optional<Model> TrainCommand::start_model(const std::string& init, Source& source, const TrainSpec& spec) const {
  if (init.empty()) return std::nullopt;
  if (init != kStartLearner) return load_model_within(init, reading.memory_limit());
  TrainSpec basic;
  basic.learner = kStartLearner;
  basic.map = spec.map;
  const auto origin = spec.options.find("origin");
  if (origin != spec.options.end() && find_option(learner_info(kStartLearner).table, "origin") != nullptr) {
    basic.options["origin"] = origin->second;
  }
  return fit(source, basic, TrainOptions{reading.limits(time)}, workers()).model;
}

/// A classifier to start from that would have to be trained isn't.
void TrainCommand::show_plan(const Source& source, TrainSpec spec, std::int64_t rows) const {
  const std::optional<Model> start = init_.empty() || init_ == kStartLearner
                                         ? std::nullopt
                                         : std::optional(load_model_within(init_, reading.memory_limit()));
  if (start) spec.start = &*start;
  const TrainPlan decided = plan_training(source, spec, TrainOptions{reading.limits(time)}, workers().size());
  if (json) {
    print_json(plan_json(decided, rows));
  } else if (!quiet) {
    print_words(plan_words(decided, rows));
  }
}

void TrainCommand::fit_rows(Source& source, TrainSpec spec, Output* log_file, TrainReport& report) {
  if (online && time > 0) wake_after(time + 0.01);  // a stream that waits for rows
  const std::optional<Model> start = start_model(init_, source, spec);
  if (start) {
    spec.start = &*start;
    report.start = init_ == kStartLearner ? fmt::format("the classifier of the learner {}", kStartLearner) : init_;
  }
  const Options all = complete_options(learner_info(learner).table, spec.options);
  const Options selection = complete_options(selection_options(), selecting.chosen("selection"));
  const bool selects = asks_for_selection(selection);
  TrainOptions limits{reading.limits(time)};
  limits.checkpoint = keeping.checkpoint;
  // Training is the last use of the rows, so a learner that wants them in another order may take them.
  spec.take_rows = !selects && report_path.empty();
  if (!selects) {  // a selection is judged once it is in the report
    spec.on_finished = [&](Source& rows, const Outcome& outcome) { judge(rows, outcome, report); };
  }
  const bool counted = all.contains("passes") && !selects;
  ProgressBar bar("", selects ? ProgressBar::kUnknownPasses : (counted ? get_integer(all, "passes") : 0),
                  all.contains("gap") && !selects ? get_number(all, "gap") : 0);
  const auto observe = [&](const Progress& progress) {
    if (online) report.rows = std::max(report.rows, progress.rows);
    bar.observe(progress);
    if (log_file == nullptr || !progress.pass_ended) return;
    Progress logged = progress;
    if (logged.rows == logged.rows_in_all) logged.rows = report.rows;  // this worker's rows become those of all
    log_file->write(json_line(to_json(logged)));
  };
  if (selects) {
    report.selection = select(source, spec, selection, limits, workers(), observe);
    report.outcome = report.selection->outcome;
  } else {
    report.outcome = fit(source, spec, limits, workers(), observe);
  }
  keeping.tell_if_stopped(report.outcome.reason);
}

bool cut_short(const Outcome& outcome) {
  return outcome.reason == StopReason::kTime || outcome.reason == StopReason::kInterrupted;
}

/// Counts mistakes on the training rows. After a run that a limit has ended there is a moment left for it. If that
/// doesn't suffice, they aren't counted. Several workers count to the end, together.
void TrainCommand::count_mistakes(Source& rows, const Outcome& outcome, TrainReport& report) const {
  constexpr double kMoment = 0.2;
  const bool hurried = cut_short(outcome) && workers().size() == 1;
  const double began = now();
  ProgressBar bar("evaluating");
  RunLimits limits;  // without the interrupt, which has ended the training but not this
  limits.threads = reading.options.threads;
  const auto observe = [&](const Progress& progress) {
    bar.observe(progress);
    if (hurried && now() - began > kMoment) throw interrupted_error();
  };
  try {
    report.result = evaluate(rows, outcome.model, false, workers(), observe, limits);
  } catch (const Error& error) {
    if (!hurried || error.kind() != Error::Kind::kInterrupted) throw;
    report.uncounted = true;
  }
}

// How the model does on the rows, and what is worth noting about the run.
void TrainCommand::judge(Source& rows, const Outcome& outcome, TrainReport& report) {
  judged_ = true;
  const double began = now();
  if (!online && !quiet) {
    if (clean_pass_proves(outcome)) {
      report.result.emplace().rows = report.rows;
    } else {
      count_mistakes(rows, outcome, report);
    }
  }
  if (!quiet) add_advice(rows, outcome, {hard_, online, time}, workers(), report);
  report.judge_seconds = now() - began;
}

void TrainCommand::write_trace(const TrainingStats& stats) const {
  Output file(trace);
  for (const TraceStep& step : stats.trace) file.write(json_line(to_json(step)));
  file.close();
  if (static_cast<std::int64_t>(stats.trace.size()) < stats.mistakes && !quiet && first_worker()) {
    notice(fmt::format("the trace is too large: it holds only the first {} of {} steps", stats.trace.size(),
                       stats.mistakes));
  }
}

void TrainCommand::write_report(Source& source, const TrainReport& report) const {
  const std::string name = model_path.empty() ? report.outcome.model.learner : stem_of(model_path);
  const Picture picture =
      picture_of({report.outcome, source, reading, read_, command_given(*given_, "train"), name, report.train_seconds});
  Output file(report_path);
  file.write(report_page(picture));
  file.close();
}

/// Refuses, before anything is read, options that are about one sequence of rows or don't work with shards.
void TrainCommand::check_workers() const {
  if (workers().size() == 1) return;
  const auto refuse = [](const std::string& what) {
    throw usage_error(fmt::format("{}: that needs a single worker, not {}", what, workers().size()));
  };
  if (online) refuse("--online reads rows in order");
  if (!trace.empty()) refuse("--trace writes every intermediate θ");
  if (!report_path.empty()) refuse("--report draws individual rows");
}

/// A worker without rows has nothing to learn from.
void TrainCommand::require_rows_everywhere(const Source& shard, std::int64_t rows) const {
  const std::int64_t without = all_reduce_sum(workers(), shard.shape().rows == 0 ? 1 : 0);
  if (without == 0) return;
  throw Error(Place{reading.name(), 0, 0}, fmt::format("{} for {} workers: {} would get none; start fewer workers",
                                                       counted(rows, "row"), workers().size(), without));
}

/// From rows of one class a model learns nothing but to answer it. A stream is not checked, because others may come.
void TrainCommand::require_classes(Source& source, const LearnerInfo& info) const {
  if (online || info.regression) return;
  const std::optional<std::string> only = only_class(source, workers());
  if (!only) return;
  throw AdvisedError(
      reading.name(),
      fmt::format("every row is of the class '{}': a model would give this answer to every row", shown_text(*only)),
      "Train on rows of both classes. `linsep columns DATA` shows which column is the label.");
}

/// The columns of the largest and the smallest values, if that is informative.
std::string furthest_columns(std::vector<ColumnSize> columns, Model model) {
  std::erase_if(columns, [](const ColumnSize& column) { return column.size == 0; });
  if (columns.empty()) return "";
  model.map = {};
  const auto [least, greatest] = std::ranges::minmax_element(columns, {}, &ColumnSize::size);
  if (greatest->size / least->size < 1e4) return "";
  return fmt::format(": {} is about {:.2g}, {} about {:.2g}", shown_text(feature_name(model, greatest->column)),
                     greatest->size, shown_text(feature_name(model, least->column)), least->size);
}

/// The rows are known to be separable, so a run that ended by itself without a separator has failed.
void TrainCommand::require_separator(Source& source, const Outcome& outcome) const {
  const std::vector<double>& theta = outcome.model.theta;
  const bool offset_alone = outcome.model.offset != 0 && std::ranges::all_of(theta, [](double w) { return w == 0; });
  if (outcome.hard_margin || outcome.certificate || offset_alone) return;
  if (outcome.reason != StopReason::kConverged && outcome.reason != StopReason::kStalled) {
    if (!proof.empty() && first_worker()) {
      notice(fmt::format("no proof was written to {}: no separator was found in time, or no time was left to prove it",
                         shown_text(proof)));
    }
    return;
  }
  throw AdvisedError(
      reading.name(),
      fmt::format("these rows are separable, but no separator was found: their values differ too much in size for "
                  "64-bit numbers{}.",
                  furthest_columns(column_sizes(source, workers()), outcome.model)),
      fmt::format("Scale such columns by powers of ten. No model{} was written; `linsep certify {}{}` proves that the "
                  "rows are separable.",
                  proof.empty() ? "" : " and no proof", reading.argument(), outcome.model.origin ? " --origin" : ""));
}

/// Whether the run ended in its first pass, before it learned anything.
bool learned_nothing(const Outcome& outcome) {
  const Model& model = outcome.model;
  const auto zero = [](double weight) { return weight == 0; };
  return outcome.passes == 0 && cut_short(outcome) && model.coefficient.empty() && model.offset == 0 &&
         std::ranges::all_of(model.theta, zero) && std::ranges::all_of(model.offsets, zero);
}

/// "No model was written". For an older file, that it stays.
std::string nothing_written(const std::string& path) {
  return path.empty() ? "there is no model" : fmt::format("no model was written to {}", shown_text(path));
}

/// Throws an UnfinishedError if the run came less far than it has to. Ctrl-C and SIGTERM have codes of their own.
void TrainCommand::require_reached(const TrainReport& report) const {
  const Outcome& outcome = report.outcome;
  if (outcome.reason == StopReason::kInterrupted) return;
  if (learned_nothing(outcome)) {
    throw UnfinishedError(
        reading.name(),
        fmt::format("{}, because the time was over before the first pass was", nothing_written(model_path)),
        "Allow more --time. `linsep train --plan` shows what the run needs.");
  }
  if (!require_gap || outcome.reason == StopReason::kInseparable) return;
  const double asked = get_number(outcome.model.options, "gap");
  const std::optional<double> reached = gap_reached(outcome);
  if (reached && *reached <= asked) return;
  const std::string words = reached ? gap_words(*reached, asked) : "not proven to be near the best possible";
  throw UnfinishedError(
      reading.name(),
      fmt::format("{}, because --require-gap is given and the objective is {}", nothing_written(model_path), words),
      report.advice ? report.advice->advice : "Allow more --passes or --time, or a larger --gap.");
}

/// Whether a run that was ended from outside keeps its model. Ctrl-C asks for the model of the moment, SIGTERM doesn't.
/// The same on all workers, whichever of them the signal came to.
bool TrainCommand::is_kept(const Outcome& outcome) const {
  if (outcome.reason != StopReason::kInterrupted) return true;
  if (learned_nothing(outcome)) return false;
  return keep_partial || !all_reduce_any(workers(), was_terminated());
}

/// Returns the exit code, which is the same on all workers.
int TrainCommand::tell_interrupted(bool kept) const {
  const bool terminated = all_reduce_any(workers(), was_terminated());
  if (first_worker() && !quiet && !model_path.empty()) {
    notice(kept ? fmt::format("training was interrupted; the model at that point was written to {}",
                              shown_text(model_path))
                : fmt::format("training was interrupted; {}{}", nothing_written(model_path),
                              terminated && !keep_partial ? " (--keep-partial writes the one reached by then)" : ""));
  }
  return interrupted_code(terminated);
}

int TrainCommand::run() {
  if (const auto meant = translate_liblinear_files(reading.paths); meant && model_path.empty())
    throw usage_error(*meant);
  const TrainSpec chosen = spec();
  const Options selection = selecting.chosen("selection");
  check_selection(chosen, selection);
  if (plan && asks_for_selection(complete_options(selection_options(), selection))) {
    throw usage_error("--plan describes one training run: leave out --lambdas, --Cs, --cv and --probabilities");
  }
  catch_interrupt();
  TrainReport report;
  report.data = reading.name();
  report.argument = reading.argument();
  report.workers = workers().size();
  report.model = model_path;
  report.streamed = online;
  if (choice_.alias != nullptr) report.meaning = alias_words(*choice_.alias);
  check_workers();
  if (!plan) try_outputs({model_path, log, trace, proof, report_path});
  const std::unique_ptr<Source> source = open_rows(report, learner_info(learner));
  const std::unique_ptr<Source> all = rows_of_all(*source, workers());
  report.rows = std::max<std::int64_t>(all->shape().rows, 0);
  if (workers().size() > 1) require_rows_everywhere(*source, all->shape().rows);

  if (plan) {
    show_plan(*source, chosen, all->shape().rows);
    return kDone;
  }

  require_classes(*source, learner_info(learner));
  if (!proof.empty() && !hard_) require_proof(chosen, source->schema());
  std::optional<Output> log_file;
  if (!log.empty()) log_file.emplace(log);
  const double began = now();
  fit_rows(*source, chosen, log_file ? &*log_file : nullptr, report);
  report.train_seconds = now() - began - report.judge_seconds;
  report.dropped = all_reduce_sum(workers(), source->schema().dropped);
  warn_of_tiny_values(*source);
  if (log_file) log_file->close();

  Outcome& outcome = report.outcome;
  if (!proof.empty() && outcome.certificate) {
    keep_proof(*outcome.certificate, *source, proof, reading);
    report.proof = proof;
  }
  if (outcome.reason == StopReason::kInseparable) {
    const InseparableReport found{reading.argument(), report.proof, *outcome.certificate, all.get()};
    if (json) print_json(inseparable_json(found, full));
    throw AdvisedError(reading.name(), inseparable_words(found), inseparable_advice(found));
  }
  if (hard_) require_separator(*source, outcome);
  report.features = outcome.model.features;
  require_reached(report);
  const bool kept = is_kept(outcome);
  if (!kept) report.model = "";
  report.unwritten = !kept;
  if (kept && !proof.empty() && !hard_) {
    report.bounds = keep_model_proof(outcome.model, reading, proof);
    report.proof = proof;
    std::string encoding;
    if (!outcome.model.table.empty()) {
      encoding = model_path.empty() ? " --as-encoded" : fmt::format(" --table {}", app::quoted(model_path));
    }
    report.check = check_command(proof, reading, unusual_classes(outcome.model), encoding);
  }
  if (report.proof.empty() && outcome.model.training.gap && !online && workers().size() == 1 &&
      reading.options.weight.empty() && why_unprovable(outcome.model).empty()) {
    report.confirm = check_command(model_path, reading, "", "");
  }
  if (!report.model.empty() && first_worker()) save_model(outcome.model, model_path);
  if (!trace.empty()) write_trace(outcome.stats);
  if (!judged_) judge(*source, outcome, report);
  if (!report_path.empty()) write_report(*source, report);
  report.page = report_path;
  if (json) {
    print_json(report_json(report, full));
  } else if (!quiet) {
    print_words(report_words(report));
  }
  return outcome.reason == StopReason::kInterrupted ? tell_interrupted(kept) : kDone;
}

}  // namespace

Verb train_verb() {
  return {"train", "Train a linear classifier on labeled rows.",
          "  linsep train rows.svm -o rows.json\n"
          "      The hinge loss with C = 1, within 0.1 % of the best possible.\n"
          "  linsep train rows.svm --learner logistic --cv 5 -o rows.json\n"
          "      Logistic regression; five folds choose λ.\n"
          "  linsep train and.svm --learner perceptron -o and.json\n"
          "      A perceptron: at most 100 passes, until one makes no mistake.\n"
          "  linsep train spam.csv --label type --positive spam --learner least-squares -o spam.json\n"
          "      A CSV file whose column `type` has the classes.\n"
          "  zcat huge.svm.gz | linsep train - --online --variant averaged -o huge.json\n"
          "      A stream of any length in one pass, in bounded memory.\n"
          "  linsep train news.svm -o news.model\n"
          "      More than two classes: each against the rest, all in the same passes.\n"
          "  linsep train points.svm --origin --init -1,-1 --trace steps.jsonl --json\n"
          "      Starts from θ = (−1, −1) and writes every intermediate θ.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<TrainCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          },
          translate_liblinear};
}

}  // namespace linsep::app
