#include "bytes/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include "core/deadline.h"
#include "linsep/tools/shown_text.h"

namespace linsep {

std::string_view part_of(std::string_view file, std::uint64_t place, std::uint64_t size) {
  if (place > file.size() || size > file.size() - place) {
    throw BadFile{"the file ends too early: it is cut off or damaged"};
  }
  return file.substr(place, size);
}

namespace zip {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kLocator = 0x07064b50,
                        kEnd64 = 0x06064b50;

[[noreturn]] void refuse(std::string message) { throw BadFile{std::move(message)}; }
[[noreturn]] void refuse(const Member& member, std::string_view what) {
  refuse(fmt::format("'{}' in it {}", shown_text(member.name), what));
}

/// Any 32-bit field that is all ones has its value in an extra field, in this order.
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
    const std::size_t at = last - back;
    if (number_at<std::uint32_t>(file, at) == kEnd && number_at<std::uint16_t>(file, at + 20) == back) return at;
  }
  refuse("it is no zip file, or it is cut off");
}

Member member_at(std::string_view file, std::uint64_t& place) {
  constexpr std::uint16_t kEncrypted = 1, kPatched = 0x20, kStronglyEncrypted = 0x40;
  const std::string_view fixed = part_of(file, place, 46);
  if (number_at<std::uint32_t>(fixed, 0) != kCentral) refuse("the zip file's directory is damaged");
  const auto name = number_at<std::uint16_t>(fixed, 28), extra = number_at<std::uint16_t>(fixed, 30),
             comment = number_at<std::uint16_t>(fixed, 32);
  Member member;
  member.encrypted = (number_at<std::uint16_t>(fixed, 8) & (kEncrypted | kPatched | kStronglyEncrypted)) != 0;
  member.compressed = number_at<std::uint16_t>(fixed, 10) != 0;
  member.checksum = number_at<std::uint32_t>(fixed, 16);
  member.stored = number_at<std::uint32_t>(fixed, 20);
  member.size = number_at<std::uint32_t>(fixed, 24);
  member.place = number_at<std::uint32_t>(fixed, 42);
  member.name = part_of(file, place + 46, name);
  widen_fields(part_of(file, place + 46 + name, extra), member);
  place += 46 + std::uint64_t{name} + extra + comment;
  return member;
}

/// Sets the position that each member must end before.
void find_ends(std::vector<Member>& all, std::uint64_t directory) {
  std::vector<std::uint64_t> places{directory};
  for (const Member& member : all) places.push_back(member.place);
  std::ranges::sort(places);
  for (Member& member : all) {
    if (member.place >= directory) refuse(member, "is damaged");
    member.end = *std::ranges::upper_bound(places, member.place);
  }
}

/// The bytes of a member as they stand in the file.
std::string_view raw_bytes(std::string_view file, const Member& member) {
  if (member.encrypted) refuse(member, "is encrypted");
  const std::string_view local = part_of(file, member.place, 30);
  const auto name = number_at<std::uint16_t>(local, 26), extra = number_at<std::uint16_t>(local, 28);
  if (number_at<std::uint32_t>(local, 0) != kLocal || part_of(file, member.place + 30, name) != member.name) {
    refuse(member, "is damaged");
  }
  const std::uint64_t begin = member.place + 30 + name + extra;
  const std::string_view bytes = part_of(file, begin, member.stored);
  if (begin + member.stored > member.end) refuse(member, "overlaps another one");
  return bytes;
}

void require_checksum(const Member& member, std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  if (bytes.size() != member.size) refuse(member, "is damaged");
  uLong checksum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const std::string_view piece = bytes.substr(at, kPiece);
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    poll(piece.size());
  }
  if (checksum != member.checksum) {
    refuse(member, "is damaged: its bytes don't have its checksum");
  }
}

}  // namespace

std::vector<Member> members(std::string_view file) {
  std::uint64_t end = place_of_end(file);
  std::uint64_t count = number_at<std::uint16_t>(file, end + 10);
  std::uint64_t directory = number_at<std::uint32_t>(file, end + 16);
  if (end >= 20 && number_at<std::uint32_t>(file, end - 20) == kLocator) {
    end = number_at<std::uint64_t>(file, end - 20 + 8);
    part_of(file, end, 56);
    if (number_at<std::uint32_t>(file, end) != kEnd64) refuse("the zip file's directory is damaged");
    count = number_at<std::uint64_t>(file, end + 32);
    directory = number_at<std::uint64_t>(file, end + 48);
  }
  std::vector<Member> all;
  std::set<std::string_view> names;
  std::uint64_t place = directory;
  for (std::uint64_t k = 0; k < count; ++k) all.push_back(member_at(file, place));
  if (place != end) refuse("the zip file's directory is damaged");
  for (const Member& member : all) {
    if (!names.insert(member.name).second) refuse(member, "is there twice");
  }
  find_ends(all, directory);
  return all;
}

std::string_view stored_bytes(std::string_view file, const Member& member) {
  const std::string_view bytes = raw_bytes(file, member);
  require_checksum(member, bytes);
  return bytes;
}

std::string unzipped(std::string_view file, const Member& member, std::uint64_t most) {
  if (member.size > most) refuse(member, fmt::format("is larger than {} bytes", most));
  if (!member.compressed) return std::string(stored_bytes(file, member));
  std::string_view rest = raw_bytes(file, member);
  std::string bytes;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) refuse("zlib failed to start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  std::array<Bytef, std::size_t{1} << 16> block;
  int ended = Z_OK;
  // A directory may claim any length, so memory is taken only for bytes that arrive.
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
    poll(5 * block.size());
    bytes.append(reinterpret_cast<const char*>(block.data()), block.size() - stream.avail_out);
  }
  if (ended != Z_STREAM_END) refuse(member, "is damaged");
  require_checksum(member, bytes);
  return bytes;
}

}  // namespace zip
}  // namespace linsep
