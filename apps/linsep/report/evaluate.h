// What `linsep evaluate` tells of a model: in words for people, as one object for programs.
#pragma once

#include <string>

#include "linsep/train.h"
#include "report/json.h"
#include "report/ranking.h"

namespace linsep::app {

Json evaluation_json(const Model& model, const Evaluation& result);
std::string evaluation_words(const Model& model, const Evaluation& result);

}  // namespace linsep::app
