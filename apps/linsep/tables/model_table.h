// What `linsep inspect` tells of a model's table: its columns, and the terms behind hashed weights.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "linsep/model.h"
#include "linsep/tools/explain.h"

namespace linsep::app {

/// A line for each encoder, with its kind and its features; "" without a table.
std::string table_words(const Model& model);
/// {"rows", "columns": [{"column", "kind", "features", "first", "detail"}]}; null without a table.
nlohmann::ordered_json table_json(const Model& model);

/// The features among `features` that are buckets of a hashed encoder.
std::vector<std::uint32_t> buckets_among(const Model& model, std::span<const std::uint32_t> features);
/// The share of each term in its bucket, by feature; `terms` as terms_of_buckets returns them.
std::string shares_words(const Model& model, std::span<const std::uint32_t> buckets,
                         std::span<const std::vector<BucketTerm>> terms);
nlohmann::ordered_json shares_json(const Model& model, std::span<const std::uint32_t> buckets,
                                   std::span<const std::vector<BucketTerm>> terms);

}  // namespace linsep::app
