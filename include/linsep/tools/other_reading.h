// Whether a certificate is about the rows as they were read, with the same label, columns and encoding.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep {

/// In words, how the certificate's rows were read or encoded otherwise than those of `schema`, or "" if they weren't.
/// For example another label, columns left out, another table, or the other class positive. `verify_certificate`
/// refuses with these words before it looks at a row.
std::string other_reading(const Certificate& certificate, const Schema& schema);

/// Whether the certificate is about arrays and the rows are text. No option reads text in the way such a certificate
/// requires.
bool arrays_for_text(const Certificate& certificate, const Schema& schema);

}  // namespace linsep
