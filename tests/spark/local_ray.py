#!/usr/bin/env python3
"""A Ray of its own on this machine: `local_ray.py -- COMMAND …` runs a command whose ray.init() connects to it.

Its ports are fixed beforehand: where Ray chooses them, the raylet ends itself if an agent takes more than 15 seconds to start, as on a busy
machine (https://github.com/ray-project/ray/issues/65983). Ends with 77 where Ray is missing.
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

from standalone import HOST, SKIPPED, free_port

START_SECONDS = 300
MARK = "LINSEP_TEST_RAY"


class Ray:
    """A head node, from `with` to its end."""

    def __init__(self, cpus=4):
        self.cpus, self.mark = cpus, uuid.uuid4().hex
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ray-"))  # short: sockets lie in it
        self.environment = {**os.environ, MARK: self.mark, "RAY_raylet_start_wait_time_s": str(START_SECONDS), "RAY_DISABLE_IMPORT_WARNING": "1",
                            "RAY_USAGE_STATS_ENABLED": "0"}

    def __enter__(self):
        port = free_port()
        fixed = ("metrics-export-port", "dashboard-agent-grpc-port", "dashboard-agent-listen-port", "runtime-env-agent-port")
        words = [word for name in fixed for word in (f"--{name}", str(free_port()))]
        self.log = open(self.folder / "start.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--node-ip-address", HOST, "--port", str(port), *words,
             "--include-dashboard", "false", "--num-cpus", str(self.cpus), "--object-store-memory", "150000000", "--temp-dir", str(self.folder)],
            env=self.environment, stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        self.environment["RAY_ADDRESS"] = f"{HOST}:{port}"
        deadline = time.monotonic() + START_SECONDS
        while "Ray runtime started" not in (said := (self.folder / "start.log").read_text(encoding="utf-8")):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError(f"Ray doesn't start:\n{said[-3000:]}")
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for process in self.processes():  # what it left
            try:
                os.kill(process, 9)
            except ProcessLookupError:
                continue
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def processes(self, title=""):
        """Those of this Ray that run now, by the beginning of their title."""
        found, wanted = [], f"{MARK}={self.mark}".encode()
        for folder in pathlib.Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and int(folder.name) != os.getpid() and (folder / "cmdline").read_text().startswith(title):
                    if wanted in (folder / "environ").read_bytes().split(b"\0"):
                        found.append(int(folder.name))
            except (OSError, UnicodeDecodeError):
                continue
        return found


if __name__ == "__main__":
    if importlib.util.find_spec("ray") is None:
        print("not run: there is no ray")
        sys.exit(SKIPPED)
    with Ray() as running:
        code = subprocess.run(sys.argv[2:], env={**running.environment, MARK: ""}).returncode
    sys.exit(code)
