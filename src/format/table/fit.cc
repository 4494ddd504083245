// fit_table: all rows of the tables are gone through once, by all threads and workers, and counted.
#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <utility>

#include "format/arrow/files.h"
#include "format/csv/csv.h"
#include "format/csv/table.h"
#include "format/load.h"
#include "format/pages/pages.h"
#include "format/shards/share_files.h"
#include "format/table/finish.h"
#include "format/table/label_counts.h"
#include "format/table/plan.h"
#include "format/table/sample.h"
#include "format/text/held.h"
#include "linsep/error.h"
#include "linsep/table/fit.h"
#include "table/fitter.h"

namespace linsep {
namespace {

/// What a thread has counted is given to the others beyond this.
constexpr std::uint64_t kMostOfAThread = std::uint64_t{32} << 20;
/// See TableFitter::take.
constexpr int kPlaceBits = 48;

/// What one thread counts.
struct Tally {
  Tally(const TableSpec& spec, const std::vector<PlannedColumn>& columns) : fitter(spec, columns) {}

  TableFitter fitter;
  LabelCounts labels;
};

/// Counts rows from any thread.
class Tallies {
 public:
  Tallies(TableSpec spec, const std::vector<PlannedColumn>& columns)
      : spec_(std::move(spec)), columns_(columns), all_(spec_, columns_) {}

  void take(const TableBatch& rows, std::uint64_t place, const ParsedPage& page) {
    std::unique_ptr<Tally> own = pool_.take();
    if (!own) {
      own = std::make_unique<Tally>(spec_, columns_);
      ++made_;
    }
    own->fitter.take(rows, place);
    own->labels.take(page);
    if (made_ > 1 && own->fitter.bytes() > kMostOfAThread) {
      const std::scoped_lock lock(mutex_);
      all_.fitter.merge(own->fitter);
    }
    pool_.give(std::move(own));
  }

  /// Of all threads. REQUIRES: none takes rows any more.
  Tally& together() {
    for (const auto& own : pool_.all()) {
      all_.fitter.merge(own->fitter);
      all_.labels.merge(own->labels);
    }
    pool_.all().clear();
    return all_;
  }

 private:
  TableSpec spec_;
  const std::vector<PlannedColumn>& columns_;
  csv::Pool<Tally> pool_;
  std::atomic<int> made_ = 0;  ///< one alone isn't given to others
  std::mutex mutex_;
  Tally all_;  ///< guarded by mutex_ while rows are taken
};

/// Goes through the rows of this worker.
void count_rows(const std::vector<Piece>& pieces, std::span<const std::string> paths, const ReadOptions& options,
                const TablePlan& plan, const Stations& base, Tallies& tallies, const Observer& observe) {
  Progress progress;
  progress.phase = Phase::kReading;
  const int file_bits = std::bit_width(paths.size());
  for (const Piece& piece : pieces) {
    const auto file = static_cast<std::uint64_t>(std::ranges::find(paths, piece.path) - paths.begin());
    const std::uint64_t first = file << (kPlaceBits - file_bits);
    const std::uint64_t most = (std::uint64_t{1} << (kPlaceBits - file_bits)) - 1;
    Stations stations = base;
    stations.csv = [&, first, most](std::string_view head, const ReadOptions& reading) {
      return table_format(head, reading, plan.table,
                          [&tallies, first, most](const TableBatch& rows, std::uint64_t byte, const ParsedPage& page) {
                            tallies.take(rows, first + std::min(byte, most), page);
                          });
    };
    PieceReader reader({piece}, options, stations);
    while (const auto read = reader.next()) {
      if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
      progress.rows += read->parsed.page.batch.rows;
      if (observe) observe(progress);
    }
  }
}

FittedTable fit_planned(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                        const TablePlan& plan, const Stations& stations, Comm& comm, const Observer& observe) {
  std::optional<Tallies> tallies;
  TableSpec resolved = spec;
  if (resolved.scale == Scale::kAuto) resolved.scale = Scale::kNone;
  Stations looking = stations;
  looking.csv = [&](std::string_view head, const ReadOptions& reading) {
    return table_format(head, reading, plan.table, [](const TableBatch&, std::uint64_t, const ParsedPage&) {});
  };
  const std::vector<Piece> pieces = share_files(paths, options, looking, comm);
  rethrow_on_all(comm, [&] {
    tallies.emplace(resolved, plan.planned);
    count_rows(pieces, paths, options, plan, stations, *tallies, observe);
  });
  Tally& all = tallies->together();
  return finish_fit(plan, options, spec, all.fitter, all.labels, files_name(paths), comm);
}

}  // namespace

FittedTable fit_table_with(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                           const Stations& stations, Comm& comm, const Observer& observe) {
  if (paths.empty() || are_page_files(paths)) return {};
  if (are_arrow_files(paths)) return fit_table(open_arrow_files(paths, comm), options, spec, observe);
  Sample sample;
  TablePlan plan;
  rethrow_on_all(comm, [&] {
    if (comm.size() == 1) {
      for (const std::string& path : paths) hold_input(path, options);
    }
    read_sample(paths[0], options, sample);
    if (sample.format != ReadOptions::Format::kSvmlight) plan = plan_table(sample, options, spec);
  });
  FittedTable result;
  if (sample.format == ReadOptions::Format::kSvmlight) {
    result.account.file = sample.name;
  } else if (plan.numbers_only) {
    result.account = plan.account;
    result.map.rows = plan.account.looked_at;  // for messages about what comes behind them
    if (sample.whole && paths.size() == 1) result.account.rows = plan.account.looked_at;
  } else {
    result = fit_planned(paths, options, spec, plan, stations, comm, observe);
  }
  for (const std::string& path : paths) release_input(path);
  return result;
}

FittedTable fit_table(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec, Comm& comm,
                      const Observer& observe) {
  return fit_table_with(paths, options, spec, {}, comm, observe);
}

}  // namespace linsep
