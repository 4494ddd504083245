#include "format/arrays/array_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "bytes/zip.h"
#include "core/random.h"
#include "format/arrays/testing.h"
#include "linsep/tools/array_path.h"

namespace linsep {
namespace {

using test::npy;
using test::npz;
using test::safetensors;

std::string refusal(const std::function<void()>& parse) {
  try {
    parse();
  } catch (const BadFile& error) {
    return error.message;
  }
  return "";
}

TEST(ArrayFile, AnNpyFileIsItsTypeItsShapeAndItsBytes) {
  const std::string file = npy("<f4", "(2, 3)", std::string(24, 'x'));
  const ArrayBytes array = parse_npy(file);
  EXPECT_EQ(array.type, ElementType::kFloat32);
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(array.bytes, std::string(24, 'x'));
}

TEST(ArrayFile, LaterVersionsOfNpyHaveLongerHeaders) {
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_EQ(parse_npy(npy("<f8", "(1,)", std::string(8, 'x'), false, version)).bytes.size(), 8U);
  }
  EXPECT_EQ(refusal([] { parse_npy(npy("<f8", "(1,)", std::string(8, 'x'), false, '\4')); }),
            "version 4 of .npy isn't known");
}

TEST(ArrayFile, ValuesOfEveryTypeAreRead) {
  const auto value = [](std::string_view descr, std::string_view bytes) {
    return parse_npy(npy(descr, "(2,)", std::string(bytes.size(), '\0') + std::string(bytes))).value(1);
  };
  EXPECT_EQ(value("|b1", "\1"), 1);
  EXPECT_EQ(value("|i1", "\xff"), -1);
  EXPECT_EQ(value("|u1", "\xff"), 255);
  EXPECT_EQ(value("<i2", "\xfe\xff"), -2);
  EXPECT_EQ(value("<u2", "\xfe\xff"), 65534);
  EXPECT_EQ(value("<i4", "\xfd\xff\xff\xff"), -3);
  EXPECT_EQ(value("<u4", "\xff\xff\xff\xff"), 4294967295.0);
  EXPECT_EQ(value("<i8", "\xfc\xff\xff\xff\xff\xff\xff\xff"), -4);
  EXPECT_EQ(value("<f2", std::string_view("\x00\xc0", 2)), -2);
  EXPECT_EQ(value("<V2", std::string_view("\xc0\x3f", 2)), 1.5);
  EXPECT_EQ(value("<f4", std::string_view("\0\0\x80\x3f", 4)), 1);
  EXPECT_EQ(value("<f8", std::string_view("\0\0\0\0\0\0\xf0\x3f", 8)), 1);
}

TEST(ArrayFile, WhatCannotBeReadAsItIsIsRefusedWithWhatToDo) {
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(2, 3)", std::string(24, 'x'), true)); }),
            "it is in Fortran order, column by column: save np.ascontiguousarray(X)");
  EXPECT_EQ(refusal([] { parse_npy(npy(">f4", "(2, 3)", std::string(24, 'x'))); }),
            "its dtype '>f4' is big-endian: save X.astype('<f4')");
  EXPECT_EQ(refusal([] { parse_npy(npy("<c8", "(1,)", std::string(8, 'x'))); }),
            "its dtype is '<c8': convert it to numbers, with X.astype(np.float32) for instance");
  EXPECT_EQ(refusal([] { parse_npy(npy("", "(1,)", "", false, '\1', "[('a', '<f4')]")); }),
            "it holds records with named fields: save the columns as one array of numbers");
  EXPECT_EQ(refusal([] { parse_npz(npz({{"X", npy("<f4", "(1,)", "abcd")}}, 8), "X"); }),
            "array 'X' is compressed, so it can't be mapped: save it with np.savez, not np.savez_compressed, or as an "
            ".npy file");
}

TEST(ArrayFile, LengthsThatDoNotFitTheFileAreRefused) {
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(2, 3)", std::string(23, 'x'))); }),
            "its header promises 24 bytes of values, but 23 follow");
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(2, 3)", std::string(25, 'x'))); }),
            "its header promises 24 bytes of values, but 25 follow");
  // 2^62 · 4 bytes are 2^64 bytes, which is 0 in 64 bits.
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(4611686018427387904, 1)", "")); }), "its shape is too large");
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(4294967296, 4294967296)", "")); }), "its shape is too large");
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(99999999999999999999,)", "")); }),
            "its header isn't that of an .npy file");
  EXPECT_EQ(refusal([] { parse_npy(npy("<f4", "(-1,)", "")); }), "its header isn't that of an .npy file");
  const auto tensor = [](std::string_view entry) {
    return refusal([&] { parse_safetensors(safetensors(fmt::format(R"({{"X":{}}})", entry), "abcdefgh"), ""); });
  };
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), "");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
            "its shape needs 8 bytes of values, but its header gives it 4");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[4,12]})"),
            "the file ends too early: it is cut off or damaged");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[18446744073709551612,4]})"),
            "its shape needs 8 bytes of values, but its header gives it 0");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"),
            "its header isn't that of a safetensors file");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})"), "its shape is too large");
  EXPECT_EQ(tensor(R"({"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]})"),
            "its dtype F8_E4M3 isn't supported: convert it to F16, BF16, F32 or F64");
}

TEST(ArrayFile, AMemberIsFoundByItsName) {
  const std::string one = npy("<f4", "(1,)", "abcd"), other = npy("<i8", "(1,)", "abcdefgh");
  const std::string both = npz({{"X", one}, {"y", other}});
  EXPECT_EQ(parse_npz(both, "X").bytes, "abcd");
  EXPECT_EQ(parse_npz(both, "y.npy").bytes, "abcdefgh");
  EXPECT_EQ(parse_npz(npz({{"X", one}}), "").bytes, "abcd");
  EXPECT_EQ(refusal([&] { parse_npz(both, ""); }),
            "it holds several arrays: add the name of one, as in FILE.npz:X; there are X, y");
  EXPECT_EQ(refusal([&] { parse_npz(both, "z"); }), "it has no array 'z'; there are X, y");
  EXPECT_EQ(refusal([&] { parse_npz(npz({}), ""); }), "it holds no arrays");
  const std::string tensors =
      safetensors(R"({"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
                  R"("b":{"dtype":"F16","shape":[1,2],"data_offsets":[4,8]}})",
                  "abcdefgh");
  EXPECT_EQ(parse_safetensors(tensors, "a").bytes, "abcd");
  EXPECT_EQ(parse_safetensors(tensors, "b").bytes, "efgh");
  EXPECT_EQ(parse_safetensors(tensors, "b").shape, (std::vector<std::uint64_t>{1, 2}));
}

TEST(ArrayFile, WhatNumPyRefusesIsRefused) {
  const auto header = [](std::string_view text) {
    const std::string file =
        std::string("\x93NUMPY\1\0", 8) + test::little(text.size(), 2) + std::string(text) + "abcd";
    return refusal([&] { parse_npy(file); });
  };
  EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n"), "");
  EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': False, 'shape': ()}"), "");
  for (const std::string_view text : {
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'shape': (1,)}",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (01,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} 1",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}}",
           "{'descr': '<f4', 'fortran_order': False}",
       }) {
    EXPECT_EQ(header(text), "its header isn't that of an .npy file") << text;
  }
  const std::string one = npy("<f4", "(1,)", "abcd");
  const auto archive = [](const std::string& file) { return refusal([&] { parse_npz(file, "X"); }); };
  EXPECT_EQ(archive(npz({{"X", one}})), "");
  EXPECT_EQ(archive(npz({{"X", one}}, 0, false, 0, 1)), "'X.npy' in it is damaged: its bytes don't have its checksum");
  EXPECT_EQ(archive(npz({{"X", one}, {"X", one}})), "'X.npy' in it is there twice");
  for (const int flag : {1, 0x20, 0x40}) {
    EXPECT_EQ(archive(npz({{"X", one}}, 0, false, flag)), "'X.npy' in it is encrypted");
  }
  std::string other_name = npz({{"X", one}});
  other_name[30] = 'Y';  // in the header before its bytes, while the directory has X
  EXPECT_EQ(archive(other_name), "'X.npy' in it is damaged");
  std::string longer = npz({{"X", one}, {"y", one}});
  for (const std::size_t field : {20, 24}) longer[longer.find("PK\1\2") + field] += 1;
  EXPECT_EQ(archive(longer), "'X.npy' in it overlaps another one");
  std::string other_count = npz({{"X", one}, {"y", one}});
  other_count[other_count.size() - 12] = 1;
  EXPECT_EQ(archive(other_count), "the zip file's directory is damaged");
}

TEST(ArrayFile, WhatTheSafetensorsLibraryRefusesIsRefused) {
  const auto tensors = [](std::string_view header, std::string_view bytes = "abcdefgh") {
    return refusal([&] { parse_safetensors(safetensors(header, bytes), "a"); });
  };
  const std::string_view a = R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]})";
  EXPECT_EQ(tensors(fmt::format(R"({},"b":{{"dtype":"F16","shape":[2],"data_offsets":[4,8]}}}}  )", a)), "");
  EXPECT_EQ(tensors(fmt::format(R"({},"b":{{"dtype":"F16","shape":[0],"data_offsets":[4,4]}}}})", a), "abcd"), "");
  EXPECT_EQ(tensors(fmt::format(R"({},"b":{{"dtype":"F16","shape":[3],"data_offsets":[2,8]}}}})", a)),
            "tensor 'b' overlaps another one");
  EXPECT_EQ(tensors(fmt::format(R"({},"b":{{"dtype":"F16","shape":[1],"data_offsets":[6,8]}}}})", a)),
            "no tensor has its bytes from 4 to 6");
  EXPECT_EQ(tensors(fmt::format("{}}}", a)), "4 bytes follow its last tensor");
  EXPECT_EQ(tensors(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[4,8]}})"),
            "no tensor has its bytes from 0 to 4");
  for (const std::string& text : {
           fmt::format(R"({},"a":{{"dtype":"F16","shape":[2],"data_offsets":[4,8]}}}})", a),
           std::string(R"({"a":{"dtype":"F16","shape":[4],"shape":[4],"data_offsets":[0,8]}})"),
           fmt::format(R"({},"b":{{"dtype":"F16","shape":[2],"data_offsets":[8,4]}}}})", a),
           std::string(R"( {"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})"),
           std::string(R"({"__metadata__":{"n":1},"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})"),
       }) {
    EXPECT_EQ(tensors(text), "its header isn't that of a safetensors file") << text;
  }
}

TEST(ArrayFile, APathNamesTheFileAndTheArray) {
  EXPECT_EQ(split_array_path("a:b/c.npz:x:y").file, "a:b/c.npz");
  EXPECT_EQ(split_array_path("a:b/c.npz:x:y").member, "x:y");
  EXPECT_EQ(split_array_path("c.safetensors").member, "");
  EXPECT_TRUE(is_array_path("c.safetensors:layer.0"));
  EXPECT_TRUE(is_array_path("X.npy"));
  EXPECT_FALSE(is_array_path("X.csv"));
}

/// Whatever the bytes are, the result is an array within them or a BadFile.
void expect_sound(const std::string& file) {
  const std::string copy(file);  // of its own size, so that a sanitizer catches reads beyond it
  const auto check = [&](const auto& parse) {
    try {
      const ArrayBytes array = parse();
      ASSERT_GE(array.bytes.data(), copy.data());
      ASSERT_LE(array.bytes.data() + array.bytes.size(), copy.data() + copy.size());
      std::uint64_t values = 1;
      for (const std::uint64_t length : array.shape) values *= length;
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(values, 100); ++k) array.value(k);
      if (values > 0) array.value(values - 1);
    } catch (const BadFile& error) {
      EXPECT_FALSE(error.message.empty());
    }
  };
  check([&] { return parse_npy(copy); });
  check([&] { return parse_npz(copy, ""); });
  check([&] { return parse_npz(copy, "X"); });
  check([&] { return parse_safetensors(copy, ""); });
  check([&] { return parse_safetensors(copy, "a"); });
}

TEST(ArrayFile, NoBytesReachBeyondTheFile) {
  const std::string one = npy("<f4", "(2, 1)", "abcdefgh");
  const std::string files[] = {one,
                               npy("<f8", "(1,)", "abcdefgh", false, '\2'),
                               npz({{"X", one}}),
                               npz({{"X", one}, {"y", one}}),
                               npz({{"X", one}}, 0, true),
                               safetensors(R"({"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]}})", "abcdefgh")};
  Random random(7);
  for (const std::string& file : files) {
    expect_sound(file);
    for (std::size_t size = 0; size < file.size(); ++size) expect_sound(file.substr(0, size));
    for (std::size_t at = 0; at < file.size(); ++at) {
      for (const char byte : {'\0', '\xff', '\x7f', '9', '(', '\1'}) {
        std::string changed = file;
        changed[at] = byte;
        expect_sound(changed);
      }
    }
    for (int draw = 0; draw < 2000; ++draw) {
      std::string changed = file;
      for (std::uint64_t k = 0; k <= random.below(4); ++k) {
        changed[random.below(changed.size())] = static_cast<char>(random.below(256));
      }
      if (random.below(4) == 0)
        changed.insert(random.below(changed.size()), changed.substr(random.below(changed.size())));
      expect_sound(changed);
    }
  }
}

TEST(ArrayFile, AZipFileWithFieldsOf64BitsIsRead) {
  const std::string one = npy("<f4", "(1,)", "abcd");
  EXPECT_EQ(parse_npz(npz({{"X", one}, {"y", one}}, 0, true), "y").bytes, "abcd");
}

}  // namespace
}  // namespace linsep
