// Marks of rows as path data: one path holds all marks of a kind.
#pragma once

#include <string>

namespace linsep {

std::string cross_at(double x, double y, double half);
std::string circle_at(double x, double y, double radius);
std::string diamond_at(double x, double y, double half);
std::string square_at(double x, double y, double side);
/// A bar across a ring: a row that is wrong.
std::string barred_ring_at(double x, double y, double radius);

}  // namespace linsep
