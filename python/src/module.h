// The parts of linsep._core, one function per file. Everything here is private to the package. python/linsep is its
// public face.
#pragma once

#include <nanobind/nanobind.h>

namespace linsep::python {

namespace nb = nanobind;

void bind_options(nb::module_& m);
void bind_error(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_model(nb::module_& m);
void bind_outcome(nb::module_& m);
void bind_train(nb::module_& m);
void bind_select(nb::module_& m);
void bind_evaluate(nb::module_& m);
void bind_certify(nb::module_& m);
void bind_logit(nb::module_& m);
void bind_read(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_export(nb::module_& m);
void bind_generate(nb::module_& m);
void bind_explain(nb::module_& m);

// Parts of bind_certify.
/// Binds the class Certificate, which others return.
void bind_certificate(nb::module_& m);
/// Binds the class ModelProof, audit_weights and audit_model, which prove how good a trained classifier is.
void bind_audit(nb::module_& m);
/// Binds what goes over rows with an existing certificate: seal, verify, witness_rows, separated_rows, digest.
void bind_proof(nb::module_& m);

}  // namespace linsep::python
