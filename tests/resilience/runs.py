"""Runs of linsep that can be killed, on one machine or as several workers, and what they must come to.

LINSEP names the program. An engine turns the words after `linsep` into a command and says which of its processes are
workers.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

PROGRAM = os.path.abspath(os.environ.get("LINSEP", "build/release/linsep"))
REPOSITORY = Path(__file__).resolve().parents[2]

# What is generated, and what is trained on it: a second or so each with a checkpoint every pass.
DATA = {
    "noisy": ["noisy", "--rows", "4000", "--features", "20"],
    "small": ["noisy", "--rows", "300", "--features", "4"],
    "separable": ["separable", "--rows", "2000", "--features", "12", "--margin", "0.002"],
    "classes": ["classes", "--rows", "600", "--features", "60"],
}
RUNS = {
    "perceptron": ["noisy", "--learner", "perceptron", "--passes", "150", "--order", "shuffled"],
    "averaged": ["noisy", "--learner", "perceptron", "--passes", "150", "--variant", "averaged"],
    "voted": ["small", "--learner", "perceptron", "--passes", "150", "--variant", "voted", "--order", "drawn"],
    "classes": ["classes", "--learner", "perceptron", "--passes", "100"],
    "joint": ["classes", "--learner", "perceptron", "--passes", "100", "--multiclass", "joint"],
    "kernel": ["small", "--learner", "dual", "--kernel", "gaussian", "--passes", "100"],
    "regression": ["noisy", "--learner", "regression", "--rate", "0.0001", "--passes", "150"],
    "cg": ["noisy", "--learner", "least-squares", "--matrix", "cg", "--map", "products", "--tolerance", "1e-14"],
    "hinge": ["noisy", "--learner", "margin", "--solver", "dual", "--C", "100", "--passes", "150"],
    "interior": ["noisy", "--learner", "margin", "--solver", "interior", "--C", "100"],
    "planes": ["noisy", "--learner", "margin", "--solver", "planes"],
    "squared": ["noisy", "--learner", "margin", "--loss", "squared-hinge", "--gap", "1e-9"],
    "logistic": ["noisy", "--learner", "margin", "--loss", "logistic", "--gap", "1e-9"],
    "softmax": ["classes", "--learner", "margin", "--loss", "softmax", "--gap", "1e-9"],
    "folds": ["small", "--learner", "margin", "--Cs", "0.1:10:4", "--cv", "3"],
    "hard": ["separable", "--learner", "margin", "--hard", "--gap", "1e-9"],
}
# Those that several workers can do.
SHARED = ["perceptron", "averaged", "classes", "joint", "regression", "cg", "planes", "squared", "logistic", "softmax"]


def generate(folder):
    """Writes every data set."""
    for name, words in DATA.items():
        subprocess.run([PROGRAM, "generate", *words, "-o", f"{name}.svm"], cwd=folder, check=True)


def children(process):
    """The processes below one, itself included."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parents.setdefault(int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
        except (OSError, IndexError):
            pass  # it has ended meanwhile
    found, waiting = [], [process]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += parents.get(one, [])
    return found


def worker_processes(process):
    """Those below one that run linsep."""
    found = []
    for one in children(process):
        try:
            if os.path.samefile(f"/proc/{one}/exe", PROGRAM):
                found.append(one)
        except OSError:
            pass  # it has ended meanwhile
    return found


def state_of(process):
    """What a process is and does, for a message."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0].decode()
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        waits = sorted({path.read_text() for path in Path(f"/proc/{process}/task").glob("*/wchan")})
    except OSError:
        return process, "gone"
    return process, os.path.basename(words), state, waits


class Single:
    """One process."""

    name, runs, environment = "single", list(RUNS), {}

    def __init__(self, workers):
        self.workers = 1

    def command(self, words):
        return [PROGRAM, *words]


class Mpi:
    """Workers that mpirun starts."""

    name, runs = "mpi", SHARED
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def __init__(self, workers):
        self.workers = workers

    def command(self, words):
        return ["mpirun", "--oversubscribe", "-n", str(self.workers), PROGRAM, *words]


class Gloo:
    """Workers that tools/gloo_run starts."""

    name, runs, environment = "gloo", SHARED, {}

    def __init__(self, workers):
        self.workers = workers

    def command(self, words):
        return [str(REPOSITORY / "tools/gloo_run"), "-n", str(self.workers), "--", PROGRAM, *words]


ENGINES = {engine.name: engine for engine in (Single, Mpi, Gloo)}


class Run:
    """One learner on its data, under one engine, in a folder that holds the data."""

    def __init__(self, folder, engine, name):
        self.folder, self.engine, self.name = Path(folder), engine, name
        data, *options = RUNS[name]
        self.words = ["train", f"{data}.svm", *options, "--json"]
        self.launchers_ended = 0

    def unbroken(self):
        """The answer and the model of a run that isn't stopped, and how long it takes with checkpoints."""
        began = time.monotonic()
        self.seconds = 10.0
        answer = self.finished(self.start())
        self.seconds = time.monotonic() - began
        self.forget()
        done = subprocess.run(
            self.engine.command([*self.words, "-o", "whole.model"]),
            cwd=self.folder,
            env={**os.environ, **self.engine.environment},
            capture_output=True,
            check=True,
        )
        self.expected = self.answer_of(done.stdout, "whole.model")
        assert answer == self.expected, f"{self.name}: checkpoints changed the answer"
        return self.seconds

    def start(self):
        words = [*self.words, "-o", "run.model", "--checkpoint", "run.ckpt", "--every", "1", "--resume"]
        return subprocess.Popen(
            self.engine.command(words),
            cwd=self.folder,
            env={**os.environ, **self.engine.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def kill(self, process, random):
        """Kills one of the workers. Returns whether there was one to kill."""
        alive = worker_processes(process.pid)
        if not alive or process.poll() is not None:
            return False
        try:
            os.kill(random.choice(alive), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def wait(self, process, limit=60):
        """Waits for the end of a run, killed or not. Workers that hang are a failure.

        A launcher that stays though its workers are gone is ended and counted: Open MPI's mpirun now and then does.
        """
        for waited in range(limit):
            try:
                out, err = process.communicate(timeout=1)
                return out, err.decode(errors="replace")
            except subprocess.TimeoutExpired:
                if waited >= 10 and not worker_processes(process.pid):
                    self.launchers_ended += 1
                    process.kill()
        left = [state_of(one) for one in children(process.pid)]
        for one in children(process.pid):
            os.kill(one, signal.SIGKILL)
        raise AssertionError(f"{self.name}: still there after {limit} s: {left}")

    def finished(self, process):
        """The answer of a run that must come to its end."""
        out, err = self.wait(process, 300)
        assert process.returncode == 0, f"{self.name}: code {process.returncode}: {err}"
        return self.answer_of(out, "run.model")

    def answer_of(self, out, model):
        answer = json.loads(out)
        for field in ("seconds", "model"):
            answer.pop(field)
        return answer, (self.folder / model).read_bytes()

    def checkpoints(self):
        return sorted(path for path in self.folder.iterdir() if path.name.startswith("run.ckpt"))

    def forget(self):
        for path in self.checkpoints():
            path.unlink()


def have(tool):
    return shutil.which(tool) is not None
