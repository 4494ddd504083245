// Proofs about models, held against optima that plain gradient steps find, and against changes of every part.
#include "linsep/optimality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "proof/test_source.h"

namespace linsep {
namespace {

struct Point {
  int y = 0;
  double x[2] = {};
  double weight = 1;  ///< of the row
};

struct Task {
  Loss loss = Loss::kLogistic;
  bool origin = false;
  double lambda = 0.25;
  double weight[2] = {1, 1};  // negative, positive
  double offset_penalty = 0;
  std::vector<Point> rows = {};
};

struct Weights {
  double theta[2] = {}, offset = 0;
};

double loss_at(Loss loss, double m) {
  if (loss == Loss::kLogistic) return std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m);
  const double slack = std::max(0.0, 1 - m);
  return loss == Loss::kSquaredHinge ? slack * slack : slack;
}

double slope_at(Loss loss, double m) {
  if (loss == Loss::kLogistic) return 1 / (1 + std::exp(m));
  return 2 * std::max(0.0, 1 - m);
}

double score(const Weights& w, const Point& row) { return w.theta[0] * row.x[0] + w.theta[1] * row.x[1] + w.offset; }

double objective(const Task& task, const Weights& w) {
  double sum = 0, total = 0;
  for (const Point& row : task.rows) {
    const double weight = row.weight * task.weight[row.y > 0 ? 1 : 0];
    sum += weight * loss_at(task.loss, row.y * score(w, row));
    total += weight;
  }
  const double squares = w.theta[0] * w.theta[0] + w.theta[1] * w.theta[1] + task.offset_penalty * w.offset * w.offset;
  return sum / total + task.lambda / 2 * squares;
}

/// Gradient steps with a step that is halved until it helps.
Weights optimum(const Task& task) {
  Weights w;
  double total = 0;
  for (const Point& row : task.rows) total += row.weight * task.weight[row.y > 0 ? 1 : 0];
  double step = 1;
  for (int k = 0; k < 20'000; ++k) {
    Weights g;
    for (const Point& row : task.rows) {
      const double slope =
          -row.y * row.weight * task.weight[row.y > 0 ? 1 : 0] * slope_at(task.loss, row.y * score(w, row)) / total;
      for (int j = 0; j < 2; ++j) g.theta[j] += slope * row.x[j];
      if (!task.origin) g.offset += slope;
    }
    for (int j = 0; j < 2; ++j) g.theta[j] += task.lambda * w.theta[j];
    g.offset += task.lambda * task.offset_penalty * w.offset;
    const auto moved = [&](double length) {
      return Weights{{w.theta[0] - length * g.theta[0], w.theta[1] - length * g.theta[1]},
                     w.offset - length * g.offset};
    };
    while (step > 1e-14 && objective(task, moved(step)) >= objective(task, w)) step /= 2;
    if (step <= 1e-14) break;
    w = moved(step);
    step *= 2;
  }
  return w;
}

std::string decimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.25f", value);
  return text;
}

TestSource source(const Task& task) {
  std::vector<TestRow> rows;
  for (const Point& row : task.rows) {
    rows.push_back({row.y > 0 ? "1" : "-1", {{1, decimal(row.x[0])}, {2, decimal(row.x[1])}}, decimal(row.weight)});
  }
  return {rows, 2};
}

ExactWeights exact_weights(const Task& task, const Weights& w) {
  ExactWeights weights = {{0, decimal(w.theta[0])}, {1, decimal(w.theta[1])}};
  if (!task.origin) weights.push_back({2, decimal(w.offset)});
  return weights;
}

OptimalityProof sealed(const Task& task, const Weights& w, const std::optional<Weights>& reference = {}) {
  OptimalityProof proof;
  proof.origin = task.origin;
  proof.data.features = 2;
  proof.objective = {task.loss, decimal(task.lambda), decimal(task.weight[0]), decimal(task.weight[1]),
                     task.offset_penalty > 0 ? decimal(task.offset_penalty) : "0"};
  proof.model = exact_weights(task, w);
  proof.witness.offset = decimal(reference ? reference->offset : w.offset);
  if (reference) proof.reference = ReferenceClassifier{exact_weights(task, *reference)};
  TestSource data = source(task);
  seal_optimality(proof, data);
  return proof;
}

Task drawn(std::mt19937_64& draw) {
  const auto real = [&](double low, double high) {
    return std::round(std::uniform_real_distribution(low, high)(draw) * 100) / 100;
  };
  Task task;
  task.loss = draw() % 2 == 0 ? Loss::kLogistic : Loss::kSquaredHinge;
  task.origin = draw() % 4 == 0;
  task.lambda = std::ldexp(1.0, -static_cast<int>(draw() % 8));
  if (draw() % 3 == 0) task.weight[1] = 2.5;
  if (!task.origin && draw() % 3 == 0) task.offset_penalty = std::ldexp(1.0, static_cast<int>(draw() % 5) - 2);
  const std::size_t rows = 4 + draw() % 30;
  for (std::size_t i = 0; i < rows; ++i) task.rows.push_back({draw() % 2 == 0 ? 1 : -1, {real(-3, 3), real(-3, 3)}});
  if (draw() % 3 == 0) {
    for (Point& row : task.rows)
      row.weight = std::ldexp(static_cast<double>(draw() % 12), static_cast<int>(draw() % 7) - 5);
  }
  task.rows.push_back({1, {1, 0.5}});
  task.rows.push_back({-1, {-0.25, 0.125}});
  return task;
}

TEST(Optimality, BoundsEncloseTheOptimumWhateverTheModel) {
  std::mt19937_64 draw(3);
  for (int k = 0; k < 60; ++k) {
    const Task task = drawn(draw);
    const Weights best = optimum(task);
    const double least = objective(task, best);
    const OptimalityProof proof = sealed(task, best);
    EXPECT_LE(std::stod(proof.at_least), least * (1 + 1e-12)) << k;
    EXPECT_GE(std::stod(proof.at_most), least * (1 - 1e-12)) << k;
    EXPECT_LT(proven_gap(proof), 1e-6) << k;
    Weights moved = best;
    for (double& theta : moved.theta) theta += 0.3 * static_cast<double>(draw() % 7) - 0.9;
    if (!task.origin) moved.offset -= 0.5;
    const OptimalityProof other = sealed(task, moved);
    EXPECT_LE(std::stod(other.at_least), least * (1 + 1e-12)) << k;
    EXPECT_GE(std::stod(other.at_most), objective(task, moved) * (1 - 1e-12)) << k;
    EXPECT_LE(std::stod(other.at_most), objective(task, moved) * (1 + 1e-9)) << k;
  }
}

TEST(Optimality, AReferenceShowsHowFarAModelIsAtLeast) {
  std::mt19937_64 draw(13);
  for (int k = 0; k < 60; ++k) {
    const Task task = drawn(draw);
    const Weights best = optimum(task);
    const double least = objective(task, best);
    Weights moved = best;
    for (double& theta : moved.theta) theta += 0.3 * static_cast<double>(draw() % 7) - 1;
    const double distance = objective(task, moved) - least;
    const OptimalityProof proof = sealed(task, moved, best);
    EXPECT_NEAR(std::stod(proof.at_least), least, 1e-6 * least) << k;  // by the reference's scores
    EXPECT_LE(std::stod(proof.at_least), least * (1 + 1e-12)) << k;
    EXPECT_LE(std::stod(proof.reference->lower_by), distance * (1 + 1e-9)) << k;
    EXPECT_GE(std::stod(proof.reference->lower_by), distance * (1 - 1e-6) - 1e-9) << k;
    const AboveBest above = above_best(proof);
    EXPECT_LE(above.at_least, distance / least * (1 + 1e-9)) << k;
    EXPECT_GE(above.at_most, distance / least * (1 - 1e-9)) << k;
    EXPECT_LT(above.at_most - above.at_least, 1e-5 * (1 + distance / least)) << k;
    // A reference that is worse than the model proves nothing of the kind, but its scores still bound from below.
    const OptimalityProof other = sealed(task, best, moved);
    EXPECT_EQ(other.reference->lower_by, "0") << k;
    EXPECT_LE(std::stod(other.at_least), least * (1 + 1e-12)) << k;
  }
}

TEST(Optimality, NothingFalseIsAcceptedOfAReferenceOrAPenaltyOfTheOffset) {
  std::mt19937_64 draw(14);
  Task task = drawn(draw);
  task.origin = false;
  task.offset_penalty = 0.5;
  const Weights best = optimum(task);
  Weights moved = best;
  moved.theta[0] += 0.5;
  moved.offset += 1;
  const OptimalityProof proof = sealed(task, moved, best);
  TestSource data = source(task);
  EXPECT_TRUE(verify_optimality(proof, data).valid);
  const auto refused = [&](const std::function<void(OptimalityProof&)>& change) {
    OptimalityProof changed = proof;
    change(changed);
    const CheckResult result = verify_optimality(changed, data);
    EXPECT_FALSE(result.valid);
    return result.reason;
  };
  EXPECT_EQ(refused([](auto& p) { p.reference->lower_by = decimal(std::stod(p.reference->lower_by) * (1 + 1e-6)); }),
            "the reference's objective may be nearer to the model's than claimed");
  EXPECT_EQ(refused([](auto& p) { p.reference->lower_by = "-1"; }), "the difference to the reference is below 0");
  refused([&](auto& p) { p.reference->weights = exact_weights(task, moved); });
  refused([](auto& p) { p.reference->weights[0].column = 9; });
  refused([](auto& p) { p.reference = std::nullopt; });  // shares of the model's own scores prove less
  EXPECT_EQ(refused([](auto& p) { p.objective.offset_penalty = "-0.5"; }), "the intercept's penalty is below 0");
  EXPECT_EQ(refused([](auto& p) { p.objective.offset_penalty = "1"; }),
            "the model's objective may be higher than claimed");
  refused([](auto& p) { p.objective.offset_penalty = "0.25"; });  // the best possible objective is lower
  refused([](auto& p) { p.objective.offset_penalty = "0"; });
  refused([](auto& p) { p.objective.offset_penalty = "half"; });
}

TEST(Optimality, ProofsSurviveTheirFile) {
  std::mt19937_64 draw(4);
  for (int k = 0; k < 20; ++k) {
    const Task task = drawn(draw);
    const OptimalityProof proof = sealed(task, optimum(task));
    const OptimalityProof again = optimality_from_json(optimality_to_json(proof), "proof.json");
    EXPECT_EQ(again, proof);
    TestSource data = source(task);
    const CheckResult result = verify_optimality(again, data);
    EXPECT_TRUE(result.valid) << result.reason;
  }
}

// Two rows at ±1, hinge, λ = 1/2: F = max(0, 1 − θ) + θ²/4, least at θ = 1 with the value 1/4, a = 1/2 of both.
OptimalityProof hinge_proof(TestSource& data, const std::vector<std::uint64_t>& between) {
  OptimalityProof proof;
  proof.data.features = 1;
  proof.objective = {Loss::kHinge, "1/2"};
  proof.model = {{0, "1"}};
  proof.witness.shares = "**";
  proof.witness.between = between;
  seal_optimality(proof, data);
  return proof;
}

TEST(Optimality, OfTheHingeByShares) {
  const std::uint64_t half = std::uint64_t{1} << 39;
  TestSource data({{"1", {{1, "1"}}}, {"-1", {{1, "-1"}}}}, 1);
  const OptimalityProof proof = hinge_proof(data, {half, half});
  EXPECT_LT(proven_gap(proof), 1e-12);
  EXPECT_NEAR(std::stod(proof.at_most), 0.25, 1e-12);
  EXPECT_TRUE(verify_optimality(proof, data).valid);
  // Unbalanced shares: the heavier ones count less, so 3/4 and 1/2 are 1/2 and 1/2.
  EXPECT_EQ(hinge_proof(data, {half + half / 2, half}).at_least, proof.at_least);
  EXPECT_THROW(hinge_proof(data, {2 * half + 1, half}), Error);
  EXPECT_THROW(hinge_proof(data, {half}), Error);
  EXPECT_THROW(hinge_proof(data, {half, half, half}), Error);
}

TEST(Optimality, WhatFollowsIsSoOfTheOptimum) {
  std::mt19937_64 draw(15);
  std::int64_t signs = 0, labels = 0;
  for (int k = 0; k < 60; ++k) {
    const Task task = drawn(draw);
    const Weights best = optimum(task);
    Weights moved = best;
    for (double& theta : moved.theta) theta += std::ldexp(static_cast<double>(draw() % 7) - 3, -12);
    const bool by_reference = draw() % 3 == 0;
    const OptimalityProof proof = by_reference ? sealed(task, moved, best) : sealed(task, moved);
    TestSource data = source(task);
    const OptimalityCheck check = verify_optimality(proof, data);
    ASSERT_TRUE(check.valid) << check.reason;
    EXPECT_GE(weights_within(proof) * (1 + 1e-6) + 1e-9,
              std::hypot(moved.theta[0] - best.theta[0], moved.theta[1] - best.theta[1]));
    const std::vector<int> certain = certain_signs(proof);
    for (std::size_t j = 0; j < 2; ++j) {
      if (certain[j] == 0) continue;
      ++signs;
      EXPECT_GT(certain[j] * best.theta[j], 0) << k;
    }
    // A row near the boundary isn't certain.
    std::int64_t far = 0;
    for (const Point& row : task.rows) far += std::abs(score(best, row)) > 1e-6 ? 1 : 0;
    EXPECT_LE(check.certain_labels, far) << k;
    EXPECT_TRUE(check.zeros.empty());
    labels += check.certain_labels;
  }
  EXPECT_GT(signs, 60);
  EXPECT_GT(labels, 500);
}

TEST(Optimality, WhatFollowsFromAProofByHand) {
  const std::uint64_t half = std::uint64_t{1} << 39;
  TestSource data({{"1", {{1, "1"}}}, {"-1", {{1, "-1"}}}}, 1);
  OptimalityProof proof = hinge_proof(data, {half, half});
  EXPECT_LT(weights_within(proof), 1e-5);
  EXPECT_EQ(certain_signs(proof), std::vector<int>{1});
  OptimalityCheck check = verify_optimality(proof, data);
  EXPECT_EQ(check.certain_labels, 2);  // a share of 1/2 leaves a margin of 0 no room
  EXPECT_TRUE(check.zeros.empty());
  // A gap of 3/16 at λ = 1/2: the square of the distance is 3/4. The rows' margins cost (1 − a)/2 each, at 0.
  proof.at_least = "1/16";
  check = verify_optimality(proof, data);
  EXPECT_DOUBLE_EQ(weights_within(proof), std::sqrt(4 * (std::stod(proof.at_most) - 1.0 / 16)));
  EXPECT_EQ(certain_signs(proof), std::vector<int>{1});
  EXPECT_EQ(check.certain_labels, 2);
  proof.at_least = "0";
  check = verify_optimality(proof, data);
  EXPECT_EQ(certain_signs(proof), std::vector<int>{0});  // 0 is as far as the bounds allow, and a little more
  EXPECT_EQ(check.certain_labels, 0);
  proof.at_least = "1/2";
  check = verify_optimality(proof, data);
  EXPECT_FALSE(check.valid);
  EXPECT_EQ(check.certain_labels, 0);
  EXPECT_TRUE(std::isinf(weights_within(proof)));  // the bounds contradict each other
}

// Logistic loss with an L1 penalty that leaves no weight: two rows at ±x, a = 1/2, |v|/W = x/2.
TEST(Optimality, ZerosOfAnL1Penalty) {
  using Case = std::pair<std::string, bool>;  // λ, and whether the first weight is 0
  for (const auto& [lambda, zero] : {Case("1/4", false), Case("0.499", false), Case("0.501", true), Case("2", true)}) {
    TestSource data({{"1", {{1, "1"}, {2, "0.001"}}}, {"-1", {{1, "-1"}, {2, "-0.001"}}}}, 2);
    OptimalityProof proof;
    proof.data.features = 2;
    proof.objective = {Loss::kLogistic, lambda};
    proof.objective.l1_ratio = "1";
    if (lambda == "1/4") proof.model = {{0, "1.0986122886681098"}};  // ln 3: the slope is 1/4 there
    if (lambda == "0.499") proof.model = {{0, "0.0040000053333461"}};
    proof.witness.offset = "0";
    seal_optimality(proof, data);
    const OptimalityCheck check = verify_optimality(proof, data);
    EXPECT_TRUE(check.valid) << check.reason;
    EXPECT_LT(proven_gap(proof), 1e-9) << lambda;
    EXPECT_EQ(check.zeros, zero ? (std::vector<std::uint32_t>{0, 1}) : (std::vector<std::uint32_t>{1})) << lambda;
    EXPECT_TRUE(std::isinf(weights_within(proof)));
    EXPECT_EQ(certain_signs(proof), (std::vector<int>{0, 0}));
  }
}

TEST(Optimality, NothingFalseIsAccepted) {
  std::mt19937_64 draw(5);
  const Task task = drawn(draw);
  const OptimalityProof proof = sealed(task, optimum(task));
  TestSource data = source(task);
  const auto refused = [&](const std::function<void(OptimalityProof&)>& change) {
    OptimalityProof changed = proof;
    change(changed);
    const CheckResult result = verify_optimality(changed, data);
    EXPECT_FALSE(result.valid);
    return result.reason;
  };
  EXPECT_EQ(refused([](auto& p) { p.at_most = decimal(std::stod(p.at_most) * (1 - 1e-6)); }),
            "the model's objective may be higher than claimed");
  EXPECT_EQ(refused([](auto& p) { p.at_least = decimal(std::stod(p.at_least) * (1 + 1e-6)); }),
            "some classifier's objective may be lower than claimed");
  refused([](auto& p) { p.model[0].weight = decimal(std::stod(p.model[0].weight) + 0.01); });
  refused([](auto& p) { p.data.root[3] = p.data.root[3] == '0' ? '1' : '0'; });
  refused([](auto& p) { p.objective.lambda = "0"; });
  refused([](auto& p) { p.objective.lambda = "-1"; });
  refused(
      [](auto& p) { p.objective.loss = p.objective.loss == Loss::kLogistic ? Loss::kSquaredHinge : Loss::kLogistic; });
  refused([](auto& p) { p.witness.offset = std::nullopt; });
  refused([](auto& p) { p.model[0].column = 7; });
  Task other = task;
  other.rows[0].x[0] += 0.01;
  TestSource changed = source(other);
  EXPECT_EQ(verify_optimality(proof, changed).reason, "the certificate is about other data: the digests differ");
}

TEST(Optimality, AWeightThatIsntThatOfTheDataIsRefused) {
  std::mt19937_64 draw(21);
  Task task = drawn(draw);
  for (Point& row : task.rows) row.weight = 0.5;
  task.rows[1].weight = 2;
  task.rows[2].weight = 0;
  const OptimalityProof proof = sealed(task, optimum(task));
  TestSource data = source(task);
  EXPECT_TRUE(verify_optimality(proof, data).valid);
  // The objective is a mean, so weights that are all doubled leave it as it is. The rows are others all the same.
  for (const double factor : {2.0, 1.000001}) {
    Task other = task;
    for (Point& row : other.rows) row.weight *= factor;
    TestSource forged = source(other);
    EXPECT_EQ(verify_optimality(proof, forged).reason, "the certificate is about other data: the digests differ");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    Task other = task;
    other.rows[i].weight += 0.25;
    TestSource forged = source(other);
    EXPECT_FALSE(verify_optimality(proof, forged).valid) << i;
  }
  Task equal = task;
  for (Point& row : equal.rows) row.weight = 1;
  TestSource plain = source(equal);
  EXPECT_FALSE(verify_optimality(proof, plain).valid);
  EXPECT_FALSE(verify_optimality(sealed(equal, optimum(equal)), data).valid);
}

TEST(Optimality, AWeightIsThatManyRows) {
  std::mt19937_64 draw(22);
  for (int k = 0; k < 20; ++k) {
    Task task = drawn(draw);
    for (Point& row : task.rows) row.weight = static_cast<double>(draw() % 4);
    task.rows[0].weight = 1;
    Task copies = task;
    copies.rows.clear();
    for (const Point& row : task.rows) {
      for (int n = 0; n < row.weight; ++n) copies.rows.push_back({row.y, {row.x[0], row.x[1]}});
    }
    const Weights any = {{0.3, -0.2}, task.origin ? 0 : 0.1};
    const OptimalityProof by_weight = sealed(task, any), by_copies = sealed(copies, any);
    EXPECT_EQ(by_weight.at_most, by_copies.at_most) << k;
    EXPECT_EQ(by_weight.at_least, by_copies.at_least) << k;
  }
}

TEST(Optimality, WeightsOfAnyLength) {
  const std::string tenth = "0.1000000000000000055511151231257827021181583404541015625";
  const auto bounds = [](const std::string& heavy, const std::string& light) {
    OptimalityProof proof;
    proof.data.features = 1;
    proof.objective = {Loss::kSquaredHinge, "1/4"};
    proof.objective.l1_ratio = "1/2";
    proof.model = {{0, "0.25"}};
    proof.witness.offset = "0";
    TestSource data({{"1", {{1, "1.5"}}, heavy}, {"-1", {{1, "-1"}}, light}, {"-1", {{1, "0.125"}}, "0"}}, 1);
    seal_optimality(proof, data);
    const OptimalityCheck check = verify_optimality(proof, data);
    EXPECT_TRUE(check.valid) << check.reason;
    return std::pair(std::stod(proof.at_most), std::stod(proof.at_least));
  };
  const auto plain = bounds("2", "1");
  const std::string tiny = "0." + std::string(300, '0');
  for (const auto& [heavy, light] :
       {std::pair(std::string("0.2000000000000000111022302462515654042363166809082031250"), tenth),
        std::pair(tiny + "2", tiny + "1"), std::pair("2" + std::string(200, '0'), "1" + std::string(200, '0')),
        std::pair(std::string("2e-30"), std::string("1e-30"))}) {
    const auto same = bounds(heavy, light);
    EXPECT_DOUBLE_EQ(same.first, plain.first) << heavy;
    EXPECT_DOUBLE_EQ(same.second, plain.second) << heavy;
  }
  TestSource none({{"1", {{1, "1"}}, "0"}, {"-1", {{1, "-1"}}, "0"}}, 1);
  OptimalityProof proof;
  proof.data.features = 1;
  proof.objective = {Loss::kLogistic, "1"};
  proof.witness.offset = "0";
  EXPECT_THROW(seal_optimality(proof, none), Error);
  TestSource negative({{"1", {{1, "1"}}, "-1"}, {"-1", {{1, "-1"}}, "2"}}, 1);
  EXPECT_THROW(seal_optimality(proof, negative), Error);
}

TEST(Optimality, ThreadsDontChangeAProof) {
  std::mt19937_64 draw(23);
  for (int k = 0; k < 6; ++k) {
    Task task = drawn(draw);
    while (task.rows.size() < 700) task.rows.push_back(task.rows[draw() % 4]);
    OptimalityProof proof = sealed(task, optimum(task));
    if (k % 2 == 0) {
      proof.objective.loss = Loss::kHinge;
      proof.witness = {};
      for (std::size_t i = 0; i < task.rows.size(); ++i) {
        proof.witness.shares += "01*"[draw() % 3];
        if (proof.witness.shares.back() == '*') proof.witness.between.push_back(draw() % (std::uint64_t{1} << 40));
      }
    }
    OptimalityProof first;
    OptimalityCheck check;
    for (const int threads : {1, 2, 5}) {
      OptimalityProof other = proof;
      ProofOptions options;
      options.threads = threads;
      TestSource data = source(task);
      seal_optimality(other, data, options);
      const OptimalityCheck found = verify_optimality(other, data, options);
      EXPECT_TRUE(found.valid) << found.reason;
      if (threads == 1) {
        first = other;
        check = found;
      }
      EXPECT_EQ(optimality_to_json(other), optimality_to_json(first)) << threads;
      EXPECT_EQ(found.certain_labels, check.certain_labels);
      EXPECT_EQ(found.proven, check.proven);
    }
  }
}

TEST(Optimality, WorkersFindTheProofOfOne) {
  std::mt19937_64 draw(24);
  for (int k = 0; k < 8; ++k) {
    const Task task = drawn(draw);
    const auto n = static_cast<std::int64_t>(task.rows.size());
    const OptimalityProof alone = sealed(task, optimum(task));
    TestSource data = source(task);
    const OptimalityCheck check = verify_optimality(alone, data);
    OptimalityProof forged = alone;
    forged.at_least = forged.at_most;
    for (const int workers : {1, 2, 3, 40}) {
      run_threads(workers, [&](Comm& comm) {
        TestSource rows = source(task);
        Part mine(rows, n * (comm.rank() + 1) / workers - n * comm.rank() / workers);
        OptimalityProof together = alone;
        together.at_most = together.at_least = "0";
        seal_optimality(together, mine, comm);
        EXPECT_EQ(optimality_to_json(together), optimality_to_json(alone)) << workers;
        const OptimalityCheck found = verify_optimality(together, mine, comm);
        EXPECT_EQ(found.valid, check.valid) << found.reason;
        EXPECT_EQ(found.proven, check.proven);
        EXPECT_FALSE(verify_optimality(forged, mine, comm).valid);
      });
    }
  }
}

// Rows that can't be judged, each a reason of its own, and a row that has no leaf.
TEST(Optimality, WorkersNameTheFirstProblem) {
  const auto rows = [](const std::string& third, const std::string& weight) {
    return TestSource({{"1", {{1, "1"}}}, {"-1", {{1, "-1"}}}, {"1", {{1, third}}}, {"-1", {{1, "2"}}, weight}}, 1);
  };
  TestSource data = rows("3", "1");
  OptimalityProof proof;
  proof.data.features = 1;
  proof.objective = {Loss::kLogistic, "1"};
  proof.model = {{0, "0.5"}};
  proof.witness.offset = "0";
  seal_optimality(proof, data);
  const std::string huge = "1" + std::string(60, '0');
  for (const auto& [third, weight] :
       {std::pair<std::string, std::string>("3", "-1"), {huge, "1"}, {huge, "-1"}, {"x", "-1"}}) {
    TestSource changed = rows(third, weight);
    const std::string reason = verify_optimality(proof, changed).reason;
    run_threads(4, [&](Comm& comm) {
      TestSource all = rows(third, weight);
      Part mine(all, 1);
      EXPECT_EQ(verify_optimality(proof, mine, comm).reason, reason);
    });
  }
}

TEST(Optimality, AFileOfEitherKindIsToldApart) {
  std::mt19937_64 draw(6);
  const Task task = drawn(draw);
  const std::string text = optimality_to_json(sealed(task, optimum(task)));
  EXPECT_TRUE(std::holds_alternative<OptimalityProof>(proof_from_json(text, "p")));
  EXPECT_THROW(certificate_from_json(text, "p"), Error);
}

TEST(Optimality, LongAndWideValues) {
  // Values of more than 72 digits, tiny and large ones take the slow road to the same end.
  OptimalityProof proof;
  proof.data.features = 2;
  proof.objective = {Loss::kLogistic, "1/1000"};
  proof.model = {{0, "0.0000000000000000000000000001"}, {1, "12345.678"}, {2, "-0.5"}};
  proof.witness.offset = "-0.5";
  const std::string tiny = "0." + std::string(90, '0') + "1";
  TestSource data({{"1", {{1, tiny}, {2, "0.0001"}}}, {"-1", {{1, "12345678901234567.25"}, {2, "-0.0002"}}}}, 2);
  seal_optimality(proof, data);
  EXPECT_TRUE(verify_optimality(proof, data).valid);
  EXPECT_GE(std::stod(proof.at_most), std::stod(proof.at_least));
}

}  // namespace
}  // namespace linsep
