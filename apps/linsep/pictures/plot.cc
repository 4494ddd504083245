// linsep plot: rows, a model or a run as one picture: in the terminal, as SVG, as PNG.
#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "linsep/error.h"
#include "linsep/picture/draw.h"
#include "output.h"
#include "pictures/command.h"
#include "pictures/inputs.h"
#include "pictures/png.h"
#include "pictures/terminal.h"
#include "verb.h"

namespace linsep::app {
namespace {

enum class Form { kText, kSvg, kPng };

struct PlotCommand {
  PictureInputs inputs;
  std::string output;
  int width = 0, height = 0;
  bool ascii = false;
  const CLI::App* given = nullptr;  ///< what was parsed

  void declare(CLI::App& app) {
    app.add_option("-o,--output", output, "Write SVG or PNG, as the name's ending says. [text on standard output]")
        ->type_name("FILE");
    app.add_option("--width", width, "Columns, or with -o pixels. [the terminal's or 80; 760]")
        ->type_name("N")
        ->check(CLI::Range(0, kMostPixels).description(""));
    app.add_option("--height", height, "Lines, or with -o pixels. [the terminal's or 24; 560]")
        ->type_name("N")
        ->check(CLI::Range(0, kMostPixels).description(""));
    app.add_flag("--ascii", ascii, "Letters, digits and signs of ASCII only.");
    inputs.declare(app);
    given = &app;
  }

  int run() {
    const Form form = form_of_output();
    if (form == Form::kText) return run_text();
    if (ascii) throw usage_error("--ascii is for the terminal: leave out -o");
    try_outputs({output});
    SvgPlot plot;
    if (width > 0) plot.width = width;
    if (height > 0) plot.height = height;
    inputs.aspect = data_space_aspect(plot);
    const std::string svg = draw_svg(inputs.make(command_given(*given, "plot")), plot);
    Output file(output);
    file.write(form == Form::kPng ? svg_to_png(svg) : svg);
    file.close();
    return kDone;
  }

 private:
  static constexpr int kMostPixels = 10000;

  Form form_of_output() const {
    const std::string_view name = output;
    if (name.empty() || name == "-") return Form::kText;
    if (name.ends_with(".svg")) return Form::kSvg;
    if (name.ends_with(".png")) return Form::kPng;
    throw usage_error(fmt::format("-o writes a name that ends with .svg or .png, not '{}'", output));
  }

  int run_text() {
    const Terminal terminal = standard_terminal();
    TextPlot plot{.width = terminal.width, .height = terminal.height, .ascii = ascii, .colour = terminal.colour};
    if (width > 0) plot.width = width;
    if (height > 0) plot.height = height;
    inputs.aspect = data_space_aspect(plot);
    print(draw_text(inputs.make(command_given(*given, "plot")), plot));
    return kDone;
  }
};

}  // namespace

Verb plot_verb() {
  return {"plot", "Draw rows, a model or a run as one picture: in the terminal, as SVG or as PNG.",
          "  linsep plot and.svm\n"
          "      Rows in the terminal, and what is proven of them.\n"
          "  linsep plot and.svm -m and.json -o and.svg\n"
          "      The same with a model's boundary, as SVG; -o and.png writes a PNG where librsvg is there.\n"
          "  linsep plot test.svm -m perceptron.json -m basic.json -o comparison.svg\n"
          "      Boundaries of several models.\n"
          "  linsep plot --log run.jsonl\n"
          "      A run: its mistakes, or its objective and gap.\n",
          [](CLI::App& app) -> std::function<int()> {
            auto command = std::make_shared<PlotCommand>();
            command->declare(app);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
