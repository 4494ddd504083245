#include "proof/merkle.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/bytes.h"

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

MerkleTree::MerkleTree(std::vector<std::int64_t> wanted, std::int64_t first_leaf)
    : wanted_(std::move(wanted)), paths_(wanted_.size()), leaves_(first_leaf) {}

void MerkleTree::join_last_two() {
  const Subtree right = stack_.back();
  stack_.pop_back();
  Subtree& left = stack_.back();
  for (std::size_t k = left.first_wanted; k < left.end_wanted; ++k) paths_[k].push_back(right.hash);
  for (std::size_t k = right.first_wanted; k < right.end_wanted; ++k) paths_[k].push_back(left.hash);
  left = {node_hash(left.hash, right.hash), left.first_leaf, left.leaves + right.leaves, left.first_wanted,
          right.end_wanted};
}

// Two adjacent complete subtrees form one of the whole tree if it would begin at a multiple of its size.
void MerkleTree::push(const Subtree& subtree) {
  stack_.push_back(subtree);
  while (stack_.size() > 1) {
    const Subtree& left = stack_[stack_.size() - 2];
    if (left.leaves != stack_.back().leaves || left.first_leaf % (2 * left.leaves) != 0) return;
    join_last_two();
  }
}

void MerkleTree::add(const Hash& leaf) {
  const std::size_t first = next_wanted_;
  if (next_wanted_ < wanted_.size() && wanted_[next_wanted_] == leaves_) ++next_wanted_;
  push({leaf, leaves_, 1, first, next_wanted_});
  ++leaves_;
}

void MerkleTree::append(const MerkleTree& next) {
  const std::size_t before = wanted_.size();
  wanted_.insert(wanted_.end(), next.wanted_.begin(), next.wanted_.end());
  paths_.insert(paths_.end(), next.paths_.begin(), next.paths_.end());
  for (Subtree subtree : next.stack_) {
    subtree.first_wanted += before;
    subtree.end_wanted += before;
    push(subtree);
  }
  leaves_ = next.leaves_;
  next_wanted_ = wanted_.size();
}

void MerkleTree::save(ByteWriter& writer) const {
  writer.numbers(wanted_);
  for (const std::vector<Hash>& path : paths_) {
    writer.number<std::uint64_t>(path.size());
    for (const Hash& hash : path) writer.text(view_of(hash));
  }
  writer.number<std::uint64_t>(stack_.size());
  for (const Subtree& subtree : stack_) {
    writer.text(view_of(subtree.hash));
    writer.number(subtree.first_leaf);
    writer.number(subtree.leaves);
    writer.number<std::uint64_t>(subtree.first_wanted);
    writer.number<std::uint64_t>(subtree.end_wanted);
  }
  writer.number(leaves_);
  writer.number<std::uint64_t>(next_wanted_);
}

MerkleTree MerkleTree::load(ByteReader& reader) {
  const auto hash = [&reader] {
    Hash read{};
    const std::string bytes = reader.text();
    std::ranges::copy(bytes.substr(0, read.size()), read.begin());
    return read;
  };
  MerkleTree tree(reader.numbers<std::int64_t>());
  for (std::vector<Hash>& path : tree.paths_) {
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) path.push_back(hash());
  }
  for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
    Subtree subtree{};
    subtree.hash = hash();
    subtree.first_leaf = reader.number<std::int64_t>();
    subtree.leaves = reader.number<std::int64_t>();
    subtree.first_wanted = reader.number<std::uint64_t>();
    subtree.end_wanted = reader.number<std::uint64_t>();
    tree.stack_.push_back(subtree);
  }
  tree.leaves_ = reader.number<std::int64_t>();
  tree.next_wanted_ = reader.number<std::uint64_t>();
  return tree;
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
