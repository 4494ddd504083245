// What `linsep certify` reports, and `train --hard` about rows that no linear classifier separates, in words for people
// and as one object for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/source.h"
#include "linsep/tools/proof_rows.h"
#include "linsep/tools/statement.h"
#include "report/json.h"

namespace linsep {
/// "3", or "3 (smith)" if rows have ids.
std::string row_words(const NamedRow& row);
/// A share as people read it, such as "½", "3/7" or "0.0123".
std::string share_words(const WitnessRow& row);
/// The heaviest rows of a long witness, otherwise all, as indices in its order. A table may be a little longer rather
/// than end in "and 1 more".
std::vector<std::size_t> shown_rows(const std::vector<double>& shares);
/// The statement of a certificate, with names fit for a terminal.
Statement shown_statement(const Certificate& certificate);
/// "Every linear classifier is wrong on at least one row of each of these sets. Look for wrong labels here first"
std::string wrong_in_each_words(const Statement& statement);
/// The separator of a proof that has one weight vector of whole numbers, with at most `most` of them but for the
/// constant, and without their common divisor. Otherwise "". `names` has the names of the columns.
std::string separator_formula(const Certificate& certificate, const Model& names, std::size_t most);
/// Why a search ended before all was known, as in "the time ran out".
std::string ending_words(const CertifyOutcome& outcome);

/// One map of `--maps`.
struct MapTrial {
  FeatureMap map;
  std::string verdict;  ///< a claim's name, or "not separable" if no more is known, or "too many features"
  std::int64_t passes = 0;
  double seconds = 0;
};

/// A perceptron that was trained with a model's options.
struct PerceptronRun {
  std::int64_t mistakes = 0;
  std::int64_t passes = 0;
  bool converged = false;
};

struct CertifyReport {
  std::string data;          ///< as named on the command line
  std::string proof;         ///< the certificate's file, or "" if it wasn't written
  std::string check;         ///< the command that checks it
  std::string guide;         ///< the model that was given, or "" for none
  std::string against = {};  ///< with several classes, the one separated from the others
  Schema schema;
  std::int64_t rows = 0;
  CertifyOutcome outcome;
  std::vector<WitnessRow> witness;
  std::vector<std::vector<WitnessRow>> mistakes;  ///< one for each witness of the packing
  std::vector<NamedRow> separated;                ///< if quasi-separable, the first of them
  std::vector<MapTrial> trials;                   ///< empty without --maps
  std::optional<FeatureMap> first_separable;      ///< of the trials
  std::optional<PerceptronRun> perceptron;
  std::int64_t mistake_limit = 0;
  bool mistakes_cut = false;  ///< the packing ended by time or Ctrl-C
  double read_seconds = 0, certify_seconds = 0, seal_seconds = 0;
};

/// "3 rows of weight 0 count like any other, since the verdict is about all rows; …\n", or "" if there are none. Goes
/// over the rows. A collective call.
std::string weight_0_sentence(Source& source, Comm& comm);

/// Whether the certificate proves anything, since an undecided one may be empty.
bool proves_something(const Certificate& certificate);

/// With `full`, vectors of any length.
Json report_json(const CertifyReport& report, bool full);
std::string report_words(const CertifyReport& report);

/// The result of checking a certificate. `data` is the name of the rows that it was checked with, or "" without rows.
Json verify_json(const Certificate& certificate, const CheckResult& result, const std::string& data);

struct InseparableReport {
  std::string data;   ///< as named on the command line
  std::string proof;  ///< the certificate's file, or "" if it wasn't written
  const Certificate& certificate;
  Source* source;  ///< the data, to read the witness's rows again
};

/// The message of an Error, in one sentence, and what can be done.
std::string inseparable_words(const InseparableReport& report);
std::string inseparable_advice(const InseparableReport& report);
/// With `full`, witnesses of any length.
Json inseparable_json(const InseparableReport& report, bool full);

}  // namespace linsep
