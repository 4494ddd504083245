// A witness made exact on a support of sparse rows.
//
// Independent rows among those with much slack are solved for over the integers (sparse_factor.h, lifting.h); the
// others keep their share, rounded. Every sign and every equation is checked; nothing is concluded from floats.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/witness.h"
#include "certify/sparse/support_search.h"

namespace linsep {

struct SparseWitness {
  enum class End {
    kFound,
    kFailed,   ///< the shares can't be made exact
    kTooLong,  ///< its weights would take more memory than is spent on this
    kStopped,
  };
  End end = End::kFailed;
  Witness witness;
  /// Rows of the witness, ascending, that are independent and span all of its rows.
  std::vector<std::int64_t> basis;
};

/// `rows` are those of the support, exactly.
SparseWitness sparse_witness(const std::vector<ExactRow>& rows, const Support& support,
                             const std::function<bool()>& stop);

}  // namespace linsep
