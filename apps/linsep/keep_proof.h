// Proofs on their way to a file.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep::app {

/// Seals a certificate with the data it is about, which takes a pass over them with a progress bar, and writes it.
void keep_proof(Certificate& certificate, Source& data, const std::string& path);

}  // namespace linsep::app
