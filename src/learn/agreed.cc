#include "learn/agreed.h"

namespace linsep {

void add_up(Comm& comm, std::span<ExactSum* const> sums) {
  if (comm.size() == 1) return;
  std::vector<std::int64_t> words;
  std::int64_t infinite = 0;
  for (ExactSum* sum : sums) {
    const auto mine = sum->words();
    words.insert(words.end(), mine.begin(), mine.end());
    infinite += sum->finite() ? 0 : 1;
  }
  words.push_back(infinite);
  comm.all_reduce(std::span(words), Comm::Op::kSum);
  std::size_t at = 0;
  for (ExactSum* sum : sums) {
    sum->set_words(std::span(words).subspan(at, ExactSum::kWords), words.back() == 0);
    at += ExactSum::kWords;
  }
}

double agreed_max(Comm& comm, double value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}

std::int64_t agreed_max(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}

}  // namespace linsep
