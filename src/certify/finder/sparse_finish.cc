#include "certify/finder/sparse_finish.h"

#include <span>
#include <utility>

#include "certify/finder/row_exchange.h"
#include "core/bytes.h"

namespace linsep {

SparseFinish::SparseFinish(FinderState& state) : state_(state) { rows_.columns = state.scaling.space.columns(); }

void SparseFinish::give_up() {
  too_many_ = true;
  rows_ = {};
}

// By rank, so in the order of the rows, on every worker.
void SparseFinish::gather(Comm& comm) {
  if (comm.size() == 1) return;
  ByteWriter writer;
  writer.numbers(std::vector<std::uint64_t>(rows_.begin.begin(), rows_.begin.end()));
  writer.numbers(rows_.column);
  writer.numbers(rows_.value);
  writer.numbers(rows_.number);
  writer.numbers(rows_.norm);
  UnitRows all;
  all.columns = rows_.columns;
  rows_ = {};
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(writer.bytes())))) {
    ByteReader reader(as_text(bytes));
    const std::size_t before = all.entries();
    const auto begin = reader.numbers<std::uint64_t>();
    for (std::size_t k = 1; k < begin.size(); ++k) all.begin.push_back(before + begin[k]);
    append(all.column, reader.numbers<std::uint32_t>());
    append(all.value, reader.numbers<double>());
    append(all.number, reader.numbers<std::int64_t>());
    append(all.norm, reader.numbers<double>());
  }
  rows_ = std::move(all);
}

void SparseFinish::finish(bool known, Comm& comm) {
  const auto entries = all_reduce_sum(comm, static_cast<std::int64_t>(rows_.entries()));
  if (all_reduce_any(comm, too_many_) || entries > static_cast<std::int64_t>(kMostEntries)) {
    obstacle_ = "there are too many rows with too many columns for exact arithmetic";
    give_up();
    return;
  }
  gather(comm);
  if (!known) {
    const SupportSearch search = find_supports(rows_, state_.options.stop);
    stopped_ = all_reduce_any(comm, search.stopped);
    for (const Support& support : search.found) {
      if (stopped_ || make_exact(support, comm)) break;
    }
    known = !witness_.empty();
  }
  if (known && basis_.empty() && !stopped_) look_for_span(comm);
  rows_ = {};
}

// True where it became a witness that is better than what was there.
bool SparseFinish::make_exact(const Support& support, Comm& comm) {
  SparseWitness found = sparse_witness(read_exactly(state_, support.row, comm), support, state_.options.stop);
  stopped_ = all_reduce_any(comm, found.end == SparseWitness::End::kStopped);
  if (found.end == SparseWitness::End::kTooLong) obstacle_ = "the weights of a witness would have too many digits";
  if (stopped_ || found.end != SparseWitness::End::kFound) return false;
  const bool spans = found.basis.size() == state_.signs.active_columns().size();
  if (spans) basis_ = std::move(found.basis);
  if (spans || witness_.empty()) witness_ = std::move(found.witness);
  return true;
}

// Rows without a column can't span what has it.
void SparseFinish::look_for_span(Comm& comm) {
  const std::size_t columns = state_.signs.active_columns().size();
  if (!wants_span(columns)) return;
  const SupportSearch search = support_of_all(rows_, state_.options.stop);
  stopped_ = all_reduce_any(comm, search.stopped);
  if (stopped_ || search.found.empty() || search.found.front().columns < columns) return;
  make_exact(search.found.front(), comm);
}

}  // namespace linsep
