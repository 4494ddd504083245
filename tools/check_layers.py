#!/usr/bin/env python3
"""Checks that every include goes to a lower layer and that rooms of one layer don't see each other.

Usage: tools/check_layers.py [ROOT]. Prints each include that breaks the layering; exit code 1 if there is one.
The layers are those of ARCHITECTURE.md. Tests beside the code obey the same rule as the code.
"""
import pathlib
import re
import sys

LAYERS = {
    "linsep": 0, "core": 0,
    "kernel": 1, "exact": 1, "map": 1,
    "model": 2, "data": 2, "comm": 2, "proof": 2,
    "format": 3, "learn": 3,
    "train": 4,
}
# Finer than the numbers: arithmetic that proofs rest on never meets the float kernels.
FORBIDDEN = {("exact", "kernel"), ("proof", "kernel"), ("proof", "map")}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def allowed(room: str, target: str) -> bool:
    if room == target or (room, target) in {("core", "linsep")}:
        return True
    if (room, target) in FORBIDDEN:
        return False
    return LAYERS[target] < LAYERS[room]


def room_of(path: pathlib.Path, root: pathlib.Path) -> str:
    parts = path.relative_to(root).parts
    return "linsep" if parts[0] == "include" else parts[1]


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    bad = 0
    files = [p for top in ("include", "src") for p in sorted((root / top).rglob("*")) if p.suffix in {".h", ".cc"}]
    for path in files:
        room = room_of(path, root)
        if room not in LAYERS:
            print(f"{path.relative_to(root)}: the room {room} has no layer in tools/check_layers.py")
            bad += 1
            continue
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = include.split("/")[0]
            if target not in LAYERS or not allowed(room, target):
                print(f'{path.relative_to(root)}: {room} must not include "{include}"')
                bad += 1
    print(f"layers: {len(files)} files, {bad} includes against the layering")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
