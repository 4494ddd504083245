// What a proof is about, and its finding, in words. Every sentence with a verdict is made of these, in `certify`,
// `verify`, `report`, `plot`, `train --hard`, the bundle, Python and R.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "linsep/certificate.h"

namespace linsep {

/// As much of a certificate as its sentences need. Names stand in sentences unescaped, and code that prints them makes
/// them fit for a terminal.
struct Statement {
  Claim claim = Claim::kUndecided;
  bool origin = false;
  std::string map = "none";    ///< as in the certificate's file
  std::string against = {};    ///< with several classes, the one that is separated from the rest, or "" for none
  bool jointly = false;        ///< with several classes, whether each has a score of its own
  std::string reference = {};  ///< jointly, the last class, with which a logistic regression compares the others
  /// Rows that the levels separate, and the others. Jointly, comparisons of a row's own class with another one.
  std::int64_t separated = 0, at_zero = 0;
  bool has_levels = false, has_witness = false;
};

/// REQUIRES: `data` has the number of rows.
Statement statement_of(const Certificate& certificate);
/// The name of a feature map in the certificate's file: "none", "products", "polynomial:2".
std::string map_to_text(const FeatureMap& map);

// Parts of sentences.

/// The classifiers that it is about, as in "linear classifier through the origin". `noun` stands for "linear
/// classifier".
std::string classifier_words(const Statement& statement, std::string_view noun = "linear classifier");
/// The regression whose coefficients it is about, as in "logistic regression of B against the rest".
std::string regression_words(const Statement& statement);
/// The action of a classifier without a mistake, as in "separates these rows" or "separates B from the rest".
std::string separates_words(const Statement& statement);

// Sentences, without a full stop, and without the capital letter that `capitalized` gives them.

std::string capitalized(std::string text);

/// "no linear classifier separates these rows"
std::string not_separable_words(const Statement& statement);
/// "some linear classifier separates 2 rows and has no row on the wrong side". REQUIRES: not jointly.
std::string separated_words(const Statement& statement);
/// "every linear classifier makes at least 3 mistakes"
std::string least_words(const Statement& statement, std::int64_t mistakes);
/// What is proven, without the name of the verdict. If undecided, what is known nevertheless, which may be "".
std::string verdict_words(const Statement& statement);
/// "overlapping: no linear classifier …", "jointly separable: …", "undecided"
std::string claim_words(const Statement& statement);

}  // namespace linsep
