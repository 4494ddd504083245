// RowChecker: what a certificate says of every row, checked exactly on one row after the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proof/linear_form.h"
#include "proof/verify.h"

namespace linsep {

/// z = y·(φ(x), 1).
RationalRow signed_row(const CheckedRow& row);

/// Remembers the first row that isn't as claimed: if the digest turns out to be another one, that is the better reason.
class RowChecker {
 public:
  explicit RowChecker(const ReadCertificate& read);

  /// A leaf's text, which must stay where it is during the call.
  void visit(const std::string& leaf);
  /// A row that was found to be separated, by quicker means, and as claimed in all else; `mistake`: the classifier's.
  void pass(bool mistake) { found_.mistakes += mistake ? 1 : 0; }

  const std::string& problem() const { return problem_; }
  const DataFindings& findings() const { return found_; }

 private:
  void fail(const std::string& what);
  bool is_wanted() const;
  void check_steps();

  const ReadCertificate& read_;
  std::vector<std::int64_t> wanted_;
  CheckedRow row_;
  NamedEntries named_entries_;
  std::vector<LinearForm> levels_, equations_, directions_;
  std::optional<LinearForm> classifier_;
  std::optional<Rational> radius_squared_;
  DataFindings found_;
  std::string problem_;
};

}  // namespace linsep
