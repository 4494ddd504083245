#include "tables/account_json.h"

#include <string>

namespace linsep::app {

nlohmann::ordered_json account_json(const TableAccount& account) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ColumnAccount& column : account.columns) {
    nlohmann::ordered_json one = {{"name", column.name}, {"purpose", column.purpose}};
    if (!column.format.empty()) one["format"] = column.format;
    if (!column.reason.empty()) one["reason"] = column.reason;
    if (!column.detail.empty()) one["detail"] = column.detail;
    columns.push_back(std::move(one));
  }
  return {{"file", account.file},
          {"rows", account.rows},
          {"looked_at", account.looked_at},
          {"header", account.header},
          {"delimiter", std::string(1, account.delimiter)},
          {"decimal", std::string(1, account.decimal)},
          {"features", account.features},
          {"columns", std::move(columns)}};
}

}  // namespace linsep::app
