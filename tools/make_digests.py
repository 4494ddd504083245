#!/usr/bin/env python3
"""Writes checker/checker.sha256: the SHA-256 of each script that checks a proof, as `sha256sum --check` reads it.

    make_digests.py            writes it
    make_digests.py --check    exit code 1 if it isn't current
"""
import hashlib
import pathlib
import sys

CHECKER = pathlib.Path(__file__).resolve().parents[1] / "checker"
SCRIPTS = ("verify_certificate.py", "read_certificate.py", "read_rows.py", "check_model.py", "check_several.py", "encode_rows.py", "xxh3.py")


def digests():
    return "".join(f"{hashlib.sha256((CHECKER / name).read_bytes()).hexdigest()}  {name}\n" for name in SCRIPTS)


def main():
    path = CHECKER / "checker.sha256"
    if sys.argv[1:] == ["--check"]:
        return 0 if path.is_file() and path.read_text(encoding="ascii") == digests() else 1
    path.write_text(digests(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
