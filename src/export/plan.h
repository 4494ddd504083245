// Plan: what every export begins with: a model as columns, encoders and weights.
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
  std::uint32_t size = 1;  ///< of a vector
};

/// The words of a message that differ between languages.
struct Language {
  std::string name;         ///< "ONNX"
  bool hashed = false;      ///< can say buckets of hashes
  bool characters = false;  ///< can say n-grams of characters
  bool text = true;         ///< can say text at all
  std::string text_advice;  ///< where it can't
  bool nul = false;         ///< strings may hold NUL bytes
  bool vector = true;       ///< columns without names are one vector called "x", else numbers x1, x2, …
};

struct Plan {
  const Model* model = nullptr;
  TableMap table;                    ///< the model's; where it has none, one of numbers without holes
  std::vector<std::uint32_t> start;  ///< of each encoder's features
  std::vector<Input> inputs;
  std::size_t parts = 1;  ///< scores of a row
  bool dense = false;     ///< linsep adds up all features of a row, those that are 0 too

  double weight(std::size_t part, std::uint32_t feature) const { return weights_of(*model, part)[feature]; }
  double offset(std::size_t part) const { return model->offsets.empty() ? model->offset : model->offsets[part]; }
  /// The place among `inputs` of a column.
  std::size_t input_of(const std::string& column) const;
  /// The number of the encoder that a column has of this kind.
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

/// Throws a usage Error for what the language can't say.
Plan make_plan(const Model& model, const Language& language);

}  // namespace linsep
