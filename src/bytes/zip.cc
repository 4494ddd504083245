#include "bytes/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "linsep/tools/shown_text.h"

namespace linsep::zip {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kLocator = 0x07064b50,
                        kEnd64 = 0x06064b50;

[[noreturn]] void refuse(std::string message) { throw BadFile{std::move(message)}; }

/// Part of a file. Throws BadFile where the file is too short.
std::string_view part_of(std::string_view file, std::uint64_t place, std::uint64_t size) {
  if (place > file.size() || size > file.size() - place) refuse("the file ends too early: it is cut off or damaged");
  return file.substr(place, size);
}

/// A number in little-endian order. Throws BadFile where the file is too short.
template <class T>
T number_at(std::string_view file, std::uint64_t place) {
  const std::string_view bytes = part_of(file, place, sizeof(T));
  T number = 0;
  for (std::size_t k = sizeof(T); k > 0; --k) {
    number = static_cast<T>((sizeof(T) > 1 ? number << 8 : 0) | static_cast<unsigned char>(bytes[k - 1]));
  }
  return number;
}

/// Fields of 32 bits that are all ones stand in an extra field, in this order.
void widen_fields(std::string_view extra, Member& member) {
  while (extra.size() >= 4) {
    const auto kind = number_at<std::uint16_t>(extra, 0), size = number_at<std::uint16_t>(extra, 2);
    std::string_view field = part_of(extra, 4, size);
    if (kind == 1) {
      for (std::uint64_t* number : {&member.size, &member.stored, &member.place}) {
        if (*number != 0xffffffff) continue;
        *number = number_at<std::uint64_t>(field, 0);
        field.remove_prefix(8);
      }
      return;
    }
    extra.remove_prefix(4 + std::size_t{size});
  }
}

std::uint64_t place_of_end(std::string_view file) {
  constexpr std::size_t kSize = 22, kMostComment = 65535;
  if (file.size() < kSize) refuse("it is no zip file");
  const std::size_t last = file.size() - kSize;
  for (std::size_t back = 0; back <= std::min(last, kMostComment); ++back) {
    if (number_at<std::uint32_t>(file, last - back) == kEnd) return last - back;
  }
  refuse("it is no zip file, or it is cut off");
}

}  // namespace

std::vector<Member> members(std::string_view file) {
  const std::uint64_t end = place_of_end(file);
  std::uint64_t count = number_at<std::uint16_t>(file, end + 10);
  std::uint64_t place = number_at<std::uint32_t>(file, end + 16);
  if (end >= 20 && number_at<std::uint32_t>(file, end - 20) == kLocator) {
    const auto end64 = number_at<std::uint64_t>(file, end - 20 + 8);
    part_of(file, end64, 56);
    if (number_at<std::uint32_t>(file, end64) != kEnd64) refuse("the zip file's directory is damaged");
    count = number_at<std::uint64_t>(file, end64 + 32);
    place = number_at<std::uint64_t>(file, end64 + 48);
  }
  std::vector<Member> all;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::string_view fixed = part_of(file, place, 46);
    if (number_at<std::uint32_t>(fixed, 0) != kCentral) refuse("the zip file's directory is damaged");
    const auto name = number_at<std::uint16_t>(fixed, 28), extra = number_at<std::uint16_t>(fixed, 30),
               comment = number_at<std::uint16_t>(fixed, 32);
    Member& member = all.emplace_back();
    member.compressed = number_at<std::uint16_t>(fixed, 10) != 0;
    member.checksum = number_at<std::uint32_t>(fixed, 16);
    member.stored = number_at<std::uint32_t>(fixed, 20);
    member.size = number_at<std::uint32_t>(fixed, 24);
    member.place = number_at<std::uint32_t>(fixed, 42);
    member.name = part_of(file, place + 46, name);
    widen_fields(part_of(file, place + 46 + name, extra), member);
    place += 46 + std::uint64_t{name} + extra + comment;
  }
  return all;
}

std::string_view stored_bytes(std::string_view file, const Member& member) {
  const std::string_view local = part_of(file, member.place, 30);
  if (number_at<std::uint32_t>(local, 0) != kLocal || (!member.compressed && member.stored != member.size)) {
    refuse(fmt::format("'{}' in it is damaged", shown_text(member.name)));
  }
  const std::uint64_t skipped =
      30 + std::uint64_t{number_at<std::uint16_t>(local, 26)} + number_at<std::uint16_t>(local, 28);
  part_of(file, member.place, skipped);
  return part_of(file, member.place + skipped, member.stored);
}

std::string unzipped(std::string_view file, const Member& member, std::uint64_t most) {
  const auto damaged = [&] { refuse(fmt::format("'{}' in it is damaged", shown_text(member.name))); };
  if (member.size > most) refuse(fmt::format("'{}' in it is larger than {} bytes", shown_text(member.name), most));
  const std::string_view stored = stored_bytes(file, member);
  std::string bytes;
  if (!member.compressed) {
    bytes = stored;
  } else {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) refuse("zlib failed to start");
    std::array<Bytef, std::size_t{1} << 16> block;
    std::string_view rest = stored;
    int ended = Z_OK;
    // A directory may promise any length: memory is taken only for bytes that come.
    while (ended == Z_OK && bytes.size() <= member.size) {
      if (stream.avail_in == 0) {
        const std::string_view piece = rest.substr(0, std::size_t{1} << 20);
        rest.remove_prefix(piece.size());
        stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(piece.data()));  // zlib doesn't write there
        stream.avail_in = static_cast<uInt>(piece.size());
      }
      stream.next_out = block.data();
      stream.avail_out = static_cast<uInt>(block.size());
      ended = inflate(&stream, Z_NO_FLUSH);
      bytes.append(reinterpret_cast<const char*>(block.data()), block.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (ended != Z_STREAM_END) damaged();
  }
  uLong checksum = 0;
  for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min<std::size_t>(rest.size(), 1U << 20))) {
    const std::string_view piece = rest.substr(0, 1U << 20);
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
  }
  if (bytes.size() != member.size || checksum != member.checksum) damaged();
  return bytes;
}

}  // namespace linsep::zip
