// What R calls. R's matrices become rows, and the library's results become lists.
//
// `x` is a matrix with a column per row of the data and a row per feature, since R stores matrices by column. `y` is 0
// or 1. Rows and features count from 0 here, and from 1 in the lists that go back.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/logit.h"
#include "linsep/optimality.h"
#include "linsep/read.h"
#include "linsep/tools/proof_rows.h"
#include "linsep/tools/shown_text.h"
#include "linsep/tools/statement.h"
#include "report/optimality.h"

#include <R_ext/Visibility.h>
#include <cpp11.hpp>
#include <cpp11/declarations.hpp>

namespace linsep {
namespace {

using cpp11::doubles;
using cpp11::strings;
using cpp11::writable::list;
using namespace cpp11::literals;  // NOLINT(google-build-using-namespace): its purpose

/// Lets the user interrupt. What an observer throws ends the call.
void check_interrupt(const Progress& /*progress*/) { cpp11::check_user_interrupt(); }

/// R's arrays as a source. They outlive it, because R protects a call's arguments.
class Rows {
 public:
  Rows(SEXP x, const doubles& y, SEXP weights, const strings& names, const strings& classes) {
    Batch& batch = batch_;
    batch.rows = y.size();
    batch.features = static_cast<std::uint32_t>(Rf_nrows(x));
    batch.dense = true;
    batch.is_float = false;
    batch.pinned = true;
    batch.stride = batch.features;
    batch.value64 = std::span<const double>(REAL(x), static_cast<std::size_t>(Rf_xlength(x)));
    for (const double label : y) label_.push_back(label > 0 ? 1 : -1);
    batch.label = label_;
    if (!Rf_isNull(weights)) batch.weight = std::span<const double>(REAL(weights), label_.size());
    Schema schema;
    for (const cpp11::r_string each : classes) schema.classes.push_back(each);
    for (const cpp11::r_string each : names) schema.feature_names.push_back(each);
    check_rows(batch, schema, 1);
    source_ = view(batch, std::move(schema));
  }

  Source& source() { return *source_; }
  /// The same rows without their last feature.
  std::unique_ptr<Source> without_last() const {
    Batch batch = batch_;
    --batch.features;
    Schema schema = source_->schema();
    schema.feature_names.pop_back();
    return view(batch, std::move(schema));
  }

 private:
  Batch batch_;
  std::vector<double> label_;
  std::unique_ptr<Source> source_;
};

template <class Numbers>
cpp11::writable::doubles to_doubles(const Numbers& numbers) {
  cpp11::writable::doubles out;
  out.reserve(static_cast<R_xlen_t>(numbers.size()));
  for (const auto& number : numbers) out.push_back(static_cast<double>(number));
  return out;
}

cpp11::writable::strings to_strings(const std::vector<std::string>& words) {
  cpp11::writable::strings out;
  for (const std::string& word : words) out.push_back(word);
  return out;
}

/// Numbers of rows, counted from 1.
cpp11::writable::doubles to_rows(const std::vector<NamedRow>& rows) {
  std::vector<std::int64_t> numbers;
  for (const NamedRow& row : rows) numbers.push_back(row.row + 1);
  return to_doubles(numbers);
}

RunLimits limits() {
  RunLimits out;
  out.threads = 1;
  return out;
}

constexpr std::size_t kAllRows = SIZE_MAX;

// logit

LogitOptions::Method method_named(const std::string& name) {
  using Method = LogitOptions::Method;
  if (name == "firth") return Method::kFirth;
  if (name == "flic") return Method::kFlic;
  if (name == "flac") return Method::kFlac;
  return Method::kMaximumLikelihood;
}

list coefficient_columns(const LogitResult& result) {
  std::vector<std::string> status;
  for (const LogitCoefficient& each : result.coefficients) status.emplace_back(status_name(each.status));
  const auto column = [&](double LogitCoefficient::* member) {
    std::vector<double> numbers;
    for (const LogitCoefficient& each : result.coefficients) numbers.push_back(each.*member);
    return to_doubles(numbers);
  };
  return list({"status"_nm = to_strings(status), "estimate"_nm = column(&LogitCoefficient::estimate),
               "error"_nm = column(&LogitCoefficient::error),
               "standard_error"_nm = column(&LogitCoefficient::standard_error), "z"_nm = column(&LogitCoefficient::z),
               "wald_p"_nm = column(&LogitCoefficient::wald_p), "chi_square"_nm = column(&LogitCoefficient::chi_square),
               "p"_nm = column(&LogitCoefficient::p), "low"_nm = column(&LogitCoefficient::low),
               "high"_nm = column(&LogitCoefficient::high)});
}

list tests_columns(const std::vector<LogitTest>& tests) {
  std::vector<double> chi_square, degrees, p;
  for (const LogitTest& test : tests) {
    chi_square.push_back(test.chi_square);
    degrees.push_back(test.degrees);
    p.push_back(test.p);
  }
  return list({"chi_square"_nm = to_doubles(chi_square), "df"_nm = to_doubles(degrees), "p"_nm = to_doubles(p)});
}

/// Rows that maximum likelihood fits perfectly, by the verdict's certificate, in which the offset isn't a feature.
std::vector<NamedRow> separated_by(const LogitResult& result, const LogitOptions& options, Rows& rows) {
  if (result.separation.certificate.levels.empty()) return {};
  const std::unique_ptr<Source> without = options.offset ? rows.without_last() : nullptr;
  Source& source = without ? *without : rows.source();
  return separated_rows(result.separation.certificate, source, kAllRows, options, *solo(), check_interrupt);
}

/// `offset` is true if the last feature is an offset. `terms` are features (from 0) that are tested jointly.
list fit_logit(SEXP x, const doubles& y, SEXP weights, const strings& names, const std::string& method, bool intercept,
               bool offset, bool profile, const std::string& infinite, bool robust, double level,
               const cpp11::list& terms) {
  Rows rows(x, y, weights, names, strings({"0", "1"}));
  LogitOptions options{limits()};
  options.method = method_named(method);
  options.origin = !intercept;
  options.confidence = level;
  options.profile = profile;
  options.infinite_interval = infinite_interval_named(infinite);
  if (robust) options.errors = LogitOptions::Errors::kRobust;
  const std::uint32_t features = rows.source().shape().features;
  if (offset) options.offset = features - 1;
  for (const SEXP term : terms) {
    LogitTerm& to = options.terms.emplace_back();
    for (const int column : cpp11::integers(term)) to.columns.push_back(static_cast<std::uint32_t>(column));
  }
  const LogitResult result = logit(rows.source(), options, check_interrupt);
  list aliases;
  for (const LogitAlias& alias : result.aliases) {
    std::vector<double> columns = {static_cast<double>(alias.column) + 1};
    for (const std::uint32_t column : alias.of) columns.push_back(column < features ? column + 1.0 : 0.0);
    aliases.push_back(to_doubles(columns));
  }
  const std::vector<LogitTest> overall = {result.overall};
  return list({"coefficients"_nm = coefficient_columns(result), "covariance"_nm = to_doubles(result.covariance),
               "verdict"_nm = std::string(claim_name(result.separation.certificate.claim)),
               "separated"_nm = to_rows(separated_by(result, options, rows)), "aliases"_nm = aliases,
               "log_likelihood"_nm = result.log_likelihood,
               "penalised_log_likelihood"_nm = result.penalised_log_likelihood,
               "null_log_likelihood"_nm = result.null_log_likelihood, "rank"_nm = result.degrees,
               "overall"_nm = tests_columns(overall), "tests"_nm = tests_columns(result.terms)});
}

// certify and verify

list certify_rows(SEXP x, const doubles& y, const strings& names, const strings& classes, bool intercept) {
  Rows rows(x, y, R_NilValue, names, classes);
  CertifyOptions options{limits()};
  options.origin = !intercept;
  options.coefficients = true;
  CertifyOutcome outcome = certify(rows.source(), options, *solo(), check_interrupt);
  Certificate& certificate = outcome.certificate;
  ProofOptions sealing{limits()};
  seal_certificate(certificate, rows.source(), sealing, check_interrupt);
  std::vector<std::string> estimates;
  for (const CoefficientEstimate& each : outcome.estimates) estimates.emplace_back(estimate_name(each.estimate));
  std::vector<NamedRow> separated;
  if (!certificate.levels.empty()) {
    separated = separated_rows(certificate, rows.source(), kAllRows, limits(), *solo(), check_interrupt);
  }
  std::vector<double> witness, shares;
  for (const WitnessRow& row : witness_rows(certificate.witness, certificate.origin, rows.source())) {
    witness.push_back(static_cast<double>(row.name.row) + 1);
    shares.push_back(row.share);
  }
  return list({"verdict"_nm = std::string(claim_name(certificate.claim)),
               "words"_nm = claim_words(statement_of(certificate)), "estimates"_nm = to_strings(estimates),
               "separated"_nm = to_rows(separated), "witness"_nm = to_doubles(witness),
               "shares"_nm = to_doubles(shares), "json"_nm = certificate_to_json(certificate)});
}

CheckResult check_proof(const Certificate& certificate, Rows* rows) {
  return verify_certificate(certificate, rows != nullptr ? &rows->source() : nullptr, ProofOptions{limits()},
                            check_interrupt);
}

OptimalityCheck check_proof(const OptimalityProof& proof, Rows* rows) {
  if (rows != nullptr) return verify_optimality(proof, rows->source(), ProofOptions{limits()}, check_interrupt);
  OptimalityCheck result;
  result.needs_data = true;
  result.reason = "a proof about a model is checked against its rows: give x and y";
  return result;
}

/// `x` is NULL to check a certificate alone. Rows of the data without names get the certificate's own names.
list verify_rows(const std::string& json, const std::string& name, SEXP x, SEXP y, const strings& names,
                 const strings& classes) {
  std::optional<Rows> rows;
  if (!Rf_isNull(x)) rows.emplace(x, doubles(y), R_NilValue, names, classes);
  return std::visit(
      [&](const auto& proof) {
        const auto result = check_proof(proof, rows ? &*rows : nullptr);
        list out({"valid"_nm = result.valid, "needs_data"_nm = result.needs_data, "reason"_nm = result.reason,
                  "proven"_nm = to_strings(result.proven)});
        if constexpr (std::is_same_v<decltype(result), const OptimalityCheck>) {
          std::vector<double> zeros;
          for (const std::uint32_t column : result.zeros) zeros.push_back(column + 1.0);
          out.push_back("verdict"_nm = "near-optimal");
          out.push_back("certain_labels"_nm = static_cast<double>(result.certain_labels));
          out.push_back("zeros"_nm = to_doubles(zeros));
        } else {
          out.push_back("verdict"_nm = std::string(claim_name(proof.claim)));
        }
        return out;
      },
      proof_from_json(json, name));
}

// audit

std::string word_of(const list& objective, const char* name) { return cpp11::as_cpp<std::string>(objective[name]); }

/// A number as R prints it in 17 digits, or "".
std::string number_of(const list& objective, const char* name) {
  const cpp11::strings given(objective[name]);
  return given.size() == 0 ? "" : std::string(given[0]);
}

/// `weights`: of each feature, and then the intercept's unless classifiers go through the origin. `objective`: what
/// they were trained for, numbers as text.
list audit_rows(SEXP x, const doubles& y, const strings& names, const strings& classes, const strings& weights,
                bool origin, const list& objective, double gap) {
  Rows rows(x, y, R_NilValue, names, classes);
  GivenWeights given;
  given.origin = origin;
  given.features = rows.source().shape().features;
  given.objective = {provable_loss(word_of(objective, "loss")), number_of(objective, "lambda"),
                     number_of(objective, "negative_weight"),   number_of(objective, "positive_weight"),
                     number_of(objective, "intercept_penalty"), number_of(objective, "l1_ratio")};
  given.c = number_of(objective, "cost");
  given.constant = number_of(objective, "constant");
  for (R_xlen_t j = 0; j < weights.size(); ++j) {
    given.weights.push_back({static_cast<std::uint32_t>(j), std::string(weights[j])});
  }
  const OptimalityProof proof = audit_weights(given, rows.source(), gap, ProofOptions{limits()}, check_interrupt);
  const OptimalityReport report{"x", "", "", "", proof};
  const AboveBest above = above_best(proof);
  return list({"words"_nm = audit_words(proof), "sentences"_nm = bounds_words(report),
               "at_most"_nm = approximate_number(proof.at_most), "at_least"_nm = approximate_number(proof.at_least),
               "gap"_nm = proven_gap(proof), "above_best"_nm = to_doubles(std::array{above.at_least, above.at_most}),
               "weights_within"_nm = weights_within(proof), "certain_signs"_nm = to_doubles(certain_signs(proof)),
               "json"_nm = optimality_to_json(proof)});
}

/// Casts by way of void (*)(), which compilers accept for a function of any type.
template <class Function>
DL_FUNC routine(Function* function) {
  return reinterpret_cast<DL_FUNC>(reinterpret_cast<void (*)()>(function));
}

}  // namespace
}  // namespace linsep

extern "C" {

SEXP linsep_logit(SEXP x, SEXP y, SEXP weights, SEXP names, SEXP method, SEXP infinite, SEXP flags, SEXP level,
                  SEXP terms) {
  BEGIN_CPP11
  const cpp11::logicals set(flags);
  return linsep::fit_logit(x, cpp11::doubles(y), weights, cpp11::strings(names), cpp11::as_cpp<std::string>(method),
                           set["intercept"] == TRUE, set["offset"] == TRUE, set["profile"] == TRUE,
                           cpp11::as_cpp<std::string>(infinite), set["robust"] == TRUE, cpp11::as_cpp<double>(level),
                           cpp11::list(terms));
  END_CPP11
}

SEXP linsep_certify(SEXP x, SEXP y, SEXP names, SEXP classes, SEXP intercept) {
  BEGIN_CPP11
  return linsep::certify_rows(x, cpp11::doubles(y), cpp11::strings(names), cpp11::strings(classes),
                              cpp11::as_cpp<bool>(intercept));
  END_CPP11
}

SEXP linsep_verify(SEXP json, SEXP name, SEXP x, SEXP y, SEXP names, SEXP classes) {
  BEGIN_CPP11
  return linsep::verify_rows(cpp11::as_cpp<std::string>(json), cpp11::as_cpp<std::string>(name), x, y,
                             cpp11::strings(names), cpp11::strings(classes));
  END_CPP11
}

SEXP linsep_audit(SEXP x, SEXP y, SEXP names, SEXP classes, SEXP weights, SEXP origin, SEXP objective, SEXP gap) {
  BEGIN_CPP11
  return linsep::audit_rows(x, cpp11::doubles(y), cpp11::strings(names), cpp11::strings(classes),
                            cpp11::strings(weights), cpp11::as_cpp<bool>(origin), cpp11::list(objective),
                            cpp11::as_cpp<double>(gap));
  END_CPP11
}

/// Each word as a terminal may show it. If `lines`, newlines stay.
SEXP linsep_shown(SEXP words, SEXP lines) {
  BEGIN_CPP11
  cpp11::writable::strings shown;
  for (const cpp11::r_string each : cpp11::strings(words)) {
    const std::string word = each;
    shown.push_back(cpp11::as_cpp<bool>(lines) ? linsep::shown_lines(word) : linsep::shown_text(word));
  }
  return shown;
  END_CPP11
}

// R calls the function of this name.
attribute_visible void R_init_linsep(DllInfo* dll) {  // NOLINT(readability-identifier-naming)
  static const R_CallMethodDef calls[] = {
      {"linsep_logit", linsep::routine(linsep_logit), 9},     {"linsep_audit", linsep::routine(linsep_audit), 8},
      {"linsep_certify", linsep::routine(linsep_certify), 5}, {"linsep_shown", linsep::routine(linsep_shown), 2},
      {"linsep_verify", linsep::routine(linsep_verify), 6},   {nullptr, nullptr, 0}};
  R_registerRoutines(dll, nullptr, calls, nullptr, nullptr);
  R_useDynamicSymbols(dll, FALSE);
}

}  // extern "C"
