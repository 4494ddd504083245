#include "bytes/bytes.h"

#include <gtest/gtest.h>

#include "bytes/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using test::gzipped;
using test::TempFile;
using test::zstd_packed;

std::string all_of(const std::string& path, std::size_t step = 1000) {
  const ByteInput input = open_bytes(path);
  std::string text;
  std::string buffer(step, '\0');
  while (const std::size_t got = input.read(buffer)) text.append(buffer, 0, got);
  return text;
}

std::string error_of(const std::string& path) {
  try {
    all_of(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

TEST(Bytes, CompressionIsSeenThroughWhateverTheName) {
  const std::string text = long_text();
  for (const std::string& bytes : {text, gzipped(text), zstd_packed(text)}) {
    const TempFile file(bytes, ".txt");
    EXPECT_EQ(all_of(file.path()), text);
    EXPECT_EQ(all_of(file.path(), 7), text);
  }
}

TEST(Bytes, ShortAndEmptyFilesAreThemselves) {
  for (const std::string text : {"", "1", "12", "\x1f", "(\xb5/", "1 1:"})
    EXPECT_EQ(all_of(TempFile(text).path()), text);
  EXPECT_EQ(all_of(TempFile(gzipped("")).path()), "");
  EXPECT_EQ(all_of(TempFile(zstd_packed("")).path()), "");
}

TEST(Bytes, MembersAndFramesThatFollowOneAnotherAreOneText) {
  EXPECT_EQ(all_of(TempFile(gzipped("a\n") + gzipped("") + gzipped(long_text()) + gzipped("b\n")).path()),
            "a\n" + long_text() + "b\n");
  EXPECT_EQ(all_of(TempFile(zstd_packed("a\n") + zstd_packed(long_text()) + zstd_packed("b\n")).path()),
            "a\n" + long_text() + "b\n");
  const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0xyz", 11);
  EXPECT_EQ(all_of(TempFile(skippable + zstd_packed("a\n") + skippable).path()), "a\n");
}

TEST(Bytes, ZerosBehindGzipArePadding) {
  EXPECT_EQ(all_of(TempFile(gzipped("a\n") + std::string(200000, '\0')).path()), "a\n");
  EXPECT_NE(error_of(TempFile(gzipped("a\n") + std::string(10, '\0') + "x").path()).find("follows the zero bytes"),
            std::string::npos);
}

TEST(Bytes, DamageIsAnInputErrorAfterWhatCameBeforeIt) {
  std::string gzip = gzipped(long_text());
  std::string zstd = zstd_packed(long_text());
  for (const std::string& cut : {gzip.substr(0, gzip.size() / 2), zstd.substr(0, zstd.size() / 2), gzip.substr(0, 5),
                                 zstd.substr(0, 5), gzip.substr(0, gzip.size() - 1)}) {
    EXPECT_NE(error_of(TempFile(cut).path()).find("ends too early"), std::string::npos);
  }
  gzip[gzip.size() - 6] ^= 1;  // its checksum
  zstd[zstd.size() / 2] ^= 0x55;
  EXPECT_NE(error_of(TempFile(gzip).path()).find("the gzip data is damaged near its byte"), std::string::npos);
  EXPECT_NE(error_of(TempFile(zstd).path()).find("the zstd data is damaged"), std::string::npos);
  EXPECT_NE(error_of(TempFile(gzipped("a\n") + "1 1:2\n").path()).find("incorrect header"), std::string::npos);

  const TempFile file(gzip);
  const ByteInput input = open_bytes(file.path());
  std::string text(long_text().size(), '\0');
  for (std::size_t at = 0; at < text.size();) at += input.read(std::span(text).subspan(at));
  EXPECT_EQ(text, long_text());
  EXPECT_THROW(input.read(text), Error);
}

TEST(Bytes, AMissingFileIsASystemErrorWithItsName) {
  try {
    open_bytes("/nowhere/at all");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kSystem);
    EXPECT_STREQ(error.what(), "/nowhere/at all: can't be opened: No such file or directory");
  }
  EXPECT_THROW(open_bytes("/"), Error);
}

TEST(Bytes, AWaitForStandardInputCanBeStopped) {
  int ends[2];
  ASSERT_EQ(test::pipe(ends), 0);
  const int saved = ::dup(0);
  ::dup2(ends[0], 0);
  ASSERT_EQ(::write(ends[1], "1 1:2\n", 6), 6);
  const ByteInput input = open_bytes("-");
  std::string text(100, '\0');
  std::size_t size = 0;
  while (size < 6) size += input.read(std::span(text).subspan(size));
  input.stop->store(true);
  EXPECT_EQ(input.read(text), 0U);
  ::dup2(saved, 0);
  for (const int number : {saved, ends[0], ends[1]}) ::close(number);
}

TEST(Bytes, ReadingCanBeginAnywhere) {
  const TempFile file("0123456789");
  const ByteInput input = open_bytes_at(file.path(), 7);
  std::string text(10, '\0');
  text.resize(input.read(text));
  EXPECT_EQ(text, "789");
}

}  // namespace
}  // namespace linsep
