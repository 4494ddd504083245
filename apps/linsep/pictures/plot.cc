// linsep plot draws rows, a model or a run as one picture in the terminal, as SVG or as PNG.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "linsep/error.h"
#include "linsep/picture/draw.h"
#include "options/command_options.h"
#include "os/library.h"
#include "os/terminal.h"
#include "output.h"
#include "pictures/command.h"
#include "pictures/inputs.h"
#include "verb.h"

namespace linsep::app {
namespace {

/// The properties of standard output.
struct Terminal {
  int width = 80, height = 24;  ///< if it isn't a terminal, or doesn't give its size
  bool colour = false;          ///< a terminal, and NO_COLOR and TERM=dumb don't forbid it
};

Terminal standard_terminal() {
  Terminal terminal;
  if (!is_terminal(StandardStream::kOutput)) return terminal;
  if (const auto size = terminal_size(StandardStream::kOutput)) {
    terminal.width = size->columns;
    terminal.height = size->rows - 1;  // the prompt comes below
  }
  const char* const kind = std::getenv("TERM");
  const char* const plain = std::getenv("NO_COLOR");
  terminal.colour = (plain == nullptr || *plain == '\0') && (kind == nullptr || std::string_view(kind) != "dumb");
  return terminal;
}

constexpr double kScale = 2;

/// What cairo and GLib declare in their own headers. They are opened, not linked, so those headers aren't needed.
struct Surface;
struct Context;
struct Handle;
struct Rectangle {
  double x, y, width, height;
};
using WritePiece = int (*)(void* to, const unsigned char* bytes, unsigned size);

/// A shared library, for as long as this lives.
class Library {
 public:
  explicit Library(const char* name) : loaded_(load_library(name)) {
    if (loaded_.handle == nullptr) {
      throw usage_error(std::string("a PNG needs librsvg (") + name +
                        " is missing); `-o x.svg` writes the same picture as SVG");
    }
  }
  template <class Function>
  void find(const char* name, Function* function) const {
    *function = reinterpret_cast<Function>(loaded_.symbol(name));
    if (*function == nullptr) {
      throw usage_error(std::string("a PNG needs a newer librsvg: it has no ") + name + "; `-o x.svg` writes SVG");
    }
  }

 private:
  LoadedLibrary loaded_;  ///< never closed, because GLib can't be opened twice
};

struct Rsvg {
  Library rsvg{"librsvg-2.so.2"}, cairo{"libcairo.so.2"}, gobject{"libgobject-2.0.so.0"};
  Handle* (*new_from_data)(const unsigned char*, std::size_t, void**) = nullptr;
  int (*size_in_pixels)(Handle*, double*, double*) = nullptr;
  int (*render)(Handle*, Context*, const Rectangle*, void**) = nullptr;
  void (*unref)(void*) = nullptr;
  Surface* (*new_surface)(int, int, int) = nullptr;
  Context* (*new_context)(Surface*) = nullptr;
  int (*write_png)(Surface*, WritePiece, void*) = nullptr;
  void (*drop_context)(Context*) = nullptr;
  void (*drop_surface)(Surface*) = nullptr;

  Rsvg() {
    rsvg.find("rsvg_handle_new_from_data", &new_from_data);
    rsvg.find("rsvg_handle_get_intrinsic_size_in_pixels", &size_in_pixels);
    rsvg.find("rsvg_handle_render_document", &render);
    gobject.find("g_object_unref", &unref);
    cairo.find("cairo_image_surface_create", &new_surface);
    cairo.find("cairo_create", &new_context);
    cairo.find("cairo_surface_write_to_png_stream", &write_png);
    cairo.find("cairo_destroy", &drop_context);
    cairo.find("cairo_surface_destroy", &drop_surface);
  }
};

int append(void* to, const unsigned char* bytes, unsigned size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
  return 0;
}

/// The picture as the bytes of a PNG file, twice as large. librsvg is opened when this is called, so that the program
/// runs without it. If it isn't installed, throws a usage Error that names `-o x.svg`.
std::string svg_to_png(const std::string& svg) {
  const Rsvg library;
  const std::unique_ptr<Handle, void (*)(void*)> handle(
      library.new_from_data(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), nullptr), library.unref);
  if (handle == nullptr) throw bug_error("librsvg rejects the SVG");
  double width = 0, height = 0;
  library.size_in_pixels(handle.get(), &width, &height);
  const int across = static_cast<int>(std::lround(kScale * width)),
            down = static_cast<int>(std::lround(kScale * height));
  const std::unique_ptr<Surface, void (*)(Surface*)> surface(library.new_surface(0, across, down),
                                                             library.drop_surface);
  const std::unique_ptr<Context, void (*)(Context*)> context(library.new_context(surface.get()), library.drop_context);
  const Rectangle whole{0, 0, static_cast<double>(across), static_cast<double>(down)};
  std::string png;
  const bool drawn = library.render(handle.get(), context.get(), &whole, nullptr) != 0;
  if (!drawn || library.write_png(surface.get(), append, &png) != 0) {
    throw system_error("librsvg couldn't draw the picture");
  }
  return png;
}

enum class Form { kText, kSvg, kPng };

struct PlotCommand {
  PictureInputs inputs;
  std::string output;
  int width = 0, height = 0;
  bool ascii = false;
  const CommandOptions* given = nullptr;  ///< what was parsed

  void declare(CommandOptions& options) {
    given = &options;
    const WholeFromTo pixels{0, 10000};
    options.add({
        {"-o,--output", &output, "FILE", "Write SVG or PNG, as the name's ending says. [text on standard output]"},
        {"--width", &width, "N", "Columns, or with -o pixels. [the terminal's or 80; 760]", pixels},
        {"--height", &height, "N", "Lines, or with -o pixels. [the terminal's or 24; 560]", pixels},
        {"--ascii", &ascii, "Use ASCII characters only."},
    });
    inputs.declare(options);
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
          "      The same with a model's boundary, as SVG; -o and.png writes a PNG if librsvg is installed.\n"
          "  linsep plot test.svm -m perceptron.json -m basic.json -o comparison.svg\n"
          "      Boundaries of several models.\n"
          "  linsep plot --log run.jsonl\n"
          "      A run: its mistakes, or its objective and gap.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<PlotCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
