// The Merkle tree of RFC 6962, section 2.1, over leaves that come one by one.
//
// A leaf's hash is SHA-256(0x00 ‖ leaf), a node's SHA-256(0x01 ‖ left ‖ right). The left subtree of n leaves has the
// largest power of two below n. Memory holds one hash per level and the requested audit paths.
//
// Leaves may come in several runs, each with a tree of its own, that are appended in order. It is enough to have the
// hashes of complete subtrees at their positions in the whole tree, which are at most two per level of each run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "proof/sha256.h"

namespace linsep {

class ByteReader;
class ByteWriter;

Hash leaf_hash(std::string_view leaf);
Hash node_hash(const Hash& left, const Hash& right);

class MerkleTree {
 public:
  /// A tree of leaves from number `first_leaf` on. The audit paths of the `wanted` leaves (ascending, from 0) are kept.
  explicit MerkleTree(std::vector<std::int64_t> wanted = {}, std::int64_t first_leaf = 0);

  void add(const Hash& leaf);
  /// Adds the leaves of a tree that begins where this one ends.
  void append(const MerkleTree& next);
  /// One past the number of the last leaf.
  std::int64_t leaves() const { return leaves_; }
  /// Ends the tree and returns its root, which for the empty tree is the hash of nothing. Nothing may be added
  /// afterwards. REQUIRES: it begins with leaf 0.
  Hash finish();
  /// After `finish`: the audit path of wanted[k], from the leaf upwards.
  const std::vector<Hash>& path(std::size_t k) const { return paths_[k]; }

  /// Writes the tree so that it can be sent elsewhere.
  void save(ByteWriter& writer) const;
  static MerkleTree load(ByteReader& reader);

 private:
  struct Subtree {
    Hash hash;
    std::int64_t first_leaf, leaves;
    std::size_t first_wanted, end_wanted;  // its wanted leaves, as a range of `wanted_`
  };
  void push(const Subtree& subtree);
  void join_last_two();

  std::vector<std::int64_t> wanted_;
  std::vector<std::vector<Hash>> paths_;
  std::vector<Subtree> stack_;
  std::int64_t leaves_ = 0;
  std::size_t next_wanted_ = 0;
};

/// The root above `leaf` (a leaf's hash) at `index` of a tree of `size` leaves, by its audit path. False if the path
/// has the wrong length. REQUIRES: 0 ≤ index < size.
bool climb(const Hash& leaf, std::int64_t index, std::int64_t size, const std::vector<Hash>& path, Hash& root);

}  // namespace linsep
