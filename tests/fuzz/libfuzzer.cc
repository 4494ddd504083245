// A target as a program of libFuzzer. With `--seeds FOLDER` it writes its seeds there and ends.
#include <cstring>
#include <fstream>

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
