// Rows as text, svmlight and CSV, in the form in which the readers take them.
#pragma once

#include <cstdint>
#include <string>

#include "linsep/tools/generate.h"

namespace linsep {

/// At most this many decimal places: every power of ten up to it, and every unit count below 2⁶³, is exact.
inline constexpr int kMostPlaces = 18;

/// 10^places. REQUIRES: 0 ≤ places ≤ kMostPlaces.
std::int64_t power_of_ten(int places);

/// Appends units·10^−places as a plain decimal without trailing zeros: "0.0345", "-2", "0".
void append_decimal(std::int64_t units, int places, std::string& out);

/// Appends "label column:value …\n", columns from 1. Every entry of the row is written, zeros too.
void append_svmlight(const DecimalRow& row, int places, std::string& out);

/// Appends "x1,…,xd,label\n": one value for each of `features` columns, then the label.
void append_csv(const DecimalRow& row, int places, std::uint32_t features, std::string& out);

/// "x1,x2,…,label\n".
std::string csv_header(std::uint32_t features);

}  // namespace linsep
