// Proofs on their way to a file, and the secret that salts their rows.
#pragma once

#include <string>
#include <variant>

#include "linsep/certificate.h"
#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/source.h"
#include "reading.h"

namespace linsep::app {

/// Seals a certificate with the data it is about, which takes a pass over them with a progress bar, and writes it: as
/// JSON, or under a name that ends with .zip as a bundle, with the rows and what checks them. `reading`: where the data
/// are from. `secret`: salts every row; "": no salt.
void keep_proof(Certificate& certificate, Source& data, const std::string& path, const InputOptions& reading,
                const std::string& secret = {});

/// Writes a bundle: a proof of either kind, the rows, and what checks them.
void write_bundle(const std::variant<Certificate, OptimalityProof>& proof, Source& data, const std::string& path,
                  const InputOptions& reading, const ProofOptions& options, const Observer& observe);

/// The command that checks a proof, or what is to be done with a bundle. The rows must be read again as they were.
/// `classes`: their names in the order that they were read in, if no option says it; "": the usual one. `table`: the
/// options that say how a table is encoded; "": none are needed.
std::string check_command(const std::string& proof, const InputOptions& reading, const std::string& classes,
                          const std::string& table, const std::string& salt = {});
/// The classes of a model as --classes takes them, if rows that are read without the model would have another order.
std::string unusual_classes(const Model& model);

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
