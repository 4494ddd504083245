// For tests: small sets as a source, and their verdict by the slow, obvious oracle of certify/oracle.h.
#pragma once

#include "exact/number.h"

#include <cstdint>
#include <string>
#include <vector>

#include "certify/oracle.h"
#include "linsep/source.h"

namespace linsep {

/// Rows as they are written, which is as decimals, or as binary numbers if `binary` is set.
struct SmallSet {
  std::vector<std::vector<std::string>> text;  ///< decimals
  std::vector<std::vector<double>> number;     ///< instead, binary
  std::vector<int> label;                      ///< −1 or +1
  bool binary = false;
  std::uint32_t features = 0;

  std::size_t rows() const { return label.size(); }
  Rational value(std::size_t i, std::size_t j) const;
};

/// z_i = y_i·(x_i, 1), or y_i·x_i through the origin. There is at least one column.
std::vector<std::vector<Rational>> z_of(const SmallSet& set, bool origin);
Truth truth_of(const SmallSet& set, bool origin);

/// The rows of a set from `first` to `end` (−1: the last) as a source with `rows_at_once` rows per batch.
class SmallSource : public Source {
 public:
  explicit SmallSource(const SmallSet& set, std::int64_t rows_at_once = 1000, bool dense = false,
                       std::int64_t first = 0, std::int64_t end = -1);

  Shape shape() const override;
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;

 private:
  const SmallSet& set_;
  Schema schema_;
  std::int64_t at_once_, first_, end_, at_ = 0;
  bool dense_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> value_, label_;
};

}  // namespace linsep
