#include "scanned_rows.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/table/map.h"
#include "linsep/table/options.h"
#include "linsep/tools/explain.h"
#include "linsep/tools/purpose.h"
#include "report/run.h"
#include "report/table.h"

namespace linsep::python {
namespace {

class Files : public RowOrigin {
 public:
  explicit Files(std::vector<std::string> paths) : paths_(std::move(paths)) {
    const std::size_t more = paths_.size() - 1;
    name_ = paths_[0];
    if (more > 0) name_ += " and " + std::to_string(more) + (more == 1 ? " more file" : " more files");
  }

  const std::string& name() const override { return name_; }
  std::vector<std::string> files() const override { return paths_; }
  FittedTable fit(const ReadOptions& options, const TableSpec& spec, const Observer& observe) override {
    return fit_table(paths_, options, spec, *alone_, observe);
  }
  std::unique_ptr<Source> load(const ReadOptions& options, const Observer& observe) override {
    return linsep::load(paths_, options, *alone_, observe);
  }
  std::unique_ptr<Source> to_explain(const Model& model, const ReadOptions& read) override {
    ReadOptions options = explain_options_for(model, paths_, read);
    options.labelled = false;
    return open_stream(paths_, options, *alone_);
  }

 private:
  std::vector<std::string> paths_;
  std::string name_;
  std::unique_ptr<Comm> alone_ = solo();
};

/// While this lives, `to` follows `from` within a fiftieth of a second.
class Follower {
 public:
  Follower(const std::atomic<bool>& from, std::atomic<bool>& to)
      : thread_([&from, &to, this](const std::stop_token& ended) {
          constexpr std::chrono::milliseconds kPatience(20);
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, ended, kPatience, [] { return false; }) && !ended.stop_requested()) {
            to = from.load();
          }
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last, so that it ends first
};

/// Rows encoded the way the certificate's data are.
ReadOptions as_encoded(const DataDigest& data, const ReadOptions& read) {
  if (has_table_hash(data)) {
    throw usage_error(
        "the certificate has only the hash of its table, whose map is too large: check it with `linsep "
        "verify --table MODEL`");
  }
  return read_options_as_encoded(data, "the certificate", nullptr, read);
}

bool same_table(const std::shared_ptr<const TableMap>& a, const std::shared_ptr<const TableMap>& b) {
  const bool has_a = a && !a->empty(), has_b = b && !b->empty();
  return has_a == has_b && (!has_a || *a == *b);
}

}  // namespace

std::unique_ptr<RowOrigin> files(std::vector<std::string> paths) {
  if (paths.empty()) throw usage_error("no file is named");
  return std::make_unique<Files>(std::move(paths));
}

TableSpec ColumnChoice::spec(bool as_written) const {
  TableSpec spec = table_spec(options, as_written);
  const auto take = [&](const char* name, std::vector<std::string>& into) {
    if (const auto found = lists.find(name); found != lists.end()) into = found->second;
  };
  take("number", spec.number);
  take("category", spec.category);
  take("text", spec.text);
  take("cross", spec.cross);
  take("missing-words", spec.missing_words);
  if (!dates.empty()) spec.date = dates;
  return spec;
}

ScannedRows::ScannedRows(std::unique_ptr<RowOrigin> origin, ReadOptions read, std::optional<ColumnChoice> columns)
    : origin_(std::move(origin)), read_(std::move(read)), columns_(std::move(columns)) {
  if (columns_) columns_->spec(false);  // reports errors in it now
}

Source& ScannedRows::load(const Watch& watch) {
  if (source_) return *source_;
  return load_for(watch, Purpose());
}

Source& ScannedRows::load_for(const Watch& watch, const Purpose& purpose) {
  if (purpose.as_proven && source_ && gone_.read.exact_values) return *source_;
  Way way = way_for(purpose);
  if (!source_ || !goes(way)) {
    const auto counts = purpose.model != nullptr ? counts_for(*purpose.model) : nullptr;
    way.read.counts = counts;
    read(std::move(way), watch);
    if (counts != nullptr) {
      std::ranges::move(skew_warnings(skew_of(*purpose.model, counts.get(), *solo())), std::back_inserter(warnings_));
    }
  }
  if (purpose.model != nullptr) check_feature_names(*purpose.model, *source_, origin_->name());
  return *source_;
}

ScannedRows::Way ScannedRows::way_for(const Purpose& purpose) const {
  Way way;
  way.read = read_;
  way.read.many_classes = true;
  if (purpose.model != nullptr) {
    way.read = read_options_for(*purpose.model, read_);
    way.read.labelled = purpose.labelled;
    return way;
  }
  if (purpose.proof != nullptr) {
    way.read = as_encoded(*purpose.proof, read_);
  } else if (purpose.guide != nullptr) {
    way.read = read_options_for_proof(*purpose.guide, read_);
  } else if (purpose.learner != nullptr) {
    way.read = read_options_for(*purpose.learner, purpose.exact, read_);
  } else if (purpose.exact) {
    way.read = read_options_for_proof(read_);
  }
  if (columns_ && purpose.proof == nullptr && way.read.table == nullptr) {
    way.fit = columns_->spec(purpose.exact);
    if (way.fit->scale == Scale::kAuto) {
      way.fit->scale = purpose.learner != nullptr ? usual_scale(*purpose.learner) : Scale::kDeviation;
    }
  }
  return way;
}

/// Whether the loaded rows are what this way of reading would give.
bool ScannedRows::goes(const Way& way) const {
  const ReadOptions &there = gone_.read, &wanted = way.read;
  if (there.double_values != wanted.double_values || there.exact_values != wanted.exact_values ||
      there.regression != wanted.regression || there.drop_missing_labels != wanted.drop_missing_labels ||
      (wanted.labelled && !there.labelled)) {
    return false;
  }
  const Schema& schema = source_->schema();
  if (!wanted.many_classes && schema.classes.size() > 2) return false;
  if (way.fit) return gone_.fit == way.fit;
  // Features may be named by a model, or by a certificate's table.
  const bool named = wanted.feature_names.empty() || wanted.feature_names == schema.feature_names;
  // Columns may be left out by a certificate that the rows are about already.
  if (wanted.ignore != there.ignore && wanted.ignore != schema.reading.left_out) return false;
  return same_table(wanted.table, schema.table) && named && source_->shape().features >= wanted.features &&
         (!wanted.labelled || wanted.classes.empty() || wanted.classes == schema.classes) &&
         (wanted.labels.empty() || wanted.labels == schema.labels);
}

std::string ScannedRows::label_type() const {
  if (!account_) return "";
  const auto label = std::ranges::find(account_->columns, "label", &ColumnAccount::purpose);
  return label == account_->columns.end() ? "" : origin_->type_of(label->name);
}

void ScannedRows::read(Way way, const Watch& watch) {
  source_.reset();
  account_.reset();
  warnings_.clear();
  stop_ = false;
  way.read.interrupt = &stop_;
  const Follower follower(*watch.interrupt, stop_);
  if (way.fit) {
    FittedTable fitted = origin_->fit(way.read, *way.fit, watch.observe);
    // The table may be empty. It still records which rows were looked at, so an error about a word further down can
    // mention them.
    way.read.table = std::make_shared<const TableMap>(std::move(fitted.map));
    account_ = std::move(fitted.account);
  }
  source_ = origin_->load(way.read, watch.observe);
  origin_->close();
  gone_ = std::move(way);
  if (std::string tiny = tiny_sentence(*source_, *solo()); !tiny.empty()) {
    tiny.pop_back();  // '\n'
    warnings_.push_back(std::move(tiny));
  }
}

}  // namespace linsep::python
