// The finder for tests/proof: one question a line on standard input, one sealed certificate a line on standard output.
//
// A question is {"data": path of a file, "origin": bool, "map": text, "mistakes": bool}. The rows go through the
// readers as a user's do.
#include <iostream>
#include <nlohmann/json.hpp>

#include "linsep/linsep.h"
#include "map/feature_map.h"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto question = nlohmann::json::parse(line);
    linsep::ReadOptions reading;
    reading.double_values = true;
    reading.classes = {"-1", "1"};
    const auto source = linsep::load(question.at("data").get<std::string>(), reading);
    linsep::CertifyOptions options;
    options.origin = question.at("origin").get<bool>();
    options.map = linsep::parse_map(question.at("map").get<std::string>());
    options.mistakes = question.at("mistakes").get<bool>();
    linsep::Certificate certificate = certify(*source, options, *linsep::solo()).certificate;
    linsep::seal_certificate(certificate, *source);
    std::cout << nlohmann::json::parse(linsep::certificate_to_json(certificate)).dump() << std::endl;
  }
}
