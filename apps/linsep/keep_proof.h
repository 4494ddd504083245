// Proofs on their way to a file, and the secret that salts their rows.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep::app {

/// Seals a certificate with the data it is about, which takes a pass over them with a progress bar, and writes it.
/// `secret`: salts every row; "": no salt.
void keep_proof(Certificate& certificate, Source& data, const std::string& path, const std::string& secret = {});

/// Whether a text is 64 lower-case hexadecimal digits, as roots and secrets are.
bool is_hash(const std::string& text);

/// The secret in a file: 64 hexadecimal digits. "" where `path` is "". `make`: where there is no such file, one is made
/// with a new secret, readable by its owner alone. Throws an input or system Error. Collective where it makes one.
std::string salt_secret(const std::string& path, bool make);

}  // namespace linsep::app
