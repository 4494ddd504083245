#include "format/raw_fields.h"

#include "linsep/error.h"
#include "linsep/tools/fields.h"

namespace linsep {
namespace {

RawFields& fields_in(Source& source) {
  if (auto* found = dynamic_cast<RawFields*>(&source)) return *found;
  throw usage_error(
      "columns can be kept of CSV, TSV, Parquet and Arrow files only: page files, also of a cache, hold numbers alone");
}

}  // namespace

std::vector<std::string> field_names(Source& source, std::span<const std::string> columns) {
  return fields_in(source).names(columns);
}

std::vector<std::string> fields_of_batch(Source& source, std::span<const std::string> columns) {
  return fields_in(source).fields(columns);
}

}  // namespace linsep
