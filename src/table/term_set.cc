// Shared by categories, texts and crosses of categories: terms, each with a feature, or buckets of a hash.
#include <fmt/format.h>

#include <algorithm>

#include "core/words.h"
#include "table/fitting.h"
#include "table/kind.h"
#include "table/terms.h"

namespace linsep {
namespace {

constexpr int kFewestBits = 10, kMostBits = 28;

std::string buckets_problem(const TermSet& set) {
  if (set.bits < kFewestBits || set.bits > kMostBits) {
    return fmt::format("its bits should be {} to {} but are {}", kFewestBits, kMostBits, set.bits);
  }
  if (!set.terms.empty()) return "it is hashed, but lists values";
  if (set.every_bucket && !set.buckets.empty()) return "it uses every bucket, but lists some";
  const std::uint32_t end = std::uint32_t{1} << set.bits;
  for (std::size_t i = 0; i < set.buckets.size(); ++i) {
    if (set.buckets[i] >= end) return "a bucket is beyond its bits";
    if (i > 0 && set.buckets[i] <= set.buckets[i - 1]) return "its buckets don't ascend";
  }
  for (std::size_t i = 0; i < set.names.size(); ++i) {
    if (set.names[i].bucket >= end) return "a bucket's name is beyond its bits";
    if (i > 0 && set.names[i].bucket <= set.names[i - 1].bucket) return "the names of its buckets don't ascend";
  }
  return "";
}

}  // namespace

std::uint64_t term_features(const TermSet& set, bool rare) {
  if (set.hashed()) return std::uint64_t{1} << set.bits;
  return set.terms.size() + (rare ? 1 : 0);
}

std::optional<std::string_view> term_at(const TermSet& set, std::uint32_t place) {
  if (!set.hashed()) return place < set.terms.size() ? std::optional<std::string_view>(set.terms[place]) : std::nullopt;
  const auto found = std::ranges::lower_bound(set.names, place, {}, &BucketName::bucket);
  if (found == set.names.end() || found->bucket != place) return std::nullopt;
  return found->first;
}

std::string term_text(const TermSet& set, std::uint32_t place) {
  if (const auto term = term_at(set, place)) return std::string(*term);
  return set.hashed() ? fmt::format("#{}", place) : "(rare)";
}

std::string terms_problem(const TermSet& set, const KeyOf& key_of) {
  if (set.hashed()) return buckets_problem(set);
  if (set.has_signs || !set.every_bucket || !set.buckets.empty() || !set.names.empty()) {
    return "it isn't hashed, but has buckets";
  }
  std::vector<std::uint64_t> keys;
  keys.reserve(set.terms.size());
  for (std::size_t i = 0; i < set.terms.size(); ++i) {
    if (std::string problem = key_of(i, keys); !problem.empty()) return problem;
  }
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end() ? "" : "a value or term is listed twice";
}

std::string values_problem(const ValueSet& values, const KeyOf& key_of) {
  std::string problem = terms_problem(values, key_of);
  if (problem.empty() && values.hashed() && values.rare) problem = "it is hashed, but lists values";
  return problem;
}

void write_terms(EncoderWriter& to, std::string_view key, const TermSet& set) {
  if (!set.hashed()) {
    return to.list(key, set.terms, [&](const std::string& term) { append_json_word(to.out, term); });
  }
  append_json_number(to.fields["bits"], set.bits);
  append_json_flag(to.fields["signed"], set.has_signs);
  if (!set.every_bucket) to.list("used", set.buckets, [&](std::uint32_t b) { append_json_number(to.out, b); });
  to.list("names", set.names, [&](const BucketName& name) {
    to.out += '[';
    append_json_number(to.out, name.bucket);
    for (const std::string* word : {&name.first, &name.second}) {
      to.out += ", ";
      append_json_word(to.out, *word);
    }
    to.out += ']';
  });
}

void read_terms(EncoderReader& from, const std::string& key, TermSet& set) {
  using nlohmann::json;
  const auto word = [](const json& item, const std::string& at) { return json_word(item, at); };
  if (!from.object.has("bits")) return from.list(key, set.terms, from.lengths.terms, word);
  set.bits = json_integer<int>(from.object, "bits");
  if (set.bits == 0) throw wrong_json(from.object.path("bits"), "above 0");
  set.has_signs = json_flag(from.object, "signed");
  set.every_bucket = !from.object.has("used");
  if (!set.every_bucket) {
    from.list("used", set.buckets, from.lengths.buckets,
              [](const json& item, const std::string& at) { return json_integer<std::uint32_t>(item, at); });
  }
  from.list("names", set.names, from.lengths.names, [&](const json& item, const std::string& at) {
    constexpr std::string_view kExpected = "a list of [bucket, first, second]";
    if (json_length(item) != 3) throw wrong_json(at, kExpected);
    std::vector<const json*> parts;
    for_each_json_item(item, at, kExpected, [&](const json& part) { parts.push_back(&part); });
    return BucketName{json_integer<std::uint32_t>(*parts[0], at), word(*parts[1], at), word(*parts[2], at)};
  });
}

void write_values(EncoderWriter& to, const ValueSet& values) {
  write_terms(to, "values", values);
  if (!values.hashed()) append_json_flag(to.fields["rare"], values.rare);
}

void read_values(EncoderReader& from, ValueSet& values) {
  read_terms(from, "values", values);
  if (!values.hashed()) values.rare = json_flag(from.object, "rare");
}

CategoryIndex::CategoryIndex(const ValueSet& values, bool pairs) : bits_(values.bits) {
  if (bits_ == 0) {
    std::vector<std::uint64_t> keys;
    keys.reserve(values.terms.size());
    for (const std::string& term : values.terms) keys.push_back(pairs ? pair_term_key(term) : value_key(term));
    table_ = KeyTable(keys);
    if (values.rare) rare_ = static_cast<std::uint32_t>(values.terms.size());
  } else if (!values.every_bucket) {
    used_.resize(((std::size_t{1} << bits_) + 63) / 64);
    for (const std::uint32_t bucket : values.buckets) used_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
  }
}

void take_key(const PreparedEncoder& prepared, std::uint64_t key, std::size_t row, EncodedFields& fields) {
  bool seen = false;
  fields.place[row] = prepared.categories.feature_of(key, seen);
  if (!seen) ++fields.unseen;
  if (!fields.negative.empty()) fields.negative[row] = static_cast<std::uint8_t>(key >> 63);
}

void take_terms(const TableSpec& spec, CountedTerms& counted, bool pairs, TermSet& set) {
  set.bits = counted.bits;
  if (counted.bits > 0) {
    set.has_signs = spec.has_signs;
    set.every_bucket = spec.min_count <= 1;
    if (!set.every_bucket) set.buckets = std::move(counted.buckets);
    set.names = std::move(counted.names);
    return;
  }
  set.terms.reserve(counted.terms.size());
  for (CountedTerm& counted_term : counted.terms) {
    const bool ambiguous = pairs && std::count(counted_term.term.begin(), counted_term.term.end(), '\x1f') > 1;
    if (!ambiguous) set.terms.push_back(std::move(counted_term.term));
  }
}

void take_values(const TableSpec& spec, CountedTerms& counted, bool pairs, ValueSet& values) {
  take_terms(spec, counted, pairs, values);
  values.rare = !values.hashed() && counted.distinct > values.terms.size();
}

std::string buckets_detail(const TableSpec& spec, const TermSet& set) {
  const std::string all = with_commas(std::uint64_t{1} << set.bits);
  std::string text = spec.bits > 0 ? fmt::format("hashed into {} buckets", all)
                                   : fmt::format("more than {} of them, hashed into {} buckets",
                                                 with_commas(static_cast<std::uint64_t>(spec.most_terms)), all);
  if (!set.every_bucket) text += fmt::format(", {} in use", with_commas(set.buckets.size()));
  return text;
}

std::string values_detail(const TableSpec& spec, const ValueSet& values, std::uint64_t distinct) {
  if (values.hashed()) return buckets_detail(spec, values);
  std::string text = fmt::format("{} value{}", with_commas(distinct), distinct == 1 ? "" : "s");
  if (!values.rare) return text;
  return text + fmt::format(", {} {} → (rare)", with_commas(distinct - values.terms.size()),
                            spec.min_count == 2 ? "seen once" : fmt::format("in fewer than {} rows", spec.min_count));
}

}  // namespace linsep
