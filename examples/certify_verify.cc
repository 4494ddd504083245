// Proves that no line separates XOR, and checks the proof as a stranger would: without the data.
#include <linsep/linsep.h>

#include <iostream>

int main() {
  const std::vector<double> x = {0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<double> y = {-1, 1, 1, -1};
  const auto rows = linsep::label_rows(linsep::dense_rows(x, 2), y);
  auto outcome = linsep::certify(*rows);
  std::cout << linsep::claim_name(outcome.certificate.claim) << '\n';
  for (const auto& [row, alpha] : outcome.certificate.witness) std::cout << "row " << row + 1 << ": " << alpha << '\n';

  linsep::seal_certificate(outcome.certificate, *rows);  // binds it to the data by a Merkle root
  const std::string file = linsep::certificate_to_json(outcome.certificate);
  const auto check = linsep::verify_certificate(linsep::certificate_from_json(file, "proof"), nullptr);
  std::cout << (check.valid ? "valid: " : "not valid: ") << check.reason << '\n';
}
