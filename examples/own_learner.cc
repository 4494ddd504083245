// A learner of one's own under the loop: the class with more rows wins. Rows may come from memory, a file or a shard.
#include <linsep/linsep.h>

#include <iostream>

class Majority : public linsep::Learner {
 public:
  void begin(const linsep::Shape& shape) override { features_ = shape.features; }
  void visit(const linsep::Batch& batch) override {
    for (const double y : batch.label) sum_ += y > 0 ? 1 : -1;
  }
  void synchronise(linsep::Comm& comm) override { comm.all_reduce(std::span(&sum_, 1), linsep::Comm::Op::kSum); }
  linsep::Verdict end_pass(linsep::Progress& /*progress*/) override { return linsep::Verdict::kConverged; }

  linsep::Model model() const override {
    linsep::Model model;
    model.theta.assign(features_, 0);
    model.offset = sum_ >= 0 ? 1 : -1;
    return model;
  }
  std::string save_state() const override { return std::to_string(sum_); }
  void load_state(const std::string& bytes) override { sum_ = std::stoll(bytes); }

 private:
  std::size_t features_ = 0;
  std::int64_t sum_ = 0;
};

int main() {
  const std::vector<double> x = {1, 2, 3};
  const std::vector<std::string> y = {"spam", "ham", "spam"};
  const auto rows = linsep::label_rows(linsep::dense_rows(x, 1), y);
  Majority learner;
  const auto outcome = linsep::train(*rows, learner, {}, *linsep::solo());
  std::cout << linsep::predict(outcome.model, linsep::dense_rows(x, 1))[1] << '\n';
}
