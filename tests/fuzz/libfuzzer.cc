// A target as a program of libFuzzer. With `--seeds FOLDER` it writes its seeds there and ends.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "change_json.h"
#include "target.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  linsep::fuzz::spares_time = true;
  if (*argc != 3 || std::strcmp((*argv)[1], "--seeds") != 0) return 0;
  int number = 0;
  for (const std::string& seed : linsep::fuzz::LINSEP_TARGET().seeds()) {
    const std::string path = std::string((*argv)[2]) + "/seed-" + std::to_string(number++);
    std::ofstream(path, std::ios::binary) << seed;
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  linsep::fuzz::LINSEP_TARGET().run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Every fourth change of JSON is one of its parts, the others are libFuzzer's.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  linsep::Random random(seed, 0);
  if (!linsep::fuzz::LINSEP_TARGET().is_json || random.below(4) != 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text = linsep::fuzz::change_json({reinterpret_cast<const char*>(data), size}, random);
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(data, text.data(), length);
  return length;
}
