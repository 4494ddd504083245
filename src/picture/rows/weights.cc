#include <algorithm>
#include <cmath>
#include <numeric>

#include "numeric/compensated_sum.h"
#include "picture/parts.h"
#include "picture/words.h"

namespace linsep {

void add_weights(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  constexpr std::size_t kMost = 40;
  if (input.models.empty() || input.models.front().model->form != Model::Form::kLinear) return;
  const Model& model = *input.models.front().model;
  std::vector<std::uint32_t> columns(model.theta.size());
  std::iota(columns.begin(), columns.end(), 0U);
  std::erase_if(columns, [&](std::uint32_t j) { return model.theta[j] == 0; });
  const auto end = columns.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, columns.size()));
  std::partial_sort(columns.begin(), end, columns.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double left = std::fabs(model.theta[a]), right = std::fabs(model.theta[b]);
    return left != right ? left > right : a < b;
  });
  Picture::Weights& weights = *(picture.weights = Picture::Weights{});
  for (auto j = columns.begin(); j != end; ++j) {
    const double weight = model.theta[*j];
    weights.heaviest.push_back(
        {*j, short_name(feature_name(model, *j)), weight, weight_text(weight, model.weight_error)});
  }
  Sum rest;
  for (auto j = end; j != columns.end(); ++j) {
    const double share = model.theta[*j] / gathered.norm;
    rest.add(share * share);
  }
  weights.rest = columns.end() - end;
  weights.rest_share = rest.value();
  weights.norm = gathered.norm;
  weights.offset = model.offset;
}

}  // namespace linsep
