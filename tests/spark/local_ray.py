#!/usr/bin/env python3
"""A Ray of its own on this machine: `local_ray.py -- COMMAND …` runs a command whose ray.init() connects to it.

The raylet ends itself if one of its agents takes more than 15 seconds to start, as on a busy machine
(https://github.com/ray-project/ray/issues/65983): then it is started again. Ends with 77 where Ray is missing.
"""
import contextlib
import importlib.util
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

from standalone import HOST, SKIPPED, free_port, parent_of

START_SECONDS = 60  # of an attempt
ATTEMPTS = 6


class Ray:
    """A head node, from `with` to its end."""

    def __init__(self, cpus=4):
        self.cpus, self.seen = cpus, {}  # processes, which outlive a Ray that has given up
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ray-"))  # short: sockets lie in it
        self.environment = {
            **os.environ, "RAY_raylet_start_wait_time_s": str(START_SECONDS), "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0",
            "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32),  # of its own: a token in the home folder is somebody else's
            "PYTHONUNBUFFERED": "1"}  # else what it says doesn't reach its log

    def __enter__(self):
        try:
            for _ in range(ATTEMPTS):
                said = self._start()
                if "Ray runtime started" in said:
                    self.environment["RAY_ADDRESS"] = re.search(rf"[\w.:-]+:{self.port}", said).group()  # of the interface that Ray chose
                    return self
                self._stop()
            raise RuntimeError(f"Ray doesn't start, {ATTEMPTS} times; the last time:\n{said[-3000:]}")
        except BaseException:
            self.__exit__()
            raise

    def _start(self):
        """What Ray says until it runs, or until it has given up."""
        self.port = free_port()
        fixed = ("metrics-export-port", "dashboard-agent-grpc-port", "dashboard-agent-listen-port", "runtime-env-agent-port")
        words = [word for name in fixed for word in (f"--{name}", str(free_port()))]
        log = self.folder / "start.log"
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--node-ip-address", HOST, "--port", str(self.port), *words,
                 "--include-dashboard", "false", "--num-cpus", str(self.cpus), "--object-store-memory", "150000000", "--temp-dir", str(self.folder)],
                env=self.environment, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 2 * START_SECONDS
        while "Ray runtime started" not in log.read_text(encoding="utf-8") and self.process.poll() is None and time.monotonic() < deadline:
            self.seen.update(self.processes())
            time.sleep(0.5)
        return log.read_text(encoding="utf-8")

    def __exit__(self, *_):
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _stop(self):
        running = {**self.seen, **self.processes()}
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for process, title in running.items():  # what it left
            if title_of(process) == title:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, 9)

    def processes(self, title=""):
        """Those that this Ray has started and that run now, and their titles, by the beginning of these."""
        found = {}
        for folder in pathlib.Path("/proc").iterdir():
            if folder.name.isdigit() and self._started(int(folder.name)) and (own := title_of(folder.name)).startswith(title):
                found[int(folder.name)] = own
        return found

    def _started(self, process):
        while process is not None and process > 1:
            process = parent_of(process)
            if process == self.process.pid:
                return True
        return False


def title_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_text(errors="replace")
    except OSError:
        return "(ended)"


if __name__ == "__main__":
    if importlib.util.find_spec("ray") is None:
        print("not run: there is no ray")
        sys.exit(SKIPPED)
    with Ray() as running:
        code = subprocess.run(sys.argv[2:], env=running.environment).returncode
    sys.exit(code)
