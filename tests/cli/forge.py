"""Page files taken apart, changed, and put together again with checksums that are right (docs/reference/formats/pages.md)."""

import ctypes
import ctypes.util
import struct

_LIBRARY = ctypes.util.find_library("xxhash")
POSSIBLE = _LIBRARY is not None
UNIT = 4096
HEAD = "<qIq5BI"
ENTRY = "<10Q2I"
FIELDS = ("place", "bytes", "first_row", "rows", "values", "first_byte", "text_bytes", "first_line", "lines", "checksum",
          "features", "words")


def checksum(data):
    function = ctypes.CDLL(_LIBRARY).XXH3_64bits
    function.restype = ctypes.c_uint64
    return function(bytes(data), ctypes.c_size_t(len(data)))


class PageFile:
    """The parts of a good page file: `head` (rows, features, values, flags, stride), `origin`, `entries`, `pages`."""

    def __init__(self, data):
        (self.version,) = struct.unpack_from("<I", data, 20)
        place, size = struct.unpack_from("<QQ", data, 24)
        tail = data[place : place + size]
        names = ("rows", "features", "values", "dense", "is_float", "labelled", "weighted", "numbered", "stride")
        self.head = dict(zip(names, struct.unpack_from(HEAD, tail)))
        at = struct.calcsize(HEAD)
        (length,) = struct.unpack_from("<Q", tail, at)
        self.origin = tail[at + 8 : at + 8 + length]
        at += 8 + length
        (self.count,) = struct.unpack_from("<Q", tail, at)
        at += 8
        self.entries = []
        for k in range(self.count):
            self.entries.append(dict(zip(FIELDS, struct.unpack_from(ENTRY, tail, at + k * struct.calcsize(ENTRY)))))
        self.pages = [bytearray(data[e["place"] : e["place"] + e["bytes"]]) for e in self.entries]

    def places(self, page=0):
        """Where the arrays of a page begin."""
        entry, head = self.entries[page], self.head
        sizes = {
            "start": 0 if head["dense"] else 8 * (entry["rows"] + 1),
            "column": 0 if head["dense"] else 4 * entry["values"],
            "value": entry["values"] * (4 if head["is_float"] else 8),
            "label": 8 * entry["rows"] * head["labelled"],
            "weight": 8 * entry["rows"] * head["weighted"],
        }
        at, places = 0, {}
        for name, size in sizes.items():
            places[name] = at
            at += (size + 63) // 64 * 64
        return places

    def put(self, array, index, form, value, page=0):
        struct.pack_into("<" + form, self.pages[page], self.places(page)[array] + index * struct.calcsize("<" + form), value)

    def data(self):
        body = b"".join(self.pages)
        tail = struct.pack(HEAD, *self.head.values()) + struct.pack("<Q", len(self.origin)) + self.origin
        tail += struct.pack("<Q", self.count)
        for entry, page in zip(self.entries, self.pages):
            tail += struct.pack(ENTRY, *{**entry, "checksum": checksum(page)}.values())
        block = b"linsep pages\r\n\x1a\n" + struct.pack("<IIQQQ", 0x01020304, self.version, UNIT + len(body), len(tail), checksum(tail))
        block = block.ljust(UNIT - 8, b"\0")
        return block + struct.pack("<Q", checksum(block)) + body + tail
