// A proof with all that somebody needs to check it without linsep, as one zip file.
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

/// What the bundle's page says besides.
struct BundleNotes {
  std::string data = {};  ///< what the rows are called: a file's name without its folder; "": "the rows"
  bool shortest = false;  ///< the rows were arrays: the decimals are the shortest that read back as the stored numbers
  std::string of_stored = {};  ///< the verdict about the stored numbers themselves, where it is another; else ""
  /// The files of a table, so that the bundle has the columns that the proof uses; empty: it has the encoded rows
  /// alone.
  std::vector<std::string> files = {};
};

/// The zip file: README.html, proof.json, rows.csv or rows.svm (of a table: table.csv), leaves.txt and the scripts.
/// The same proof and rows are the same bytes. Checks the proof before, and goes over the rows twice.
/// Throws a usage Error where it isn't proven of these rows, or they take more than 4 GiB. REQUIRES: sealed without a
/// salt.
std::string make_bundle(const std::variant<Certificate, OptimalityProof>& proof, Source& data, const BundleNotes& notes,
                        const ProofOptions& options = {}, const Observer& observe = {});

/// What a bundle has in it, none of which need be true.
struct Bundle {
  std::variant<Certificate, OptimalityProof> proof;
  std::string leaves = {};
  std::string rows_name = {};  ///< "rows.csv" or "rows.svm"; "": it has none
  std::string rows = {};
};

/// Whether a file begins as a zip file does.
bool is_bundle_text(std::string_view bytes);
/// Takes a bundle apart. Throws an input Error, that of a file in it that is missing, twice there or damaged, or larger
/// than a quarter of `memory` (0: than 4 GiB).
Bundle read_bundle(std::string_view bytes, const std::string& name_for_errors, std::uint64_t memory = 0);

/// Checks the proof of a bundle against its leaves, and that its rows are those of the leaves, byte for byte as
/// `make_bundle` writes them. So nothing that whoever made it put there is believed, or run.
OptimalityCheck verify_bundle(const Bundle& bundle, const ProofOptions& options = {});

/// Rows of arrays as a text with the shortest decimals that read back as the stored numbers: CSV with a header and the
/// label last, called `label` (or that with underscores); svmlight, without names, where rows are sparse and have many
/// columns. Throws a usage Error for classes that can't be written so, an input Error for a source without classes.
struct ShortestText {
  std::string format;  ///< "csv" or "svmlight"
  std::string label;   ///< csv: the label's column
  std::string text;
};
ShortestText shortest_text(Source& rows, const std::string& label);

}  // namespace linsep
