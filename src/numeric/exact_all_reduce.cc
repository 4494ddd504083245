#include "numeric/exact_all_reduce.h"

#include <cmath>
#include <limits>

#include "linsep/error.h"
#include "numeric/fixed_point.h"

namespace linsep {

void exact_all_reduce(Comm& comm, std::span<ExactSum* const> sums) {
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

void exact_all_reduce(Comm& comm, BinnedSums& sums) {
  if (comm.size() == 1) return;
  std::vector<std::int64_t> bases = sums.bases();
  comm.all_reduce(std::span(bases), Comm::Op::kMax);
  sums.raise_to(bases);
  std::vector<std::int64_t> bins = sums.bins();
  comm.all_reduce(std::span(bins), Comm::Op::kSum);
  sums.set(bases, bins);
}

void exact_all_reduce(Comm& comm, std::span<double> numbers) {
  if (comm.size() == 1) return;
  double greatest = 0;
  bool finite = true;
  for (const double x : numbers) {
    greatest = std::max(greatest, std::abs(x));
    finite = finite && std::isfinite(x);
  }
  greatest = all_reduce_max(comm, finite ? greatest : std::numeric_limits<double>::infinity());
  if (!std::isfinite(greatest)) {
    std::fill(numbers.begin(), numbers.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const double step = FixedColumns::step(greatest * comm.size());
  std::vector<std::int64_t> whole;
  whole.reserve(numbers.size());
  for (const double x : numbers) whole.push_back(static_cast<std::int64_t>(x * step));
  comm.all_reduce(std::span(whole), Comm::Op::kSum);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(whole[k]) / step;
}

void save_sum(ByteWriter& writer, const ExactSum& sum) {
  ExactSum copy = sum;
  for (const std::int64_t word : copy.words()) writer.number(word);
  writer.number<std::uint8_t>(sum.finite() ? 1 : 0);
}

ExactSum load_sum(ByteReader& reader) {
  std::array<std::int64_t, ExactSum::kWords> words;
  for (std::int64_t& word : words) word = reader.number<std::int64_t>();
  ExactSum sum;
  sum.set_words(words, reader.number<std::uint8_t>() != 0);
  return sum;
}

void save_sums(ByteWriter& writer, const BinnedSums& sums) {
  writer.numbers(sums.bases());
  writer.numbers(sums.bins());
}

BinnedSums load_sums(ByteReader& reader) {
  const auto bases = reader.numbers<std::int64_t>(), bins = reader.numbers<std::int64_t>();
  if (bins.size() != bases.size() * BinnedSums::kBins) throw input_error("this saved state is damaged");
  BinnedSums sums;
  sums.set(bases, bins);
  return sums;
}

double all_reduce_max(Comm& comm, double value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}

std::int64_t all_reduce_max(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}

std::int64_t all_reduce_sum(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kSum);
  return value;
}

bool all_reduce_any(Comm& comm, bool value) { return all_reduce_max(comm, std::int64_t{value ? 1 : 0}) != 0; }

void require_one_worker(const Comm& comm) {
  if (comm.size() > 1) throw usage_error("the learner margin runs on one worker; leave out the others");
}

}  // namespace linsep
