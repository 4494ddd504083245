// The one exception of the library: bad input, bad usage or a failing system, with the place where it was found.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace linsep {

/// Where in an input something was found. Lines and columns count from 1; 0 means "not known".
struct Place {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

/// Thrown for bad input, never for the outcome of a solver.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    kUsage,   ///< an option or a call that makes no sense (exit code 2)
    kInput,   ///< data or a file that can't be read as what it should be (exit code 3)
    kSystem,  ///< disk, memory or another worker failed (exit code 4)
  };

  Error(Kind kind, const std::string& message);
  /// Bad input at a place; what() reads "file:line:column: message".
  Error(Place place, const std::string& message);

  Kind kind() const { return kind_; }
  const Place& place() const { return place_; }

 private:
  Kind kind_;
  Place place_;
};

Error usage_error(const std::string& message);
Error input_error(const std::string& message);
Error system_error(const std::string& message);

}  // namespace linsep
