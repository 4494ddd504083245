// What was made of a table's columns, for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "linsep/table/fit.h"

namespace linsep::app {

nlohmann::ordered_json account_json(const TableAccount& account);

}  // namespace linsep::app
