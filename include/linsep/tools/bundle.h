// A proof with everything that is needed to check it without linsep, as one zip file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/optimality.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// Further facts for the bundle's page.
struct BundleNotes {
  std::string data = {};       ///< what the rows are called, a file's name without its folder. "" means "the rows"
  bool shortest = false;       ///< the rows were arrays, so decimals are the shortest that read back as the same number
  std::string of_stored = {};  ///< the verdict about the stored numbers themselves, if it is another, otherwise ""
  /// The files of a table, from which the bundle gets the columns that the proof uses. If empty, it has the encoded
  /// rows alone.
  std::vector<std::string> files = {};
};

/// The zip file with README.html, proof.json, rows.csv or rows.svm (of a table: table.csv), leaves.txt and the scripts.
/// The same proof and rows are the same bytes. Checks the proof before, and goes over the rows twice. Throws a usage
/// Error if it isn't proven of these rows, or they take more than 4 GiB. REQUIRES: sealed without a salt.
std::string make_bundle(const std::variant<Certificate, OptimalityProof>& proof, Source& data, const BundleNotes& notes,
                        const ProofOptions& options = {}, const Observer& observe = {});

/// The content of a bundle, none of which need be true.
struct Bundle {
  std::variant<Certificate, OptimalityProof> proof;
  std::string leaves = {};
  std::string rows_name = {};  ///< "rows.csv" or "rows.svm", or "" if it has none
  std::string rows = {};
};

/// Whether a file begins as a zip file does.
bool is_bundle_text(std::string_view bytes);
/// Takes a bundle apart. Throws an input Error about a file in it that is missing, duplicate or damaged, or larger than
/// a quarter of `memory` (than 4 GiB if that is 0).
Bundle read_bundle(std::string_view bytes, const std::string& name_for_errors, std::uint64_t memory = 0);

/// Checks the proof of a bundle against its leaves, and that its rows are those of the leaves, byte for byte as
/// `make_bundle` writes them. So nothing that its maker put there is believed, or run.
OptimalityCheck verify_bundle(const Bundle& bundle, const ProofOptions& options = {});

/// Rows of arrays as a text with the shortest decimals that read back as the stored numbers. CSV with a header and the
/// label last, called `label` (or that with underscores). svmlight, without names, if rows are sparse and have many
/// columns. Throws a usage Error for classes that can't be written in this way, and an input Error for a source without
/// classes.
struct ShortestText {
  std::string format;  ///< "csv" or "svmlight"
  std::string label;   ///< csv: the label's column
  std::string text;
};
ShortestText shortest_text(Source& rows, const std::string& label);

}  // namespace linsep
