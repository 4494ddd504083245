// Asks questions about more than two classes as questions about two.
#include <algorithm>
#include <utility>

#include "data/decorators.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/certify_classes.h"
#include "train/certify/steps.h"
#include "train/memory.h"

namespace linsep {
namespace {

/// The made rows stream through. Whatever else they need is left to the data's own.
void share(Source& source, const Source& made, const CertifyOptions& options, Comm& comm) {
  Shape shape = made.shape();
  shape.features = mapped_features(options.map, shape.features);
  share_memory(source, certify_need(shape, options.mistakes), options.memory, comm);
}

void require_classes(const Source& source) {
  require_one_label(source.schema());
  if (source.schema().classes.size() < 3) throw usage_error("expected rows of more than two classes");
}

}  // namespace

CertifyOutcome certify_against_the_rest(Source& source, std::size_t positive, const CertifyOptions& options, Comm& comm,
                                        const Observer& observe) {
  require_classes(source);
  const std::unique_ptr<Source> made = one_against_the_rest(source, positive);
  share(source, *made, options, comm);
  CertifyOutcome outcome = certify(*made, options, comm, observe);
  DataDigest& data = outcome.certificate.data;
  data.classes = source.schema().classes;
  data.positive = data.classes[positive];
  return outcome;
}

CertifyOutcome certify_jointly(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observe) {
  require_classes(source);
  if (options.map.kind != FeatureMap::Kind::kNone) {
    throw usage_error("maps work for one class at a time, not for all classes jointly");
  }
  if (options.mistakes)
    throw usage_error("mistakes can be bounded for one class at a time, not for all classes jointly");
  const std::unique_ptr<Source> made = all_classes_jointly(source, options.origin);
  share(source, *made, options, comm);
  CertifyOptions about = options;
  about.origin = true;  // the intercepts are columns of the blocks
  CertifyOutcome outcome = certify(*made, about, comm, observe);
  const auto per_row = static_cast<std::int64_t>(source.schema().classes.size()) - 1;
  Certificate& certificate = outcome.certificate;
  certificate.origin = options.origin;
  certificate.data.classes = source.schema().classes;
  certificate.data.rows /= per_row;
  certificate.data.features = outcome.features = source.shape().features;
  outcome.rows /= per_row;
  // For separable rows it would be the margin of the made rows, for a classifier that nobody uses.
  if (certificate.claim == Claim::kSeparable) certificate.margin = {};
  outcome.margin = outcome.radius = outcome.mistake_bound = std::nullopt;
  return outcome;
}

std::vector<RivalRow> rival_rows(const Certificate& certificate, Source& data) {
  const std::vector<std::string>& classes = data.schema().classes;
  const auto per_row = static_cast<std::int64_t>(classes.size()) - 1;
  std::vector<std::int64_t> numbers;
  for (const RowWeight& weight : certificate.witness) {
    if (numbers.empty() || numbers.back() != weight.row / per_row) numbers.push_back(weight.row / per_row);
  }
  std::vector<WrittenRow> written = data.written(numbers);
  std::vector<WitnessRow> shares = shares_of(certificate.witness);
  std::vector<RivalRow> rows;
  auto at = written.begin();
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const std::int64_t joint = certificate.witness[k].row;
    while (at->row != joint / per_row) ++at;
    shares[k].name = {at->row, at->label, at->id};
    rows.push_back({std::move(shares[k]), classes[rival_class(joint, class_of(at->label, classes), classes.size())]});
  }
  return rows;
}

}  // namespace linsep
