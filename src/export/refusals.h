// Refusals: what a language can't say, by column and reason, with what to do.
#pragma once

#include "export/plan.h"

namespace linsep {

/// Both throw a usage Error.
void refuse_form(const Model& model, const Language& language);
void refuse_columns(const TableMap& table, const Language& language);

}  // namespace linsep
