"""What every comparison needs: the programs, the data sets, interleaved repetition, and a table."""
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time


class Workshop:
    """Where things are. Throws SystemExit with a sentence when something is missing."""

    def __init__(self, build=None, rows=None, repeats=5, clock="wall"):
        self.root = pathlib.Path(__file__).resolve().parent.parent
        self.build = pathlib.Path(build) if build else self.root / "build" / "release"
        self.rows = rows
        self.repeats = repeats
        self.clock = clock
        self.data = pathlib.Path(os.environ.get("BENCH_DATA", self.root / "build" / "bench-data"))
        self.venv = pathlib.Path(os.environ.get("BENCH_VENV", self.root / "build" / "bench-venv"))
        self.linsep = self._need(self.build / "linsep", "build it: cmake --build --preset release")
        self.measure = self.build / "bench" / "linsep_measure"

    @staticmethod
    def _need(path, advice):
        if not path.exists():
            raise SystemExit(f"bench/run: {path} is missing; {advice}")
        return path

    def measured(self, *words):
        """One run of linsep_measure, as its JSON object."""
        self._need(self.measure, "build with -DLINSEP_BENCH=ON")
        return json.loads(output([self.measure, *words], env=dict(os.environ, LINSEP_MEASURE_CLOCK=self.clock)))

    def timed(self, words):
        """Seconds of a whole command, by wall clock or processor time."""
        begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        output(words)
        wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall if self.clock == "wall" else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def liblinear(self):
        found = shutil.which("liblinear-train")
        if not found:
            raise SystemExit("bench/run: liblinear-train is missing; apt-get install liblinear-tools")
        return found

    def peer_python(self):
        return self._need(self.venv / "bin" / "python", "run bench/setup")

    def generated(self, file, *words):
        """A data set by `linsep generate WORDS`, made when first needed."""
        path = self.data / file
        if not path.exists():
            self.data.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".partial")
            output([self.linsep, "generate", *words, "-o", partial])
            partial.rename(path)
        return path

    def sparse_set(self, rows=400_000):
        """Zipf columns, 47,236 features, 82 nonzeros per row, 5 % flipped labels. At 400,000 rows about 430 MB."""
        rows = self.rows or rows
        return self.generated(f"sparse-{rows}.svm", "sparse", "--rows", rows, "--seed", 1)


class Peer:
    """A script of this folder in a process with the peers' libraries, which keeps its data in memory: one JSON line in,
    one out. `before` are words before the command, such as `taskset`."""

    def __init__(self, shop, script, path, before=()):
        server = pathlib.Path(__file__).with_name(script)
        self.process = subprocess.Popen([*before, shop.peer_python(), server, path], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("bench/run: the peer's process ended; its message stands above")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def output(words, **more):
    """A command's standard output; what it says on standard error is shown when it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise SystemExit(f"bench/run: {' '.join(map(str, words))} failed:\n{done.stderr}")
    return done.stdout


def interleaved(repeats, **sides):
    """Calls every side once per round, so that a slow moment of the machine affects them all. Each side returns its
    seconds. Returns {side: list of seconds}."""
    seconds = {name: [] for name in sides}
    for done in range(repeats):
        for name, side in sides.items():
            seconds[name].append(side())
        print(f"  round {done + 1} of {repeats}", end="\r", file=sys.stderr, flush=True)
    return seconds


def against(what, peer, linsep, other, agrees, check, **more):
    """One row of results: medians, their ratio (above 1: linsep is faster), and how the two sides were found to agree."""
    mine, theirs = statistics.median(linsep), statistics.median(other)
    return {"what": what, "peer": peer, "linsep_seconds": mine, "peer_seconds": theirs, "ratio": theirs / mine,
            "agrees": bool(agrees), "check": check, "linsep_all": linsep, "peer_all": other, **more}


def seconds_text(seconds):
    if seconds is None:
        return "–"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def table(rows):
    head = ["what", "linsep", "peer", "its time", "ratio", "same result?"]
    lines = [head]
    for row in rows:
        ratio = "–" if row["ratio"] is None else f"{row['ratio']:.2f}"
        lines.append([row["what"], seconds_text(row["linsep_seconds"]), row["peer"], seconds_text(row["peer_seconds"]),
                      ratio, ("yes: " if row["agrees"] else "NO: ") + row["check"]])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text.insert(1, "-|-".join("-" * width for width in widths))
    return "\n".join("  " + line for line in text)


def machine():
    """The processor, which a figure is meaningless without."""
    model = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"processor": model, "cores": len(os.sched_getaffinity(0))}
