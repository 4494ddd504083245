// Binding of linsep/tools/engines.h and linsep/tools/shards.h, for workers that find each other by one exchange of
// texts and share rows.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/pass.h"
#include "linsep/tools/engines.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shards.h"
#include "linsep/train.h"
#include "module.h"
#include "rows.h"
#include "scanned_rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

/// The workers of a run for Python. Counts what is exchanged, and can be left before its end.
class Workers : public Comm {
 public:
  explicit Workers(std::unique_ptr<EngineComm> engine)
      : engine_(std::move(engine)), rank_(engine_->rank()), size_(engine_->size()) {}
  ~Workers() override { end("the worker ended without closing its Comm"); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void all_reduce(std::span<double> data, Op op) override {
    count(data.size_bytes());
    engine().all_reduce(data, op);
  }
  void all_reduce(std::span<std::int64_t> data, Op op) override {
    count(data.size_bytes());
    engine().all_reduce(data, op);
  }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    count(data.size());
    return engine().all_gather(data);
  }
  void abort(const std::string& message) override { engine().abort(message); }

  /// Waits until all workers have called this.
  void close() {
    if (!engine_) return;
    engine_->finish();
    engine_.reset();
  }
  /// Ends the run on all workers, which fail with this message unless it has already ended.
  void end(const std::string& message) noexcept {
    if (!engine_) return;
    try {
      engine_->abandon(engine_->end(message, 1));
    } catch (const std::exception&) {
      // The others notice on their own that this one is gone.
    }
    engine_.reset();
  }
  std::int64_t rounds() const { return rounds_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  EngineComm& engine() {
    if (!engine_) throw usage_error("this Comm is closed");
    return *engine_;
  }
  void count(std::size_t bytes) {
    ++rounds_;
    bytes_ += static_cast<std::int64_t>(bytes);
  }

  std::unique_ptr<EngineComm> engine_;
  const int rank_, size_;
  std::int64_t rounds_ = 0, bytes_ = 0;
};

std::unique_ptr<Workers> connect(nb::callable all_gather, int rank, int size, const std::string& address,
                                 const std::string& ports, double timeout) {
  GlooOptions options;
  options.rank = rank;
  options.size = size;
  options.timeout_seconds = timeout;
  if (!address.empty()) options.interface = address;
  if (!ports.empty()) options.ports = parse_ports(ports);
  const AllGather meet = [&](const std::string& mine) {
    const nb::gil_scoped_acquire python;
    const nb::object all = all_gather(nb::bytes(mine.data(), mine.size()));
    std::vector<std::string> texts;
    for (const nb::handle each : all) {
      const auto bytes = nb::cast<nb::bytes>(each);
      texts.emplace_back(bytes.c_str(), bytes.size());
    }
    return texts;
  };
  const nb::gil_scoped_release others_may_run;
  return std::make_unique<Workers>(gloo(options, meet));
}

Comm::Op op_named(const std::string& name) {
  if (name == "sum") return Comm::Op::kSum;
  if (name == "max") return Comm::Op::kMax;
  throw option_error("op", "{} is \"sum\" or \"max\", not \"" + name + "\"");
}

Vector<double> all_reduce(Workers& comm, const std::vector<double>& data, const std::string& op) {
  std::vector<double> sums = data;
  {
    const nb::gil_scoped_release others_may_run;
    comm.all_reduce(sums, op_named(op));
  }
  return to_array(std::move(sums));
}

nb::typed<nb::list, nb::bytes> all_gather(Workers& comm, const nb::bytes& data) {
  const std::span<const std::byte> mine(reinterpret_cast<const std::byte*>(data.c_str()), data.size());
  std::vector<std::vector<std::byte>> all;
  {
    const nb::gil_scoped_release others_may_run;
    all = comm.all_gather(mine);
  }
  nb::typed<nb::list, nb::bytes> out;
  for (const std::vector<std::byte>& each : all) {
    out.append(nb::bytes(reinterpret_cast<const char*>(each.data()), each.size()));
  }
  return out;
}

/// Rows that are divided among workers.
class ShardRows : public RowStore {
 public:
  ShardRows(nb::object comm, std::unique_ptr<Source> source, std::uint64_t memory, bool weighted, std::string type,
            std::string account = "")
      : comm_(std::move(comm)),
        workers_(nb::cast<Workers&>(comm_)),
        source_(std::move(source)),
        memory_(memory),
        weighted_(weighted),
        label_type_(std::move(type)),
        account_(std::move(account)) {}

  Source& load(const Watch& /*watch*/) override { return *source_; }
  const Source* loaded() const override { return source_.get(); }
  bool weighted() const override { return weighted_; }
  std::uint64_t memory() const override { return memory_; }
  std::string label_type() const override { return label_type_; }
  std::string account() const override { return account_; }
  Comm* workers() override { return &workers_; }

 private:
  nb::object comm_;  // kept alive
  Workers& workers_;
  std::unique_ptr<Source> source_;
  std::uint64_t memory_;
  bool weighted_;
  std::string label_type_, account_;
};

/// What Python's iterator returns, with the arrays that hold the current rows.
class Arrivals {
 public:
  explicit Arrivals(nb::callable next) : next_(std::move(next)) {}

  std::optional<ArrivingRows> next() {
    const nb::gil_scoped_acquire python;
    try {
      held_ = next_();
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_ValueError)) throw;
      throw input_error(nb::cast<std::string>(nb::str(error.value())));  // all workers get this message
    }
    if (held_.is_none()) return std::nullopt;
    const auto item = [&](const char* name) -> nb::object { return held_[name]; };
    ArrivingRows arrived;
    Batch& rows = arrived.rows;
    rows.features = nb::cast<std::uint32_t>(item("features"));
    rows.rows = nb::cast<std::int64_t>(item("rows"));
    rows.dense = item("start").is_none();
    rows.stride = rows.dense ? rows.features : 0;
    if (!rows.dense) {
      rows.start = values<std::uint64_t>(item("start"));
      rows.column = values<std::uint32_t>(item("column"));
    }
    const nb::object value = item("value");
    rows.is_float = nb::isinstance<Values<float>>(value);
    if (rows.is_float) {
      rows.value32 = values<float>(value);
    } else {
      rows.value64 = values<double>(value);
    }
    if (const nb::object label = item("label"); !label.is_none()) rows.label = values<double>(label);
    if (const nb::object weight = item("weight"); !weight.is_none()) rows.weight = values<double>(weight);
    arrived.label_words = nb::cast<std::vector<std::string>>(item("words"));
    arrived.ids = nb::cast<std::vector<std::string>>(item("ids"));
    return arrived;
  }

 private:
  template <class T>
  using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  /// The array's memory, kept alive by `held_`.
  template <class T>
  static std::span<const T> values(const nb::object& array) {
    const auto view = nb::cast<Values<T>>(array);
    return {view.data(), view.size()};
  }

  nb::callable next_;
  nb::object held_ = nb::none();
};

std::unique_ptr<Rows> load_rows_of_all(nb::object comm, nb::callable next, const Dict& read, const std::string& folder,
                                       bool weighted, std::string label_type, nb::object observe) {
  const ReadOptions given = read_options(read);
  auto& workers = nb::cast<Workers&>(comm);
  Arrivals arrivals(std::move(next));
  std::unique_ptr<Source> source = supervised(std::move(observe), [&](const Watch& watch) {
    ReadOptions options = given;
    options.interrupt = watch.interrupt;
    return load_shard([&] { return arrivals.next(); }, options, folder, workers, watch.observe);
  });
  return std::make_unique<Rows>(
      std::make_unique<ShardRows>(std::move(comm), std::move(source), given.memory, weighted, std::move(label_type)));
}

/// Rows of a table's raw columns, for a learner. The encoding is fitted to the columns of all workers.
std::unique_ptr<Rows> load_table_of_all(nb::object comm, const nb::object& sample, bool whole, const nb::object& own,
                                        const Dict& read, const nb::object& table, const std::string& learner,
                                        const std::string& folder, std::string label_type, nb::object observe) {
  const LearnerInfo& info = learner_info(learner);
  ReadOptions options = read_options_for(info, false, read_options(read));
  TableSpec spec = column_choice(table).value_or(ColumnChoice{}).spec(false);
  if (spec.scale == Scale::kAuto) spec.scale = usual_scale(info);
  auto& workers = nb::cast<Workers&>(comm);
  ArrowArrayStream first_rows = stream_of(sample), to_fit = stream_of(own), to_load = stream_of(own);
  std::string account;
  std::unique_ptr<Source> source = supervised(std::move(observe), [&](const Watch& watch) {
    options.interrupt = watch.interrupt;
    FittedTable fitted = fit_table_shard(ArrowTable(&first_rows, "the first rows"), whole,
                                         ArrowTable(&to_fit, "the rows of this worker"), options, spec, workers);
    account = account_text(fitted.account);
    options.table = std::make_shared<const TableMap>(std::move(fitted.map));
    return load_shard(&to_load, options, folder, workers, watch.observe);
  });
  return std::make_unique<Rows>(std::make_unique<ShardRows>(std::move(comm), std::move(source), options.memory,
                                                            !options.weight.empty(), std::move(label_type),
                                                            std::move(account)));
}

/// Goes over rows and exchanges numbers but learns nothing, which shows the least that training costs.
class BarePass : public Pass {
 public:
  explicit BarePass(std::size_t numbers) : numbers_(numbers) {}

  void begin(const Shape& /*shape*/) override {}
  void visit(const Batch& batch) override {
    double sum = std::accumulate(batch.value32.begin(), batch.value32.end(), 0.0);
    sum = std::accumulate(batch.value64.begin(), batch.value64.end(), sum);
    const std::uint64_t columns = std::accumulate(batch.column.begin(), batch.column.end(), std::uint64_t{0});
    if (!numbers_.empty()) numbers_[0] += sum + static_cast<double>(columns);
  }
  void synchronise(Comm& comm) override { comm.all_reduce(numbers_, Comm::Op::kMax); }
  Verdict end_pass(Progress& /*progress*/) override { return Verdict::kContinue; }

 private:
  std::vector<double> numbers_;
};

double bare_passes(Rows& rows, std::int64_t passes, std::size_t numbers) {
  const RowsLock use(rows);
  return supervised(nb::none(), [&](const Watch& watch) {
    TrainOptions options{watch.limits()};
    options.max_passes = passes;
    BarePass pass(numbers);
    const double began = seconds_now();
    run_passes(rows.source(watch), pass, options, rows.comm());
    return seconds_now() - began;
  });
}

}  // namespace

void bind_cluster(nb::module_& m) {
  nb::class_<Workers>(m, "Comm", "The workers of a run.")
      .def_prop_ro("rank", &Workers::rank)
      .def_prop_ro("size", &Workers::size)
      .def_prop_ro("rounds", &Workers::rounds)
      .def_prop_ro("bytes", &Workers::bytes)
      .def("all_reduce", &all_reduce, "data"_a, "op"_a = "sum")
      .def("all_gather", &all_gather, "data"_a)
      .def("close", &Workers::close, nb::call_guard<nb::gil_scoped_release>())
      .def("end", &Workers::end, "message"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def("connect", &connect, "all_gather"_a, "rank"_a, "size"_a, nb::kw_only(), "address"_a = "", "ports"_a = "",
        "timeout"_a = kWorkerTimeout,
        "Connects workers, which meet by one call of `all_gather(bytes) -> list[bytes]`.");
  m.def("load_shard", &load_rows_of_all, "comm"_a, "next"_a, "read"_a, nb::kw_only(), "folder"_a = "",
        "weighted"_a = false, "label_type"_a = "", "observe"_a = nb::none(),
        "Rows of all workers; `next()` returns a dict of arrays, or None at the end.");
  m.def("load_table_shard", &load_table_of_all, "comm"_a, "sample"_a, "whole"_a, "own"_a, "read"_a, "table"_a,
        nb::kw_only(), "learner"_a, "folder"_a = "", "label_type"_a = "", "observe"_a = nb::none(),
        "Rows of all workers' raw columns, fitted and encoded. `own` can be read twice.");
  m.def("bare_passes", &bare_passes, "rows"_a, "passes"_a, "numbers"_a,
        "The seconds of passes over rows, each with an all-reduce of so many numbers, without learning.");
}

}  // namespace linsep::python
