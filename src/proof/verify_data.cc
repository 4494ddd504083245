// What is checked on rows themselves: those that a certificate carries, and all of the data set in one pass.
#include <algorithm>
#include <limits>

#include "proof/canonical.h"
#include "proof/digest.h"
#include "proof/leaves.h"
#include "proof/linear_form.h"
#include "proof/merkle.h"
#include "proof/verify.h"

namespace linsep {
namespace {

ExactRow signed_row(const CheckedRow& row) {
  ExactRow z = row.mapped();
  if (row.sign() < 0) {
    for (auto& [column, value] : z) value = -value;
  }
  return z;
}

// Checks rows as they come and remembers the first that isn't as claimed: if the digest turns out to be another one,
// that is the better reason.
class RowChecker {
 public:
  RowChecker(const ReadCertificate& read, NamedRows& rows)
      : read_(read), rows_(rows), wanted_(named_rows(read.file)), row_(read.columns) {
    for (const Vector& level : read.levels) levels_.emplace_back(read.columns, level);
    for (const Vector& equation : read.equations) equations_.emplace_back(read.columns, equation);
    if (read.file.mistakes.at_most) classifier_.emplace(read.columns, read.classifier);
    if (!levels_.empty()) found_.squared_norm = levels_.front().squared_norm();
  }

  void visit(const std::string& leaf) {
    if (!row_.read(leaf)) return fail("has a feature past the last");
    if (std::ranges::binary_search(wanted_, row_.row())) rows_[row_.row()] = signed_row(row_);
    int side = 0;
    for (std::size_t k = 0; k < levels_.size() && side == 0; ++k) side = row_.sign() * levels_[k].sign(row_);
    if (side < 0) return fail("is on the wrong side");
    if (side == 0) {
      ++found_.left_at_zero;
      for (const LinearForm& equation : equations_) {
        if (equation.sign(row_) != 0) return fail("is outside the witness's span");
      }
    }
    if (read_.file.margin.at_least_squared && levels_.size() == 1) {
      const Rational margin = row_.sign() * levels_.front().value(row_);
      if (!found_.least || margin < *found_.least) found_.least = margin;
    }
    if (classifier_ && row_.sign() * classifier_->sign(row_) <= 0) ++found_.mistakes;
  }

  DataFindings finish() const {
    if (!problem_.empty()) throw Refusal(problem_);
    return found_;
  }

 private:
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = "row " + std::to_string(row_.row() + 1) + " " + what;
  }

  const ReadCertificate& read_;
  NamedRows& rows_;
  std::vector<std::int64_t> wanted_;
  CheckedRow row_;
  std::vector<LinearForm> levels_, equations_;
  std::optional<LinearForm> classifier_;
  DataFindings found_;
  std::string problem_;
};

}  // namespace

void read_carried(const ReadCertificate& read, NamedRows& rows) {
  CheckedRow row(read.columns);
  for (const CarriedRow& carried : read.file.rows) {
    need(row.read(carried.leaf) && row.row() < read.file.data.rows, "a carried row is malformed");
    std::vector<Hash> path(carried.path.size());
    for (std::size_t k = 0; k < path.size(); ++k)
      need(from_hex(carried.path[k], path[k]), "an audit path is malformed");
    Hash tree;
    need(climb(leaf_hash(carried.leaf), row.row(), read.file.data.rows, path, tree),
         "an audit path has the wrong length");
    need(data_root(tree, read.file.data.rows, read.file.data.features) == read.file.data.root,
         "a carried row is not of the data set");
    rows[row.row()] = signed_row(row);
  }
}

DataFindings check_data(const ReadCertificate& read, Source& data, NamedRows& rows, const RunLimits& limits,
                        const Observer& observe) {
  const LabelSigns labels(read.file.data.negative, read.file.data.positive);
  RowChecker checker(read, rows);
  MerkleTree tree;
  try {
    const LeafRun run{0, count_rows(data), limits, observe, Phase::kChecking};
    for_each_leaf(data, labels, run, [&](const std::string& leaf, const Hash& hash) {
      tree.add(hash);
      checker.visit(leaf);
    });
  } catch (const BadRow& bad) {
    throw Refusal(bad.what());
  }
  const bool same = tree.leaves() == read.file.data.rows &&
                    data_root(tree.finish(), tree.leaves(), read.file.data.features) == read.file.data.root;
  need(same, "the certificate is about other data: the digests differ");
  return checker.finish();
}

}  // namespace linsep
