#include "format/table/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/words.h"
#include "format/csv/misfits.h"
#include "format/labels/labels.h"
#include "format/text/pool.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "table/date.h"
#include "table/fitter.h"
#include "table/kinds.h"

namespace linsep {
namespace {

/// How often a table has each label, for the account.
class LabelCounts {
 public:
  void take(const ParsedPage& page);
  void merge(const LabelCounts& other);
  /// "ham (negative, 4,825), spam (positive, 747)". For many classes, only their number. For a regression's numbers,
  /// nothing. Counts those of all workers, in a collective call.
  std::string text(const ReadOptions& options, Comm& comm) const;

 private:
  std::map<std::string, std::int64_t> rows_;  ///< by the label's name, without further labels past kMostClasses
};

constexpr std::size_t kMostShown = 8;

struct Counted {
  std::string name;
  std::int64_t rows = 0;
};

/// In the order of classes: as given, or numbers by size and words by bytes, with the positive class last of two.
std::vector<Counted> in_order(const std::map<std::string, std::int64_t>& rows, const ReadOptions& options) {
  std::vector<Counted> classes;
  for (const auto& [name, count] : rows) classes.push_back({name, count});
  const ClassOrder is_before(std::ranges::all_of(classes, ClassOrder::is_number, &Counted::name));
  const auto place = [&](const std::string& name) { return std::ranges::find(options.classes, name); };
  std::ranges::stable_sort(classes, [&](const Counted& a, const Counted& b) {
    if (!options.classes.empty()) return place(a.name) < place(b.name);
    return is_before(a.name, b.name);
  });
  if (classes.size() == 2 && !options.positive.empty() && classes[0].name == class_name(options.positive)) {
    std::swap(classes[0], classes[1]);
  }
  return classes;
}

void LabelCounts::take(const ParsedPage& page) {
  std::vector<std::int64_t> words(page.label_words.size());
  double last = 0;
  std::int64_t* count = nullptr;
  for (const double label : page.page.label) {
    if (!words.empty()) {
      ++words[static_cast<std::size_t>(label)];
      continue;
    }
    if (count == nullptr || label != last) {
      if (rows_.size() > kMostClasses) return;
      count = &rows_[number_name(label)];
      last = label;
    }
    ++*count;
  }
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (rows_.size() <= kMostClasses) rows_[page.label_words[k]] += words[k];
  }
}

void LabelCounts::merge(const LabelCounts& other) {
  for (const auto& [name, count] : other.rows_) rows_[name] += count;
}

std::string LabelCounts::text(const ReadOptions& options, Comm& comm) const {
  ByteWriter writer;
  for (const auto& [name, count] : rows_) {
    writer.text(name);
    writer.number(count);
  }
  std::map<std::string, std::int64_t> all;
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    for (ByteReader reader(bytes); !reader.at_end();) {
      const std::string name = reader.text();
      all[name] += reader.number<std::int64_t>();
    }
  }
  if (!options.labelled || options.regression || options.label_sets || !options.labels.empty()) return "";
  if (all.size() > kMostShown) return fmt::format("{} different labels", with_commas(all.size()));
  const std::vector<Counted> classes = in_order(all, options);
  std::string out;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const char* side = classes.size() != 2 ? "" : k == 0 ? "negative, " : "positive, ";
    out += fmt::format("{}{} ({}{})", k == 0 ? "" : ", ", shown_text(classes[k].name), side,
                       with_commas(static_cast<std::uint64_t>(classes[k].rows)));
  }
  return out;
}

/// Beyond this, a thread merges its counts into the shared ones.
constexpr std::uint64_t kMostOfAThread = std::uint64_t{32} << 20;
/// The counts of one thread.
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

  /// The counts of all threads. REQUIRES: none takes rows from now on.
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
  Pool<Tally> pool_;
  std::atomic<int> made_ = 0;  ///< a single thread doesn't share its counts
  std::mutex mutex_;
  Tally all_;  ///< guarded by mutex_ while rows are taken
};

void complete_account(const TablePlan& plan, const std::vector<FittedColumn>& fitted,
                      const std::vector<FittedCross>& crosses, const std::string& labels, const TableMap& map,
                      TableAccount& account) {
  account = plan.account;
  account.rows = map.rows;
  account.features = encoder_starts(map).back();
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    ColumnAccount& column = account.columns[plan.place[k]];
    column.detail = fitted[k].detail;
    if (fitted[k].left_out.empty()) continue;
    column.purpose = "left out";
    column.reason = fitted[k].left_out;
  }
  for (ColumnAccount& column : account.columns) {
    if (column.purpose == "label") column.detail = labels;
  }
  for (const FittedCross& cross : crosses) account.columns.push_back({cross.name, "cross", "", cross.detail});
}

/// If the first rows made a column a category, but nine in ten of all values are numbers or dates, it becomes a column
/// of those. Returns whether there are any such columns. A collective call.
bool take_late_numbers(const TableFitter& fitter, Comm& comm, TablePlan& plan) {
  csv::TableColumns& table = *plan.table;
  const NumberStyle style{table.decimal, 0, "", false};
  const auto is_number = [&](std::string_view field) {
    double value = 0;
    return csv::read_decimal(csv::trimmed(field), style, value).fault == NumberFault::kNone && !is_code(field);
  };
  const auto is_date = [](std::string_view field) { return parse_date(csv::trimmed(field), "iso").has_value(); };
  const std::array<std::pair<ColumnKind, std::function<bool(std::string_view)>>, 2> kinds = {
      {{ColumnKind::kNumber, is_number}, {ColumnKind::kDate, is_date}}};
  std::vector<std::int64_t> counts;
  const auto is_candidate = [&](std::size_t k) {
    return table.found[k] && plan.planned[k].kind == ColumnKind::kCategory && !plan.typed[k];
  };
  for (std::size_t k = 0; k < plan.planned.size(); ++k) {
    if (!is_candidate(k)) continue;
    for (const auto& [kind, is] : kinds) {
      const TableFitter::ValueCounts here = fitter.count_accepted(k, is);
      counts.insert(counts.end(), {here.accepted, here.values});
    }
  }
  if (counts.empty()) return false;
  comm.all_reduce(std::span(counts), Comm::Op::kSum);
  bool any = false;
  std::size_t at = 0;
  for (std::size_t k = 0; k < plan.planned.size(); ++k) {
    if (!is_candidate(k)) continue;
    for (const auto& [kind, is] : kinds) {
      const std::int64_t accepted = counts[at++], values = counts[at++];
      if (accepted == 0 || 10 * accepted < 9 * values) continue;
      plan.planned[k].kind = table.asked[k].kind = kind;
      table.asked[k].format = kind == ColumnKind::kDate ? "iso" : "";
      table.found[k] = false;  // the first rows didn't show that
      any = true;
    }
  }
  return any;
}

FittedTable finish_fit(const TablePlan& plan, const ReadOptions& options, const TableSpec& spec, TableFitter& fitter,
                       const LabelCounts& label_counts, const std::string& name, Comm& comm) {
  FittedTable result;
  result.map.single = !options.double_values;
  result.map.header = plan.table->header;
  result.map.decimal = plan.table->decimal;
  result.map.missing_words = spec.missing_words;
  std::vector<FittedColumn> fitted;
  fitter.finish(comm, result.map, fitted);
  const std::string labels = label_counts.text(options, comm);
  complete_account(plan, fitted, fitter.crosses(), labels, result.map, result.account);
  if (result.map.empty()) {
    throw Error(Place{name, 0, 0}, "no column is left for features: each was left out or is the label");
  }
  return result;
}

}  // namespace

FittedTable fit_planned(TablePlan& plan, const ReadOptions& options, const TableSpec& spec, bool whole,
                        const std::string& name, Comm& comm, const std::function<void(const CountRows&)>& go_through) {
  TableSpec resolved = spec;
  if (resolved.scale == Scale::kAuto) resolved.scale = Scale::kNone;
  std::optional<Tallies> tallies;
  const auto count = [&] {
    rethrow_on_all(comm, [&] {
      tallies.emplace(resolved, plan.planned);
      go_through([&](const TableBatch& rows, std::uint64_t place, const ParsedPage& page) {
        tallies->take(rows, place, page);
      });
    });
  };
  count();
  if (!whole && take_late_numbers(tallies->together().fitter, comm, plan)) count();
  Tally& all = tallies->together();
  return finish_fit(plan, options, spec, all.fitter, all.labels, name, comm);
}

}  // namespace linsep
