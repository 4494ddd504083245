#!/usr/bin/env python3
"""Writes src/table/words/unicode_table.inc: what the words of texts need to know of Unicode.

Usage: tools/make_unicode_table.py [--check] [FILE]

Of each code point: whether it is part of a word (general categories L, M and N), a word of its own (those of ALONE), and
its simple lower-case mapping. The Unicode version is that of this Python's `unicodedata`; it belongs to the rules that
models are kept with (TableMap::kRules), so a new version of the table means a new version of the rules.

--check reads the file and compares it with `unicodedata` for all code points; where this Python has another version of
Unicode, for those that this version and the table's both know.
"""
import argparse
import pathlib
import re
import sys
import unicodedata

POINTS = 0x110000
FILE = pathlib.Path(__file__).resolve().parent.parent / "src/table/words/unicode_table.inc"
SEPARATOR, PART, OWN = 0, 1, 2

# Han, Kana, Thai, Lao, Khmer and Myanmar, whose words have no blanks between them: first and last code point.
ALONE = [
    (0x0E00, 0x0EFF),    # Thai, Lao
    (0x1000, 0x109F),    # Myanmar
    (0x1780, 0x17FF),    # Khmer
    (0x3005, 0x3007),    # Han: iteration mark, closing mark, zero
    (0x3021, 0x3029),    # Han: numerals
    (0x3031, 0x3035),    # Kana: repeat marks
    (0x3038, 0x303C),    # Han: numerals, marks
    (0x3040, 0x30FF),    # Hiragana, Katakana
    (0x31F0, 0x31FF),    # Katakana
    (0x3400, 0x4DBF),    # Han
    (0x4E00, 0x9FFF),    # Han
    (0xA9E0, 0xA9FF),    # Myanmar
    (0xAA60, 0xAA7F),    # Myanmar
    (0xF900, 0xFAFF),    # Han
    (0xFF66, 0xFF9F),    # Katakana of half width
    (0x16FE2, 0x16FE3),  # Han: old marks
    (0x16FF0, 0x16FF1),  # Han: reading marks
    (0x1AFF0, 0x1B16F),  # Kana
    (0x20000, 0x3FFFF),  # Han
]


def lower_of(point: int) -> int:
    """The simple mapping. Python's is the full one: it differs in İ alone, whose simple mapping is its first part."""
    return ord(chr(point).lower()[0])


def class_of(point: int) -> int:
    if unicodedata.category(chr(point))[0] not in "LMN" and point != ord("_"):
        return SEPARATOR
    return OWN if any(first <= point <= last for first, last in ALONE) else PART


def facts_of(point: int) -> tuple[int, int]:
    """Class, and what is added to the code point to lower it (only words are lowered)."""
    kind = class_of(point)
    return kind, lower_of(point) - point if kind == PART else 0


def two_stages(values: list[int], size: int) -> tuple[list[int], list[list[int]]]:
    """Numbers of blocks of `size` values, and the blocks."""
    numbers: dict[tuple[int, ...], int] = {}
    first = [numbers.setdefault(tuple(values[at:at + size]), len(numbers)) for at in range(0, len(values), size)]
    return first, [list(block) for block in numbers]


def array(name: str, kind: str, values: list[int]) -> str:
    lines, line = [], ""
    for value in values:
        word = f"{value},"
        if len(line) + len(word) > 118:
            lines.append(line)
            line = ""
        line += word
    lines.append(line)
    return f"constexpr {kind} {name}[{len(values)}] = {{\n" + "\n".join(lines) + "\n};\n"


def text_of_table() -> str:
    facts = [facts_of(point) for point in range(POINTS)]
    records = sorted(set(facts))
    number = {record: i for i, record in enumerate(records)}
    values = [number[fact] for fact in facts]
    sizes = {}
    for shift in range(5, 10):
        first, blocks = two_stages(values, 1 << shift)
        width = 1 if len(blocks) <= 256 else 2
        sizes[shift] = len(first) * width + (len(blocks) << shift)
    shift = min(sizes, key=lambda s: sizes[s])
    first, blocks = two_stages(values, 1 << shift)
    kind = "std::uint8_t" if len(blocks) <= 256 else "std::uint16_t"
    assert len(records) <= 256
    return "".join([
        f"// Unicode {unicodedata.unidata_version}; written by tools/make_unicode_table.py, not by hand. "
        f"{sizes[shift] + 5 * len(records)} bytes.\n",
        f"constexpr int kShift = {shift};\n",
        "// The block of each code point, shifted; the record of each code point of a block; classes (0: separator, 1: part\n"
        "// of a word, 2: a word of its own) and what lowers a code point, by record.\n",
        array("kBlock", kind, first),
        array("kRecord", "std::uint8_t", [value for block in blocks for value in block]),
        array("kClass", "std::uint8_t", [record[0] for record in records]),
        array("kLower", "std::int32_t", [record[1] for record in records]),
    ])


def read_table(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Its Unicode version and the facts of all code points."""
    version = re.search(r"Unicode ([0-9.]+);", text)[1]
    shift = int(re.search(r"kShift = (\d+);", text)[1])
    arrays = {m[1]: [int(v) for v in m[2].replace("\n", "").split(",") if v]
              for m in re.finditer(r"(k\w+)\[\d+\] = \{\n(.*?)\};", text, re.DOTALL)}
    facts = []
    for point in range(POINTS):
        block = arrays["kBlock"][point >> shift]
        record = arrays["kRecord"][(block << shift) + (point & ((1 << shift) - 1))]
        facts.append((arrays["kClass"][record], arrays["kLower"][record]))
    return version, facts


def check(path: pathlib.Path) -> int:
    version, facts = read_table(path.read_text(encoding="ascii"))
    same = version == unicodedata.unidata_version
    bad = compared = 0
    for point in range(POINTS):
        if not same and (unicodedata.category(chr(point)) == "Cn" or facts[point] == (SEPARATOR, 0)):
            continue
        compared += 1
        if facts[point] != facts_of(point):
            print(f"{path}: U+{point:04X}: {facts[point]} in the table, {facts_of(point)} in Unicode "
                  f"{unicodedata.unidata_version}")
            bad += 1
    print(f"{path}: Unicode {version}, {compared} code points compared with {unicodedata.unidata_version}, {bad} differ")
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the Unicode table of the words of texts.")
    parser.add_argument("--check", action="store_true", help="compare the file with unicodedata, write nothing")
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=FILE)
    options = parser.parse_args()
    if options.check:
        return check(options.file)
    options.file.write_text(text_of_table(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
