// AdvisedError is an error with a line of its own about what helps.
#pragma once

#include <string>
#include <utility>

#include "linsep/error.h"

namespace linsep::app {

class AdvisedError : public Error {
 public:
  /// Bad input in `file`. `advice` is for people and is printed unescaped, so names in it must be escaped.
  AdvisedError(const std::string& file, const std::string& message, std::string advice)
      : Error(Place{file, 0, 0}, message), advice_(std::move(advice)) {}

  const std::string& advice() const { return advice_; }

 private:
  std::string advice_;
};

/// Training ended too early to leave a model.
class UnfinishedError : public AdvisedError {
 public:
  using AdvisedError::AdvisedError;
};

}  // namespace linsep::app
