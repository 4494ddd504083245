// The library's values as JSON, under the names of the manual.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "linsep/learner.h"
#include "linsep/model.h"
#include "linsep/options.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {
using Json = nlohmann::ordered_json;

/// Vectors longer than this are left out of the object unless `--full` is given.
inline constexpr std::size_t kLongVector = 1000;

Json to_json(const Options& options);
Json to_json(const Progress& progress);
Json to_json(const TraceStep& step);
/// {"negative": …, "positive": …}, or null in a regression. With more than two classes, a list of them. With label
/// columns, a list of {"label": …, "negative": …, "positive": …}.
Json classes_json(const Schema& schema);
/// θ and θ0, or with several classes or label columns a list of them.
Json theta_json(const Model& model);
Json offset_json(const Model& model);

/// One line of text, with bytes that aren't UTF-8 replaced.
std::string json_line(const Json& value);

}  // namespace linsep
