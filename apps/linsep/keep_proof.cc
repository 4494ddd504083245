#include "keep_proof.h"

#include "report/bar.h"
#include "watched.h"
#include "workers.h"

namespace linsep::app {

void keep_proof(Certificate& certificate, Source& data, const std::string& path) {
  ProgressBar bar("sealing the proof");
  WatchedSource watched(data, [&](const Progress& progress) { bar.observe(progress); });
  seal_certificate(certificate, watched, workers());
  if (first_worker()) save_certificate(certificate, path);
}

}  // namespace linsep::app
