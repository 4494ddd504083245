// Encoded rows as a page.
#pragma once

#include <cstdint>
#include <functional>

#include "format/text/format.h"
#include "table/encode.h"

namespace linsep {

/// Throws the Error about an encoded value that the page's type can't hold.
using RefuseValue = std::function<void(std::size_t row, std::uint32_t feature, double value)>;

/// Gives a page that has labels and weights its features: floats or doubles as the map says; dense where there are
/// numbers only. Values that are 0 as floats stay away from sparse rows, as do all zeros; the first of them is told in
/// `parsed.tiny`, or, where values must be `exact`, refused.
void fill_page(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
               ParsedPage& parsed);

}  // namespace linsep
