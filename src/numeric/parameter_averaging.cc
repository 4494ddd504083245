#include "numeric/parameter_averaging.h"

#include <span>

#include "numeric/exact_all_reduce.h"

namespace linsep {

void mix(Comm& comm, std::vector<double>& theta, double& offset) {
  const auto features = all_reduce_max(comm, static_cast<std::int64_t>(theta.size()));
  theta.resize(static_cast<std::size_t>(features));
  theta.push_back(offset);
  exact_all_reduce(comm, std::span<double>(theta));
  for (double& weight : theta) weight /= comm.size();
  offset = theta.back();
  theta.pop_back();
}

}  // namespace linsep
