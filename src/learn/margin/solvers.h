// The list of the margin learner's solvers.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "learn/margin/solver_entry.h"

namespace linsep {

const SolverEntry& dual_solver();           // dual/dual.cc
const SolverEntry& interior_solver();       // interior.cc
const SolverEntry& newton_solver();         // newton.cc
const SolverEntry& planes_solver();         // cutting_planes.cc
const SolverEntry& hard_nearest_solver();   // hard/nearest.cc
const SolverEntry& hard_descent_solver();   // hard/descent.cc
const SolverEntry& hard_gathered_solver();  // hard/gathered.cc

/// In the order of the manual.
std::span<const SolverEntry* const> margin_solvers();
/// The solver of that name, or nullptr.
const SolverEntry* find_solver(std::string_view name);
/// What the option "solver" can be: "auto", and every solver of a loss.
std::vector<std::string_view> solver_choices();
/// What each of them is, as the option's help.
std::string_view solver_help();

}  // namespace linsep
