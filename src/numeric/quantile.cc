// A histogram over what is left of the line tells in which of its bins the quantile lies; that bin is looked at again.
// When it holds few rows, they are gathered and gone through one by one.
#include "numeric/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "numeric/fixed_point.h"

namespace linsep {
namespace {

constexpr std::size_t kBins = 256;
constexpr std::int64_t kFew = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGreatest = std::numeric_limits<double>::max();

struct Point {
  double place = 0;
  std::int64_t mass = 0;
};

// Masses of rows are at most kGreatestMass each and together, unless a forged checkpoint lies about their bound.
constexpr std::int64_t kGreatestMass = std::int64_t{1} << 61;
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return std::min(std::min(a, kGreatestMass) + std::min(b, kGreatestMass), kGreatestMass);
}

struct Bin {
  std::int64_t mass = 0, rows = 0;
  double low = kInfinity, high = -kInfinity;
};

// Grows with v, and is below kBins. REQUIRES: low < high; these lie in different bins, so that each look leaves less.
std::size_t bin_of(double v, double low, double high) {
  if (v <= low) return 0;
  if (v >= high) return kBins - 1;
  low = std::max(low, -kGreatest);
  high = std::min(high, kGreatest);
  const double share = (v / 2 - low / 2) / (high / 2 - low / 2) * static_cast<double>(kBins);
  return std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, share)));
}

std::vector<Bin> histogram(const std::vector<Point>& points, double low, double high, Comm& comm) {
  std::vector<Bin> bins(kBins);
  for (const Point& point : points) {
    Bin& bin = bins[bin_of(point.place, low, high)];
    bin.mass = sum_of(bin.mass, point.mass);
    ++bin.rows;
    bin.low = std::min(bin.low, point.place);
    bin.high = std::max(bin.high, point.place);
  }
  if (comm.size() == 1) return bins;
  std::vector<std::int64_t> sums;
  std::vector<double> ends;
  for (const Bin& bin : bins) {
    sums.insert(sums.end(), {bin.mass, bin.rows});
    ends.insert(ends.end(), {-bin.low, bin.high});
  }
  comm.all_reduce(std::span(sums), Comm::Op::kSum);
  comm.all_reduce(std::span(ends), Comm::Op::kMax);
  for (std::size_t b = 0; b < kBins; ++b) bins[b] = {sums[2 * b], sums[2 * b + 1], -ends[2 * b], ends[2 * b + 1]};
  return bins;
}

std::vector<Point> gather(const std::vector<Point>& points, Comm& comm) {
  std::vector<Point> all;
  for (const std::vector<std::byte>& bytes : comm.all_gather(std::as_bytes(std::span(points)))) {
    const std::size_t size = all.size();
    all.resize(size + bytes.size() / sizeof(Point));
    if (!bytes.empty()) std::memcpy(all.data() + size, bytes.data(), bytes.size());
  }
  std::sort(all.begin(), all.end(), [](const Point& a, const Point& b) { return a.place < b.place; });
  return all;
}

}  // namespace

double agreed_quantile(const Masses& rows, double level, Comm& comm) {
  const double step = FixedColumns::step(rows.bound);
  std::vector<Point> points;
  double ends[2] = {-kInfinity, -kInfinity};  // −least position, greatest
  for (std::size_t i = 0; i < rows.place.size(); ++i) {
    const double mass = std::abs(rows.mass[i]);
    if (!(mass > 0) || std::isnan(rows.place[i])) continue;
    points.push_back({rows.place[i], whole_units(std::min(mass * step, 0x1p61))});
    ends[0] = std::max(ends[0], -rows.place[i]);
    ends[1] = std::max(ends[1], rows.place[i]);
  }
  comm.all_reduce(std::span<double>(ends), Comm::Op::kMax);
  double low = -ends[0], high = ends[1];
  if (low > high) return 0;
  std::int64_t below = 0;
  const auto reached = [&](std::int64_t sum) { return static_cast<double>(sum) / step >= level; };
  while (low < high) {
    const std::vector<Bin> bins = histogram(points, low, high, comm);
    std::size_t b = 0;
    for (; b < kBins && !reached(sum_of(below, bins[b].mass)); ++b) below = sum_of(below, bins[b].mass);
    if (b == kBins) return ends[1];
    std::erase_if(points, [&](const Point& point) { return bin_of(point.place, low, high) != b; });
    low = bins[b].low;
    high = bins[b].high;
    if (bins[b].rows > kFew || low >= high) continue;
    for (const Point& point : gather(points, comm)) {
      below = sum_of(below, point.mass);
      if (reached(below)) return point.place;
    }
  }
  return low;  // all that is left lies at one position
}

}  // namespace linsep
