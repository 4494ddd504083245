// From scores s.z0, s.z1, … to the columns of the answer.
#pragma once

#include <string>
#include <vector>

#include "linsep/model.h"

namespace linsep {

struct SqlColumn {
  std::string name, expression;
};

std::vector<SqlColumn> sql_answers(const Model& model);

}  // namespace linsep
