#include "certify/finder/peel.h"

namespace linsep {

void Peel::begin(const Shape& /*shape*/) {}

void Peel::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) { look_at(x, batch.number_of(i)); });
}

template <class Row>
void Peel::look_at(const Row& x, std::int64_t number) {
  const std::size_t index = state_.rows.index_of(number);
  if (!state_.rows.live(index)) return;
  state_.scaling.show_signs(x, [&](const auto& z) {
    const RowSpace& space = state_.scaling.space;
    bool touched = !space.origin && state_.signs.chosen(space.mapped);
    for_each_entry(z, [&](std::uint32_t column, double value) {
      touched = touched || (value != 0 && state_.signs.chosen(column));
    });
    if (touched) {
      state_.rows.peel(index);
    } else {
      state_.signs.see(z, x, number, state_.rows.sign(index));
    }
  });
}

void Peel::synchronise(Comm& comm) {
  const RowSpace& space = state_.scaling.space;
  next_ = state_.signs.synchronise(comm, space.columns(), !space.origin);
}

Verdict Peel::end_pass(Progress& /*progress*/) {
  return next_ == SignRound::Next::kPeel ? Verdict::kContinue : Verdict::kConverged;
}

}  // namespace linsep
