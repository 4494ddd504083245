// Roles: gives the columns of CSV their purposes, by options, by a map's names, or by where they stand.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/columns.h"
#include "linsep/read.h"

namespace linsep::csv {

/// REQUIRES: `columns` has header, names and as many roles as columns.
class Roles {
 public:
  Roles(Columns& columns, const ReadOptions& options) : columns_(columns), options_(options) {}

  /// Features are numbers: those that a model names, or all columns without another purpose.
  void assign();
  /// Of a table that a map or a plan asks for.
  void assign_asked(std::span<const std::string> asked, bool by_number);
  /// Of a table to be fitted: whatever has no other purpose is a feature.
  void assign_free(std::span<const NamedColumn> named, std::vector<std::size_t>& place);
  /// The column that an option names. Throws a usage Error where there is none.
  std::size_t place_of(const std::string& text, std::string_view option) const;

 private:
  void assign_purposes();
  std::size_t asked_column(const std::string& name, bool by_number) const;
  std::optional<std::size_t> called_label() const;
  void assign_table_label();
  std::optional<std::size_t> find(const std::string& text, std::string_view option) const;
  [[noreturn]] void refuse(const std::string& text, std::string_view option) const;
  void set(std::size_t column, Role role, std::string_view option);
  void give(const std::string& text, Role role, std::string_view option);
  void add_feature(std::size_t column);
  void take_named_features();
  void set_label(std::size_t column);
  void assign_label(bool by_name);
  void assign_labels(bool by_name);
  void take_all_others();

  Columns& columns_;
  const ReadOptions& options_;
  std::vector<bool> taken_ = std::vector<bool>(columns_.size(), false);
  std::vector<bool> purposes_;  ///< columns that are an id, a weight, or ignored
};

}  // namespace linsep::csv
