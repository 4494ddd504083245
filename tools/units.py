#!/usr/bin/env python3
"""Groups of sources that can be compiled as one unit, a file that includes them: most of the time goes into headers and templates.

A unit never changes what a source means: what one source declares for itself, in a namespace without a name, no other source of its
unit mentions. A source with macros or pragmas of its own is a unit of its own.

tools/units.py FOLDER ROOT MOST SOURCE... writes the units of these sources into FOLDER, as includes of paths below ROOT, and prints
one path a line: a unit's, or that of a source that stands alone. cmake/Rooms.cmake, tools/check_tidy and tools/make_r_package use it.
"""
import math
import pathlib
import re
import sys

IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
WORD = re.compile(r"(?<![.:>\w])\w+")  # members and qualified names mean the same in any unit
MACRO = re.compile(r"^\s*(?:#\s*(?:define|pragma (?!once)|undef)|HWY_\w+\()", re.MULTILINE)


def local_names(code: str) -> set[str]:
    """What a source declares for itself: in namespaces without a name, and by `using` or `namespace X =` outside of functions."""
    names = set(re.findall(r"^(?:using|namespace) (\w+) =", code, re.MULTILINE))
    for part in re.findall(r"^namespace \{$(.*?)^\}  ?$", code, re.MULTILINE | re.DOTALL):
        for line in re.findall(r"^(?!using (?:namespace|\w+::)|template)[a-zA-Z\[].*", part, re.MULTILINE):
            type_name = re.match(r"(?:struct|class|enum class|enum) (\w+)|(?:using|namespace) (\w+) =", line)
            value_name = re.match(r"[^(={;]*?(?<!::)\b(\w+)(?:\(| = |\{|;|\[|$)", line)
            match = type_name or value_name
            names |= {name for name in (match.groups() if match else ()) if name}
            if line.startswith(("constexpr", "const ")):
                names |= set(re.findall(r"(\w+) = ", line))
    return names - {"TEST", "TEST_F", "TEST_P", "RC_GTEST_PROP", "INSTANTIATE_TEST_SUITE_P"}


class Unit:
    def __init__(self):
        self.files, self.names, self.words, self.bytes = [], set(), set(), 0

    def takes(self, other: "Unit", most: int, most_bytes: float) -> bool:
        return (len(self.files) < most and self.bytes + other.bytes <= most_bytes and
                not self.names & other.words and not other.names & self.words)

    def add(self, other: "Unit") -> None:
        self.files += other.files
        self.names |= other.names
        self.words |= other.words
        self.bytes += other.bytes


def groups(files: list[pathlib.Path], most: int, most_bytes: int = 60_000) -> list[list[pathlib.Path]]:
    """Each source goes into the first unit with room that it doesn't clash with. No unit is so large that others wait for it."""
    units: list[Unit] = []
    for file in files:
        text = file.read_text()
        code = IGNORED.sub("", text).replace("__extension__ ", "")
        single = Unit()
        single.files, single.names, single.words = [file], local_names(code), set(WORD.findall(code))
        single.bytes = math.inf if MACRO.search(code) else len(text)
        for unit in units:
            if unit.takes(single, most, most_bytes):
                unit.add(single)
                break
        else:
            units.append(single)
    return [unit.files for unit in units]


def main(folder: str, root: str, most: str, *names: str) -> None:
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for files in groups([pathlib.Path(name) for name in names], int(most)):
        if len(files) == 1:
            print(files[0])
            continue
        first = files[0].relative_to(root).with_suffix("")
        unit = out / f"{'_'.join(first.parts)}_and_{len(files) - 1}_more.cc"
        text = "".join(f'#include "{file.relative_to(root)}"\n' for file in files)
        if not unit.exists() or unit.read_text() != text:
            unit.write_text(text)
        print(unit)


if __name__ == "__main__":
    main(*sys.argv[1:])
