// Texts have a weight for each term, which is made of words or characters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/deadline.h"
#include "core/elementary.h"
#include "core/words.h"
#include "table/fitting.h"
#include "table/kind.h"
#include "table/terms.h"

namespace linsep {
namespace {

constexpr int kLongestTerm = 8;                         // words or characters
constexpr double kLeastIdf = 1e-6, kGreatestIdf = 1e6;  // beyond these, squares of weights might not be doubles
constexpr std::array<std::pair<TermWeight, std::string_view>, 3> kWeightNames{
    {{TermWeight::kSqrt, "sqrt"}, {TermWeight::kCount, "count"}, {TermWeight::kPresence, "presence"}}};

/// Whether the term's words have one blank between them and are as many as the range allows.
bool is_term(const TextEncoder& text, const std::string& term) {
  if (text.words.none()) return !term.empty();
  if (term.empty() || term.front() == ' ' || term.back() == ' ' || term.find("  ") != std::string::npos) return false;
  const auto words = 1 + std::count(term.begin(), term.end(), ' ');
  return words >= text.words.from && words <= text.words.to;
}

void write_range(std::string& out, TermRange range) {
  out += '[';
  if (!range.none()) out += std::to_string(range.from) + ", " + std::to_string(range.to);
  out += ']';
}

TermRange read_range(JsonObject& object, const std::string& key) {
  const std::vector<int> ends = json_numbers<int>(object, key);
  if (ends.empty()) return {};
  if (ends.size() != 2 || ends[1] == 0) throw wrong_json(object.path(key), "[] or [from, to]");
  return {ends[0], ends[1]};
}

/// Gives all workers the same doubles, those of the first.
void take_from_first(std::vector<double>& numbers, Comm& comm) {
  if (comm.size() == 1) return;
  const std::span<const std::byte> mine = std::as_bytes(std::span(numbers));
  const auto all = comm.all_gather(comm.rank() == 0 ? mine : std::span<const std::byte>());
  std::memcpy(numbers.data(), all[0].data(), numbers.size() * sizeof(double));
}

/// Rank 0 computes idf and hands it to all, because `log` isn't the same everywhere. A collective call.
TextEncoder encoder_of(const Fitting& fitting, const TextCounts& counts, CountedTerms& counted) {
  const TableSpec& spec = fitting.spec;
  TextEncoder text;
  text.words = counts.words;
  text.chars = counts.chars;
  using Weighting = TableSpec::Weighting;
  const bool plain = spec.weighting == Weighting::kCounts || (spec.as_written && spec.weighting == Weighting::kTfIdf);
  text.weight = plain                                    ? TermWeight::kCount
                : spec.weighting == Weighting::kPresence ? TermWeight::kPresence
                                                         : TermWeight::kSqrt;
  text.norm = spec.norm && !spec.as_written;
  const bool has_idf = spec.weighting == Weighting::kTfIdf && !spec.as_written;
  if (has_idf) {
    const auto idf = [&](std::uint64_t df) {
      return elementary::log((1 + static_cast<double>(fitting.counts.rows)) / (1 + static_cast<double>(df))) + 1;
    };
    for (const CountedTerm& term : counted.terms) text.idf.push_back(idf(term.count));
    for (const std::uint64_t count : counted.counts) text.idf.push_back(idf(count));
    take_from_first(text.idf, fitting.comm);
  }
  std::vector<std::uint32_t> buckets;
  if (has_idf) buckets = counted.buckets;
  take_terms(spec, counted, false, text);
  // A bucket without an idf has no weight.
  if (text.hashed() && has_idf) {
    text.every_bucket = false;
    text.buckets = std::move(buckets);
  }
  return text;
}

std::string range_text(const char* what, TermRange range) {
  return range.from == range.to ? fmt::format("{} {}", what, range.from)
                                : fmt::format("{} {}-{}", what, range.from, range.to);
}

std::string terms_detail(const TableSpec& spec, const TextEncoder& text, std::uint64_t distinct) {
  const std::string what = text.chars.none() ? range_text("words", text.words) : range_text("characters", text.chars);
  if (text.hashed()) return fmt::format("{}: {}", what, buckets_detail(spec, text));
  if (text.terms.size() == distinct) return fmt::format("{}: {} terms", what, with_commas(distinct));
  const std::string often =
      spec.min_count == 2 ? "seen twice or more" : fmt::format("in {} rows or more", spec.min_count);
  return fmt::format("{}: {} terms {} of {}", what, with_commas(text.terms.size()), often, with_commas(distinct));
}

std::string weighting_detail(const TextEncoder& text) {
  const std::string_view weight = text.weight == TermWeight::kSqrt    ? "√tf"
                                  : text.weight == TermWeight::kCount ? "counts"
                                                                      : "presence";
  return fmt::format("{}{}{}", weight, text.idf.empty() ? "" : "·idf", text.norm ? ", rows of length 1" : "");
}

}  // namespace

std::uint64_t kind_features(const TableMap& /*map*/, const TextEncoder& text) { return term_features(text); }

/// Characters, which may be blank, are put in quotes.
std::string kind_name(const TableMap& /*map*/, const std::string& column, const TextEncoder& text,
                      std::uint32_t place) {
  const bool quoted = !text.chars.none() && term_at(text, place);
  return quoted ? fmt::format("{}:'{}'", column, term_text(text, place)) : column + ":" + term_text(text, place);
}

std::string kind_problem(const TableMap& /*map*/, const std::string& /*column*/, const TextEncoder& text) {
  if (text.words.none() == text.chars.none()) return "it should have either words or characters";
  const TermRange range = text.words.none() ? text.chars : text.words;
  const TermRange other = text.words.none() ? text.words : text.chars;
  if (other.from != 0 || range.from < 1 || range.from > range.to || range.to > kLongestTerm) {
    return fmt::format("its terms should have 1 to {} words or characters, not {} to {}", kLongestTerm, range.from,
                       range.to);
  }
  std::string problem = terms_problem(text, [&](std::size_t i, std::vector<std::uint64_t>& keys) -> std::string {
    if (!is_term(text, text.terms[i])) return fmt::format("its term {} isn't valid", i + 1);
    keys.push_back(term_key(text.terms[i], text.words.none()));
    return "";
  });
  if (!problem.empty()) return problem;
  const std::size_t weights = text.hashed() ? text.buckets.size() : text.terms.size();
  if (!text.idf.empty() && text.idf.size() != weights) {
    return fmt::format("there are {} idf weights for {} terms", text.idf.size(), weights);
  }
  const auto fits = [](double idf) { return idf == 0 || (idf >= kLeastIdf && idf <= kGreatestIdf); };
  return std::ranges::all_of(text.idf, fits) ? "" : "an idf weight should be 0, or from 1e-6 to 1e6";
}

std::vector<AskedColumn> asked_of(const std::string& column, const TextEncoder& /*text*/) {
  return {{column, ColumnKind::kText, "", 0}};
}

void write_kind(EncoderWriter& to, const TextEncoder& text) {
  write_range(to.fields["words"], text.words);
  write_range(to.fields["chars"], text.chars);
  append_json_word(to.fields["tf"], name_in(kWeightNames, text.weight));
  write_terms(to, "terms", text);
  to.list("idf", text.idf, [&](double idf) { append_json_number(to.out, idf); });
  append_json_flag(to.fields["norm"], text.norm);
}

void read_kind(EncoderReader& from, TextEncoder& text) {
  text.words = read_range(from.object, "words");
  text.chars = read_range(from.object, "chars");
  text.weight = json_choice(from.object, "tf", kWeightNames);
  read_terms(from, "terms", text);
  from.list("idf", text.idf, from.lengths.idf,
            [](const nlohmann::json& item, const std::string& at) { return json_number(item, at); });
  text.norm = json_flag(from.object, "norm");
}

void take_fields(const PreparedEncoder& /*prepared*/, const TextEncoder& /*text*/, const TableBatch& /*batch*/,
                 EncodedFields& /*fields*/) {}

void emit_row(const PreparedEncoder& prepared, const TextEncoder& /*text*/, const EncodedRow& to) {
  const TableColumn& column = to.batch.columns[prepared.column];
  EncodedFields& mine = to.mine();
  if (is_missing(column, to.row)) {
    ++mine.holes;
    return;
  }
  mine.values.clear();
  if (!mine.text->encode(column.text[to.row], mine.values)) ++mine.unseen;
  for (const EncodedValue& value : mine.values) to.emit(prepared.start + value.feature, value.value);
}

void count_texts(const TableColumn& column, std::size_t rows, std::uint64_t place, ColumnCounts& counts) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      ++counts.missing;
    } else {
      counts.one.take(column.text[row]);
    }
  }
  for (TextCounts& text : counts.texts) {
    text.vocabulary.begin_batch(place);
    for (std::size_t row = 0; row < rows; ++row) {
      if (is_missing(column, row)) continue;
      poll(10 * column.text[row].size());
      text.vocabulary.take_row(text.reader.read(column.text[row]), [&](std::size_t i) { return text.reader.term(i); });
    }
  }
}

FittedColumn fit_text(Fitting& fitting, std::size_t k) {
  const TableSpec& spec = fitting.spec;
  std::string detail;
  std::vector<TextEncoder> encoders;
  std::uint64_t features = 0;
  for (TextCounts& counts : fitting.counts.columns[k].texts) {
    CountedTerms counted = fitting.terms_of(counts.vocabulary);
    encoders.push_back(encoder_of(fitting, counts, counted));
    detail += terms_detail(spec, encoders.back(), counted.distinct) + "; ";
    features += counted.bits > 0 ? 1 : encoders.back().terms.size();
  }
  if (features == 0 && !fitting.plans[k].asked) {
    return {fmt::format("no term is in {} rows or more", spec.min_count), ""};
  }
  detail += encoders.empty() ? "neither words nor characters" : weighting_detail(encoders.front());
  for (TextEncoder& text : encoders) fitting.add(fitting.plans[k].name, std::move(text));
  return {"", detail};
}

}  // namespace linsep
