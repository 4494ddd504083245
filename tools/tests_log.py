#!/usr/bin/env python3
"""Reads what ctest printed: tools/tests_log.py LOG. Names tests that passed only the second time, and the slowest 30."""
import pathlib
import re
import sys

# "Test #7: core/A.B ....   Passed    0.10 sec", "…***Failed …", "…Subprocess aborted***Exception: …"
LINE = re.compile(r"Test +#\d+: (\S+) .*?( Passed|\*\*\*).*? +([\d.]+) sec")


def main(path: str) -> None:
    runs: dict[str, list[tuple[str, float]]] = {}
    for name, result, seconds in LINE.findall(pathlib.Path(path).read_text(errors="replace")):
        runs.setdefault(name, []).append((result, float(seconds)))
    for name, results in sorted(runs.items()):
        if len(results) > 1 and results[-1][0] == " Passed":
            print(f"passed only the second time: {name}")
    slowest = sorted(((seconds, name) for name, results in runs.items() for _, seconds in results[-1:]), reverse=True)
    print(f"{len(runs)} tests in {sum(seconds for seconds, _ in slowest):.0f} s; the slowest:")
    for seconds, name in slowest[:30]:
        print(f"{seconds:7.1f} s  {name}")


if __name__ == "__main__":
    main(sys.argv[1])
