// Certificate as a value: its fields, its file as text, and equality by content.
#include "linsep/certificate.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/map.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/statement.h"
#include "module.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::string>>;

Pairs pairs_of(const ExactWeights& weights) {
  Pairs pairs;
  pairs.reserve(weights.size());
  for (const ColumnWeight& each : weights) pairs.emplace_back(each.column, each.weight);
  return pairs;
}

Pairs pairs_of(const RowWeights& weights) {
  Pairs pairs;
  pairs.reserve(weights.size());
  for (const RowWeight& each : weights) pairs.emplace_back(each.row, each.alpha);
  return pairs;
}

std::vector<Pairs> lists_of(const std::vector<ExactWeights>& parts) {
  std::vector<Pairs> lists;
  lists.reserve(parts.size());
  for (const ExactWeights& part : parts) lists.push_back(pairs_of(part));
  return lists;
}

}  // namespace

void bind_certificate(nb::module_& m) {
  const auto data = [](auto member) {
    return [member](const Certificate& certificate) { return certificate.data.*member; };
  };
  const auto text = [](auto member) {
    return [member](const Certificate& certificate) { return to_str(certificate.data.*member); };
  };
  const auto list = [](auto member) {
    return [member](const Certificate& certificate) { return to_list(certificate.data.*member); };
  };
  const auto words = [](std::string (*sentence)(const Statement&)) {
    return [sentence](const Certificate& certificate) { return to_str(sentence(statement_of(certificate))); };
  };
  nb::class_<Certificate>(m, "Certificate", "What is proven about every linear classifier on a data set.")
      .def_prop_ro("claim", [](const Certificate& c) { return std::string(claim_name(c.claim)); })
      .def_ro("origin", &Certificate::origin)
      .def_prop_ro("map", [](const Certificate& c) { return map_text(c.map); })
      .def_prop_ro("rows", data(&DataDigest::rows))
      .def_prop_ro("features", data(&DataDigest::features))
      .def_prop_ro("root", text(&DataDigest::root))
      .def_prop_ro("positive", text(&DataDigest::positive))
      .def_prop_ro("classes", list(&DataDigest::classes))
      .def_prop_ro("names", list(&DataDigest::names))
      .def_prop_ro("table", text(&DataDigest::table))
      .def_prop_ro("sealed", [](const Certificate& c) { return !c.data.root.empty(); })
      .def_prop_ro("levels", [](const Certificate& c) { return lists_of(c.levels); })
      .def_ro("left_at_zero", &Certificate::left_at_zero)
      .def_prop_ro("witness", [](const Certificate& c) { return pairs_of(c.witness); })
      .def_ro("stopped_because", &Certificate::stopped_because)
      .def_prop_ro("classifier", words(+[](const Statement& s) { return classifier_words(s); }),
                   "Which classifiers it is about: \"linear classifier through the origin\".")
      .def_prop_ro("separates", words(&separates_words), "What one of them does that makes no mistake.")
      .def_prop_ro("not_separable", words(&not_separable_words), "That none of them does.")
      .def_prop_ro("verdict_words", words(&verdict_words), "What is proven, without the verdict's name.")
      .def(
          "least_words", [](const Certificate& c, std::int64_t n) { return to_str(least_words(statement_of(c), n)); },
          "mistakes"_a, "That every one of them makes at least so many mistakes.")
      .def("to_json", &certificate_to_json)
      .def(
          "__eq__", [](const Certificate& a, const Certificate& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Certificate& c) { return std::hash<std::string>{}(certificate_to_json(c)); });
  m.def("certificate_from_json", &certificate_from_json, "text"_a, "name"_a = "the certificate");
  m.def(
      "certificate_from_bundle",
      [](const nb::bytes& bundle, const std::string& name) {
        Bundle found = read_bundle({bundle.c_str(), bundle.size()}, name);
        if (auto* certificate = std::get_if<Certificate>(&found.proof)) return std::move(*certificate);
        throw Error(Place{name, 0, 0}, "its proof is about a model, not about all classifiers");
      },
      "bundle"_a, "name"_a);
}

}  // namespace linsep::python
