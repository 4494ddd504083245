// CWriter: a model's table, weights and encoders as C. '@' stands before every name of the file until it is finished.
#pragma once

#include <string>
#include <vector>

#include "export/plan.h"

namespace linsep {

/// Which functions a file needs.
struct CNeeds {
  bool numbers = false, values = false, pairs = false, dates = false;
  bool text = false, terms = false, blanks = false, hashes = false, buckets = false;
};

class CWriter {
 public:
  CWriter(const Plan& plan, std::string name);

  /// Everything but the answers: scores of a row.
  std::string row_struct() const;
  std::string tables() const;
  std::string functions() const;
  std::string scores_function() const;

 private:
  const Encoder& encoder(std::size_t number) const { return plan_.table.encoders[number]; }
  /// The features of an encoder that are in the file: all, or of a hashed one the buckets in use and the hole.
  std::vector<std::uint32_t> features_of(std::size_t number) const;
  std::string field_of(const std::string& column) const { return "row->" + fields_[plan_.input_of(column)]; }
  void find_needs();

  std::string weights_table() const;
  std::string letters_table() const;
  std::string values_tables(std::size_t number) const;
  std::string category_function(std::size_t number) const;
  std::string pair_function(std::size_t number) const;
  std::string text_function(std::size_t number) const;
  std::string found_terms(std::size_t number) const;
  std::string encoded_fields(std::size_t number) const;
  std::string additions(std::size_t number) const;
  std::string date_additions(std::size_t number) const;

  const Plan& plan_;
  std::string name_;
  std::vector<std::string> fields_;   // the struct's, one for each input
  std::vector<std::uint32_t> start_;  // of each encoder's features in the file
  CNeeds needs_;
};

}  // namespace linsep
