// Plan is what every export begins with: a model as columns, encoders and weights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/model.h"

namespace linsep {

/// A column that rows must have.
struct Input {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::uint32_t size = 1;  ///< for a vector
};

/// The properties of a language, and the words that differ in its messages.
struct Language {
  std::string name;         ///< "ONNX"
  bool hashed = false;      ///< supports buckets of hashes
  bool characters = false;  ///< supports n-grams of characters
  bool text = true;         ///< supports text at all
  std::string text_advice;  ///< advice if it doesn't
  bool nul = false;         ///< strings may hold NUL bytes
  bool vector = true;       ///< columns without names are one vector called "x". If false, they are numbers x1, x2, …
};

struct Plan {
  const Model* model = nullptr;
  TableMap table;                    ///< the model's or, if it has none, one of numbers without missing values
  std::vector<std::uint32_t> start;  ///< where each encoder's features start
  std::vector<Input> inputs;
  std::size_t parts = 1;  ///< number of scores per row
  bool dense = false;     ///< linsep adds up all features of a row, even those that are 0

  double weight(std::size_t part, std::uint32_t feature) const { return weights_of(*model, part)[feature]; }
  double offset(std::size_t part) const { return model->offsets.empty() ? model->offset : model->offsets[part]; }
  /// The index of a column among `inputs`.
  std::size_t input_of(const std::string& column) const;
  /// The number of the encoder of this kind that a column has.
  template <class Kind>
  std::size_t encoder_of(const std::string& column) const {
    for (std::size_t e = 0; e < table.encoders.size(); ++e) {
      if (table.encoders[e].is<Kind>() && table.encoders[e].column == column) return e;
    }
    throw_no_column(column);
  }
  template <class Kind>
  const Kind& settings_of(const std::string& column) const {
    return *table.encoders[encoder_of<Kind>(column)].template get<Kind>();
  }
  [[noreturn]] static void throw_no_column(const std::string& column);
};

/// Throws a usage Error for what the language doesn't support.
Plan make_plan(const Model& model, const Language& language);

}  // namespace linsep
