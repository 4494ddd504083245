// linsep._core: the library as Python sees it.
#include "module.h"

NB_MODULE(_core, m) {
  using namespace linsep::python;
  nb::set_leak_warnings(false);  // what the user's own globals hold when the interpreter ends is no leak
  bind_error(m);
  bind_options(m);
  bind_batch(m);
  bind_model(m);
  bind_certify(m);  // before the functions that return certificates
  bind_outcome(m);
  bind_train(m);
  bind_select(m);
  bind_evaluate(m);
  bind_logit(m);
  bind_read(m);
  bind_cluster(m);
  bind_export(m);
  bind_explain(m);
  bind_generate(m);
}
