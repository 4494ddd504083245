// ReportChart is a part of the report that counts something of the first model, whole in one file of charts/. The file
// holds what is counted, its JSON and table, and the sentences about it. A new chart is a file there, a line below, its
// values in linsep/picture/document.h, and a section in web/report.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "linsep/picture/make.h"
#include "picture/gathered.h"

namespace linsep {

class PictureWriter;
struct Sentences;

struct ReportChart {
  std::string_view section;  ///< its id in the page, and the section that its sentences name
  std::string_view title;
  /// Counts. Leaves the picture unchanged if there is nothing to count.
  void (*add)(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered);
  void (*write_json)(PictureWriter& out, const Picture& picture);
  void (*write_sentences)(const Sentences& writer);
  std::string (*table)(const Picture& picture);  ///< the numbers as HTML, or "" without any
  bool (*drawn)(const Picture& picture);
};

extern const ReportChart kDistancesChart, kThresholdChart, kCalibrationChart, kConfusionChart, kResidualsChart,
    kWeightsChart;

/// In the order of the report, in which the run comes before the weights.
inline constexpr std::array kCharts = {&kDistancesChart, &kThresholdChart, &kCalibrationChart,
                                       &kConfusionChart, &kResidualsChart, &kWeightsChart};

}  // namespace linsep
