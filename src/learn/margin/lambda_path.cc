#include "learn/margin/lambda_path.h"

#include <algorithm>
#include <utility>

#include "core/bytes.h"
#include "learn/margin/margin.h"
#include "linsep/error.h"

namespace linsep {

LambdaPath::LambdaPath(Options options, std::vector<double> lambdas, const Model* start, PathScorer scorer,
                       bool keep_models, const LearnerRun& run)
    : options_(std::move(options)),
      lambdas_(std::move(lambdas)),
      scorer_(std::move(scorer)),
      keep_models_(keep_models),
      run_(run),
      most_passes_(get_integer(options_, "passes")) {
  options_["lambda"] = lambdas_.front();
  if (start != nullptr) start_ = *start;
  make_learner(start);
}

void LambdaPath::set_stop(const StopFunction& stop) {
  stop_ = stop;
  learner_->set_stop(stop_);
}

void LambdaPath::make_learner(const Model* start) {
  learner_ = make_lambda_margin(options_, start, run_);
  learner_->set_stop(stop_);
}

void LambdaPath::begin_learner() {
  learner_->begin(shape_);
  if (gram_) share_gram(gram_);
}

bool LambdaPath::share_gram(const std::shared_ptr<SharedGram>& gram) {
  gram_ = takes_gram(*learner_, gram) ? gram : nullptr;
  return gram_ != nullptr;
}

WideLearner* LambdaPath::wide_learner() { return scoring_ ? nullptr : wide_learner_of(*learner_); }

void LambdaPath::begin(const Shape& shape) {
  shape_ = shape;
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
    const Verdict verdict = learner_->end_pass(progress);
    if (!progress.gap) return verdict;  // stopped before anything was known
    current_.converged = verdict == Verdict::kConverged;
    current_.objective = *progress.objective;
    current_.gap = *progress.gap;
    ++current_.passes;
    if (verdict != Verdict::kContinue || current_.passes >= most_passes_) {
      note_solver(current_);
      current_.model = learner_->model();
      scoring_ = true;
    }
    return Verdict::kContinue;
  }
  progress.objective = current_.objective;
  progress.gap = current_.gap;
  current_.scored = true;
  if (done_.size() + 1 == lambdas_.size()) return Verdict::kConverged;
  advance();
  return Verdict::kContinue;
}

void LambdaPath::note_solver(LambdaPoint& point) const {
  const auto how = learner_->stats().margin;
  if (!how) return;
  point.solver = how->solver;
  point.because = how->because;
}

void LambdaPath::advance() {
  scoring_ = false;
  if (!keep_models_ && !done_.empty()) done_.back().model = {};
  done_.push_back(std::exchange(current_, {}));
  current_.lambda = lambdas_[done_.size()];
  if (current_.lambda < done_.back().lambda) {
    learner_->change_lambda(current_.lambda);
    return;
  }
  options_["lambda"] = current_.lambda;
  make_learner(fresh_start());
  begin_learner();
}

void LambdaPath::add(double lambda) {
  lambdas_.push_back(lambda);
  if (current_.scored) advance();
}

Model LambdaPath::model() const { return scoring_ ? current_.model : learner_->model(); }

std::vector<LambdaPoint> LambdaPath::points() const {
  std::vector<LambdaPoint> all;
  for (std::size_t l = 0; l < size(); ++l) all.push_back(point(l));
  return all;
}

LambdaPoint LambdaPath::point(std::size_t l) const {
  if (l < done_.size()) return done_[l];
  LambdaPoint at_work = current_;
  if (!scoring_) note_solver(at_work);
  at_work.model = model();
  return at_work;
}

namespace {

void write_point(ByteWriter& writer, const LambdaPoint& point) {
  for (const double x : {point.lambda, point.objective, point.gap, point.model.offset}) writer.number(x);
  writer.number(point.passes);
  for (const bool x : {point.converged, point.scored, point.model.origin}) writer.number(static_cast<std::uint8_t>(x));
  for (const std::string& x : {point.solver, point.because}) writer.text(x);
  writer.numbers(point.model.theta);
}

LambdaPoint read_point(ByteReader& reader, double lambda, std::size_t features) {
  LambdaPoint point;
  point.lambda = reader.finite();
  require_state(point.lambda == lambda, "it belongs to another path");
  for (double* x : {&point.objective, &point.gap}) *x = reader.ordered();
  point.model.offset = reader.finite();
  point.passes = reader.count();
  for (bool* x : {&point.converged, &point.scored, &point.model.origin}) *x = reader.flag();
  for (std::string* x : {&point.solver, &point.because}) *x = reader.text();
  point.model.theta = reader.numbers_or_none<double>(features);
  return point;
}

}  // namespace

std::string LambdaPath::save_state() const {
  ByteWriter writer;
  writer.text("lambda path 2");
  writer.number<std::uint64_t>(done_.size());
  for (const LambdaPoint& point : done_) write_point(writer, point);
  write_point(writer, current_);
  writer.number(static_cast<std::uint8_t>(scoring_));
  writer.text(learner_->save_state());
  return writer.bytes();
}

void LambdaPath::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("lambda path 2");
  const auto done = reader.number<std::uint64_t>();
  require_state(done < lambdas_.size(), "it belongs to another path");
  const std::size_t features = shape_.features;
  const auto whole = [&](const LambdaPoint& point) { return point.model.theta.size() == features; };
  done_.clear();
  for (std::uint64_t i = 0; i < done; ++i) done_.push_back(read_point(reader, lambdas_[i], features));
  current_ = read_point(reader, lambdas_[done], features);
  scoring_ = reader.flag();
  require_state(!scoring_ || whole(current_));
  require_state(done_.empty() || whole(done_.back()));
  require_state(!keep_models_ || std::ranges::all_of(done_, whole));
  options_["lambda"] = current_.lambda;
  const bool afresh = done_.empty() || !(current_.lambda < done_.back().lambda);
  make_learner(afresh ? fresh_start() : &done_.back().model);
  begin_learner();
  learner_->load_state(reader.text());
  reader.end();
}

}  // namespace linsep
