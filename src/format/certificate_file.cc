#include "linsep/certificate.h"
#include "os/atomic_file.h"

namespace linsep {

void save_certificate(const Certificate& certificate, const std::string& path) {
  write_file_atomically(path, certificate_to_json(certificate));
}

Certificate load_certificate(const std::string& path) { return certificate_from_json(read_whole_file(path), path); }

}  // namespace linsep
