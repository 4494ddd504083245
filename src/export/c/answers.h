// From scores to labels and probabilities in C.
#pragma once

#include <string>
#include <vector>

#include "linsep/model.h"

namespace linsep {

struct CAnswers {
  std::vector<std::string> declarations;  ///< of the functions that others call
  std::string functions;
};

CAnswers c_answers(const Model& model);

}  // namespace linsep
