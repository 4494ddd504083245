#include "proof/merkle.h"

#include <gtest/gtest.h>

#include <span>
#include <utility>

#include "core/bytes.h"

namespace linsep {
namespace {

using namespace std::string_literals;

// The eight leaves and the roots of their first 1 … 8, as published with Certificate Transparency's reference code.
const std::vector<std::string>& leaves() {
  static const std::vector<std::string> list = {""s,
                                                "\x00"s,
                                                "\x10"s,
                                                "\x20\x21"s,
                                                "\x30\x31"s,
                                                "\x40\x41\x42\x43"s,
                                                "\x50\x51\x52\x53\x54\x55\x56\x57"s,
                                                "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f"s};
  return list;
}
const std::vector<std::string>& roots() {
  static const std::vector<std::string> list = {"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                                                "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                                                "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                                                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                                                "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                                                "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                                                "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                                                "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
  return list;
}

// RFC 6962, section 2.1, word for word.
std::size_t split(std::size_t n) {
  std::size_t k = 1;
  while (2 * k < n) k *= 2;
  return k;
}
Hash root_of(std::span<const std::string> d) {
  if (d.empty()) return sha256("", "");
  if (d.size() == 1) return leaf_hash(d[0]);
  const std::size_t k = split(d.size());
  return node_hash(root_of(d.first(k)), root_of(d.subspan(k)));
}
std::vector<Hash> path_of(std::size_t m, std::span<const std::string> d) {
  if (d.size() <= 1) return {};
  const std::size_t k = split(d.size());
  std::vector<Hash> path = m < k ? path_of(m, d.first(k)) : path_of(m - k, d.subspan(k));
  path.push_back(m < k ? root_of(d.subspan(k)) : root_of(d.first(k)));
  return path;
}

TEST(Merkle, PublishedRoots) {
  for (std::size_t n = 1; n <= leaves().size(); ++n) {
    MerkleTree tree;
    for (std::size_t i = 0; i < n; ++i) tree.add(leaf_hash(leaves()[i]));
    EXPECT_EQ(to_hex(tree.finish()), roots()[n - 1]) << n;
  }
}

TEST(Merkle, TheEmptyTreeIsTheHashOfNothing) {
  EXPECT_EQ(to_hex(MerkleTree().finish()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Merkle, EveryPathOfEveryTreeOfUpTo40Leaves) {
  for (std::size_t n = 0; n <= 40; ++n) {
    std::vector<std::string> data;
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < n; ++i) {
      data.push_back("leaf " + std::to_string(i));
      all.push_back(static_cast<std::int64_t>(i));
    }
    MerkleTree tree(all);
    for (const std::string& leaf : data) tree.add(leaf_hash(leaf));
    const Hash root = tree.finish();
    EXPECT_EQ(root, root_of(data));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(tree.path(i), path_of(i, data));
      Hash above;
      ASSERT_TRUE(climb(leaf_hash(data[i]), all[i], static_cast<std::int64_t>(n), tree.path(i), above));
      EXPECT_EQ(above, root);
      std::vector<Hash> longer = tree.path(i);
      longer.push_back(root);
      EXPECT_FALSE(climb(leaf_hash(data[i]), all[i], static_cast<std::int64_t>(n), longer, above));
      if (n > 1) {
        longer.resize(longer.size() - 2);
        EXPECT_FALSE(climb(leaf_hash(data[i]), all[i], static_cast<std::int64_t>(n), longer, above));
      }
    }
  }
}

TEST(Merkle, RunsOfLeavesAppendedAreOneTree) {
  for (std::int64_t n = 0; n <= 24; ++n) {
    std::vector<std::string> data;
    for (std::int64_t i = 0; i < n; ++i) data.push_back("leaf " + std::to_string(i));
    for (std::int64_t a = 0; a <= n; ++a) {
      for (std::int64_t b = a; b <= n; ++b) {
        MerkleTree all;
        for (const auto& [first, end] : {std::pair(std::int64_t{0}, a), {a, b}, {b, n}}) {
          std::vector<std::int64_t> wanted;
          for (std::int64_t i = first; i < end; ++i) wanted.push_back(i);
          MerkleTree run(wanted, first);
          for (std::int64_t i = first; i < end; ++i) run.add(leaf_hash(data[static_cast<std::size_t>(i)]));
          ByteWriter writer;
          run.save(writer);
          ByteReader reader(writer.bytes());
          all.append(MerkleTree::load(reader));
        }
        EXPECT_EQ(all.leaves(), n);
        EXPECT_EQ(all.finish(), root_of(data));
        for (std::int64_t i = 0; i < n; ++i) {
          EXPECT_EQ(all.path(static_cast<std::size_t>(i)), path_of(static_cast<std::size_t>(i), data));
        }
      }
    }
  }
}

}  // namespace
}  // namespace linsep
