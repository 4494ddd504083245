#include "proof/sha256.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace linsep {
namespace {

struct TestVector {
  std::string message;
  std::string hash;
};

// The examples of FIPS 180-4 and its million letters.
const std::vector<TestVector>& vectors() {
  static const std::vector<TestVector> list = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  return list;
}

TEST(Sha256, KnownHashesByBothVersions) {
  for (const TestVector& vector : vectors()) {
    EXPECT_EQ(to_hex(sha256("", vector.message)), vector.hash);
    EXPECT_EQ(to_hex(sha256_plain("", vector.message)), vector.hash);
  }
}

TEST(Sha256, APrefixIsPartOfTheMessage) {
  const std::string letters(200, 'x');
  for (std::size_t size = 0; size <= letters.size(); ++size) {
    const std::string_view rest = std::string_view(letters).substr(0, size);
    const Hash whole = sha256_plain("", "\1\2" + std::string(rest));
    EXPECT_EQ(sha256("\1\2", rest), whole) << size;
    EXPECT_EQ(sha256_plain("\1\2", rest), whole) << size;
  }
}

RC_GTEST_PROP(Sha256, BothVersionsAgree, (const std::string& message)) {
  RC_ASSERT(sha256("", message) == sha256_plain("", message));
}

TEST(Sha256, HexadecimalDigitsAndBack) {
  const Hash hash = sha256("", "abc");
  Hash back{};
  ASSERT_TRUE(from_hex(to_hex(hash), back));
  EXPECT_EQ(back, hash);
  EXPECT_FALSE(from_hex("ab", back));
  EXPECT_FALSE(from_hex(std::string(64, 'g'), back));
}

}  // namespace
}  // namespace linsep
