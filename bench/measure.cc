// linsep_measure: times parts of linsep from inside and prints one JSON object. bench/run calls it.
//
//   linsep_measure bytes FILE                     read() the file in pieces of 256 kB and sum its bytes
//   linsep_measure read FILE [THREADS [VERSION]]  the reader, from file to pages, by a version of its parser
//   linsep_measure pass FILE [PASSES]             perceptron passes over rows in memory, each beside a bare pass and
//                                                 a pass that only scores each row
//   linsep_measure margin FILE C GAP MODEL [NAME=VALUE…]
//                                                 the margin learner (hinge, or as options say) on rows in memory, for
//                                                 a path with lambdas=FROM:TO:COUNT and a C of 0; writes MODEL as JSON
//   linsep_measure newton FILE LOSS [PASSES]      passes of the solver newton over rows in memory, on one thread, each
//                                                 beside a bare pass that gathers and adds the same in plain doubles
//   linsep_measure versions                       the versions of the parser that this processor runs
//
// With LINSEP_MEASURE_CLOCK=cpu times are processor seconds of all threads, which a busy machine disturbs less.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bare_pass.h"
#include "format/svmlight/svmlight.h"
#include "kernel/kernel.h"
#include "learn/learners.h"
#include "linsep/linsep.h"

namespace linsep {
namespace {

double now() {
  static const char* const kClock = std::getenv("LINSEP_MEASURE_CLOCK");
  static const bool kCpu = kClock != nullptr && std::string_view(kClock) == "cpu";
  timespec time{};
  ::clock_gettime(kCpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void measure_bytes(const std::string& path) {
  const double begin = now();
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw input_error(path + ": can't be opened");
  std::vector<unsigned char> piece(std::size_t{256} << 10);
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;
  for (ssize_t got = 0; (got = ::read(file, piece.data(), piece.size())) > 0;) {
    bytes += static_cast<std::uint64_t>(got);
    for (ssize_t i = 0; i < got; ++i) sum += piece[static_cast<std::size_t>(i)];
  }
  ::close(file);
  fmt::print("{{\"seconds\": {}, \"bytes\": {}, \"sum\": {}}}\n", now() - begin, bytes, sum);
}

void measure_read(const std::string& path, int threads, std::string_view version) {
  use_svmlight_version(version);
  ReadOptions options;
  options.threads = threads;
  const double begin = now();
  const auto source = load(path, options);
  const double seconds = now() - begin;
  const Shape shape = source->shape();
  fmt::print("{{\"seconds\": {}, \"rows\": {}, \"features\": {}, \"nonzeros\": {}}}\n", seconds, shape.rows,
             shape.features, shape.nonzeros);
}

void measure_pass(const std::string& path, int passes) {
  const auto source = load(path, {});
  const Shape shape = source->shape();
  const auto learner = perceptron_entry().make(complete_options(perceptron_entry().info.table, {}), nullptr, {});
  const auto alone = solo();
  learner->begin(shape);
  std::vector<double> perceptron;
  std::vector<double> bare;
  std::vector<double> scores;
  std::vector<std::int64_t> mistakes;
  double sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    double begin = now();
    source->rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source->next()) learner->visit(*batch);
    learner->synchronise(*alone);
    Progress progress;
    learner->end_pass(progress);
    perceptron.push_back(now() - begin);
    mistakes.push_back(progress.mistakes.value_or(-1));

    std::vector<double> theta = learner->model().theta;
    theta.resize(shape.features);
    begin = now();
    source->rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source->next()) sum += bare_sum(*batch, theta.data());
    bare.push_back(now() - begin);
    begin = now();
    source->rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source->next()) {
      for_each_row(*batch, [&](const auto& row, std::int64_t) { sum += dot(row, theta.data()); });
    }
    scores.push_back(now() - begin);
  }
  fmt::print(
      "{{\"rows\": {}, \"nonzeros\": {}, \"mistakes\": [{}], \"perceptron\": [{}], \"bare\": [{}], \"scores\": [{}], "
      "\"sum\": {}, "
      "\"kernel\": \"{}\", \"bare_version\": \"{}\"}}\n",
      shape.rows, shape.nonzeros, fmt::join(mistakes, ", "), fmt::join(perceptron, ", "), fmt::join(bare, ", "),
      fmt::join(scores, ", "), sum, kernel_version(), bare_version());
}

/// A pass that changes the objective is one for a gradient, any other one for a product with the Hessian.
void measure_newton(const std::string& path, const std::string& loss, int passes) {
  const auto source = load(path, {});
  const Shape shape = source->shape();
  Options options;
  options["solver"] = std::string("newton");
  options["loss"] = loss;
  options["gap"] = 1e-14;
  const auto learner = margin_entry().make(complete_options(margin_entry().info.table, options), nullptr, {});
  const auto alone = solo();
  learner->begin(shape);
  std::vector<double> newton[2], bare[2], sums(3 * shape.features);
  double objective = -1;
  for (int pass = 0; pass < passes; ++pass) {
    double begin = now();
    source->rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source->next()) learner->visit(*batch);
    learner->synchronise(*alone);
    Progress progress;
    const bool done = learner->end_pass(progress) != Verdict::kContinue;
    const double seconds = now() - begin;
    if (pass == 0) continue;  // it surveys the columns
    const double before = std::exchange(objective, progress.objective.value_or(-1));
    const std::size_t product = objective == before ? 1 : 0;
    newton[product].push_back(seconds);
    std::vector<double> theta = learner->model().theta;
    theta.resize(shape.features);
    begin = now();
    source->rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source->next()) {
      if (product == 1) {
        bare_product(*batch, theta.data(), sums.data());
      } else {
        bare_gradient(*batch, theta.data(), loss == "logistic", sums.data());
      }
    }
    bare[product].push_back(now() - begin);
    if (done) break;
  }
  fmt::print(
      "{{\"rows\": {}, \"nonzeros\": {}, \"gradients\": [{}], \"bare_gradients\": [{}], \"products\": [{}], "
      "\"bare_products\": [{}], \"bare_version\": \"{}\", \"objective\": {}}}\n",
      shape.rows, shape.nonzeros, fmt::join(newton[0], ", "), fmt::join(bare[0], ", "), fmt::join(newton[1], ", "),
      fmt::join(bare[1], ", "), bare_version(), objective);
}

void set_option(std::string_view word, TrainSpec& spec, Options& selection) {
  const std::size_t sign = word.find('=');
  const std::string name(word.substr(0, sign));
  const OptionSpec* option = find_option(learner_info("margin").table, name);
  Options& options = option != nullptr ? spec.options : selection;
  if (option == nullptr) option = find_option(selection_options(), name);
  if (option == nullptr || sign == std::string_view::npos) throw usage_error("no option: " + std::string(word));
  options[name] = parse_option(*option, word.substr(sign + 1));
}

void measure_margin(const std::string& path, double c, double gap, const std::string& model,
                    std::span<char* const> options) {
  const auto source = load(path, {});
  TrainSpec spec;
  spec.learner = "margin";
  if (c > 0) spec.options["C"] = c;
  spec.options["gap"] = gap;
  Options selection;
  for (const char* const word : options) set_option(word, spec, selection);
  selection = complete_options(selection_options(), selection);
  const bool many = asks_for_selection(selection);
  const double begin = now();
  Selection found;
  if (many) found = select(*source, spec, selection, {}, *solo());
  const Outcome outcome = many ? std::move(found.outcome) : fit(*source, spec, {}, *solo());
  const double seconds = now() - begin;
  save_model(outcome.model, model);
  const Progress& last = outcome.history.back();
  std::vector<double> objectives;
  for (const SelectionPoint& point : found.path) objectives.push_back(point.objective);
  fmt::print(
      "{{\"seconds\": {}, \"objective\": {}, \"gap\": {}, \"passes\": {}, \"converged\": {}, \"objectives\": [{}]}}\n",
      seconds, last.objective.value_or(0), last.gap.value_or(1), outcome.passes,
      outcome.reason == StopReason::kConverged, fmt::join(objectives, ", "));
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int number = argc > 3 ? std::atoi(argv[3]) : 0;
  if (argc > 2 && what == "bytes") {
    measure_bytes(argv[2]);
  } else if (argc > 2 && what == "read") {
    measure_read(argv[2], number, argc > 4 ? argv[4] : "");
  } else if (argc > 2 && what == "pass") {
    measure_pass(argv[2], number > 0 ? number : 10);
  } else if (argc > 3 && what == "newton") {
    measure_newton(argv[2], argv[3], argc > 4 ? std::atoi(argv[4]) : 20);
  } else if (argc > 5 && what == "margin") {
    measure_margin(argv[2], std::atof(argv[3]), std::atof(argv[4]), argv[5],
                   std::span(argv, static_cast<std::size_t>(argc)).subspan(6));
  } else if (what == "versions") {
    fmt::print("[\"{}\"]\n", fmt::join(svmlight_versions(), "\", \""));
  } else {
    fmt::print(stderr, "usage: linsep_measure bytes|read|pass|newton|margin|versions [FILE [NUMBER …]]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace linsep

int main(int argc, char** argv) {
  try {
    return linsep::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "linsep_measure: {}\n", error.what());
    return 3;
  }
}
