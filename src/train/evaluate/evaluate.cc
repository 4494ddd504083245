// How well a model does on labeled rows, alone or beside another one, by passes of scores.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/slice.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/tools/compare.h"
#include "linsep/train.h"
#include "train/evaluate/comparison.h"
#include "train/evaluate/row_counts.h"

namespace linsep {
namespace {

/// As many rows as take a few milliseconds.
std::int64_t rows_at_a_time(const Model& model) {
  constexpr std::uint64_t kValues = std::uint64_t{1} << 24, kFewest = 2;
  std::uint64_t a_row = 2 * model.kept.column.size() + 16 * model.kept.size();
  if (model.map.kind != FeatureMap::Kind::kNone) a_row += weights_of(model, 0).size() * scores_per_row(model);
  return static_cast<std::int64_t>(std::max<std::uint64_t>(kValues / std::max<std::uint64_t>(a_row, 256), kFewest));
}

/// The rows of a source with their scores, a few at a time.
class ScoredRows {
 public:
  ScoredRows(Source& source, const Model& model, const RowGroups& groups_of, const RunLimits& limits)
      : source_(source), model_(model), groups_of_(groups_of), limits_(limits), most_(rows_at_a_time(model)) {}

  void rewind(std::uint64_t pass) {
    source_.rewind(pass);
    batch_.reset();
    begin_ = at_ = end_ = 0;
  }
  /// How many rows are at hand, scored. 0 at the end of the pass.
  std::size_t ready();
  std::span<const double> labels(std::size_t count) const { return batch_->label.subspan(from_batch(), count); }
  std::span<const double> scores(std::size_t count) const {
    const std::size_t parts = scores_per_row(model_);
    return std::span(z_).subspan(static_cast<std::size_t>(at_ - begin_) * parts, count * parts);
  }
  std::span<const std::string> groups(std::size_t count) const {
    return std::span(groups_).subspan(from_batch(), count);
  }
  void skip(std::size_t count) { at_ += static_cast<std::int64_t>(count); }

  const Model& model() const { return model_; }
  const Schema& schema() const { return source_.schema(); }
  const Source& source() const { return source_; }

 private:
  std::size_t from_batch() const { return static_cast<std::size_t>(at_); }

  Source& source_;
  const Model& model_;
  const RowGroups& groups_of_;
  const RunLimits& limits_;
  std::int64_t most_;
  std::optional<Batch> batch_;
  std::vector<std::string> groups_;
  std::int64_t begin_ = 0, at_ = 0, end_ = 0;  ///< rows of the batch: the first one scored, the next one, the end
  std::vector<double> z_;
};

std::size_t ScoredRows::ready() {
  while (at_ >= end_) {
    if (limits_.interrupted()) throw interrupted_error();
    if (!batch_ || end_ >= batch_->rows) {
      batch_ = source_.next();
      begin_ = at_ = end_ = 0;
      if (!batch_) return 0;
      if (!batch_->labelled()) throw input_error("evaluating a model needs rows with labels");
      if (groups_of_) groups_ = groups_of_(*batch_);
    }
    begin_ = at_;
    end_ = batch_->foreign() ? batch_->rows : std::min(batch_->rows, begin_ + most_);
    const Batch part = begin_ == 0 && end_ == batch_->rows ? *batch_ : slice(*batch_, begin_, end_ - begin_);
    z_.resize(static_cast<std::size_t>(part.rows) * scores_per_row(model_));
    score(model_, part, z_, limits_.threads);
  }
  return static_cast<std::size_t>(end_ - at_);
}

/// The counts of both models, or of one, on the same rows.
struct Counts {
  RowCounts model;
  std::optional<RowCounts> against;
  PairedMistakes mistakes;

  Counts(const Model& own, const Model* other, bool ranking, std::size_t places = RowCounts::kPlaces)
      : model(own, ranking, places) {
    if (other != nullptr) against.emplace(*other, ranking, places);
  }
  void all_reduce(Comm& comm) {
    model.all_reduce(comm);
    if (against) against->all_reduce(comm);
    mistakes.all_reduce(comm);
  }
};

constexpr std::size_t kMostGroups = 1000;
using Groups = std::map<std::string, Counts, ValueOrder>;

/// The names of all workers' groups.
std::vector<std::string> names_of_all(Comm& comm, const Groups& groups) {
  std::string mine;
  for (const auto& [name, counts] : groups) mine += std::to_string(name.size()) + ":" + name;
  std::vector<std::string> names;
  for (const std::string& text : gather_text(comm, mine)) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t colon = text.find(':', at), size = std::stoul(text.substr(at, colon - at));
      names.push_back(text.substr(colon + 1, size));
      at = colon + 1 + size;
    }
  }
  return names;
}

/// Goes over the rows of one or two models in step.
class Evaluator {
 public:
  Evaluator(Source& rows, const Model& model, const EvaluateRequest& request, Comm& comm, const Observer& observe,
            const RunLimits& limits)
      : request_(request),
        comm_(comm),
        observe_(observe),
        limits_(limits),
        own_(rows, model, request.groups, limits),
        counts_(model, request.against, request.ranking) {
    progress_.phase = Phase::kMeasuring;
    progress_.rows_in_all = rows.shape().rows;
    progress_.passes_in_all = request.against != nullptr ? 2 : 1;
    if (request.against != nullptr) other_.emplace(*request.against_rows, *request.against, no_groups_, limits);
  }

  FullEvaluation run();

 private:
  /// Calls `take` for runs of rows that both models have at hand.
  template <class Take>
  std::int64_t pass(std::uint64_t number, Take&& take);
  void check_labels(std::size_t count, std::int64_t before) const;
  void count_groups(std::size_t count);
  Counts& add_group(const std::string& name) {
    constexpr std::size_t kPlaces = std::size_t{1} << 14;
    return groups_.try_emplace(name, own_.model(), request_.against, request_.ranking, kPlaces).first->second;
  }
  std::vector<GroupEvaluation> finish_groups();
  Comparison draw(const Evaluation& model, const Evaluation& against, std::int64_t mine);

  const EvaluateRequest& request_;
  Comm& comm_;
  const Observer& observe_;
  const RunLimits& limits_;
  const RowGroups no_groups_;
  ScoredRows own_;
  std::optional<ScoredRows> other_;
  Counts counts_;
  Groups groups_;
  Progress progress_;
};

template <class Take>
std::int64_t Evaluator::pass(std::uint64_t number, Take&& take) {
  progress_.pass = static_cast<std::int64_t>(number) + 1;
  progress_.rows = 0;
  own_.rewind(number);
  if (other_) other_->rewind(number);
  std::int64_t rows = 0;
  for (;;) {
    std::size_t count = own_.ready();
    const std::size_t others = other_ ? other_->ready() : count;
    if ((count == 0) != (others == 0))
      throw input_error("the models don't read the same number of rows from this data");
    count = std::min(count, others);
    if (count == 0) return rows;
    if (other_) check_labels(count, rows);
    take(count);
    own_.skip(count);
    if (other_) other_->skip(count);
    rows += static_cast<std::int64_t>(count);
    progress_.rows = rows;
    if (observe_) observe_(progress_);
  }
}

void Evaluator::check_labels(std::size_t count, std::int64_t before) const {
  const auto mine = own_.labels(count), theirs = other_->labels(count);
  const bool columns = own_.model().form == Model::Form::kLabels;
  for (std::size_t i = 0; i < count; ++i) {
    const bool same = columns ? combination_of(own_.schema(), mine[i]) == combination_of(other_->schema(), theirs[i])
                              : mine[i] == theirs[i];
    if (same) continue;
    throw input_error("the models read different labels in row " +
                      std::to_string(before + static_cast<std::int64_t>(i) + 1));
  }
}

void Evaluator::count_groups(std::size_t count) {
  const auto names = own_.groups(count);
  const std::size_t parts = scores_per_row(own_.model());
  const std::size_t other_parts = other_ ? scores_per_row(other_->model()) : 0;
  const auto labels = own_.labels(count), z = own_.scores(count);
  const auto other_labels = other_ ? other_->labels(count) : labels;
  const auto other_z = other_ ? other_->scores(count) : z;
  struct Part {
    std::vector<double> labels, z, other_labels, other_z;
  };
  std::map<std::string_view, Part> parts_of;
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = parts_of[names[i]];
    const auto append = [i](std::vector<double>& to, std::span<const double> from, std::size_t size) {
      const auto values = from.subspan(i * size, size);
      to.insert(to.end(), values.begin(), values.end());
    };
    append(part.labels, labels, 1);
    append(part.z, z, parts);
    append(part.other_labels, other_labels, 1);
    append(part.other_z, other_z, other_parts);
  }
  for (const auto& [name, part] : parts_of) {
    Counts& own = add_group(std::string(name));
    if (groups_.size() > kMostGroups) throw too_many_groups();
    own.model.take(own_.schema(), part.labels, part.z, limits_);
    if (!other_) continue;
    own.against->take(other_->schema(), part.other_labels, part.other_z, limits_);
    own.mistakes.add({own_.model(), own_.schema(), part.labels, part.z},
                     {other_->model(), other_->schema(), part.other_labels, part.other_z});
  }
}

std::vector<GroupEvaluation> Evaluator::finish_groups() {
  if (comm_.size() > 1) {
    for (const std::string& name : names_of_all(comm_, groups_)) add_group(name);
    if (groups_.size() > kMostGroups) throw too_many_groups();
  }
  std::vector<GroupEvaluation> all;
  for (auto& [name, counts] : groups_) {
    counts.all_reduce(comm_);
    GroupEvaluation& group = all.emplace_back();
    group.value = name;
    group.model = counts.model.finish();
    if (!other_) continue;
    group.against = counts.against->finish();
    group.comparison = compare_mistakes(counts.mistakes, group.model, *group.against);
  }
  return all;
}

Comparison Evaluator::draw(const Evaluation& model, const Evaluation& against, std::int64_t mine) {
  PairedDraws draws(own_.model(), model, other_->model(), against, request_, first_row_of(comm_, mine));
  if (draws.needed()) {
    rethrow_on_all(comm_, [&] {
      pass(1, [&](std::size_t count) {
        draws.add({own_.model(), own_.schema(), own_.labels(count), own_.scores(count)},
                  {other_->model(), other_->schema(), other_->labels(count), other_->scores(count)}, limits_.threads);
      });
    });
    draws.all_reduce(comm_);
  }
  return draws.comparison(counts_.mistakes);
}

FullEvaluation Evaluator::run() {
  if (request_.against != nullptr) check_comparable(own_.model(), *request_.against);
  std::int64_t mine = 0;
  rethrow_on_all(comm_, [&] {
    mine = pass(0, [&](std::size_t count) {
      counts_.model.take(own_.schema(), own_.labels(count), own_.scores(count), limits_);
      if (other_) {
        counts_.against->take(other_->schema(), other_->labels(count), other_->scores(count), limits_);
        counts_.mistakes.add({own_.model(), own_.schema(), own_.labels(count), own_.scores(count)},
                             {other_->model(), other_->schema(), other_->labels(count), other_->scores(count)});
      }
      if (request_.groups) count_groups(count);
    });
  });
  counts_.all_reduce(comm_);
  FullEvaluation result;
  result.model = counts_.model.finish();
  if (result.model.rows == 0) throw input_error("there are no rows to evaluate the model on");
  if (request_.groups) result.groups = finish_groups();
  if (request_.on_first_pass) request_.on_first_pass();
  if (!other_) return result;
  result.against = counts_.against->finish();
  result.comparison = draw(result.model, *result.against, mine);
  return result;
}

}  // namespace

FullEvaluation evaluate(Source& rows, const Model& model, const EvaluateRequest& request, Comm& comm,
                        const Observer& observe, const RunLimits& limits) {
  return Evaluator(rows, model, request, comm, observe, limits).run();
}

Evaluation evaluate(Source& source, const Model& model, bool ranking, Comm& comm, const Observer& observe,
                    const RunLimits& limits) {
  EvaluateRequest request;
  request.ranking = ranking;
  return evaluate(source, model, request, comm, observe, limits).model;
}

Evaluation evaluate(Source& source, const Model& model, bool ranking, const Observer& observe,
                    const RunLimits& limits) {
  return evaluate(source, model, ranking, *solo(), observe, limits);
}

}  // namespace linsep
