// z = θ·φ(x) + θ0 at a point of the plane, where φ has few features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linsep/map.h"

namespace linsep::wasm {

class ScoreFunction {
 public:
  /// REQUIRES: one or two raw features; a θ for each mapped one.
  ScoreFunction(const FeatureMap& map, std::uint32_t features, std::span<const double> theta, double offset)
      : offset_(offset) {
    for (std::uint32_t j = 0; j < theta.size(); ++j) terms_.push_back({monomial(map, features, j), theta[j]});
  }

  double operator()(double x, double y) const {
    double z = offset_;
    for (const Term& term : terms_) {
      double product = term.weight;
      for (const std::uint32_t column : term.columns) product *= column == 0 ? x : y;
      z += product;
    }
    return z;
  }

 private:
  struct Term {
    std::vector<std::uint32_t> columns;
    double weight;
  };
  std::vector<Term> terms_;
  double offset_;
};

}  // namespace linsep::wasm
