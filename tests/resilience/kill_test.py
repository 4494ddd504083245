#!/usr/bin/env python3
"""Kills a random process of a run at a random time with SIGKILL, again and again, and resumes it.

    kill_test.py --times 100                                 # on one machine
    kill_test.py --times 33 --engine mpi --workers 3

Every run must come to the model file and the answer of a run that was never stopped, byte for byte, seconds apart.
Prints how many kills there were and what they hit.
"""
import argparse
import collections
import random
import re
import statistics
import sys
import tempfile
import time

import runs


def one_kill(run, dice, counts, waits):
    """Starts or resumes the run and kills it. Returns whether it had ended before."""
    process = run.start()
    time.sleep(dice.uniform(0, run.seconds))
    killed = run.kill(process, dice)
    began = time.monotonic()
    out, err = run.wait(process)
    if process.returncode == 0:
        counts["came too early or too late"] += 1
        assert run.answer_of(out, "run.model") == run.expected, f"{run.name}: not the same bits"
        return True
    assert killed, f"{run.name}: code {process.returncode}: {err}"
    counts["kills"] += 1
    waits.append(time.monotonic() - began)
    counts["while a checkpoint was being written"] += any(path.name.endswith(".tmp") for path in run.checkpoints())
    counts["before the first pass"] += not any(path.suffix != ".tmp" for path in run.checkpoints())
    found = re.search(r"resumes after pass (\d+)", err)
    counts["of a run that had been resumed"] += found is not None
    return False


def one_run(run, kills, dice, counts, waits):
    """A run that is killed up to `kills` times; returns how often it was."""
    made = 0
    ended = False
    while made < kills and not ended:
        ended = one_kill(run, dice, counts, waits)
        made += not ended
    if not ended:
        assert run.finished(run.start()) == run.expected, f"{run.name}: not the same bits"
    assert not any(path.name.endswith(".tmp") for path in run.checkpoints()), "a temporary file was left behind"
    run.forget()
    counts["runs to the same bits"] += 1
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10, help="how many kills")
    parser.add_argument("--engine", choices=sorted(runs.ENGINES), default="single")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--runs", nargs="*", help="only these")
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(10**6)
    dice = random.Random(seed)
    engine = runs.ENGINES[chosen.engine](chosen.workers)
    counts = collections.Counter()
    waits = []  # seconds from a kill until no process was left
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runs.generate(folder)
        known = {}
        while counts["kills"] < chosen.times:
            name = dice.choice(chosen.runs or engine.runs)
            if name not in known:
                known[name] = runs.Run(folder, engine, name)
                known[name].unbroken()
            one_run(known[name], min(dice.randint(1, 4), chosen.times - counts["kills"]), dice, counts, waits)
    counts["launchers that stayed when their workers were gone"] = sum(run.launchers_ended for run in known.values())
    print(f"engine {engine.name}, workers {engine.workers}, seed {seed}, {time.monotonic() - began:.0f} s")
    print(f"  ended {statistics.median(waits):.2f} s after a kill (median), {max(waits):.2f} s at most")
    for what, count in sorted(counts.items()):
        print(f"  {count:4d} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
