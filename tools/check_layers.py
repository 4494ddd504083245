#!/usr/bin/env python3
"""Checks the rules of ARCHITECTURE.md on what a room may use.

Usage: tools/check_layers.py [ROOT]. Prints each line that breaks a rule; exit code 1 if there is one.
 - An include goes to a lower layer; rooms of one layer don't see each other (so `learn` and `certify` don't).
 - PURE rooms, which also run in a browser, touch no file, thread or virtual memory.
 - Big-integer libraries appear in `exact` alone, also in apps/, bench/ and tests/; everyone else speaks of `Integer` and
   `Rational` through the functions of exact/number.h, never through members that one library has.
 - No 32-bit `long` in the pure rooms: it has 64 bits on one machine and 32 on another.
Tests beside the code obey the rules for rooms, not those for the pure ones.
"""
import pathlib
import re
import sys

LAYERS = {
    "linsep": 0, "core": 0, "os": 0,
    "kernel": 1, "exact": 1, "map": 1, "table": 1,
    "model": 2, "data": 2, "comm": 2, "proof": 2,
    "numeric": 3, "format": 3, "generate": 3, "export": 3,
    "learn": 4, "certify": 4,
    "train": 5,
    "picture": 6,
}
WITHIN_A_LAYER = {("core", "linsep"), ("os", "linsep"), ("os", "core")}
# Finer than the numbers: arithmetic that proofs rest on never uses the float kernels.
FORBIDDEN = {("proof", "kernel"), ("proof", "map"), ("proof", "table")}
# Only tests may: the order in which a learner's rows come is for train to see to.
FOR_TESTS = {("learn", "data")}
PURE = {"core", "kernel", "exact", "map", "table", "model", "proof", "numeric", "export", "learn", "certify", "picture"}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SYSTEM = re.compile(r"^\s*#\s*include\s+<((?:thread|mutex|shared_mutex|condition_variable|future|semaphore|stop_token|"
                    r"filesystem|fstream|iostream|cstdio|stdio\.h|fcntl\.h|unistd\.h|pthread\.h|sys/[a-z_]+\.h))>",
                    re.MULTILINE)
BIG_INTEGERS = re.compile(r"\b(?:mpz|mpq|mpf|fmpz|fmpq|nmod|cpp_int|cpp_rational|gmp_\w+)(?:_\w+)?\b|\bmp_\w+_t\b|<gmp|"
                          r"<flint|<boost/|[.>](?:get_(?:num|den|d|str|si|ui|mp[zq]_t)|canonicalize|fits_\w+_p)\(")
LONG = re.compile(r"\b(?:unsigned\s+)?long\b(?!\s+double)")


def code_of(text: str) -> str:
    """The text without comments, line numbers kept."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r"//.*", "", text)


def is_test(path: pathlib.Path) -> bool:
    return path.name.endswith(("_test.cc", "_bench.cc", "testing.h"))


def allowed(room: str, target: str, test: bool) -> bool:
    if (room, target) in FOR_TESTS and not test:
        return False
    if room == target or (room, target) in WITHIN_A_LAYER:
        return True
    if (room, target) in FORBIDDEN or (room in PURE and target == "os"):
        return False
    return target in LAYERS and LAYERS[target] < LAYERS[room]


def room_of(path: pathlib.Path, root: pathlib.Path) -> str:
    parts = path.relative_to(root).parts
    return "linsep" if parts[0] == "include" else parts[1]


def big_integers(code: str) -> list[str]:
    return [f"big-integer types belong into exact: {word}" for word in sorted(set(BIG_INTEGERS.findall(code)))]


def faults(path: pathlib.Path, room: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = [f'{room} must not include "{include}"' for include in INCLUDE.findall(text)
             if not allowed(room, include.split("/")[0], is_test(path))]
    code = code_of(text)
    if room != "exact":
        found += big_integers(code)
    if room in PURE and not path.name.endswith(("_test.cc", "_bench.cc")):
        found += [f"{room} must not touch files or threads: <{header}>" for header in SYSTEM.findall(text)]
        found += ["`long` differs between machines: use std::int64_t" for _ in LONG.findall(code)]
    return found


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    bad = 0
    files = [p for top in ("include", "src") for p in sorted((root / top).rglob("*")) if p.suffix in {".h", ".cc"}]
    for path in files:
        room = room_of(path, root)
        found = faults(path, room) if room in LAYERS else [f"the room {room} has no layer in tools/check_layers.py"]
        for fault in found:
            print(f"{path.relative_to(root)}: {fault}")
        bad += len(found)
    outside = [p for top in ("apps", "bench", "tests") for p in sorted((root / top).rglob("*")) if p.suffix in {".h", ".cc"}]
    for path in outside:
        found = big_integers(code_of(path.read_text(encoding="utf-8")))
        for fault in found:
            print(f"{path.relative_to(root)}: {fault}")
        bad += len(found)
    print(f"layers: {len(files) + len(outside)} files, {bad} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
