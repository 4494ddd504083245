#include "numeric/exact_all_reduce.h"

#include <cmath>
#include <limits>
#include <span>

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
  for (const double x : numbers) whole.push_back(whole_units(x * step));
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
  constexpr std::int64_t kMost = std::int64_t{1} << 32;  // words are saved after their carries
  for (std::int64_t& word : words) {
    word = reader.number<std::int64_t>();
    require_state(word >= -kMost && word < kMost, "a sum in it is out of range");
  }
  ExactSum sum;
  sum.set_words(words, reader.flag());
  return sum;
}

void save_sums(ByteWriter& writer, const BinnedSums& sums) {
  writer.numbers(sums.bases());
  writer.numbers(sums.bins());
}

BinnedSums load_sums(ByteReader& reader, std::size_t size) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  const auto bases = reader.numbers<std::int64_t>(size), bins = reader.numbers<std::int64_t>(size * BinnedSums::kBins);
  for (const std::int64_t base : bases) require_state(BinnedSums::is_base(base), "a sum in it is out of range");
  for (const std::int64_t bin : bins) require_state(bin > -kMost && bin < kMost, "a sum in it is out of range");
  BinnedSums sums;
  sums.set(bases, bins);
  return sums;
}

void require_one_worker(const Comm& comm) {
  if (comm.size() > 1) throw usage_error("the learner margin needs a single worker here");
}

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
