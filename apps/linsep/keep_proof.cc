#include "keep_proof.h"

#include "report/bar.h"
#include "workers.h"

namespace linsep::app {

void keep_proof(Certificate& certificate, Source& data, const std::string& path) {
  ProgressBar bar("sealing the proof");
  // An interrupt ended what came before; the proof of what was found by then is still wanted.
  seal_certificate(certificate, data, workers(), true, {}, [&](const Progress& progress) { bar.observe(progress); });
  if (first_worker()) save_certificate(certificate, path);
}

}  // namespace linsep::app
