#include "linsep/error.h"

#include <fmt/format.h>

#include <utility>

namespace linsep {
namespace {

std::string placed(const Place& place, const std::string& message) {
  if (place.line == 0) return fmt::format("{}: {}", place.file, message);
  if (place.column == 0) return fmt::format("{}:{}: {}", place.file, place.line, message);
  return fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, message);
}

}  // namespace

Error::Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

Error::Error(Place place, const std::string& message)
    : std::runtime_error(placed(place, message)), kind_(Kind::kInput), place_(std::move(place)) {}

Error usage_error(const std::string& message) { return {Error::Kind::kUsage, message}; }
Error input_error(const std::string& message) { return {Error::Kind::kInput, message}; }
Error system_error(const std::string& message) { return {Error::Kind::kSystem, message}; }

}  // namespace linsep
