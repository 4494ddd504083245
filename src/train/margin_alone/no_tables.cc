// Replaces encoders of raw tables. No source here has any, and a certificate about encoded rows is refused.
#include <cstdint>
#include <string>
#include <vector>

#include "linsep/error.h"
#include "linsep/table/map.h"

namespace linsep {
namespace {

[[noreturn]] void refuse_tables() {
  throw usage_error("this certificate is about an encoded table, which this build can't encode: use linsep verify");
}

}  // namespace

std::string table_to_json(const TableMap& /*map*/) { refuse_tables(); }
TableMap table_from_json(const std::string& /*json*/, const std::string& /*name*/) { refuse_tables(); }
std::string encoded_name(const TableMap& /*map*/, std::uint32_t /*feature*/) { refuse_tables(); }
std::vector<std::uint32_t> encoder_starts(const TableMap& /*map*/) { refuse_tables(); }
const Scaling* Encoder::scaling() const { refuse_tables(); }

}  // namespace linsep
