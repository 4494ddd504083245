// Files of arrays: an array whose values lie within the file, or a reason why there is none. The same array in an
// archive is the same.
#include <algorithm>
#include <cmath>

#include "bytes/zip.h"
#include "format/arrays/array_file.h"
#include "format/arrays/testing.h"
#include "target.h"

namespace linsep::fuzz {
namespace {

struct Result {
  ArrayBytes array;
  std::string refused;  ///< "": there is an array
};

template <class Parse>
Result result_of(const Parse& parse) {
  try {
    return {parse(), ""};
  } catch (const BadFile& error) {
    must(error.message.size() > 5 && error.message.find('\n') == std::string::npos, "a reason isn't a line");
    return {{}, error.message};
  }
}

void check(const ArrayBytes& array, std::string_view file) {
  must(array.bytes.data() >= file.data(), "values lie before the file");
  must(array.bytes.data() + array.bytes.size() <= file.data() + file.size(), "values lie beyond the file");
  constexpr std::uint64_t kMost = 64;
  std::uint64_t values = 1;
  for (const std::uint64_t length : array.shape) values *= length;
  must(values == 0 ? array.bytes.empty() : array.bytes.size() % values == 0, "values are cut off");
  for (std::uint64_t k = 0; k < std::min(values, kMost); ++k) array.value(k);
  if (values > 0) array.value(values - 1);
}

/// The first byte chooses the format, and whether an array is asked for by its name.
void run(std::string_view bytes) {
  Front front(bytes);
  Bits way(front.byte());
  const unsigned format = way.take(4);
  const std::string_view name = way.next() ? "X" : "";
  const std::string file(front.rest());  // of its own size, so that a sanitizer sees what lies beyond
  const Result found = result_of([&] {
    if (format == 0) return parse_npz(file, name);
    return format == 1 ? parse_safetensors(file, name) : parse_npy(file);
  });
  if (found.refused.empty()) check(found.array, file);
  if (format < 2 || !is_thorough(bytes)) return;
  const std::string archive = test::npz({{"X", file}});
  const Result packed = result_of([&] { return parse_npz(archive, "X"); });
  must(packed.refused == found.refused, "an archive gives another reason");
  must(packed.array.shape == found.array.shape && packed.array.type == found.array.type &&
           packed.array.bytes == found.array.bytes,
       "an archive has another array");
}

std::vector<std::string> seeds() {
  const std::string half = test::npy("<f2", "(2, 2)", "abcdefgh"), wide = test::npy("<f8", "(1,)", "abcdefgh");
  const std::string tensors =
      test::safetensors(R"({"X":{"dtype":"BF16","shape":[2,1],"data_offsets":[0,4]},"__metadata__":{"a":"b"},)"
                        R"("y":{"dtype":"I32","shape":[1],"data_offsets":[4,8]}})",
                        "abcdefgh");
  std::vector<std::string> all;
  for (const std::string& file :
       {half, wide, test::npy("|b1", "(3,)", "abc", false, '\2'), test::npy("<f4", "()", "abcd"),
        test::npy("<f4", "(1, 2)", "abcdefgh", true), test::npy(">i4", "(1, 1)", "abcd")}) {
    all.push_back('\2' + file);
  }
  for (const std::string& file : {test::npz({{"X", half}}), test::npz({{"X", half}, {"y", wide}}, 0, true),
                                  test::npz({{"y", half}, {"X", wide}}, 8)}) {
    for (const char way : {'\0', '\4'}) all.push_back(way + file);
  }
  for (const char way : {'\1', '\5'}) all.push_back(way + tensors);
  return all;
}

}  // namespace

const Target& arrays_target() {
  static const Target target{"arrays", run, seeds};
  return target;
}

}  // namespace linsep::fuzz
