#include "learn/margin/lambda_path.h"

#include <utility>

#include "core/bytes.h"
#include "learn/margin/margin.h"
#include "linsep/error.h"

namespace linsep {

LambdaPath::LambdaPath(Options options, std::vector<double> lambdas, const Model* start, PathScorer scorer,
                       bool keep_models, int threads)
    : options_(std::move(options)),
      lambdas_(std::move(lambdas)),
      scorer_(std::move(scorer)),
      keep_models_(keep_models),
      threads_(threads),
      most_passes_(get_integer(options_, "passes")) {
  options_["lambda"] = lambdas_.front();
  if (start != nullptr) start_ = *start;
  learner_ = make_lambda_margin(options_, start, threads);
}

void LambdaPath::begin(const Shape& shape) {
  learner_->begin(shape);
  done_.clear();
  current_ = {};
  current_.lambda = lambdas_.front();
  scoring_ = false;
}

void LambdaPath::visit(const Batch& batch) {
  if (!scoring_) {
    learner_->visit(batch);
  } else if (scorer_) {
    scorer_(done_.size(), current_.model, batch);
  }
}

void LambdaPath::synchronise(Comm& comm) {
  if (!scoring_) learner_->synchronise(comm);
}

Verdict LambdaPath::end_pass(Progress& progress) {
  if (!scoring_) {
    current_.converged = learner_->end_pass(progress) == Verdict::kConverged;
    current_.objective = *progress.objective;
    current_.gap = *progress.gap;
    ++current_.passes;
    if (current_.converged || current_.passes >= most_passes_) {
      current_.model = learner_->model();
      scoring_ = true;
    }
    return Verdict::kContinue;
  }
  progress.objective = current_.objective;
  progress.gap = current_.gap;
  current_.scored = true;
  if (done_.size() + 1 == lambdas_.size()) return Verdict::kConverged;
  scoring_ = false;
  if (!keep_models_ && !done_.empty()) done_.back().model = {};
  done_.push_back(std::exchange(current_, {}));
  current_.lambda = lambdas_[done_.size()];
  learner_->change_lambda(current_.lambda);
  return Verdict::kContinue;
}

Model LambdaPath::model() const { return scoring_ ? current_.model : learner_->model(); }

std::vector<LambdaPoint> LambdaPath::points() const {
  std::vector<LambdaPoint> all = done_;
  if (current_.passes > 0 || done_.empty()) {
    all.push_back(current_);
    all.back().model = model();
  }
  return all;
}

namespace {

void write_point(ByteWriter& writer, const LambdaPoint& point) {
  for (const double x : {point.lambda, point.objective, point.gap, point.model.offset}) writer.number(x);
  writer.number(point.passes);
  for (const bool x : {point.converged, point.scored, point.model.origin}) writer.number(static_cast<std::uint8_t>(x));
  writer.numbers(point.model.theta);
}

LambdaPoint read_point(ByteReader& reader) {
  LambdaPoint point;
  for (double* x : {&point.lambda, &point.objective, &point.gap, &point.model.offset}) *x = reader.number<double>();
  point.passes = reader.number<std::int64_t>();
  for (bool* x : {&point.converged, &point.scored, &point.model.origin}) *x = reader.number<std::uint8_t>() != 0;
  point.model.theta = reader.numbers<double>();
  return point;
}

}  // namespace

std::string LambdaPath::save_state() const {
  ByteWriter writer;
  writer.text("lambda path 1");
  writer.number<std::uint64_t>(done_.size());
  for (const LambdaPoint& point : done_) write_point(writer, point);
  write_point(writer, current_);
  writer.number(static_cast<std::uint8_t>(scoring_));
  writer.text(learner_->save_state());
  return writer.bytes();
}

void LambdaPath::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("lambda path 1");
  const auto done = reader.number<std::uint64_t>();
  if (done >= lambdas_.size()) throw input_error("this saved state is of another path");
  done_.clear();
  for (std::uint64_t i = 0; i < done; ++i) done_.push_back(read_point(reader));
  current_ = read_point(reader);
  scoring_ = reader.number<std::uint8_t>() != 0;
  options_["lambda"] = current_.lambda;
  const Model* start = start_ ? &*start_ : nullptr;
  learner_ = make_lambda_margin(options_, done_.empty() ? start : &done_.back().model, threads_);
  learner_->load_state(reader.text());
  reader.end();
}

}  // namespace linsep
