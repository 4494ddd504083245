// RowChecker checks a certificate's statements about every row exactly, one row after another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proof/linear_form.h"
#include "proof/verify.h"

namespace linsep {

/// z = y·(φ(x), 1).
RationalRow signed_row(const CheckedRow& row);

/// Remembers the first row that isn't as claimed. If the digest turns out to be different, that is the better reason.
class RowChecker {
 public:
  explicit RowChecker(const ReadCertificate& read);

  /// Takes a leaf's text, which must stay where it is during the call.
  void visit(const std::string& leaf);
  /// Counts a row that was found by quicker means to be separated, and as claimed in all else. `mistake` is whether it
  /// is one of the classifier's.
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
