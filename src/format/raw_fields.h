// RawFields: a source that can still show the text of its rows.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace linsep {

/// What `linsep/tools/fields.h` asks a source for.
class RawFields {
 public:
  RawFields() = default;
  RawFields(const RawFields&) = delete;
  RawFields& operator=(const RawFields&) = delete;
  virtual ~RawFields() = default;

  virtual std::vector<std::string> names(std::span<const std::string> columns) = 0;
  virtual std::vector<std::string> fields(std::span<const std::string> columns) = 0;
};

}  // namespace linsep
