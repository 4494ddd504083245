#include "learn/margin/surveyed_task.h"

namespace linsep {

void SurveyedTask::begin(const Shape& shape) {
  MarginTask::begin(shape);
  columns_.clear(features());
}

void SurveyedTask::begin_survey(std::size_t slots) {
  part_.resize(slots);
  for (ColumnSurvey& part : part_) part.clear(features());
}

bool SurveyedTask::end_survey(Comm& comm) {
  for (const ColumnSurvey& part : part_) columns_.add(part);
  part_.clear();
  resolve_costs(comm);
  columns_.synchronise(comm);
  fixed_.set(columns_, costs(), greatest_cost());
  return end_labels();
}

void SurveyedTask::save(ByteWriter& writer) const {
  MarginTask::save(writer);
  columns_.save(writer);
}

void SurveyedTask::load(ByteReader& reader) {
  MarginTask::load(reader);
  columns_.load(reader);
  fixed_.set(columns_, costs(), greatest_cost());
}

}  // namespace linsep
