// Trains on arrays and predicts: the example of the README.
#include <linsep/linsep.h>

#include <iostream>

int main() {
  const std::vector<double> x = {0, 0, 0, 1, 1, 0, 1, 1};  // four rows of two features
  const std::vector<std::string> y = {"no", "no", "no", "yes"};
  const auto rows = linsep::dense_rows(x, 2);
  const auto outcome = linsep::fit(rows, y, linsep::Margin{.C = 10});
  for (const auto& label : linsep::predict(outcome.model, rows)) std::cout << label << '\n';
}
