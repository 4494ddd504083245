#include "pictures/png.h"

#include <dlfcn.h>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <memory>

#include "linsep/error.h"

namespace linsep::app {
namespace {

constexpr double kScale = 2;

/// What cairo and GLib say of themselves; they are opened, not linked, so their headers aren't needed.
struct Surface;
struct Context;
struct Handle;
struct Rectangle {
  double x, y, width, height;
};
using WritePiece = int (*)(void* to, const unsigned char* bytes, unsigned size);

/// A shared library as long as this lives.
class Library {
 public:
  explicit Library(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      throw usage_error(std::string("a PNG needs librsvg (") + name +
                        " isn't there); `-o x.svg` writes the same picture as SVG");
    }
  }
  template <class Function>
  void find(const char* name, Function* function) const {
    *function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (*function == nullptr) {
      throw usage_error(std::string("a PNG needs a newer librsvg: it has no ") + name + "; `-o x.svg` writes SVG");
    }
  }

 private:
  void* handle_;  ///< never closed: GLib can't be opened twice
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

}  // namespace

std::string svg_to_png(const std::string& svg) {
  const Rsvg library;
  const std::unique_ptr<Handle, void (*)(void*)> handle(
      library.new_from_data(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), nullptr), library.unref);
  if (handle == nullptr) throw bug_error("librsvg doesn't take the SVG");
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

}  // namespace linsep::app
