// Proofs on their way to a file, and the secret that salts their rows.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "linsep/source.h"
#include "reading.h"

namespace linsep::app {

/// Seals a certificate with the data it is about, which takes a pass over them with a progress bar, and writes it: as
/// JSON, or under a name that ends with .zip as a bundle, with the rows and what checks them. `reading`: where the data
/// are from. `secret`: salts every row; "": no salt.
void keep_proof(Certificate& certificate, Source& data, const std::string& path, const Reading& reading,
                const std::string& secret = {});

/// Whether a proof of this name is a bundle.
bool is_bundle(const std::string& path);
/// Throws a usage Error where a bundle can't be made: of salted rows, by several workers.
void check_bundle(const std::string& path, const std::string& salt);

/// Whether a text is 64 lower-case hexadecimal digits, as roots and secrets are.
bool is_hash(const std::string& text);

/// The secret in a file: 64 hexadecimal digits. "" where `path` is "". `make`: where there is no such file, one is made
/// with a new secret, readable by its owner alone. Throws an input or system Error. Collective where it makes one.
std::string salt_secret(const std::string& path, bool make);

}  // namespace linsep::app
