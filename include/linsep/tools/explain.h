// Why a row has its score: the parts that sum to it, by column.
//
// z = offset + Σ_j θ_j·φ_j. A number is hard to interpret against 0. So its part counts from the column's mean in
// training, θ_j·(φ_j − mean_j), and the offset is moved by the same amount. Parts and offset still sum to the score.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "linsep/source.h"

namespace linsep {

struct ScorePart {
  std::uint32_t feature = 0;  ///< mapped, from 0
  double weight = 0;          ///< θ_j
  double value = 0;           ///< φ_j
  double base = 0;            ///< what it counts from: the encoded mean of a number of a table, otherwise 0
  double part = 0;            ///< weight·(value − base)
  /// The content of the row there, if rows were read with `explain_options_for`: the number before any scaling, or how
  /// often the term is in the text.
  std::optional<double> written;
};

/// All parts of one column of a table (a cross: of two). Without a table, or with a feature map, of one feature.
struct ColumnParts {
  enum class Field {
    kKnown,
    kHole,    ///< there is no value
    kUnseen,  ///< a category that is rare or wasn't seen in training, or a text without a known term
  };
  std::string name;  ///< "age", "body", "a*b", or the name of a single feature that has no table
  Field field = Field::kKnown;
  double total = 0;              ///< the sum of its parts
  std::vector<ScorePart> parts;  ///< by descending |part|, without those of features that are 0 and count from 0
};

struct Explanation {
  std::int64_t row = 0;              ///< from 0
  std::vector<double> scores;        ///< as `score` gives them
  std::size_t part = 0;              ///< which of them is explained
  double offset = 0;                 ///< moved, so that it and all parts sum to the score
  std::vector<ColumnParts> columns;  ///< by descending |total|. Without parts only if the field itself is worth a note
};

/// The options to read rows of `paths` that are to be explained by a model. They are those of `read_options_for`, and
/// with a table the rows also keep what is written in them. Page files hold encoded rows, which don't have that.
ReadOptions explain_options_for(const Model& model, std::span<const std::string> paths, ReadOptions base = {});

/// Explains the rows with the given numbers (from 0, ascending) of a pass, which ends after the last of them. `part` is
/// the class or label column, by default the one with the largest score. Throws a usage Error for a model that has no
/// weights of features (dual and voted form), and an input Error if there is no such row.
void explain(Source& source, const Model& model, std::span<const std::int64_t> rows, std::optional<std::size_t> part,
             const std::function<void(const Explanation&)>& take);

/// A term or value of a hashed column, and the number of places in the data with it.
struct BucketTerm {
  std::string name;  ///< as TermSet::terms has it
  std::int64_t count = 0;
};

/// The terms in `paths` that share each of the given features of a hashed model, most frequent first. Nothing for
/// features that aren't buckets. Reads the files twice for each column.
std::vector<std::vector<BucketTerm>> terms_of_buckets(const Model& model, std::span<const std::uint32_t> features,
                                                      std::span<const std::string> paths, const ReadOptions& options,
                                                      Comm& comm);

}  // namespace linsep
