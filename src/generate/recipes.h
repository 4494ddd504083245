// The makers behind generate.h. They produce rows as text, svmlight or CSV, in the form that the readers accept. Each
// maker takes complete options (complete_options of its table).
#pragma once

#include <cstdint>
#include <string>

#include "linsep/tools/generate.h"

namespace linsep {

Recipe make_truth_table(std::string_view name);
Recipe make_translations();
Recipe make_comparison(std::uint64_t seed);
Recipe make_separable(std::int64_t rows, std::uint32_t features, double margin, std::uint64_t seed);
/// If `classes` is above 0, as many hidden classifiers give labels 1 … classes, and the highest score wins. If it is 0,
/// one classifier gives labels −1 and +1.
Recipe make_sparse(std::int64_t rows, std::uint32_t features, std::uint32_t nonzeros, int classes, std::uint64_t seed);
/// Payments, few of them fraud, with a number, a time, categories and, if `words` > 0, a text of that many words.
Recipe make_table(std::int64_t rows, std::uint32_t cards, std::uint32_t words, std::uint64_t seed);
/// Short messages, one in six of them spam. Patients with numbers, categories, a date and missing values.
Recipe make_messages(std::int64_t rows, std::uint64_t seed);
Recipe make_patients(std::int64_t rows, std::uint64_t seed);

/// Anything drawn once for the whole set comes from streams far beyond those of its rows.
enum class Stream : std::uint64_t { kRows = 0, kHidden = 1ULL << 63, kFlips, kFlipBlocks, kHiddenWeights, kTable };

/// Which rows have their label flipped: each with a certain chance, exactly `flips` of them, or those listed.
struct FlipRule {
  double chance = 0;
  std::int64_t flips = -1;                ///< −1: by chance
  std::vector<std::int64_t> listed = {};  ///< if not empty, exactly these rows, from 0, ascending
};
/// A flipped label is the negative one. For classes 1 … classes, `next_class` moves it on to the next class.
Recipe flip_labels(Recipe recipe, const FlipRule& rule, std::uint64_t seed);
Recipe next_class(Recipe recipe, int classes);

/// At most this many decimal places, so that every power of ten up to it, and every unit count below 2⁶³, is exact.
inline constexpr int kMostPlaces = 18;

/// Returns 10^places. REQUIRES: 0 ≤ places ≤ kMostPlaces.
std::int64_t power_of_ten(int places);

/// Appends units·10^−places as a plain decimal without trailing zeros: "0.0345", "-2", "0".
void append_decimal(std::int64_t units, int places, std::string& out);

/// Appends "label column:value …\n", with columns from 1. Every entry of the row is written, including zeros.
void append_svmlight(const DecimalRow& row, int places, std::string& out);

/// Appends "x1,…,xd,label\n": one value for each of `features` columns, then the label.
void append_csv(const DecimalRow& row, int places, std::uint32_t features, std::string& out);

/// The line "x1,x2,…,label\n".
std::string csv_header(std::uint32_t features);

}  // namespace linsep
