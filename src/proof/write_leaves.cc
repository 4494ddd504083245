// The leaves file: what a data set is besides its rows, then its rows.
#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/tools/leaves.h"
#include "proof/data_json.h"
#include "proof/leaves.h"

namespace linsep {

void write_leaves(Source& data, const std::function<void(std::string_view line)>& write, const ProofOptions& options,
                  const Observer& observe) {
  const std::int64_t rows = count_rows(data);  // a stream knows its classes and features afterwards
  const Schema& schema = data.schema();
  if (schema.classes.size() < 2) throw usage_error("leaves are rows of two classes or more");
  write(data_json(described_data(schema, rows, data.shape().features), kNewestVersion));
  const LabelSigns labels(schema.classes);
  try {
    for_each_leaf(data, labels, {0, rows, options, observe},
                  [&](const std::string& leaf, const Hash&) { write(leaf); });
  } catch (const BadRow& bad) {
    throw input_error(bad.what());
  }
}

}  // namespace linsep
