// The terms of data that share weights of a hashed model. An exact map of each hashed column is fitted to the data, and
// its rows are counted.
#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "linsep/error.h"
#include "linsep/table/fit.h"
#include "linsep/tools/explain.h"
#include "table/terms.h"

namespace linsep {
namespace {

TableSpec exact_spec(const TableMap& map, const Encoder& hashed) {
  TableSpec spec;
  spec.only = true;
  spec.scale = Scale::kNone;
  spec.min_count = 1;
  spec.missing_words = map.missing_words;
  spec.decimal = map.decimal;
  spec.weighting = TableSpec::Weighting::kCounts;
  spec.norm = false;
  if (const auto* text = hashed.get<TextEncoder>()) {
    spec.text = {hashed.column};
    spec.words = text->words;
    spec.chars = text->chars;
  } else {
    spec.category = {hashed.column};
    if (const auto* cross = hashed.get<CrossEncoder>()) {
      spec.category.push_back(cross->second);
      spec.cross = {encoder_column(hashed)};
    }
  }
  return spec;
}

std::uint64_t bucket_of(const Encoder& hashed, const std::string& term) {
  const auto* text = hashed.get<TextEncoder>();
  const std::uint64_t key = text != nullptr             ? term_key(term, text->words.none())
                            : hashed.is<CrossEncoder>() ? pair_term_key(term)
                                                        : value_key(term);
  return key & ((std::uint64_t{1} << hashed.terms()->bits) - 1);
}

/// Sums of the features `wanted` over all rows.
void count_terms(const std::shared_ptr<const TableMap>& map, std::span<const std::string> paths, ReadOptions options,
                 Comm& comm, std::unordered_map<std::uint32_t, std::int64_t>& wanted) {
  options.table = map;
  options.features = encoder_starts(*map).back();
  const std::unique_ptr<Source> source = open_stream(paths, options, comm);
  source->rewind(0);
  while (const auto batch = source->next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t) {
      for_each_entry(row, [&](std::uint32_t feature, double value) {
        const auto found = wanted.find(feature);
        if (found != wanted.end()) found->second += std::lround(value);
      });
    });
  }
}

/// The terms of one encoder's buckets. For each bucket asked for, `places` gives its index in `result`.
void take_encoder(const Model& model, const Encoder& hashed,
                  const std::unordered_map<std::uint64_t, std::size_t>& places, std::span<const std::string> paths,
                  const ReadOptions& options, Comm& comm, std::vector<std::vector<BucketTerm>>& result) {
  const auto map =
      std::make_shared<const TableMap>(fit_table(paths, options, exact_spec(model.table, hashed), comm).map);
  for (std::size_t e = 0; e < map->encoders.size(); ++e) {
    const Encoder& exact = map->encoders[e];
    const bool same = exact.kind.index() == hashed.kind.index() && exact.column == hashed.column;
    if (!same || exact.terms()->hashed()) continue;
    const std::vector<std::string>& terms = exact.terms()->terms;
    const std::uint32_t start = encoder_starts(*map)[e];
    std::unordered_map<std::uint32_t, std::int64_t> counts;
    for (std::uint32_t t = 0; t < terms.size(); ++t) {
      if (places.contains(bucket_of(hashed, terms[t]))) counts[start + t] = 0;
    }
    count_terms(map, paths, options, comm, counts);
    for (const auto& [feature, count] : counts) {
      const std::string& term = terms[feature - start];
      result[places.at(bucket_of(hashed, term))].push_back({term, count});
    }
  }
}

}  // namespace

std::vector<std::vector<BucketTerm>> terms_of_buckets(const Model& model, std::span<const std::uint32_t> features,
                                                      std::span<const std::string> paths, const ReadOptions& options,
                                                      Comm& comm) {
  std::vector<std::vector<BucketTerm>> result(features.size());
  ReadOptions plain = options;
  plain.table.reset();
  plain.counts.reset();
  plain.features = 0;
  plain.labelled = false;
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  for (std::size_t e = 0; e < model.table.encoders.size(); ++e) {
    const Encoder& encoder = model.table.encoders[e];
    const TermSet* set = encoder.terms();
    if (set == nullptr || !set->hashed()) continue;
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (features[i] >= starts[e] && features[i] - starts[e] < std::uint64_t{1} << set->bits) {
        places[features[i] - starts[e]] = i;
      }
    }
    if (!places.empty()) take_encoder(model, encoder, places, paths, plain, comm, result);
  }
  for (std::vector<BucketTerm>& terms : result) {
    std::ranges::sort(terms, [](const BucketTerm& a, const BucketTerm& b) {
      return a.count != b.count ? a.count > b.count : a.name < b.name;
    });
  }
  return result;
}

}  // namespace linsep
