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

/// Seals a certificate with the data it is about and writes it. Sealing takes a pass over the data with a progress bar.
/// The file is JSON, or if its name ends with .zip a bundle with the rows and what checks them. `reading` is where the
/// data come from. `secret` salts every row, or "" for no salt.
void keep_proof(Certificate& certificate, Source& data, const std::string& path, const InputOptions& reading,
                const std::string& secret = {});

/// Writes a bundle, which holds a proof of either kind, the rows, and what checks them.
void write_bundle(const std::variant<Certificate, OptimalityProof>& proof, Source& data, const std::string& path,
                  const InputOptions& reading, const ProofOptions& options, const Observer& observe);

/// The command that checks a proof, or instructions for a bundle. It reads the rows again in the same way. `classes`
/// gives their names in the order that they were read in, if no option gives it, or "" for the usual order. `table`
/// gives the options for how a table is encoded, or "" if none are needed.
std::string check_command(const std::string& proof, const InputOptions& reading, const std::string& classes,
                          const std::string& table, const std::string& salt = {});
/// The classes of a model in the form of --classes, if rows read without the model would have another order.
std::string unusual_classes(const Model& model);

/// Whether a proof of this name is a bundle.
bool is_bundle(const std::string& path);
/// Throws a usage Error if a bundle can't be made, which is the case with salted rows and with several workers.
void check_bundle(const std::string& path, const std::string& salt);

/// Whether a text is 64 lower-case hexadecimal digits, as roots and secrets are.
bool is_hash(const std::string& text);

/// The secret in a file, 64 hexadecimal digits, or "" if `path` is "". With `make`, a missing file is made with a new
/// secret, readable by its owner alone. Throws an input or system Error. Collective if it makes one.
std::string salt_secret(const std::string& path, bool make);

}  // namespace linsep::app
