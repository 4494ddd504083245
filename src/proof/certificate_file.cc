#include <filesystem>
#include <fstream>
#include <sstream>

#include "linsep/certificate.h"
#include "linsep/error.h"

namespace linsep {

void save_certificate(const Certificate& certificate, const std::string& path) {
  const std::string text = certificate_to_json(certificate);
  const std::string beside = path + ".tmp";
  {
    std::ofstream file(beside, std::ios::binary);
    file << text << std::flush;
    if (!file) throw system_error(path + ": can't be written");
  }
  std::error_code error;
  std::filesystem::rename(beside, path, error);
  if (error) throw system_error(path + ": can't be replaced: " + error.message());
}

Certificate load_certificate(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(path + ": can't be opened");
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw system_error(path + ": can't be read");
  return certificate_from_json(text.view(), path);
}

}  // namespace linsep
