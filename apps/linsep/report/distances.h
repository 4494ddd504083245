// What `linsep inspect MODEL DATA` tells of rows seen from the boundary: in words, as a picture, as JSON.
#pragma once

#include <string>

#include "linsep/model.h"
#include "linsep/tools/distances.h"
#include "report/json.h"

namespace linsep::app {

/// `full`: every row, however many.
Json distances_json(const Model& model, const Distances& found, double tolerance, bool full);
std::string distances_words(const Model& model, const Distances& found, double tolerance, const std::string& data);

}  // namespace linsep::app
