#include "tables/saved_table.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include "linsep/error.h"
#include "linsep/model.h"
#include "output.h"
#include "reading.h"

namespace linsep::app {
namespace {

/// The beginning of a map's JSON, which no model has.
constexpr std::string_view kBegin = "{\"rules\"";

bool is_map(const std::string& path) {
  std::array<char, kBegin.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == kBegin;
}

}  // namespace

TableMap load_table(const std::string& path, std::uint64_t memory) {
  if (is_map(path)) {
    std::ifstream file(path, std::ios::binary);
    const std::string json((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    TableMap map = table_from_json(json, path);
    if (const std::string problem = problem_of(map); !problem.empty()) throw Error(Place{path, 0, 0}, problem);
    return map;
  }
  Model model = load_model_within(path, memory);
  if (model.table.empty()) {
    throw Error(Place{path, 0, 0}, "the model has no table: its features are plain numbers");
  }
  return std::move(model.table);
}

void save_table(const TableMap& map, const std::string& path) {
  Output file(path);
  file.write(table_to_json(map));
  file.write("\n");
  file.close();
}

}  // namespace linsep::app
