// The basic linear classifier.
//
// Problem: The boundary half way between the class means μ⊕, μ⊖ and at right angles to the line that joins them.
// Method: θ = μ⊕ − μ⊖, θ0 = −θ·(μ⊕ + μ⊖)/2, or θ0 = 0 with `origin`. Row weights count, so a mean is Σw·x / Σw.
// Stops: After one pass. Cost: One vector update per row.
// Workers: Sums are added over all of them, and the result has the same bits for any number.
#include <fmt/format.h>

#include "learn/common_options.h"
#include "learn/learners.h"
#include "linsep/error.h"
#include "numeric/class_sums.h"

namespace linsep {
namespace {

class Basic final : public Learner {
 public:
  explicit Basic(const Options& options) : origin_(get_flag(options, "origin")) {}

  void begin(const Shape& shape) override {
    sums_ = {};
    sums_.widen(shape.features);
  }
  void visit(const Batch& batch) override { sums_.add(batch); }
  void synchronise(Comm& comm) override { sums_.synchronise(comm); }
  Verdict end_pass(Progress& /*progress*/) override {
    sums_.require_both("the basic linear classifier");
    return Verdict::kConverged;
  }

  Model model() const override {
    Model model;
    model.learner = "basic";
    model.origin = origin_;
    model.features = static_cast<std::uint32_t>(sums_.features());
    model.theta.resize(sums_.features());
    if (sums_.weight(0) > 0 && sums_.weight(1) > 0) {
      const std::vector<double> negative = sums_.mean(0);
      const std::vector<double> positive = sums_.mean(1);
      for (std::size_t j = 0; j < model.theta.size(); ++j) model.theta[j] = positive[j] - negative[j];
      if (!origin_) model.offset = halfway_offset(model.theta, negative, positive);
    }
    return model;
  }

  std::string save_state() const override {
    ByteWriter writer;
    writer.text("basic 2");
    sums_.save(writer);
    return writer.bytes();
  }
  void load_state(const std::string& bytes) override {
    ByteReader reader(bytes);
    reader.expect("basic 2");
    sums_.load(reader);
    reader.end();
  }

 private:
  const bool origin_;
  ClassSums sums_;
};

}  // namespace

const LearnerEntry& basic_entry() {
  static const LearnerEntry kEntry = {
      .info = {.name = "basic",
               .help = "θ is the difference of the class means, the threshold halfway between them.",
               .formula = "θ = μ⊕ − μ⊖, θ0 = −θ·(μ⊕ + μ⊖)/2",
               .table = {origin_option()},
               .many = true},
      .make = [](const Options& options, const Model* /*start*/,
                 const LearnerRun& /*run*/) -> std::unique_ptr<Learner> { return std::make_unique<Basic>(options); },
      .memory = [](const Options& /*options*/, const Shape& /*shape*/, int /*threads*/,
                   const SolverChoice& /*choice*/) { return MemoryRates{.column = 8 * 16, .least_column = 60}; },
  };
  return kEntry;
}

}  // namespace linsep
