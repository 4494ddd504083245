// bound, curve: the perceptron's bound on mistakes, and the wedge that ‖θ‖ stays in.
#include <algorithm>
#include <cmath>
#include <optional>

#include "call.h"
#include "linsep/error.h"
#include "linsep/picture/make.h"
#include "numbers.h"
#include "rows.h"

namespace linsep::wasm {
namespace {

std::optional<Picture::Bound> last_bound;

}  // namespace

LINSEP_EXPORT(bound) std::int32_t bound(const char* text, std::uint32_t size) {
  return answer_with([&]() -> Json {
    const Json request = parsed(text, size);
    last_bound.reset();
    if (rows().regression) return {{"bound", nullptr}};
    const std::unique_ptr<Source> source = read_rows(true);
    last_bound = perceptron_bound(*source, flag_of(request, "origin"), parse_map(text_of(request, "map", "none")));
    if (!last_bound) return {{"bound", nullptr}};
    return {{"bound",
             {{"radius", last_bound->radius},
              {"margin", last_bound->margin},
              {"mistakes", last_bound->mistakes},
              {"mistakes_text", last_bound->mistakes_text}}}};
  });
}

LINSEP_EXPORT(curve) std::int32_t curve() {
  return answer_with([]() -> Json {
    constexpr double kMost = 200;
    last_numbers().clear();
    if (!last_bound) return Json::object();
    const double end = std::ceil(last_bound->mistakes);
    const double steps = std::min(std::max(end, 1.0), kMost - 1);
    for (double i = 0; i <= steps; ++i) {
      const double k = end * i / steps;
      last_numbers().insert(last_numbers().end(), {k, k * last_bound->margin, last_bound->radius * std::sqrt(k)});
    }
    return Json::object();
  });
}

}  // namespace linsep::wasm
