// The description of a data set apart from its rows, as text. It is the part of a root of version 2 that isn't the
// tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "linsep/certificate.h"
#include "linsep/choices.h"

namespace linsep {

/// The version of certificates about all classifiers, of their `data` and of their roots.
constexpr int kNewestVersion = 2;
/// The version of proofs about one model, and of their claim (linsep/optimality.h).
constexpr int kOptimalityVersion = 3;
constexpr std::string_view kNearOptimal = "near-optimal";
/// The name of a loss in files.
std::string_view loss_text(Loss loss);

/// DataDigest::table of these rows.
std::string table_text(const Schema& schema);

/// The label columns of rows with several labels.
std::vector<LabelColumn> label_columns(const Schema& schema);
/// What the parts of a proof about a model are called: classes, or label columns. None of two classes.
std::vector<std::string> part_names(const DataDigest& data);

/// The description of a data set without its root. With more than two classes, `negative` and `positive` are "".
/// REQUIRES: at least two classes.
DataDigest described_data(const Schema& schema, std::int64_t rows, std::uint32_t features);

/// `data` of the certificate's file without its root. It is JSON in one line without blanks, with fields in the order
/// of their names, and everything beyond ASCII escaped as \u and four lower-case hexadecimal digits per UTF-16 unit.
/// Throws an input Error if a name isn't UTF-8.
std::string data_json(const DataDigest& data, int version);

}  // namespace linsep
