// What `linsep train --plan` tells: all that is decided before the first pass.
#pragma once

#include <cstdint>
#include <string>

#include "linsep/plan.h"
#include "report/json.h"

namespace linsep::app {

/// `rows`: of all workers; −1: of a stream.
Json plan_json(const TrainPlan& plan, std::int64_t rows);
std::string plan_words(const TrainPlan& plan, std::int64_t rows);

}  // namespace linsep::app
