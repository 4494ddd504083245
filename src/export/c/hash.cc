// XXH3 with 64 bits and seed 0 in C, over bytes that come one by one: short inputs are gathered, of longer ones the
// last 128 bytes are kept.
#include "export/c/text.h"

namespace linsep {
namespace {

constexpr std::string_view kHash = R"(
static uint64_t @read64(const unsigned char *at) {
  uint64_t value = 0;
  int k;
  for (k = 7; k >= 0; --k) value = value << 8 | at[k];
  return value;
}
static uint64_t @read32(const unsigned char *at) {
  return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}
static uint64_t @swap64(uint64_t value) {
  uint64_t swapped = 0;
  int k;
  for (k = 0; k < 8; ++k, value >>= 8) swapped = swapped << 8 | (value & 255);
  return swapped;
}
static uint64_t @rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

/* Both halves of the product, one xor the other. */
static uint64_t @folded(uint64_t a, uint64_t b) {
  const uint64_t mask = UINT64_C(0xffffffff);
  const uint64_t low = (a & mask) * (b & mask), high_low = (a >> 32) * (b & mask);
  const uint64_t low_high = (a & mask) * (b >> 32), high = (a >> 32) * (b >> 32);
  const uint64_t cross = (low >> 32) + (high_low & mask) + low_high;
  return ((high_low >> 32) + (cross >> 32) + high) ^ (cross << 32 | (low & mask));
}
static uint64_t @stirred(uint64_t h) {
  h ^= h >> 37;
  h *= UINT64_C(0x165667919E3779F9);
  return h ^ h >> 32;
}
static uint64_t @stirred_short(uint64_t h) {
  h ^= h >> 33;
  h *= UINT64_C(0xC2B2AE3D27D4EB4F);
  h ^= h >> 29;
  h *= UINT64_C(0x165667B19E3779F9);
  return h ^ h >> 32;
}
static uint64_t @mixed(const unsigned char *in, const unsigned char *secret) {
  return @folded(@read64(in) ^ @read64(secret), @read64(in + 8) ^ @read64(secret + 8));
}

/* Up to 16 bytes. */
static uint64_t @hash_16(const unsigned char *in, size_t size) {
  uint64_t low, high;
  if (size == 0) return @stirred_short(@read64(@secret + 56) ^ @read64(@secret + 64));
  if (size <= 3) {
    low = (uint64_t)in[0] << 16 | (uint64_t)in[size / 2] << 24 | in[size - 1] | (uint64_t)size << 8;
    return @stirred_short(low ^ (@read32(@secret) ^ @read32(@secret + 4)));
  }
  if (size <= 8) {
    high = @read32(in + size - 4) + (@read32(in) << 32);
    high ^= @read64(@secret + 8) ^ @read64(@secret + 16);
    high ^= @rotated(high, 49) ^ @rotated(high, 24);
    high *= UINT64_C(0x9FB21C651E98DF25);
    high ^= (high >> 35) + size;
    high *= UINT64_C(0x9FB21C651E98DF25);
    return high ^ high >> 28;
  }
  low = @read64(in) ^ (@read64(@secret + 24) ^ @read64(@secret + 32));
  high = @read64(in + size - 8) ^ (@read64(@secret + 40) ^ @read64(@secret + 48));
  return @stirred(size + @swap64(low) + high + @folded(low, high));
}

/* Up to 240 bytes. */
static uint64_t @hash_240(const unsigned char *in, size_t size) {
  uint64_t sum = size * UINT64_C(0x9E3779B185EBCA87);
  size_t k;
  if (size <= 16) return @hash_16(in, size);
  if (size <= 128) {
    for (k = (size - 1) / 32 + 1; k-- > 0;) {
      sum += @mixed(in + 16 * k, @secret + 32 * k) + @mixed(in + size - 16 * (k + 1), @secret + 32 * k + 16);
    }
    return @stirred(sum);
  }
  for (k = 0; k < 8; ++k) sum += @mixed(in + 16 * k, @secret + 16 * k);
  sum = @stirred(sum);
  for (k = 8; k < size / 16; ++k) sum += @mixed(in + 16 * k, @secret + 16 * (k - 8) + 3);
  return @stirred(sum + @mixed(in + size - 16, @secret + 136 - 17));
}

static void @accumulate(uint64_t *lane, const unsigned char *in, const unsigned char *secret) {
  int k;
  for (k = 0; k < 8; ++k) {
    const uint64_t value = @read64(in + 8 * k), key = value ^ @read64(secret + 8 * k);
    lane[k ^ 1] += value;
    lane[k] += (key & UINT64_C(0xffffffff)) * (key >> 32);
  }
}

/* More than 240 bytes. */
static uint64_t @hash_long(struct @bytes bytes, size_t size) {
  uint64_t lane[8] = {UINT64_C(0xC2B2AE3D), UINT64_C(0x9E3779B185EBCA87), UINT64_C(0xC2B2AE3D27D4EB4F),
                      UINT64_C(0x165667B19E3779F9), UINT64_C(0x85EBCA77C2B2AE63), UINT64_C(0x85EBCA77),
                      UINT64_C(0x27D4EB2F165667C5), UINT64_C(0x9E3779B1)};
  unsigned char kept[128];
  uint64_t sum = size * UINT64_C(0x9E3779B185EBCA87);
  size_t fill = 64, stripe = 0;
  int byte, k;
  while ((byte = @next_byte(&bytes)) >= 0) {
    if (fill == 128) {
      @accumulate(lane, kept + 64, @secret + 8 * stripe);
      memcpy(kept, kept + 64, 64);
      fill = 64;
      if (++stripe == 16) {
        for (k = 0; k < 8; ++k) {
          lane[k] ^= lane[k] >> 47;
          lane[k] = (lane[k] ^ @read64(@secret + 128 + 8 * k)) * UINT64_C(0x9E3779B1);
        }
        stripe = 0;
      }
    }
    kept[fill++] = (unsigned char)byte;
  }
  @accumulate(lane, kept + fill - 64, @secret + 121);
  for (k = 0; k < 4; ++k) {
    sum += @folded(lane[2 * k] ^ @read64(@secret + 11 + 16 * k), lane[2 * k + 1] ^ @read64(@secret + 19 + 16 * k));
  }
  return @stirred(sum);
}

static uint64_t @hash_bytes(struct @bytes bytes) {
  unsigned char kept[240];
  struct @bytes from = bytes;
  size_t size = 0;
  int byte;
  while ((byte = @next_byte(&from)) >= 0) {
    if (size < sizeof kept) kept[size] = (unsigned char)byte;
    ++size;
  }
  return size <= sizeof kept ? @hash_240(kept, size) : @hash_long(bytes, size);
}

static uint64_t @hash_pair(uint64_t first, uint64_t second) {
  unsigned char both[16];
  int k;
  for (k = 0; k < 8; ++k) {
    both[k] = (unsigned char)(first >> 8 * k);
    both[8 + k] = (unsigned char)(second >> 8 * k);
  }
  return @hash_16(both, 16);
}
)";

}  // namespace

std::string_view c_hash_functions() { return kHash; }

std::string_view c_find_bucket_function() {
  return R"(
/* The place of a bucket among those in use. */
static uint32_t @find_bucket(const uint32_t *buckets, size_t count, uint64_t bucket) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (buckets[middle] < bucket) low = middle + 1; else high = middle;
  }
  return low < count && buckets[low] == bucket ? (uint32_t)low : @NONE;
}
)";
}

}  // namespace linsep
