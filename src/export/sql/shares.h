// SqlShares: what each encoder adds to the scores, as expressions over the columns of t; and the tables and joins that
// texts and categories of many values need.
#pragma once

#include <string>
#include <vector>

#include "export/plan.h"

namespace linsep {

class SqlShares {
 public:
  /// A category of more values is a table.
  static constexpr std::size_t kMostCases = 1000;

  explicit SqlShares(const Plan& plan) : plan_(plan), shares_(plan.parts) {}

  void take(std::size_t encoder);

  /// The sum of all shares of a score, and the offset.
  std::string score(std::size_t part) const;
  /// What stands behind WITH.
  const std::vector<std::string>& tables() const { return tables_; }
  const std::string& joins() const { return joins_; }
  /// Whether rows need numbers.
  bool numbered() const { return numbered_; }

 private:
  const Encoder& encoder(std::size_t number) const { return plan_.table.encoders[number]; }
  double weight(std::size_t part, std::size_t number, std::size_t place) const {
    return plan_.weight(part, static_cast<std::uint32_t>(plan_.start[number] + place));
  }
  void add(std::size_t part, std::string share) { shares_[part].push_back(std::move(share)); }
  /// `value` times a weight, rounded to float where the table is.
  std::string product(double weight, const std::string& value) const;
  std::string encoded_number(std::size_t number) const;
  /// Adds weight · factor for the place of a category; "" as the factor: 1.
  void add_category(std::size_t number, const Encoder& category, const std::string& value, const std::string& factor);
  void add_joined(std::size_t number, const Encoder& category, const std::string& value, const std::string& factor);
  void take_number(std::size_t number);
  void take_date(std::size_t number);
  void take_cross(std::size_t number);
  void take_text(std::size_t number);

  const Plan& plan_;
  std::vector<std::vector<std::string>> shares_;
  std::vector<std::string> tables_;
  std::string joins_;
  bool numbered_ = false;
};

}  // namespace linsep
