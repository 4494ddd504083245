#include "learn/mixing.h"

#include <span>

namespace linsep {

std::int64_t agree_on_greatest(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span<std::int64_t>(&value, 1), Comm::Op::kMax);
  return value;
}

void mix(Comm& comm, std::vector<double>& theta, double& offset) {
  const auto features = agree_on_greatest(comm, static_cast<std::int64_t>(theta.size()));
  theta.resize(static_cast<std::size_t>(features));
  theta.push_back(offset);
  comm.all_reduce(std::span<double>(theta), Comm::Op::kSum);
  for (double& weight : theta) weight /= comm.size();
  offset = theta.back();
  theta.pop_back();
}

}  // namespace linsep
