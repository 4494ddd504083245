// What `linsep evaluate` tells of more than two classes and of label columns.
#pragma once

#include <optional>
#include <string>

#include "linsep/train.h"
#include "report/json.h"

namespace linsep::app {

/// a / b, or nothing where b is 0; and how that is told.
std::optional<double> ratio(std::int64_t a, std::int64_t b);
Json ratio_json(const std::optional<double>& value);
std::string ratio_words(const std::optional<double>& value);

Json classes_json(const Model& model, const Evaluation& result);
std::string classes_words(const Model& model, const Evaluation& result);

Json labels_json(const Model& model, const Evaluation& result);
std::string labels_words(const Model& model, const Evaluation& result);

}  // namespace linsep::app
