#include "train/select/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace linsep {
namespace {

double held_out_value(const SelectionPoint& point, bool by_loss) {
  return by_loss ? point.held_out->loss : point.held_out->error;
}

/// To 15 digits: 1e-6/10 is then the number that one gets by writing 1e-7.
double rounded(double value) {
  const std::string text = fmt::format("{:.15g}", value);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

}  // namespace

std::size_t choose_point(const std::vector<SelectionPoint>& path, bool by_loss) {
  std::size_t best = 0, finished = 0;
  bool found = false;
  for (std::size_t l = 0; l < path.size(); ++l) {
    if (path[l].mistakes >= 0) finished = l;
    if (!path[l].held_out) continue;
    if (!found || held_out_value(path[l], by_loss) < held_out_value(path[best], by_loss)) best = l;
    found = true;
  }
  return found ? best : finished;
}

std::optional<double> next_lambda(const std::vector<SelectionPoint>& path, bool by_loss, double ratio) {
  constexpr double kLeast = 1e-200, kMost = 1e200;
  const auto held_out = [](const SelectionPoint& point) { return point.held_out.has_value(); };
  if (path.size() < 2 || !std::ranges::all_of(path, held_out)) return std::nullopt;
  const std::size_t best = choose_point(path, by_loss), last = path.size() - 1;
  if (best != 0 && best != last) return std::nullopt;
  const SelectionPoint& neighbour = path[best == 0 ? 1 : last - 1];
  if (!(held_out_value(path[best], by_loss) < held_out_value(neighbour, by_loss))) return std::nullopt;
  const double lambda = rounded(best == 0 ? path[0].lambda * ratio : path[last].lambda / ratio);
  if (!(lambda > kLeast) || !(lambda < kMost)) return std::nullopt;
  return lambda;
}

}  // namespace linsep
