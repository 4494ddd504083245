#include "proof/merkle.h"

#include <algorithm>
#include <array>
#include <utility>

namespace linsep {
namespace {

using namespace std::string_view_literals;

std::string_view view_of(const Hash& hash) { return {reinterpret_cast<const char*>(hash.data()), hash.size()}; }

}  // namespace

Hash leaf_hash(std::string_view leaf) { return sha256("\0"sv, leaf); }

Hash node_hash(const Hash& left, const Hash& right) {
  std::array<char, 64> both;
  std::ranges::copy(view_of(left), both.begin());
  std::ranges::copy(view_of(right), both.begin() + 32);
  return sha256("\1"sv, {both.data(), both.size()});
}

MerkleTree::MerkleTree(std::vector<std::int64_t> wanted) : wanted_(std::move(wanted)), paths_(wanted_.size()) {}

void MerkleTree::join_last_two() {
  const Subtree right = stack_.back();
  stack_.pop_back();
  Subtree& left = stack_.back();
  for (std::size_t k = left.first_wanted; k < left.end_wanted; ++k) paths_[k].push_back(right.hash);
  for (std::size_t k = right.first_wanted; k < right.end_wanted; ++k) paths_[k].push_back(left.hash);
  left = {node_hash(left.hash, right.hash), left.leaves + right.leaves, left.first_wanted, right.end_wanted};
}

void MerkleTree::add(const Hash& leaf) {
  const std::size_t first = next_wanted_;
  if (next_wanted_ < wanted_.size() && wanted_[next_wanted_] == leaves_) ++next_wanted_;
  stack_.push_back({leaf, 1, first, next_wanted_});
  ++leaves_;
  while (stack_.size() > 1 && stack_[stack_.size() - 2].leaves == stack_.back().leaves) join_last_two();
}

Hash MerkleTree::finish() {
  if (stack_.empty()) return sha256("", "");
  while (stack_.size() > 1) join_last_two();
  return stack_.back().hash;
}

bool climb(const Hash& leaf, std::int64_t index, std::int64_t size, const std::vector<Hash>& path, Hash& root) {
  root = leaf;
  std::size_t step = 0;
  for (; size > 1; index /= 2, size = (size + 1) / 2) {
    if (index % 2 == 0 && index + 1 == size) continue;  // an odd last node moves up as it is
    if (step == path.size()) return false;
    root = index % 2 == 1 ? node_hash(path[step], root) : node_hash(root, path[step]);
    ++step;
  }
  return step == path.size();
}

}  // namespace linsep
