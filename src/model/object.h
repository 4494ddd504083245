// The JSON object of a model file (docs/formats/model.md), with its arrays in full or only their lengths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/model.h"
#include "table/table_object.h"

namespace linsep {

inline constexpr std::string_view kFormatName = "linsep model";
inline constexpr std::uint32_t kFormatVersion = 2;  ///< the latest; every earlier one is read too

/// The version that a model is written as: the least that can say it. 2 has `table` and `threshold`.
int version_of(const Model& model);
/// "" for a version that this program reads.
std::string version_problem(std::uint64_t version);

/// How many numbers each array of a binary file holds.
struct ArrayLengths {
  std::uint64_t theta = 0;
  std::uint64_t coefficient = 0;
  std::uint64_t votes = 0;
  std::uint64_t kept_value = 0;
  std::uint64_t kept_start = 0;
  std::uint64_t kept_column = 0;
  std::uint64_t offsets = 0;
  std::vector<EncoderLengths> table;  ///< one for each encoder
};

enum class Arrays { kInPlace, kLengthsOnly };

/// The object as text, keys always in the same order, with a newline at its end. REQUIRES: problem_of(model) is "".
std::string object_text(const Model& model, Arrays arrays);

/// Reads an object back. With kLengthsOnly the model's arrays stay empty and `lengths` says how long they are to be.
/// Throws an input Error; what only the complete model can show is left to problem_of.
Model object_model(std::string_view text, const std::string& name_for_errors, Arrays arrays, ArrayLengths& lengths);

}  // namespace linsep
