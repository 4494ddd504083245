// For tests: changed model files, and the errors that they give.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "linsep/error.h"
#include "linsep/model.h"

namespace linsep {

/// The message of the Error that the bytes of a model file give, or "" if they are valid.
inline std::string complaint(const std::string& bytes) {
  try {
    model_from_bytes(bytes, "m");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    return error.what();
  }
  return "";
}

/// The text with the first `from` replaced. REQUIRES: `from` occurs.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace linsep
