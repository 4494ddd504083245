// The checker for whoever found the certificate. It makes one pass over batches, and reads rows as written if floats
// leave a doubt.
#include <algorithm>
#include <limits>
#include <span>

#include "core/bytes.h"
#include "core/deadline.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/statement.h"
#include "proof/canonical.h"
#include "proof/quick_checker.h"
#include "proof/row_checker.h"
#include "proof/verify.h"

namespace linsep {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;  // read as written together

bool needs_every_row(const ReadCertificate& read) {
  return !read.levels.empty() || !read.equations.empty() || read.file.mistakes.at_most || read.radius_squared ||
         !read.directions.empty();
}

/// One worker's rows.
class ShardCheck {
 public:
  ShardCheck(const ReadCertificate& read, const LabelSigns& labels, Source& data)
      : read_(read),
        labels_(labels),
        data_(data),
        wanted_(named_data_rows(read.file)),
        exact_(read),
        quick_(read),
        row_(read.columns.degree() == 1 ? 0 : read.columns.features) {}

  /// `alone` if there is no other worker.
  void run(bool alone, const ProofOptions& options, const Observer& observe) {
    if (alone && !needs_every_row(read_)) {
      read_exactly(wanted_, options);
      return;
    }
    Progress progress;
    progress.phase = Phase::kChecking;
    progress.pass = progress.passes_in_all = 1;
    progress.rows_in_all = data_.shape().rows;
    std::vector<std::int64_t> doubtful;
    data_.rewind(0);
    while (const auto batch = data_.next()) {
      if (options.interrupted()) throw interrupted_error();
      visit(*batch, doubtful);
      progress.rows += batch->rows;
      if (observe) observe(progress);
    }
    if (worst_ >= 0) doubtful.push_back(worst_);
    std::ranges::sort(doubtful);
    doubtful.erase(std::unique(doubtful.begin(), doubtful.end()), doubtful.end());
    read_exactly(doubtful, options);
  }

  /// What this worker found, to be sent to all.
  ByteWriter for_all() const {
    ByteWriter writer;
    const DataFindings& found = exact_.findings();
    writer.text(exact_.problem());
    writer.number(rows_);
    writer.number(found.left_at_zero);
    writer.number(found.mistakes);
    writer.text(found.least ? to_text(*found.least) : "");
    writer.number<std::uint64_t>(leaves_.size());
    for (const std::string& leaf : leaves_) writer.text(leaf);
    writer.number<std::uint64_t>(found.separated.size());
    for (const std::int64_t row : found.separated) writer.number(row);
    return writer;
  }
  /// The norms, which every worker knows.
  DataFindings beginning() const {
    DataFindings found;
    found.squared_norm = exact_.findings().squared_norm;
    found.squared_norm_with_offset = exact_.findings().squared_norm_with_offset;
    return found;
  }

 private:
  bool is_wanted(std::int64_t row) const { return std::ranges::binary_search(wanted_, row); }

  void visit(const Batch& batch, std::vector<std::int64_t>& doubtful) {
    const bool every = needs_every_row(read_);
    rows_ += batch.rows;
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      poll(row.size + 50);
      const std::int64_t number = batch.number_of(i);
      if (is_wanted(number)) return doubtful.push_back(number);
      if (!every) return;
      bool mistake = false;
      double margin = 0;
      if (!certain(row, batch.label_of(i), mistake, margin)) return doubtful.push_back(number);
      exact_.pass(mistake);
      if (margin >= least_) return;
      // A margin is stated for at least one row as written. This is the smallest of those in no doubt.
      least_ = margin;
      worst_ = read_.file.margin.at_least_squared && !read_.file.mistakes.at_most ? number : -1;
    });
  }

  /// Rows of several classes are all read as written.
  template <class Row>
  bool certain(const Row& row, double label, bool& mistake, double& margin) {
    if (!read_.file.data.classes.empty()) return false;
    if (read_.columns.degree() == 1) return quick_.certain(row, label, mistake, margin);
    row_.set(row);
    return quick_.certain(row_, label, mistake, margin);
  }

  void read_exactly(const std::vector<std::int64_t>& numbers, const ProofOptions& options) {
    std::string leaf;
    for (std::size_t at = 0; at < numbers.size(); at += kRowsAtOnce) {
      if (options.interrupted()) throw interrupted_error();
      const auto some = std::span(numbers).subspan(at, std::min(kRowsAtOnce, numbers.size() - at));
      for (const WrittenRow& row : data_.written(some)) {
        write_leaf(row, labels_, leaf);
        read_.made.for_each(leaf, [&](const std::string& made) {
          exact_.visit(made);
          if (is_wanted(row.row)) leaves_.push_back(made);
        });
      }
    }
  }

  const ReadCertificate& read_;
  const LabelSigns& labels_;
  Source& data_;
  std::vector<std::int64_t> wanted_;  // rows of the data
  RowChecker exact_;
  QuickChecker quick_;
  SpreadRow row_;
  double least_ = std::numeric_limits<double>::infinity();
  std::int64_t worst_ = -1;
  std::int64_t rows_ = 0;
  std::vector<std::string> leaves_;
};

/// The findings of all workers together. Throws Refusal for the first problem.
DataFindings together(const ReadCertificate& read, const ShardCheck& mine, Comm& comm) {
  DataFindings found = mine.beginning();
  const ByteWriter own = mine.for_all();
  CheckedRow row(read.columns);
  std::string problem;
  std::int64_t rows = 0;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(own.bytes())))) {
    ByteReader reader(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    const std::string theirs = reader.text();
    if (problem.empty()) problem = theirs;
    rows += reader.number<std::int64_t>();
    found.left_at_zero += reader.number<std::int64_t>();
    found.mistakes += reader.number<std::int64_t>();
    if (const std::string least = reader.text(); !least.empty()) {
      const Rational value = rational_of(least);
      if (!found.least || value < *found.least) found.least = value;
    }
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
      const std::string leaf = reader.text();
      need(row.read(leaf), "a row that is named is malformed");
      found.rows[row.row()] = signed_row(row);
    }
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
      found.separated.insert(reader.number<std::int64_t>());
    }
  }
  if (!problem.empty()) throw Refusal(problem);
  need(!needs_every_row(read) || rows == read.file.data.rows, "it is about another number of rows");
  return found;
}

}  // namespace

CheckResult check_unsealed(const Certificate& certificate, Source& data, Comm& comm, const ProofOptions& options,
                           const Observer& observe) {
  const std::vector<std::string>& classes = data.schema().classes;
  if (classes.size() < 2) throw usage_error("a certificate needs two classes");
  const bool several = classes.size() > 2;
  Certificate file = certificate;
  if (several) {
    file.data.classes = classes;
  } else {
    file.data.negative = classes[0];
    file.data.positive = classes[1];
  }
  file.data.rows = all_reduce_sum(comm, count_rows(data));
  CheckResult result;
  try {
    need(several == !certificate.data.classes.empty(), "it is about another number of classes");
    need(!several || data.shape().features == file.data.features, "it is about another number of features");
    const LabelSigns labels(classes);
    const ReadCertificate read = read_certificate(file, true);
    ShardCheck mine(read, labels, data);
    mine.run(comm.size() == 1, options, observe);
    const DataFindings found = together(read, mine, comm);
    check_rest(read, found.rows, &found, data.schema(), 0, result.proven);
    result.valid = true;
    result.reason = claim_words(statement_of(file));
  } catch (const Refusal& refusal) {
    result.reason = refusal.what();
  } catch (const BadRow& bad) {
    result.reason = bad.what();
  }
  return result;
}

}  // namespace linsep
