// The Gram matrix of a dual model: its kernel between every two of the rows that it keeps.
#pragma once

#include <string>
#include <vector>

#include "linsep/model.h"
#include "report/json.h"

namespace linsep::app {

/// K(x_i, x_j) at i·m + j, m the rows kept. Throws a usage Error for a model of another form, or one that keeps so
/// many rows that nobody would read them.
std::vector<double> gram_matrix(const Model& model);

Json gram_json(const Model& model);
/// With every row's α·y beside it.
std::string gram_words(const Model& model);

}  // namespace linsep::app
