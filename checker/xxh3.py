"""XXH3-64 with seed 0, by its specification: the keys of categories and terms (docs/howto/tables.md). Slow and plain."""

MASK = 2**64 - 1
P32 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def word(data: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(data[at:at + size], "little")


def rotated(x: int, bits: int) -> int:
    return (x << bits | x >> (64 - bits)) & MASK


def folded(a: int, b: int) -> int:
    product = a * b
    return (product & MASK) ^ (product >> 64)


def avalanche(h: int) -> int:
    h = (h ^ h >> 37) * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


def avalanche_of_xxh64(h: int) -> int:
    h = (h ^ h >> 33) * P64[1] & MASK
    h = (h ^ h >> 29) * P64[2] & MASK
    return h ^ h >> 32


def up_to_16(data: bytes) -> int:
    size = len(data)
    if size == 0:
        return avalanche_of_xxh64(word(SECRET, 56) ^ word(SECRET, 64))
    if size <= 3:
        mixed = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return avalanche_of_xxh64(mixed ^ word(SECRET, 0, 4) ^ word(SECRET, 4, 4))
    if size <= 8:
        h = word(data, size - 4, 4) + (word(data, 0, 4) << 32) ^ word(SECRET, 8) ^ word(SECRET, 16)
        h = (h ^ rotated(h, 49) ^ rotated(h, 24)) * 0x9FB21C651E98DF25 & MASK
        h = (h ^ (h >> 35) + size) * 0x9FB21C651E98DF25 & MASK
        return h ^ h >> 28
    low = word(data, 0) ^ word(SECRET, 24) ^ word(SECRET, 32)
    high = word(data, size - 8) ^ word(SECRET, 40) ^ word(SECRET, 48)
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    return avalanche(size + swapped + high + folded(low, high) & MASK)


def mixed_16(data: bytes, at: int, secret: int) -> int:
    return folded(word(data, at) ^ word(SECRET, secret), word(data, at + 8) ^ word(SECRET, secret + 8))


def up_to_240(data: bytes) -> int:
    size = len(data)
    h = size * P64[0]
    if size <= 128:
        for k in range((size - 1) // 32, -1, -1):
            h += mixed_16(data, 16 * k, 32 * k) + mixed_16(data, size - 16 * (k + 1), 32 * k + 16)
        return avalanche(h & MASK)
    for k in range(8):
        h += mixed_16(data, 16 * k, 16 * k)
    h = avalanche(h & MASK)
    for k in range(8, size // 16):
        h += mixed_16(data, 16 * k, 16 * (k - 8) + 3)
    return avalanche(h + mixed_16(data, size - 16, 136 - 17) & MASK)


def accumulate(sums: list[int], data: bytes, at: int, secret: int) -> None:
    for i in range(8):
        value = word(data, at + 8 * i)
        key = value ^ word(SECRET, secret + 8 * i)
        sums[i ^ 1] = sums[i ^ 1] + value & MASK
        sums[i] = sums[i] + (key & 0xFFFFFFFF) * (key >> 32) & MASK


def long_input(data: bytes) -> int:
    size = len(data)
    sums = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]
    blocks, left = divmod(size - 1, 1024)
    for block in range(blocks + 1):
        for stripe in range(16 if block < blocks else left // 64):
            accumulate(sums, data, 1024 * block + 64 * stripe, 8 * stripe)
        if block < blocks:
            sums = [((s ^ s >> 47) ^ word(SECRET, 128 + 8 * i)) * P32[0] & MASK for i, s in enumerate(sums)]
    accumulate(sums, data, size - 64, 192 - 64 - 7)
    h = size * P64[0]
    for i in range(4):
        h += folded(sums[2 * i] ^ word(SECRET, 11 + 16 * i), sums[2 * i + 1] ^ word(SECRET, 19 + 16 * i))
    return avalanche(h & MASK)


def xxh3(data: bytes) -> int:
    if len(data) <= 16:
        return up_to_16(data)
    return up_to_240(data) if len(data) <= 240 else long_input(data)
