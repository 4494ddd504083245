// Which plane rows are shown in.
#pragma once

#include <span>

#include "picture/gathered.h"
#include "picture/rows/components.h"

namespace linsep {

/// The columns that the spec names, or the first two. Throws a usage Error for a name that isn't there.
struct AskedColumns {
  std::uint32_t x = 0, y = 1;
  bool named = false, one = false;  ///< by the spec; x alone
};
AskedColumns asked_columns(const PictureSpec& spec, const Model* model, const Schema& schema, std::uint32_t features);

/// What raw feature j is called.
std::string raw_feature_name(const Model* model, const Schema& schema, std::uint32_t j);

/// Everything but the ranges. REQUIRES: `gathered` has features, task and norm.
PlaneChoice choose_plane(const AskedColumns& asked, const Model* model, const Gathered& gathered,
                         std::span<const SampledRow> sample);

}  // namespace linsep
