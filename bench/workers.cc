// linsep_workers: the margin learner over several workers, beside a program that makes the same passes and the same
// collective calls and nothing else. bench/run workers calls it.
//
//   linsep_workers LOSS WORKERS FILE…    workers as threads, each with one thread; under mpirun or tools/gloo_run the
//                                        processes that were started (WORKERS is then ignored)
//
// Prints one JSON object: rows and rounds, what one worker put into collective calls, a hash of θ, and seconds.
#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "bare_pass.h"
#include "linsep/linsep.h"
#include "linsep/tools/engines.h"

namespace linsep {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// One collective call, or the end of a pass.
struct Call {
  enum class Kind { kDoubles, kWords, kGather, kEndOfPass } kind;
  Comm::Op op;
  std::size_t length;
};

class RecordingComm : public Comm {
 public:
  explicit RecordingComm(Comm& comm) : comm_(comm) {}
  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  void all_reduce(std::span<double> data, Op op) override {
    calls.push_back({Call::Kind::kDoubles, op, data.size()});
    timed([&] { comm_.all_reduce(data, op); });
  }
  void all_reduce(std::span<std::int64_t> data, Op op) override {
    calls.push_back({Call::Kind::kWords, op, data.size()});
    timed([&] { comm_.all_reduce(data, op); });
  }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    calls.push_back({Call::Kind::kGather, Op::kSum, data.size()});
    std::vector<std::vector<std::byte>> all;
    timed([&] { all = comm_.all_gather(data); });
    return all;
  }
  void abort(const std::string& message) override { comm_.abort(message); }

  std::vector<Call> calls;
  double seconds = 0;  ///< in collective calls, waiting for others included

 private:
  template <class F>
  void timed(F&& f) {
    const double began = now();
    f();
    seconds += now() - began;
  }

  Comm& comm_;
};

struct Totals {
  std::int64_t passes = 0, calls = 0, numbers = 0;
};

Totals totals_of(const std::vector<Call>& calls) {
  Totals totals;
  for (const Call& call : calls) {
    if (call.kind == Call::Kind::kEndOfPass) {
      ++totals.passes;
      continue;
    }
    ++totals.calls;
    totals.numbers += static_cast<std::int64_t>(call.kind == Call::Kind::kGather ? call.length / 8 : call.length);
  }
  return totals;
}

/// The same passes and calls, bare.
double replay(Source& source, const std::vector<Call>& calls, Comm& comm) {
  std::vector<double> doubles;
  std::vector<std::int64_t> words;
  std::vector<std::byte> bytes;
  const std::vector<double> weight(source.shape().features, 1.0);
  double sum = 0;
  const double began = now();
  bool passed = false;
  for (const Call& call : calls) {
    if (!passed) {
      source.rewind(0);
      while (const auto batch = source.next()) sum += bare_sum(*batch, weight.data());
      passed = true;
    }
    switch (call.kind) {
      case Call::Kind::kDoubles:
        doubles.assign(call.length, 1);
        comm.all_reduce(std::span(doubles), call.op);
        break;
      case Call::Kind::kWords:
        words.assign(call.length, 1);
        comm.all_reduce(std::span(words), call.op);
        break;
      case Call::Kind::kGather:
        bytes.resize(call.length);
        comm.all_gather(bytes);
        break;
      case Call::Kind::kEndOfPass:
        passed = false;
        break;
    }
  }
  const double seconds = now() - began;
  return sum == 0.5 ? 0 : seconds;  // the sum is used, so that it is computed
}

void work(const std::string& loss, const std::vector<std::string>& files, Comm& comm) {
  ReadOptions reading;
  reading.threads = 1;
  const auto source = load(files, reading, comm);
  std::int64_t size[2] = {source->shape().rows, source->shape().nonzeros};
  comm.all_reduce(std::span<std::int64_t>(size), Comm::Op::kSum);
  TrainSpec spec;
  spec.learner = "margin";
  spec.options["loss"] = loss;
  spec.options["solver"] = std::string(loss == "hinge" ? "planes" : "newton");
  TrainOptions options;
  options.threads = 1;
  RecordingComm recording(comm);
  const double began = now();
  const Outcome outcome = fit(*source, spec, options, recording, [&](const Progress& progress) {
    if (progress.pass_ended) recording.calls.push_back({Call::Kind::kEndOfPass, Comm::Op::kSum, 0});
  });
  const double seconds = now() - began;
  const double bare = replay(*source, recording.calls, comm);
  if (comm.rank() != 0) return;
  const Totals totals = totals_of(recording.calls);
  const std::vector<double>& theta = outcome.model.theta;
  fmt::print(
      "{{\"loss\": \"{}\", \"workers\": {}, \"rows\": {}, \"nonzeros\": {}, \"features\": {}, \"passes\": {}, \"gap\": "
      "{}, "
      "\"objective\": {}, "
      "\"calls\": {}, \"numbers\": {}, \"theta\": \"{:016x}\", \"seconds\": {}, "
      "\"exchange_seconds\": {}, \"bare_seconds\": {}}}\n",
      loss, comm.size(), size[0], size[1], source->shape().features, totals.passes,
      outcome.history.back().gap.value_or(1), outcome.history.back().objective.value_or(0), totals.calls,
      totals.numbers, XXH3_64bits(theta.data(), theta.size() * sizeof(double)), seconds, recording.seconds, bare);
}

int run(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "linsep_workers LOSS WORKERS FILE…\n");
    return 2;
  }
  const std::string loss = argv[1];
  const std::vector<std::string> files(argv + 3, argv + argc);
  if (const auto engine = join(launch())) {
    work(loss, files, *engine);
    engine->finish();
  } else {
    run_threads(std::atoi(argv[2]), [&](Comm& comm) { work(loss, files, comm); });
  }
  return 0;
}

}  // namespace
}  // namespace linsep

int main(int argc, char** argv) {
  try {
    return linsep::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "linsep_workers: {}\n", error.what());
    return 4;
  }
}
