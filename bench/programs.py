#!/usr/bin/env python3
"""Two programs beside each other, such as the static one and the ordinary build: bench/programs.py ONE OTHER [--repeats 5] [--only WORD]

Runs are interleaved, and each prints the median seconds of both by the wall clock and of the processor, with the ratio of OTHER to
ONE: above 1, OTHER is slower. Ends with 1 where it is beyond `--most`, by the wall clock or by the one of `--clock`: a machine that has
other work to do disturbs processor seconds less. The last column says whether both wrote the same bytes, which two builds
of one version must. Data sets are made by ONE in build/bench-data (or $BENCH_DATA).
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MADE = {
    "sparse": ["sparse", "--rows", "200000", "--seed", "1"],
    "dense": ["noisy", "--rows", "100000", "--features", "50", "--margin", "0.001", "--format", "csv"],
    "separable": ["separable", "--rows", "100000", "--features", "50", "--margin", "0.001", "--format", "csv"],
    "overlapping": ["noisy", "--rows", "100000", "--features", "50", "--margin", "0.001", "--flips", "1", "--format", "csv"],
}
# A command, its data set and options. One pass of the perceptron takes a tenth of the time of reading.
RUNS = {
    "read, sparse": ["train", "sparse", "--learner", "perceptron", "--passes", "1", "--threads", "1"],
    "read, CSV": ["train", "dense", "--learner", "perceptron", "--passes", "1", "--threads", "1"],
    "pass, 40 of them": ["train", "sparse", "--learner", "perceptron", "--passes", "40", "--threads", "1"],
    "hinge": ["train", "sparse", "--learner", "margin", "--threads", "1"],
    "hinge, dense": ["train", "dense", "--learner", "margin", "--threads", "1"],
    "logistic": ["train", "sparse", "--learner", "margin", "--loss", "logistic", "--threads", "1"],
    "certify, separable": ["certify", "separable"],
    "certify, overlapping": ["certify", "overlapping"],
}


def made(name, folder, program):
    path = folder / f"programs-{name}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([program, "generate", *MADE[name], "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    return str(path)


def measure(command):
    """Seconds of a whole command by the wall clock and of the processor."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return wall, used.ru_utime + used.ru_stime


def compare(programs, words, repeats, folder):
    """Medians (wall, processor) of each program, and whether all files written are the same."""
    figures, written = [[] for _ in programs], set()
    for _ in range(repeats):
        for program, found in zip(programs, figures):
            result = pathlib.Path(folder) / "result.json"
            found.append(measure([program, *words, "-o", str(result)]))
            written.add(result.read_bytes())
    return [[statistics.median(column) for column in zip(*rows)] for rows in figures], len(written) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="runs whose names have this word")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--most", type=float, default=1.05)
    given = parser.parse_args()
    programs = [str(pathlib.Path(path).resolve()) for path in (given.one, given.other)]
    data = pathlib.Path(os.environ.get("BENCH_DATA", ROOT / "build" / "bench-data"))
    print("| run | seconds, one | other | ratio | processor, one | other | ratio | same bytes |\n|---|---|---|---|---|---|---|---|")
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (command, source, *words) in RUNS.items():
            if given.only not in name:
                continue
            path = made(source, data, programs[0])
            (one, other), same = compare(programs, [command, path, *words], given.repeats, folder)
            wall, cpu = (there / max(here, 1e-9) for here, there in zip(one, other))
            print(f"| {name} | {one[0]:.3f} | {other[0]:.3f} | {wall:.2f} | {one[1]:.3f} | {other[1]:.3f} | {cpu:.2f} | "
                  f"{'yes' if same else 'no'} |", flush=True)
            slow += (wall if given.clock == "wall" else cpu) > given.most
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
