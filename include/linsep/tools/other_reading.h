// Whether a certificate is about the rows as they were read: the same label, columns and encoding.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep {

/// How the certificate's rows were read or encoded otherwise than those of `schema`, in words: another label, columns
/// left out, another table, the other class positive; "" where they weren't. `verify_certificate` refuses with these
/// words before it looks at a row.
std::string other_reading(const Certificate& certificate, const Schema& schema);

/// Whether the certificate is about arrays and the rows are text: no option reads them as the certificate says.
bool arrays_for_text(const Certificate& certificate, const Schema& schema);

}  // namespace linsep
