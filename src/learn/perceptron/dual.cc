// The perceptron in its dual form.
//
// Problem: The perceptron's, with K(x, x′) instead of the product x·x′. Find α ≥ 0 with y_i·z_i > 0 on every row, where
// z_i = Σ_j α_j·y_j·K(x_j, x_i) + θ0. (Aizerman, Braverman & Rozonoer 1964; Freund & Schapire 1999.)
//
// Method: Start from α = 0. On a mistake, y·z ≤ 0, α of that row grows by 1 and θ0 by y (not with `origin`). So α
// counts the mistakes on each row, and with the linear kernel the run is the primal's from θ = 0 with η = 1. In that
// case θ = Σ α_i·y_i·x_i is added up in the order of the mistakes, as the primal does it.
//
// The rows with α > 0 are kept as copies. Values K(kept row, row) are computed once and kept for the next passes, as
// far as `cache` reaches. Sums run over kept rows in the order of their first mistake. The cache never changes a bit,
// and scores are those of the model that is left behind.
//
// Stops: At the first pass without a mistake.
//
// Cost: For n rows with s kept rows, the first pass takes n·s kernel values and later ones n·s multiplications (past
// the cache, kernel values again). Memory holds the kept rows and the cache. Workers: one.
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/deadline.h"
#include "kernel/kernel.h"
#include "learn/common_options.h"
#include "learn/learners.h"
#include "learn/perceptron/record.h"
#include "linsep/error.h"
#include "map/kernel_function.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

Kernel kernel_of(const Options& options) {
  Kernel kernel;
  const std::string& name = get_text(options, "kernel");
  if (name == "polynomial") kernel.kind = Kernel::Kind::kPolynomial;
  if (name == "gaussian") kernel.kind = Kernel::Kind::kGaussian;
  kernel.degree = static_cast<int>(get_integer(options, "degree"));
  kernel.constant = get_number(options, "constant");
  kernel.gamma = get_number(options, "gamma");
  return kernel;
}

class DualPerceptron final : public Learner {
 public:
  explicit DualPerceptron(const Options& options)
      : kernel_(kernel_of(options)),
        origin_(get_flag(options, "origin")),
        traced_(get_flag(options, "trace")),
        cache_bytes_(static_cast<std::size_t>(get_number(options, "gram-cache") * 1e6)) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }
  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  Model model() const override;
  TrainingStats stats() const override;
  void record_visits(std::int64_t most) override { visits_.set_most(most); }
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  bool linear() const { return kernel_.kind == Kernel::Kind::kLinear; }
  template <class Row>
  double score(const Row& x, std::int64_t row);
  template <class Row>
  void correct(const Row& x, double y, std::int64_t row);
  template <class Row>
  void record(const Row& x, double y, std::int64_t row, double before);
  std::vector<double>* cache_of(std::int64_t row);
  bool make_room(std::vector<double>& values, std::size_t size);

  const Kernel kernel_;
  const bool origin_;
  const bool traced_;
  const std::size_t cache_bytes_;
  Deadline deadline_;

  KeptRows kept_;                                        ///< rows with α > 0, in the order of their first mistake
  std::vector<double> coefficient_;                      ///< α·y of each
  std::vector<std::int64_t> number_;                     ///< row number of each
  std::unordered_map<std::int64_t, std::size_t> place_;  ///< the inverse of number_
  std::vector<double> theta_;                            ///< linear: Σ α·y·x
  double offset_ = 0;
  std::uint32_t features_ = 0;
  MistakeCount mistakes_;
  std::int64_t pass_ = 1;
  Trace trace_;
  Visits visits_;

  bool cached_ = false;                     ///< the rows will be seen again
  std::size_t cache_used_ = 0;              ///< bytes
  std::vector<std::vector<double>> cache_;  ///< by row: K with the first kept rows
  std::vector<double> values_;              ///< K of the current row if the cache has no room
  KeptRows row_;                            ///< the current row
};

void DualPerceptron::begin(const Shape& shape) {
  kept_ = {};
  coefficient_.clear();
  number_.clear();
  place_.clear();
  theta_.assign(linear() ? shape.features : 0, 0.0);
  offset_ = 0;
  features_ = shape.features;
  mistakes_.begin(shape);
  pass_ = 1;
  trace_ = {};
  visits_.begin(theta_, offset_);
  cached_ = shape.rows >= 0;
  cache_used_ = 0;
  cache_.clear();
}

void DualPerceptron::visit(const Batch& batch) {
  if (batch.features > features_) {
    features_ = batch.features;
    if (linear()) theta_.resize(features_);
  }
  mistakes_.visit(batch);
  deadline_.run([&] {
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if (batch.weight_of(i) == 0) return;
      const double y = batch.label[static_cast<std::size_t>(i)];
      const std::int64_t row = batch.number_of(i);
      const double margin = y * score(x, row);
      if (!(margin > 0)) correct(x, y, row);
      if (visits_.on()) record(x, y, row, margin);
    });
  });
}

// Where the row's values are cached, or nullptr if the cache may not grow by another row.
std::vector<double>* DualPerceptron::cache_of(std::int64_t row) {
  if (!cached_) return nullptr;
  const auto i = static_cast<std::size_t>(row);
  if (i >= cache_.size()) {
    const std::size_t more = (i + 1 - cache_.size()) * sizeof(std::vector<double>);
    if (cache_used_ + more > cache_bytes_) return nullptr;
    cache_used_ += more;
    cache_.resize(i + 1);
  }
  return &cache_[i];
}

bool DualPerceptron::make_room(std::vector<double>& values, std::size_t size) {
  if (size <= values.capacity()) return true;
  const std::size_t wanted = size + size / 4 + 4;
  const std::size_t more = (wanted - values.capacity()) * sizeof(double);
  if (cache_used_ + more > cache_bytes_) return false;
  cache_used_ += more;
  values.reserve(wanted);
  return true;
}

template <class Row>
double DualPerceptron::score(const Row& x, std::int64_t row) {
  constexpr std::uint64_t kOverhead = 16;  // of a kernel value
  std::vector<double>* values = cache_of(row);
  if (values == nullptr || !make_room(*values, kept_.size())) {
    values_.clear();
    if (values != nullptr) values_ = *values;
    values = &values_;
  }
  if (values->size() < kept_.size()) {
    row_.start.assign(1, 0);
    row_.column.clear();
    row_.value.clear();
    keep_row(row_, x);
    for (std::size_t j = values->size(); j < kept_.size(); ++j) {
      values->push_back(kernel_value(kernel_, kept_.row(j), row_.row(0)));
      poll(kept_.row(j).size + x.size + kOverhead);
    }
  }
  poll(kept_.size() + kOverhead);
  double z = 0;
  for (std::size_t j = 0; j < kept_.size(); ++j) z += coefficient_[j] * (*values)[j];
  return z + offset_;
}

template <class Row>
void DualPerceptron::correct(const Row& x, double y, std::int64_t row) {
  const auto [at, fresh] = place_.try_emplace(row, kept_.size());
  if (fresh) {
    keep_row(kept_, x);
    coefficient_.push_back(0);
    number_.push_back(row);
  }
  coefficient_[at->second] += y;
  if (linear()) axpy(y, x, theta_.data());
  if (!origin_) offset_ += y;
  mistakes_.add(row);
  if (traced_) trace_.record({pass_, row, theta_, offset_, coefficient_});
}

template <class Row>
void DualPerceptron::record(const Row& x, double y, std::int64_t row, double before) {
  RowVisit visit;
  visit.row = row;
  visit.before = before;
  visit.mistake = !(before > 0);
  visit.after = visit.mistake ? y * score(x, row) : before;
  visit.theta = theta_;
  visit.offset = offset_;
  visits_.record(std::move(visit));
}

void DualPerceptron::synchronise(Comm& comm) {
  if (comm.size() > 1) throw usage_error("the dual perceptron runs on one worker");
}

Verdict DualPerceptron::end_pass(Progress& progress) {
  cached_ = true;
  ++pass_;
  visits_.end_pass();
  progress.mistakes = mistakes_.end_pass();
  return *progress.mistakes == 0 ? Verdict::kConverged : Verdict::kContinue;
}

Model DualPerceptron::model() const {
  Model model;
  model.learner = "dual";
  model.origin = origin_;
  model.features = features_;
  model.offset = offset_;
  if (linear()) {
    model.theta = theta_;
    return model;
  }
  model.form = Model::Form::kDual;
  model.kernel = kernel_;
  model.kept = kept_;
  model.coefficient = coefficient_;
  return model;
}

TrainingStats DualPerceptron::stats() const {
  TrainingStats stats;
  mistakes_.report(stats);
  stats.trace = trace_.steps();
  stats.visits = visits_.so_far();
  return stats;
}

std::string DualPerceptron::save_state() const {
  ByteWriter writer;
  writer.text("dual 1");
  save_rows(writer, kept_);
  writer.numbers(coefficient_);
  writer.numbers(number_);
  writer.numbers(theta_);
  writer.number(offset_);
  writer.number(features_);
  mistakes_.save(writer);
  if (traced_) {
    writer.number(pass_);
    trace_.save(writer, true);
  }
  return writer.bytes();
}

void DualPerceptron::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("dual 1");
  kept_ = load_rows(reader, features_);
  coefficient_ = reader.numbers<double>(kept_.size());
  number_ = reader.numbers<std::int64_t>(kept_.size());
  theta_ = reader.numbers<double>(theta_.size());
  offset_ = reader.finite();
  require_state(reader.number<std::uint32_t>() == features_);
  mistakes_.load(reader);
  if (traced_) {
    pass_ = reader.count();
    trace_.load(reader, theta_.size(), true);
  }
  reader.end();
  place_.clear();
  for (std::size_t i = 0; i < number_.size(); ++i) {
    require_state(place_.emplace(number_[i], i).second, "a row in it comes twice");
  }
  cached_ = true;
  cache_used_ = 0;
  cache_.clear();
  visits_.begin(theta_, offset_, pass_);
}

OptionTable dual_perceptron_options() {
  return {
      passes_option(100),
      order_option(),
      seed_option(),
      origin_option(),
      in_group("objective", choice_option("kernel", "linear", {"linear", "polynomial", "gaussian"},
                                          "x·x′, (x·x′ + constant)^degree, or exp(−gamma·‖x − x′‖²). Rows of weight 0 "
                                          "are left out; other weights are ignored.")),
      in_group("objective", integer_option("degree", 2, 1, 100, "The power of the polynomial kernel.")),
      in_group("objective", number_option("constant", 1, 0, std::numeric_limits<double>::infinity(),
                                          "The constant that the polynomial kernel adds to x·x′.")),
      in_group("objective", positive_option("gamma", 1, "How fast the Gaussian kernel falls off.")),
      in_group("reports", flag_option("trace", "Record α·y after every mistake, until 8,388,608 numbers are kept.")),
      in_group("numerics", number_option("gram-cache", 256, 0, 1e9,
                                         "Megabytes for keeping kernel values between passes; never changes the "
                                         "result.")),
  };
}

MemoryRates memory_rates(const Options& options, const Shape& shape, int /*threads*/, const SolverChoice& /*choice*/) {
  const auto values = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.nonzeros, 0));
  // Each row keeps its values with the others, in arrays that double. They take no more than all pairs of rows do.
  const double rows = static_cast<double>(std::max<std::int64_t>(shape.rows, 0));
  const double cache = std::min(get_number(options, "gram-cache") * 1e6, rows * (24 + 16 * rows));
  const bool has_theta = kernel_of(options).kind == Kernel::Kind::kLinear;
  return {.row = 80,
          .column = has_theta ? 64ULL : 0ULL,
          .more = 2 * 12 * values + static_cast<std::uint64_t>(cache),
          .least_column = has_theta ? 12ULL : 0ULL};
}

}  // namespace

const LearnerEntry& dual_perceptron_entry() {
  static const LearnerEntry kEntry = {
      .info = {.name = "dual",
               .help = "The perceptron in dual form: counts mistakes per row, and takes kernels.",
               .formula = "α_i += 1 and θ0 += y_i on a mistake, z = Σ α_i·y_i·k(x_i, x) + θ0",
               .table = dual_perceptron_options()},
      .make = [](const Options& options, const Model* /*start*/, const LearnerRun& /*run*/)
          -> std::unique_ptr<Learner> { return std::make_unique<DualPerceptron>(options); },
      .refuse =
          [](const Options& options, const TrainingRequest& demand) {
            if (demand.workers > 1) throw usage_error("the dual perceptron runs on one worker");
            const Kernel kernel = kernel_of(options);
            const OptionTable& table = dual_perceptron_entry().info.table;
            if (kernel.kind != Kernel::Kind::kPolynomial) {
              refuse_options(options, table, {"degree", "constant"},
                             "{} belongs to the polynomial kernel: leave it out");
            }
            if (kernel.kind != Kernel::Kind::kGaussian) {
              refuse_options(options, table, {"gamma"}, "{} belongs to the Gaussian kernel: leave it out");
            }
          },
      .order = order_asked,
      .memory = memory_rates,
  };
  return kEntry;
}

}  // namespace linsep
