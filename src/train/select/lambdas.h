// The λ of a path: as the user writes them, and as the data suggests them.
#pragma once

#include <string_view>
#include <vector>

namespace linsep {

/// "1e-2,1e-3,0.5", or "1e-1:1e-5:9": nine from the first to the second in equal ratios. Descending, each once.
/// Throws a usage Error, which calls the option by its name.
std::vector<double> parse_lambdas(std::string_view text, std::string_view option = "lambdas");

/// Seven powers of ten, down from the one nearest `square`/10, where `square` is the mean squared distance of the rows
/// from their mean: at λ = `square` the classifier hardly moves.
std::vector<double> usual_lambdas(double square);

}  // namespace linsep
