#include "proof/digest.h"

#include <algorithm>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "proof/canonical.h"
#include "proof/merkle.h"
#include "proof/verify.h"

namespace linsep {

using namespace std::string_view_literals;

std::string data_root(const Hash& tree, std::int64_t rows, std::uint32_t features) {
  std::string text = std::to_string(rows) + " " + std::to_string(features) + " ";
  text.append(reinterpret_cast<const char*>(tree.data()), tree.size());
  return to_hex(sha256("\2"sv, text));
}

DataDigest digest_rows(Source& data, const std::vector<std::int64_t>& carry, std::vector<CarriedRow>* rows) {
  const std::vector<std::string>& classes = data.schema().classes;
  if (classes.size() != 2) throw usage_error("a certificate needs two classes");
  const LabelSigns labels(classes[0], classes[1]);
  MerkleTree tree(carry);
  std::vector<CarriedRow> carried;
  std::uint32_t features = data.shape().features;
  try {
    for_each_leaf(data, labels, [&](const std::string& leaf) {
      if (carried.size() < carry.size() && carry[carried.size()] == tree.leaves()) carried.push_back({leaf, {}});
      // The last entry tells how far the columns reach, where a stream didn't know.
      const std::size_t colon = leaf.rfind(':');
      if (colon != std::string::npos) {
        const std::size_t space = leaf.rfind(' ', colon);
        features =
            std::max(features, static_cast<std::uint32_t>(std::stoull(leaf.substr(space + 1, colon - space - 1))));
      }
      tree.add(leaf_hash(leaf));
    });
  } catch (const BadRow& bad) {
    throw input_error(bad.what());
  }
  const Hash root = tree.finish();
  if (rows != nullptr) {
    for (std::size_t k = 0; k < carried.size(); ++k) {
      for (const Hash& hash : tree.path(k)) carried[k].path.push_back(to_hex(hash));
    }
    *rows = std::move(carried);
  }
  return {tree.leaves(), features, classes[0], classes[1], data_root(root, tree.leaves(), features)};
}

void seal_certificate(Certificate& certificate, Source& data, bool carry) {
  const std::uint32_t features = certificate.data.features;
  certificate.rows.clear();
  certificate.data =
      digest_rows(data, carry ? named_rows(certificate) : std::vector<std::int64_t>(), &certificate.rows);
  if (certificate.data.features != features) {
    throw usage_error("the certificate's columns are those of " + std::to_string(features) +
                      " features, the data has " + std::to_string(certificate.data.features));
  }
}

}  // namespace linsep
