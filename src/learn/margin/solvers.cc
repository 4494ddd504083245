#include "learn/margin/solvers.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace linsep {

std::span<const SolverEntry* const> margin_solvers() {
  static const std::array kSolvers = {&dual_solver(),         &interior_solver(),     &newton_solver(),
                                      &planes_solver(),       &hard_nearest_solver(), &hard_descent_solver(),
                                      &hard_gathered_solver()};
  return kSolvers;
}

const SolverEntry* find_solver(std::string_view name) {
  for (const SolverEntry* solver : margin_solvers()) {
    if (solver->name == name) return solver;
  }
  return nullptr;
}

std::vector<std::string_view> solver_choices() {
  std::vector<std::string_view> names = {"auto"};
  for (const SolverEntry* solver : margin_solvers()) {
    if (!solver->losses.empty()) names.push_back(solver->name);
  }
  return names;
}

std::string_view solver_help() {
  static const std::string kHelp = [] {
    std::string text = "What solves it; auto is what suits the data.";
    for (const SolverEntry* solver : margin_solvers()) {
      if (!solver->losses.empty()) text += fmt::format(" {}: {}.", solver->name, solver->help);
    }
    return text;
  }();
  return kHelp;
}

}  // namespace linsep
