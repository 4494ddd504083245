#include "core/sip_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace linsep {
namespace {

constexpr SipBits kKey = {0x0706050403020100U, 0x0f0e0d0c0b0a0908U};  // the bytes 0, 1, … 15

/// The bytes 0, 1, … size − 1.
std::string counted(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i);
  return bytes;
}

std::string digits(const SipBits& hash) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(hash.data());
  std::string text;
  for (std::size_t i = 0; i < sizeof hash; ++i) {
    text += "0123456789abcdef"[bytes[i] / 16];
    text += "0123456789abcdef"[bytes[i] % 16];
  }
  return text;
}

TEST(SipHash, AgreesWithThePublishedVectors) {
  const struct {
    std::size_t size;
    const char* hash;
  } known[] = {{0, "a3817f04ba25a8e66df67214c7550293"},  {1, "da87c1d86b99af44347659119b22fc45"},
               {2, "8177228da4a45dc7fca38bdef60affe4"},  {7, "a1f1ebbed8dbc153c0b84aa61ff08239"},
               {8, "3b62a9ba6258f5610f83e264f31497b4"},  {9, "264499060ad9baabc47f8b02bb6d71ed"},
               {15, "5493e99933b0a8117e08ec0f97cfc3d9"}, {16, "6ee2a4ca67b054bbfd3315bf85230577"},
               {62, "5853542321f567a005d547a4f04759bd"}, {63, "5150d1772f50834a503e069a973fbd7c"}};
  for (const auto& one : known) {
    EXPECT_EQ(digits(sip_hash(kKey, counted(one.size))), one.hash) << one.size;
  }
}

TEST(SipHash, PiecesAreOneText) {
  const std::string text = counted(40);
  const SipBits whole = sip_hash(kKey, text);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      const std::string_view view = text;
      SipHash hash(kKey);
      hash.add(view.substr(0, first)).add(view.substr(first, second - first)).add(view.substr(second));
      ASSERT_EQ(hash.finish(), whole) << first << " " << second;
    }
  }
}

TEST(SipHash, OtherKeysAndOtherBytesGiveOtherHashes) {
  const SipBits hash = sip_hash(kKey, "text");
  EXPECT_NE(sip_hash({kKey[0] ^ 1, kKey[1]}, "text"), hash);
  EXPECT_NE(sip_hash({kKey[0], kKey[1] ^ 1}, "text"), hash);
  EXPECT_NE(sip_hash(kKey, std::string("text\0", 5)), hash) << "a length counts";
}

}  // namespace
}  // namespace linsep
