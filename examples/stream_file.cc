// Trains on a file in one pass, in bounded memory, and saves the model: stream_file DATA MODEL.
#include <linsep/linsep.h>

#include <iostream>

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: stream_file DATA MODEL\n";
    return 2;
  }
  try {
    const auto rows = linsep::open_stream(arguments[1], {});
    const auto outcome =
        linsep::fit(*rows, linsep::Perceptron{.passes = 1, .variant = linsep::Perceptron::Variant::kAveraged});
    linsep::save_model(outcome.model, arguments[2]);
    const auto again = linsep::open_stream(arguments[1], {});
    const auto result = linsep::evaluate(*again, outcome.model);
    std::cout << result.rows << " rows, " << result.mistakes << " mistakes\n";
  } catch (const linsep::Error& error) {
    std::cerr << error.what() << '\n';  // names the file, line and column of bad input
    return 3;
  }
}
