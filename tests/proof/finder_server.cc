// The finder for tests/proof: one question a line on standard input, one sealed certificate a line on standard output.
//
// A question is {"data": path of a file, "origin": bool, "map": text, "mistakes": bool}; of several classes also
// "classes", and "against": an index of these, where not all are asked about jointly. The rows go through the
// readers as a user's do. With "estimates": true the answer is {"certificate", "estimates"}, the latter a list of
// [estimate, computed sign] for each column.
#include <iostream>
#include <nlohmann/json.hpp>

#include "linsep/linsep.h"
#include "linsep/tools/certify_classes.h"
#include "map/feature_map.h"

namespace {

linsep::CertifyOutcome answer(linsep::Source& source, const linsep::CertifyOptions& options,
                              const nlohmann::json& question) {
  if (question.contains("against")) {
    return certify_against_the_rest(source, question.at("against").get<std::size_t>(), options, *linsep::solo());
  }
  return question.contains("classes") ? certify_jointly(source, options, *linsep::solo())
                                      : certify(source, options, *linsep::solo());
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto question = nlohmann::json::parse(line);
    linsep::ReadOptions reading;
    reading.double_values = true;
    reading.exact_values = true;
    reading.classes = question.value("classes", std::vector<std::string>{"-1", "1"});
    reading.many_classes = true;
    const auto source = linsep::load(question.at("data").get<std::string>(), reading);
    linsep::CertifyOptions options;
    options.origin = question.at("origin").get<bool>();
    options.map = linsep::parse_map(question.at("map").get<std::string>());
    options.mistakes = question.at("mistakes").get<bool>();
    linsep::CertifyOutcome outcome = answer(*source, options, question);
    linsep::seal_certificate(outcome.certificate, *source);
    auto told = nlohmann::json::parse(linsep::certificate_to_json(outcome.certificate));
    if (question.value("estimates", false)) {
      auto estimates = nlohmann::json::array();
      for (const linsep::CoefficientEstimate& estimate : outcome.estimates) {
        estimates.push_back({linsep::estimate_name(estimate.estimate), estimate.computed_sign});
      }
      told = {{"certificate", told}, {"estimates", estimates}};
    }
    std::cout << told.dump() << std::endl;
  }
}
