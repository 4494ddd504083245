#include "learn/margin/softmax/row_sums.h"

#include "numeric/exact_all_reduce.h"

namespace linsep {

void SoftmaxSums::clear(const SoftmaxTask& task, bool gradient) {
  const std::size_t size = task.weights() + task.classes();
  slope.assign(size, 0);
  curved.assign(gradient ? size : 0, 0);
  square.assign(gradient ? task.weights() : 0, 0);
  balance.assign(gradient ? task.classes() : 0, {});
  loss = {};
  scratch.assign(2 * task.classes(), 0);
}

void SoftmaxSums::add(const SoftmaxSums& other) {
  for (std::size_t k = 0; k < slope.size(); ++k) add_units(slope[k], other.slope[k]);
  for (std::size_t k = 0; k < curved.size(); ++k) add_units(curved[k], other.curved[k]);
  for (std::size_t k = 0; k < square.size(); ++k) add_units(square[k], other.square[k]);
  for (std::size_t k = 0; k < balance.size(); ++k) balance[k].add(other.balance[k]);
  loss.add(other.loss);
}

void SoftmaxSums::synchronise(Comm& comm) {
  comm.all_reduce(std::span(slope), Comm::Op::kSum);
  comm.all_reduce(std::span(curved), Comm::Op::kSum);
  comm.all_reduce(std::span(square), Comm::Op::kSum);
  std::vector<ExactSum*> each = {&loss};
  for (ExactSum& sum : balance) each.push_back(&sum);
  exact_all_reduce(comm, each);
}

}  // namespace linsep
