// A table as it comes, with words, dates and missing values: raw_table TRAIN.csv NEW.csv LABEL
#include <linsep/linsep.h>

#include <iostream>

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: raw_table TRAIN.csv NEW.csv LABEL\n";
    return 2;
  }
  try {
    const std::vector<std::string> files = {arguments[1]};
    linsep::ReadOptions options;
    options.label = arguments[3];
    // What the columns are, and how each becomes features. The map is kept in the model.
    const linsep::TableSpec spec{.scale = linsep::Scale::kDeviation};
    const linsep::FittedTable table = linsep::fit_table(files, options, spec, *linsep::solo());
    std::cout << linsep::account_text(table.account);
    options.table = std::make_shared<const linsep::TableMap>(table.map);
    const auto rows = linsep::load(files, options, *linsep::solo());
    const auto outcome = linsep::fit(*rows, linsep::Margin{.loss = linsep::Loss::kLogistic});

    // New rows are read as the model says, whether or not they have a label.
    linsep::ReadOptions unlabelled;
    unlabelled.labelled = false;
    const auto fresh = linsep::open_stream(arguments[2], linsep::read_options_for(outcome.model, unlabelled));
    linsep::predict(*fresh, outcome.model, {}, [&](const linsep::Batch&, std::span<const double> scores) {
      for (const double z : scores) std::cout << outcome.model.schema.classes[z >= 0 ? 1 : 0] << ' ' << z << '\n';
    });
  } catch (const linsep::Error& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
}
