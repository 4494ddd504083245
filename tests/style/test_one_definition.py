"""A type outside unnamed namespaces has one definition: two of one name in one program silently become one of them. Files of
tests are left out: each room's tests are a program of their own."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPENED = re.compile(r"^(?:inline )?namespace ?([\w:]*) ?{$")
CLOSED = re.compile(r"^}  // (?:inline )?namespace")
TYPE = re.compile(r"^(?:template <.*> )?(?:class|struct|union|enum(?: class)?) (?:\[\[\w+\]\] |alignas\(\w+\) )*(\w+)"
                  r"(?: final)?(?: : [^;]*)? ?{")


def types(path):
    """The names of the types that a file defines for others, with their namespaces."""
    spaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := OPENED.match(line):
            spaces.append(found[1])
        elif CLOSED.match(line):
            spaces.pop()
        elif (found := TYPE.match(line)) and "" not in spaces:
            yield "::".join([*spaces, found[1]])


def main() -> int:
    files = collections.defaultdict(set)
    for room in ("include", "src", "apps/linsep", "apps/wasm", "python"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in {".h", ".cc"} and not path.stem.endswith("_test"):
                for name in types(path):
                    files[name].add(str(path.relative_to(ROOT)))
    faults = [f"{name} is defined in {', '.join(sorted(where))}" for name, where in files.items() if len(where) > 1]
    print("\n".join(faults) or f"{len(files)} types, each defined in one file")
    return 1 if faults or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
