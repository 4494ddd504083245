// The Merkle tree of RFC 6962, section 2.1, over leaves that come one by one.
//
// A leaf's hash is SHA-256(0x00 ‖ leaf), a node's SHA-256(0x01 ‖ left ‖ right); the left subtree of n leaves has the
// largest power of two below n. Memory: one hash a level, and the audit paths asked for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "proof/sha256.h"

namespace linsep {

Hash leaf_hash(std::string_view leaf);
Hash node_hash(const Hash& left, const Hash& right);

class MerkleTree {
 public:
  /// `wanted`: leaves (ascending, from 0) whose audit paths are kept.
  explicit MerkleTree(std::vector<std::int64_t> wanted = {});

  void add(const Hash& leaf);
  std::int64_t leaves() const { return leaves_; }
  /// Ends the tree and returns its root (of the empty tree: the hash of nothing). Nothing may be added afterwards.
  Hash finish();
  /// After `finish`: the audit path of wanted[k], from the leaf upwards.
  const std::vector<Hash>& path(std::size_t k) const { return paths_[k]; }

 private:
  struct Subtree {
    Hash hash;
    std::int64_t leaves;
    std::size_t first_wanted, end_wanted;  // its wanted leaves, as a range of `wanted_`
  };
  void join_last_two();

  std::vector<std::int64_t> wanted_;
  std::vector<std::vector<Hash>> paths_;
  std::vector<Subtree> stack_;
  std::int64_t leaves_ = 0;
  std::size_t next_wanted_ = 0;
};

/// The root above `leaf` (a leaf's hash) at `index` of a tree of `size` leaves, by its audit path. False when the path
/// has the wrong length. REQUIRES: 0 ≤ index < size.
bool climb(const Hash& leaf, std::int64_t index, std::int64_t size, const std::vector<Hash>& path, Hash& root);

}  // namespace linsep
