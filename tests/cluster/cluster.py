"""Runs workers over an engine on hosts that are network namespaces, and lets something happen to one of them."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMESPACES = str(ROOT / "tools" / "namespaces")
GLOO_RUN = str(ROOT / "tools" / "gloo_run")
BUILD = Path(os.environ["LINSEP_BUILD"]).resolve()
HOSTS = ["linsep1", "linsep2", "linsep3", "linsep4"]
RANK_VARIABLE = {"mpi": "OMPI_COMM_WORLD_RANK", "gloo": "LINSEP_GLOO_RANK"}


def engines():
    """The engines that were built."""
    return [name for name in ("mpi", "gloo") if (BUILD / f"liblinsep_{name}.so").exists()]


def set_up():
    """Makes the hosts; says why there can be none."""
    made = subprocess.run([NAMESPACES, "up", "--hosts", str(len(HOSTS))], capture_output=True, text=True)
    return made.stderr.strip() if made.returncode != 0 else ""


def tear_down():
    subprocess.run([NAMESPACES, "down"], check=True)


def command(engine, *words):
    """The command that runs `words` as one worker on each host."""
    if engine == "mpi":
        return [NAMESPACES, "mpirun", "-n", str(len(HOSTS)), *map(str, words)]
    return [GLOO_RUN, "-n", str(len(HOSTS)), "--interface", "eth0", "--namespaces", ",".join(HOSTS), "--",
            *map(str, words)]


class Run:
    """Workers that run; `finish` gives their exit code, output and seconds."""

    def __init__(self, engine, *words, environment=None):
        self.engine = engine
        self.words = words
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command(engine, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})}, start_new_session=True)

    def wait_for_line(self, text):
        for line in self.process.stdout:
            if text in line:
                return
        raise AssertionError(f"{self.words} ended without saying {text}: {self.process.stderr.read()}")

    def worker(self, rank):
        """The process of a worker."""
        wanted = f"{RANK_VARIABLE[self.engine]}={rank}".encode()
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                program = (folder / "cmdline").read_bytes().split(b"\0")[0].decode()
                if program == str(self.words[0]) and wanted in (folder / "environ").read_bytes().split(b"\0"):
                    return int(folder.name)
            except OSError:
                continue
        raise AssertionError(f"no worker {rank} of {self.words}")

    def workers_left(self):
        """The workers that still run, by rank; stopped ones count."""
        left = []
        for rank in range(len(HOSTS)):
            try:
                left.append((rank, self.worker(rank)))
            except AssertionError:
                continue
        return left

    def finish(self, timeout):
        try:
            output, errors = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            left = self.workers_left()
            os.killpg(self.process.pid, signal.SIGKILL)
            for _, process in left:
                os.kill(process, signal.SIGKILL)
            raise AssertionError(f"{self.engine} {self.words}: still runs after {timeout} seconds, workers {left}")
        return self.process.returncode, output, errors


def own_words(errors, program):
    """What the workers themselves said, without the launcher's words."""
    return [line for line in errors.splitlines() if re.match(rf"{program}: ", line)]


def harm(run, rank, how):
    """Lets a worker die, hang or lose its network."""
    if how == "kill":
        os.kill(run.worker(rank), signal.SIGKILL)
    elif how == "stop":
        os.kill(run.worker(rank), signal.SIGSTOP)
    else:
        subprocess.run(["ip", "-n", HOSTS[rank], "link", "set", "eth0", "down"], check=True)


def mend():
    for name in HOSTS:
        subprocess.run(["ip", "-n", name, "link", "set", "eth0", "up"], check=True)


if __name__ == "__main__":  # by hand: cluster.py ENGINE kill|stop|network RANK [SECONDS]
    engine, how, rank = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 20
    set_up()
    run = Run(engine, BUILD / "comm_check", "rounds", 300, environment={"LINSEP_WORKER_TIMEOUT": str(seconds)})
    run.wait_for_line("running")
    began = time.monotonic()
    harm(run, rank, how)
    code, _, errors = run.finish(60)
    print(f"{engine} {how} worker {rank}: exit code {code} after {time.monotonic() - began:.1f} s, left {run.workers_left()}")
    print(errors)
    mend()
