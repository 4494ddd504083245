// The parts of a C++ runtime that clang's WebAssembly exceptions need and that Debian's libc++abi for wasm32 lacks,
// because it is built without exceptions. Throwing and catching on one thread, by the Itanium ABI. Exception
// specifications other than noexcept, and exceptions of other languages, don't occur.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace {

/// Stands before every thrown object. The tag of a throw carries the address of this.
struct alignas(16) Thrown {
  const std::type_info* type = nullptr;
  void* (*destroy)(void*) = nullptr;  ///< destructors return what they are called with, on this target
  void* seen = nullptr;               ///< the object as the handler sees it, perhaps a base of it
  Thrown* next = nullptr;             ///< caught before this one
  std::int32_t handlers = 0;          ///< how many handle it, below 0 if they throw it on

  void* object() { return this + 1; }
  static Thrown* of(void* object) { return static_cast<Thrown*>(object) - 1; }
};

Thrown* caught = nullptr;

/// The base of libc++abi's types of type_info, as libc++abi declares it.
class CatchableType : public std::type_info {
 public:
  virtual void noop1() const = 0;
  virtual void noop2() const = 0;
  virtual bool can_catch(const CatchableType* thrown, void*& object) const = 0;
};

/// Reads a function's table of handlers.
class Table {
 public:
  explicit Table(const std::uint8_t* at) : at_(at) {}

  const std::uint8_t* at() const { return at_; }
  std::uint8_t byte() { return *at_++; }
  std::uint32_t number() { return static_cast<std::uint32_t>(bits(false)); }
  std::int32_t signed_number() { return static_cast<std::int32_t>(bits(true)); }

 private:
  std::int64_t bits(bool is_signed) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t next = 0;
    do {
      next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      shift += 7;
    } while ((next & 0x80) != 0);
    if (is_signed && shift < 64 && (next & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }

  const std::uint8_t* at_;
};

constexpr std::uint8_t kLeftOut = 0xff;

/// The number of the first handler of landing pad `pad` that takes the exception, or 0 if none does.
std::int32_t find_handler(const std::uint8_t* handlers, std::uint32_t pad, Thrown& thrown) {
  Table table(handlers);
  if (table.byte() != kLeftOut) table.number();
  const std::uint8_t* types = nullptr;
  if (table.byte() != kLeftOut) {
    const std::uint32_t offset = table.number();
    types = table.at() + offset;
  }
  table.byte();
  const std::uint32_t bytes = table.number();
  const std::uint8_t* actions = table.at() + bytes;
  std::uint32_t action = 0;
  for (std::uint32_t k = 0; k <= pad; ++k) {
    table.number();
    action = table.number();
  }
  if (action == 0) return 0;
  const std::uint8_t* at = actions + action - 1;
  while (true) {
    Table record(at);
    const std::int32_t type = record.signed_number();
    if (type > 0) {
      const auto* wanted = reinterpret_cast<const CatchableType* const*>(types)[-type];
      void* seen = thrown.object();
      if (wanted == nullptr || wanted->can_catch(static_cast<const CatchableType*>(thrown.type), seen)) {
        thrown.seen = seen;
        return type;
      }
    }
    const std::uint8_t* from = record.at();
    const std::int32_t step = record.signed_number();
    if (step == 0) return 0;
    at = from + step;
  }
}

}  // namespace

#ifdef __PIC__
// The tag that all C++ exceptions are thrown with. Other code has a copy in each file.
__asm__(R"(
  .tagtype __cpp_exception i32
  .globl __cpp_exception
__cpp_exception:
)");
#endif

extern "C" {

/// Filled in by a landing pad before it asks which handler it is for.
struct {
  std::uint32_t pad;
  const std::uint8_t* handlers;
  std::uint32_t handler;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* thrown) {
  __wasm_lpad_context.handler = static_cast<std::uint32_t>(
      find_handler(__wasm_lpad_context.handlers, __wasm_lpad_context.pad, *static_cast<Thrown*>(thrown)));
  return 0;
}

void* __cxa_allocate_exception(std::size_t size) {
  void* memory = std::aligned_alloc(alignof(Thrown), sizeof(Thrown) + (size + 15) / 16 * 16);
  if (memory == nullptr) std::abort();
  return (new (memory) Thrown)->object();
}

void __cxa_free_exception(void* object) { std::free(Thrown::of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Thrown* thrown = Thrown::of(object);
  thrown->type = type;
  thrown->destroy = destroy;
  thrown->seen = object;
  __builtin_wasm_throw(0, thrown);
}

void* __cxa_begin_catch(void* exception) {
  auto* thrown = static_cast<Thrown*>(exception);
  thrown->handlers = (thrown->handlers < 0 ? -thrown->handlers : thrown->handlers) + 1;
  if (caught != thrown) {
    thrown->next = caught;
    caught = thrown;
  }
  return thrown->seen;
}

void* __cxa_get_exception_ptr(void* exception) { return static_cast<Thrown*>(exception)->seen; }

void __cxa_end_catch() {
  Thrown* thrown = caught;
  if (thrown == nullptr) return;
  if (thrown->handlers < 0) {
    if (++thrown->handlers == 0) caught = thrown->next;  // thrown on, so it lives
    return;
  }
  if (--thrown->handlers > 0) return;
  caught = thrown->next;
  if (thrown->destroy != nullptr) thrown->destroy(thrown->object());
  __cxa_free_exception(thrown->object());
}

[[noreturn]] void __cxa_rethrow() {
  if (caught == nullptr) std::abort();
  caught->handlers = -caught->handlers;
  __builtin_wasm_throw(0, caught);
}

}  // extern "C"
