// What a data set is besides its rows, as text: the part of a root of version 2 that isn't the tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "linsep/certificate.h"
#include "linsep/choices.h"

namespace linsep {

/// Of certificates about all classifiers, their `data` and their roots.
constexpr int kNewestVersion = 2;
/// Of proofs about one model, and their claim (linsep/optimality.h).
constexpr int kOptimalityVersion = 3;
constexpr std::string_view kNearOptimal = "near-optimal";
/// What files call a loss.
std::string_view loss_text(Loss loss);

/// DataDigest::table of these rows.
std::string table_text(const Schema& schema);

/// What a data set is, but for its root. Of more than two classes `negative` and `positive` are "". REQUIRES: at
/// least two classes.
DataDigest described_data(const Schema& schema, std::int64_t rows, std::uint32_t features);

/// `data` of the certificate's file without its root: JSON in one line, no blanks, fields in the order of their names,
/// all beyond ASCII escaped as \u and four lower-case hexadecimal digits per UTF-16 unit. Throws an input Error where a
/// name isn't UTF-8.
std::string data_json(const DataDigest& data, int version);

}  // namespace linsep
