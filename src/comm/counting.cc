#include "comm/counting.h"

namespace linsep {

void CountingComm::all_reduce(std::span<double> data, Op op) {
  ++exchanged_.rounds;
  exchanged_.doubles_reduced += static_cast<std::int64_t>(data.size());
  comm_.all_reduce(data, op);
}

void CountingComm::all_reduce(std::span<std::int64_t> data, Op op) {
  ++exchanged_.rounds;
  exchanged_.words_reduced += static_cast<std::int64_t>(data.size());
  comm_.all_reduce(data, op);
}

std::vector<std::vector<std::byte>> CountingComm::all_gather(std::span<const std::byte> data) {
  ++exchanged_.rounds;
  exchanged_.bytes_gathered += static_cast<std::int64_t>(data.size());
  return comm_.all_gather(data);
}

}  // namespace linsep
