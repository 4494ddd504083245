#include "train/certify/steps.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "certify/coefficients/directions.h"
#include "certify/coefficients/estimate_search.h"
#include "certify/finder/finder.h"
#include "exact/decimal.h"
#include "linsep/train.h"

namespace linsep {
namespace {

/// Nothing is computed for more columns than this. For more than the second number, only what one pass shows.
constexpr std::uint32_t kMostColumns = 1U << 17;
constexpr std::size_t kMostSearched = 2048;
/// How many rows the working set begins with (two per column, within these limits), and how many rows a failed vector
/// adds.
constexpr std::size_t kFewestRows = 64, kMostRows = 1024;
constexpr std::size_t kAddedRows = 6;
/// The limits of what is done by default. Separated rows have at most this many entries, and the search does at most
/// this much work. It isn't begun if its questions alone take seconds, as they do with hundreds of dense columns.
constexpr std::int64_t kMostEntries = std::int64_t{1} << 22;
constexpr std::int64_t kWork = std::int64_t{1} << 33, kMostAhead = std::int64_t{1} << 31;

class Estimates {
 public:
  Estimates(Source& source, const CertifyOptions& options, const Finder& finder, const Separability& found,
            const Deadline& deadline, Comm& comm, const Observer& observe, CertifyOutcome& outcome)
      : source_(source),
        options_(options),
        finder_(finder),
        found_(found),
        own_deadline_(deadline),
        deadline_([&] { return all_reduce_any(comm, deadline.expired()); }),
        comm_(comm),
        observe_(observe),
        outcome_(outcome),
        space_(finder.space().columns(), !found.witness.empty(), found.dependent),
        search_(
            space_, finder.scaling().exponent, [this](const std::vector<std::int64_t>& rows) { return read(rows); },
            [this](std::vector<IntegerVector> directions) { return tried(std::move(directions)); }) {}

  void run() {
    // What was found before a stop remains valid.
    if ((options_.coefficients || entries() <= kMostEntries) && !deadline_.expired()) {
      run_until(own_deadline_, 0, comm_, [&] { find(); });
    }
    if (!run_until(own_deadline_, Grace::kStating, comm_, [&] { add_coefficients(); })) {
      outcome_.certificate.coefficients = {};
      outcome_.estimates.clear();
      return;
    }
    run_until(own_deadline_, Grace::kStating, comm_, [&] { add_computed_signs(); });
  }

 private:
  /// About how many entries the separated rows have. The same on every worker.
  std::int64_t entries() {
    const Shape shape = source_.shape();
    const std::int64_t known = std::max<std::int64_t>(shape.nonzeros, 0);
    std::int64_t each = finder_.space().columns();
    if (!finder_.scaling().mapped() && !all_reduce_any(comm_, shape.nonzeros < 0)) {
      each = all_reduce_sum(comm_, known) / std::max<std::int64_t>(found_.rows, 1) + 1;
    }
    return (found_.rows - found_.left_at_zero) * each;
  }

  void find() {
    IntegerVector base = base_direction();
    if (base.empty() || !first_scan(std::move(base)) || space_.size() > kMostSearched) return;
    if (!options_.coefficients && search_.work_ahead() > kMostAhead) return;
    search_.run(options_.coefficients ? std::numeric_limits<std::int64_t>::max() : kWork, deadline_);
  }

  /// Makes one pass over all rows. False if it was interrupted.
  bool run_pass(Pass& pass) {
    TrainOptions once{options_};
    once.time_limit = 0;
    once.max_passes = 1;
    ++outcome_.passes;
    return run_passes(source_, pass, once, comm_, observe_).reason == StopReason::kConverged;
  }

  /// Rows of this worker, each read only once.
  std::vector<const ExactRow*> own_rows(const std::vector<std::int64_t>& rows) {
    std::vector<std::int64_t> unread;
    for (const std::int64_t row : rows) {
      if (!exact_.contains(row)) unread.push_back(row);
    }
    if (!unread.empty()) {
      for (ExactRow& z : finder_.read_own(unread)) exact_.emplace(z.row, std::move(z));
    }
    std::vector<const ExactRow*> all;
    for (const std::int64_t row : rows) all.push_back(&exact_.at(row));
    return all;
  }

  std::vector<ExactRow> read(const std::vector<std::int64_t>& rows) {
    if (comm_.size() > 1) return finder_.read_exactly(rows, comm_);
    std::vector<ExactRow> all;
    for (const ExactRow* z : own_rows(rows)) all.push_back(*z);
    return all;
  }

  SeparatedRows separated() const {
    return [this](std::int64_t row) { return finder_.separates(found_, row); };
  }

  /// A vector with z·w > 0 on all separated rows. Empty if none could be made.
  IntegerVector base_direction() {
    std::vector<LevelSizes::Level> levels;
    for (const SignPeeler::Level& level : found_.levels) {
      LevelSizes::Level weights;
      for (std::size_t k = 0; k < level.column.size(); ++k) weights.emplace_back(level.column[k], level.sign[k]);
      levels.push_back(std::move(weights));
    }
    if (!found_.weights.empty()) levels.push_back(found_.weights);
    if (levels.size() == 1) {
      IntegerVector base(space_.columns());
      for (const auto& [column, weight] : levels.front()) base[column] = weight;
      return base;
    }
    LevelSizes pass(finder_.scaling(), separated(), std::move(levels));
    return run_pass(pass) ? pass.combined() : IntegerVector{};
  }

  DirectionScanOptions scan_options(bool steps) {
    DirectionScanOptions options;
    options.scaling = finder_.scaling();
    options.separated = separated();
    options.read = [this](const std::vector<std::int64_t>& rows) { return own_rows(rows); };
    options.most_rows = steps ? std::clamp(2 * space_.size(), kFewestRows, kMostRows) : kAddedRows;
    options.steps = steps;
    return options;
  }

  bool first_scan(IntegerVector base) {
    DirectionScan scan(scan_options(true), {base});
    if (!run_pass(scan) || !scan.conclusive() || !scan.violated(0).empty()) return false;
    if (!space_.whole()) {
      search_.add_direction(std::move(base), true);
    } else {
      ColumnSteps steps = column_steps(base, scan.exponent(), scan.lower(), scan.upper());
      for (const auto& [column, step] : steps.step) search_.set_undetermined(column);
      steps_ = std::move(steps.step);
      search_.add_direction(std::move(steps.base), true);
    }
    if (space_.size() <= kMostSearched) search_.add_rows(scan.nearest());
    return true;
  }

  std::optional<std::vector<std::vector<std::int64_t>>> tried(std::vector<IntegerVector> directions) {
    const std::size_t count = directions.size();
    DirectionScan scan(scan_options(false), std::move(directions));
    if (!run_pass(scan) || !scan.conclusive()) return std::nullopt;
    std::vector<std::vector<std::int64_t>> violated;
    for (std::size_t k = 0; k < count; ++k) violated.push_back(scan.violated(k));
    return violated;
  }

  static ExactWeights exact_weights(const IntegerVector& w) {
    ExactWeights weights;
    for (std::uint32_t column = 0; column < w.size(); ++column) {
      poll(100 + bit_length(w[column]));
      if (w[column] != 0) weights.push_back({column, exact_text(w[column])});
    }
    return weights;
  }

  /// The first direction, and then, one after another, the one that gives the most columns a missing sign, until none
  /// lacks one.
  std::vector<std::size_t> fewest_directions(const std::vector<std::uint32_t>& columns) const {
    const std::vector<IntegerVector>& all = search_.directions();
    std::set<std::pair<std::uint32_t, int>> lacking;
    for (const std::uint32_t column : columns) lacking.insert({{column, -1}, {column, 1}});
    for (const auto& [column, step] : steps_) lacking.erase({column, sign_of(step)});
    std::vector<std::size_t> chosen;
    std::size_t next = 0;
    while (true) {
      chosen.push_back(next);
      std::erase_if(lacking, [&](const auto& each) { return sign_of(all[next][each.first]) == each.second; });
      std::size_t most = 0;
      for (std::size_t k = 1; k < all.size(); ++k) {
        std::size_t gives = 0;
        poll(20 * lacking.size());
        for (const auto& [column, sign] : lacking) gives += sign_of(all[k][column]) == sign ? 1 : 0;
        if (gives <= most) continue;
        most = gives;
        next = k;
      }
      if (most == 0) break;
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  void add_coefficients() {
    Coefficients& coefficients = outcome_.certificate.coefficients;
    outcome_.estimates.resize(space_.columns());
    for (std::uint32_t column = 0; column < space_.columns(); ++column) {
      CoefficientEstimate& estimate = outcome_.estimates[column];
      estimate.column = column;
      if (space_.fixed(column)) {
        estimate.estimate = Estimate::kFinite;
        coefficients.finite.push_back(column);
      } else if (search_.undetermined(column)) {
        estimate.estimate = Estimate::kUndetermined;
        coefficients.undetermined.push_back(column);
      }
    }
    for (const EstimateSearch::Infinite& infinite : search_.infinite()) {
      Coefficients::Infinite entry{infinite.column, {}};
      for (const auto& [row, alpha] : infinite.alpha) entry.alpha.push_back({row, exact_text(alpha)});
      (infinite.sign > 0 ? coefficients.plus_infinity : coefficients.minus_infinity).push_back(std::move(entry));
      outcome_.estimates[infinite.column].estimate =
          infinite.sign > 0 ? Estimate::kPlusInfinity : Estimate::kMinusInfinity;
    }
    const auto by_column = [](const auto& a, const auto& b) { return a.column < b.column; };
    std::sort(coefficients.plus_infinity.begin(), coefficients.plus_infinity.end(), by_column);
    std::sort(coefficients.minus_infinity.begin(), coefficients.minus_infinity.end(), by_column);
    if (coefficients.undetermined.empty()) return;
    for (const std::size_t k : fewest_directions(coefficients.undetermined)) {
      coefficients.directions.push_back(exact_weights(search_.directions()[k]));
    }
    for (const auto& [column, step] : steps_) coefficients.steps.push_back({column, exact_text(step)});
  }

  void add_computed_signs() {
    const std::vector<double> direction = widest_direction(space_, search_.rests(), finder_.space());
    if (direction.empty()) return;
    const std::vector<int> signs = signs_of(direction, finder_.scaling().exponent);
    for (CoefficientEstimate& estimate : outcome_.estimates) estimate.computed_sign = signs[estimate.column];
  }

  Source& source_;
  const CertifyOptions& options_;
  const Finder& finder_;
  const Separability& found_;
  const Deadline& own_deadline_;
  Deadline deadline_;  // of all workers
  Comm& comm_;
  const Observer& observe_;
  CertifyOutcome& outcome_;
  DirectionSpace space_;
  EstimateSearch search_;
  std::vector<std::pair<std::uint32_t, Rational>> steps_;
  std::unordered_map<std::int64_t, ExactRow> exact_;
};

}  // namespace

void add_estimates(Source& source, const CertifyOptions& options, const Finder& finder, const Separability& found,
                   const Deadline& deadline, Comm& comm, const Observer& observe, CertifyOutcome& outcome) {
  if (finder.space().columns() > kMostColumns) {
    outcome.estimates.resize(finder.space().columns());
    for (std::uint32_t column = 0; column < outcome.estimates.size(); ++column) {
      outcome.estimates[column].column = column;
    }
    return;
  }
  Estimates(source, options, finder, found, deadline, comm, observe, outcome).run();
}

}  // namespace linsep
