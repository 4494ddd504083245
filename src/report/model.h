// What `linsep inspect` reports about a model: its features, coefficients and table, its Gram matrix, and rows seen
// from its boundary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/model.h"
#include "linsep/tools/distances.h"
#include "linsep/tools/explain.h"
#include "report/json.h"

namespace linsep {
/// The encoder that an encoded feature belongs to, and its index there.
struct FeaturePlace {
  std::size_t encoder = 0;
  std::uint32_t place = 0;
};
/// Nothing without a table, and for products of a feature map.
std::optional<FeaturePlace> place_of(const Model& model, std::uint32_t feature);

/// The feature's name, escaped and cut to 60 characters. After that of a bucket with several terms stands another, as
/// in "body:free (also txtauction …)".
std::string shown_feature(const Model& model, std::uint32_t feature);

/// Another term of a bucket than the one that it is named by, or "" if none is known.
std::string other_term(const Model& model, std::uint32_t feature);

/// A term as `TermSet::terms` has it. For a cross, "x*y" for the values x and y.
std::string term_words(const Encoder& encoder, const std::string& term);

/// The odds ratios of a model with one score whose probability is a sigmoid of it. The odds are e^(slope·z + offset),
/// so one unit more of a column multiplies them by e^(slope·coefficient). "" for other models, and for those with many
/// features but no table. `top` is how many of the heaviest values of a column are listed.
std::string odds_words(const Model& model, std::size_t top);
/// All of them as [{"column", "feature", "name", "coefficient", "odds_ratio"}]. null for other models, and if there are
/// more than 1,000, unless `full`.
Json odds_json(const Model& model, bool full);

/// A line for each encoder, with its kind and its features, or "" without a table.
std::string table_words(const Model& model);
/// {"rows", "columns": [{"column", "kind", "features", "first", "detail"}]}, or null without a table.
Json table_json(const Model& model);

/// The features among `features` that are buckets of a hashed encoder.
std::vector<std::uint32_t> buckets_among(const Model& model, std::span<const std::uint32_t> features);
/// The share of each term in its bucket, by feature. `terms` are those that terms_of_buckets returns.
std::string shares_words(const Model& model, std::span<const std::uint32_t> buckets,
                         std::span<const std::vector<BucketTerm>> terms);
Json shares_json(const Model& model, std::span<const std::uint32_t> buckets,
                 std::span<const std::vector<BucketTerm>> terms);

/// K(x_i, x_j) at i·m + j, m the rows kept. Throws a usage Error for a model of another form, or one that keeps more
/// rows than anyone would read.
std::vector<double> gram_matrix(const Model& model);

Json gram_json(const Model& model);
/// With every row's α·y next to it.
std::string gram_words(const Model& model);

/// With `full`, every row, however many.
Json distances_json(const Model& model, const Distances& found, double tolerance, bool full);
std::string distances_words(const Model& model, const Distances& found, double tolerance, const std::string& data);

}  // namespace linsep
