// Binding of linsep/certificate.h and linsep/tools/proof_rows.h, for passes over rows with an existing certificate.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/read.h"
#include "linsep/table/map.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/certify_classes.h"
#include "linsep/tools/encoder_words.h"
#include "linsep/tools/other_reading.h"
#include "linsep/tools/proof_rows.h"
#include "module.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

ProofOptions proof_options(const Watch& watch, int threads) {
  ProofOptions options;
  static_cast<RunLimits&>(options) = watch.limits(threads);
  return options;
}

Dict check_dict(const CheckResult& result) {
  Dict out;
  out["valid"] = result.valid;
  out["needs_data"] = result.needs_data;
  out["reason"] = to_str(result.reason);
  out["proven"] = to_list(result.proven);
  return out;
}

Certificate seal(const Certificate& certificate, Rows& rows, bool carry, const std::string& secret, int threads,
                 nb::object observe) {
  const RowsLock use(rows);
  return supervised(std::move(observe), [&](const Watch& watch) {
    ProofOptions options = proof_options(watch, threads);
    options.carry = carry;
    options.secret = secret;
    Certificate sealed = certificate;
    seal_certificate(sealed, rows.source(watch, as_proven()), rows.comm(), options, watch.observe);
    return sealed;
  });
}

Dict verify(const Certificate& certificate, Rows* rows, bool as_encoded, const std::string& secret, int threads,
            nb::object observe) {
  std::optional<RowsLock> use;
  std::int64_t dropped = 0;
  bool otherwise = false, of_arrays = false;
  if (rows != nullptr) use.emplace(*rows);
  const CheckResult result = supervised(std::move(observe), [&](const Watch& watch) {
    Purpose purpose = for_proof();
    if (as_encoded) purpose.proof = &certificate.data;
    Source* source = rows == nullptr ? nullptr : &rows->source(watch, purpose);
    if (source != nullptr) dropped = source->schema().dropped;
    ProofOptions options = proof_options(watch, threads);
    options.secret = secret;
    const CheckResult checked = verify_certificate(certificate, source, options, watch.observe);
    otherwise = source != nullptr && !checked.valid && !other_reading(certificate, source->schema()).empty();
    of_arrays = otherwise && arrays_for_text(certificate, source->schema());
    return checked;
  });
  Dict out = check_dict(result);
  out["dropped"] = dropped;
  out["other_reading"] = otherwise;
  out["of_arrays"] = of_arrays;
  return out;
}

/// What the encoders of the certificate's table make of their columns. Empty if it has no table, or only the table's
/// hash.
Dicts table_columns(const Certificate& certificate) {
  Dicts out;
  const std::string& table = certificate.data.table;
  if (table.empty() || table.starts_with("sha256:")) return out;
  for (const Encoder& encoder : table_from_json(table, "the certificate").encoders) {
    Dict one;
    one["name"] = to_str(encoder_column(encoder));
    one["kind"] = to_str(std::string(encoder_kind(encoder)));
    one["encoding"] = to_str(encoder_words(encoder));
    out.append(one);
  }
  return out;
}

Dict check_rows_unsealed(const Certificate& certificate, Rows& rows, int threads, nb::object observe) {
  const RowsLock use(rows);
  const CheckResult result = supervised(std::move(observe), [&](const Watch& watch) {
    return check_unsealed(certificate, rows.source(watch, as_proven()), rows.comm(), proof_options(watch, threads),
                          watch.observe);
  });
  return check_dict(result);
}

/// Ids given along with arrays count if the rows themselves have none.
Dict name_dict(const NamedRow& row, const Rows& rows) {
  Dict out;
  out["row"] = row.row;
  out["label"] = to_str(row.label);
  out["id"] = to_str(row.id.empty() ? rows.store().id_of(row.row) : row.id);
  return out;
}

Dict witness_dict(const WitnessRow& row, const Rows& rows) {
  Dict out = name_dict(row.name, rows);
  out["alpha"] = to_str(row.alpha);
  out["share"] = row.share;
  out["exact_share"] = to_str(row.exact_share);
  return out;
}

/// For a joint certificate, each row also has the class that it is compared with.
Dicts witness(const Certificate& certificate, Rows& rows, nb::object observe) {
  const RowsLock use(rows);
  const bool jointly = !certificate.data.classes.empty() && certificate.data.positive.empty();
  const std::vector<RivalRow> named = supervised(std::move(observe), [&](const Watch& watch) {
    const std::unique_ptr<Source> all = rows_of_all(rows.source(watch, as_proven()), rows.comm());
    if (jointly) return rival_rows(certificate, *all);
    std::vector<RivalRow> out;
    for (WitnessRow& row : witness_rows(certificate.witness, certificate.origin, *all)) {
      out.push_back({std::move(row), ""});
    }
    return out;
  });
  Dicts out;
  for (const RivalRow& each : named) {
    Dict one = witness_dict(each.row, rows);
    if (jointly) one["rival"] = to_str(each.rival);
    out.append(one);
  }
  return out;
}

Dicts separated(const Certificate& certificate, Rows& rows, std::size_t limit, int threads,
                std::optional<double> time_limit, nb::object observe) {
  const RowsLock use(rows);
  if (certificate.levels.empty()) return Dicts();
  const std::vector<NamedRow> named = supervised(std::move(observe), [&](const Watch& watch) {
    return separated_rows(certificate, rows.source(watch, as_proven()), limit,
                          watch.limits(threads, time_limit.value_or(0)), rows.comm(), watch.observe);
  });
  Dicts out;
  for (const NamedRow& row : named) out.append(name_dict(row, rows));
  return out;
}

Dict digest(Rows& rows, const std::string& secret, int threads, nb::object observe) {
  const RowsLock use(rows);
  const DataDigest made = supervised(std::move(observe), [&](const Watch& watch) {
    ProofOptions options = proof_options(watch, threads);
    options.secret = secret;
    return digest_rows(rows.source(watch, for_proof()), options, watch.observe);
  });
  Dict out;
  out["root"] = to_str(made.root);
  out["rows"] = made.rows;
  out["features"] = made.features;
  out["negative"] = to_str(made.negative);
  out["positive"] = to_str(made.positive);
  out["classes"] = to_list(made.classes);
  out["names"] = to_list(made.names);
  return out;
}

nb::bytes bundle(const Certificate& certificate, Rows& rows, const std::string& data, bool shortest,
                 const std::string& of_stored, int threads, nb::object observe) {
  const RowsLock use(rows);
  const std::string made = supervised(std::move(observe), [&](const Watch& watch) {
    return make_bundle(certificate, rows.source(watch, as_proven()), {data, shortest, of_stored, rows.store().files()},
                       proof_options(watch, threads), watch.observe);
  });
  return nb::bytes(made.data(), made.size());
}

nb::tuple shortest(Rows& rows, const std::string& label, nb::object observe) {
  const RowsLock use(rows);
  const ShortestText made = supervised(
      std::move(observe), [&](const Watch& watch) { return shortest_text(rows.source(watch, as_proven()), label); });
  return nb::make_tuple(to_str(made.format), to_str(made.label), nb::bytes(made.text.data(), made.text.size()));
}

}  // namespace

void bind_proof(nb::module_& m) {
  m.def("seal", &seal, "certificate"_a, "rows"_a, nb::kw_only(), "carry"_a = true, "secret"_a = "", "threads"_a = 0,
        "observe"_a = nb::none(), "A copy with the data's digest and, with `carry`, the rows that it names.");
  m.def("verify", &verify, "certificate"_a, "rows"_a.none() = nb::none(), nb::kw_only(), "as_encoded"_a = false,
        "secret"_a = "", "threads"_a = 0, "observe"_a = nb::none(), "Checks a sealed certificate exactly.");
  m.def("table_columns", &table_columns, "certificate"_a, "What its table makes of each column, in words.");
  m.def("check_unsealed", &check_rows_unsealed, "certificate"_a, "rows"_a, nb::kw_only(), "threads"_a = 0,
        "observe"_a = nb::none(), "Checks a certificate that isn't sealed against its rows.");
  m.def("witness_rows", &witness, "certificate"_a, "rows"_a, nb::kw_only(), "observe"_a = nb::none(),
        "The rows of the witness, with their shares.");
  m.def("separated_rows", &separated, "certificate"_a, "rows"_a, "limit"_a, nb::kw_only(), "threads"_a = 0,
        "time_limit"_a = nb::none(), "observe"_a = nb::none(),
        "The first rows that the certificate's levels separate.");
  m.def("bundle", &bundle, "certificate"_a, "rows"_a, nb::kw_only(), "data"_a = "", "shortest"_a = false,
        "of_stored"_a = "", "threads"_a = 0, "observe"_a = nb::none(),
        "A sealed certificate with its rows and what checks it, as a zip file.");
  m.def("shortest_text", &shortest, "rows"_a, nb::kw_only(), "label"_a = "y", "observe"_a = nb::none(),
        "Rows of arrays as text with the shortest decimals: its format, the label's column, the text.");
  m.def("digest", &digest, "rows"_a, nb::kw_only(), "secret"_a = "", "threads"_a = 0, "observe"_a = nb::none(),
        "The root of the rows, and what is said besides them.");
}

}  // namespace linsep::python
