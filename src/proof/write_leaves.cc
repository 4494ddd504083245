// The leaves file holds the description of a data set and then its rows.
#include <algorithm>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/tools/leaves.h"
#include "proof/data_json.h"
#include "proof/leaves.h"

namespace linsep {
namespace {

constexpr std::int64_t kSampleRows = 512;

}  // namespace

double leaf_seconds(Source& data, const ProofOptions& options) {
  const Shape shape = data.shape();
  if (!options.clock || shape.rows <= 0 || data.schema().classes.size() < 2) return 0;
  const LabelSigns labels(data.schema().classes);
  const std::int64_t sample = std::min(shape.rows, kSampleRows);
  const Observer nobody;
  double began = 0;
  try {
    for (const std::int64_t rows : {std::int64_t{1}, sample}) {  // the first may have to find where rows begin
      began = options.clock();
      for_each_leaf(data, labels, {0, rows, options, nobody}, [](const std::string&, const Hash&) {});
    }
  } catch (const BadRow&) {
    return 0;  // whoever needs the leaves will report it
  }
  return (options.clock() - began) * static_cast<double>(shape.rows) / static_cast<double>(sample);
}

void write_leaves(Source& data, const std::function<void(std::string_view line)>& write, const ProofOptions& options,
                  const Observer& observe) {
  const std::int64_t rows = count_rows(data);  // a stream's classes and features are known only afterwards
  const Schema& schema = data.schema();
  if (schema.classes.size() < 2) throw usage_error("leaves are rows of two classes or more");
  write(data_json(described_data(schema, rows, data.shape().features), kNewestVersion));
  const LabelSigns labels = LabelSigns::of(data);
  try {
    for_each_leaf(data, labels, {0, rows, options, observe},
                  [&](const std::string& leaf, const Hash&) { write(leaf); });
  } catch (const BadRow& bad) {
    throw input_error(bad.what());
  }
}

}  // namespace linsep
