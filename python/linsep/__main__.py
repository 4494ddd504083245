"""``python -m linsep play``: the playground. All other commands are those of the program ``linsep``."""

from __future__ import annotations

import argparse
import sys

from ._play import play
from .errors import LinsepError


def main() -> int:
    """Run the command that the arguments name; return the exit code, as the program's."""
    parser = argparse.ArgumentParser(prog="python -m linsep", description="All other commands are those of the program linsep.")
    commands = parser.add_subparsers(dest="command", required=True)
    chosen = commands.add_parser("play", help="open the playground in a browser")
    chosen.add_argument("-o", "--output", metavar="FILE", help="write the page to this file, and open nothing")
    try:
        path = play(parser.parse_args().output)
    except (LinsepError, OSError) as error:
        print(f"linsep: {error}", file=sys.stderr)
        return 4
    print(f"The playground is {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
