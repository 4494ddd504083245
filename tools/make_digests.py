#!/usr/bin/env python3
"""Writes tools/checker.sha256: the SHA-256 of each script that checks a proof, as `sha256sum --check` reads it.

    make_digests.py            writes it
    make_digests.py --check    exit code 1 where it isn't current
"""
import hashlib
import pathlib
import sys

TOOLS = pathlib.Path(__file__).resolve().parent
SCRIPTS = ("verify_certificate.py", "read_certificate.py", "read_rows.py", "check_model.py", "encode_rows.py", "xxh3.py", "make_unicode_table.py")


def digests():
    return "".join(f"{hashlib.sha256((TOOLS / name).read_bytes()).hexdigest()}  {name}\n" for name in SCRIPTS)


def main():
    path = TOOLS / "checker.sha256"
    if sys.argv[1:] == ["--check"]:
        return 0 if path.is_file() and path.read_text(encoding="ascii") == digests() else 1
    path.write_text(digests(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
