// What certify.cc and certificate.cc bind together.
#pragma once

#include "module.h"

namespace linsep::python {

/// The class Certificate, which others return.
void bind_certificate(nb::module_& m);
/// What goes over rows for a certificate that is there: seal, verify, witness_rows, separated_rows, digest.
void bind_proof(nb::module_& m);

}  // namespace linsep::python
