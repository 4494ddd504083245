#!/usr/bin/env python3
"""A Spark cluster on loopback: one standalone master, two workers, and a Spark Connect server if wanted. All real processes.

    standalone.py [--connect] [--memory 2g] -- COMMAND …     runs COMMAND on a cluster of its own
    with standalone.Cluster() as cluster: cluster.session()   the same from Python

COMMAND finds the cluster in its environment: SparkSession.builder.getOrCreate() connects to it. PYTHONPATH reaches the executors.
Ends with 77 where pyspark or Java is missing. Logs are kept, and named, when something fails.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
HOST = "127.0.0.1"
START_SECONDS = 120  # a busy machine takes its time to start a JVM


def missing():
    """Why no cluster can be started here, or an empty string."""
    try:
        import pyspark  # noqa: F401
    except ImportError as error:
        return f"not run: {error}"
    return "" if shutil.which("java") else "not run: there is no java"


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def parent_of(process):
    """The parent's number, or None of a process that has ended. The name before it may contain spaces and brackets."""
    try:
        return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return None


class Cluster:
    """Master and workers, from `with` to its end. `settings` are Spark's, for every session."""

    def __init__(self, workers=2, cores=1, memory="1g", executor_memory="768m", driver_memory="768m", settings=None):
        import pyspark

        self.home = pathlib.Path(os.environ.get("SPARK_HOME") or pathlib.Path(pyspark.__file__).parent)
        self.number, self.cores, self.memory = workers, cores, memory
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="linsep-spark-"))
        self.processes = {}
        self.environment = {
            **os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": HOST, "SPARK_PUBLIC_DNS": HOST,
            "SPARK_DAEMON_MEMORY": "256m", "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable,
            "SPARK_LOG_DIR": str(self.folder), "SPARK_WORKER_DIR": str(self.folder / "work")}
        self.settings = {
            "spark.executor.cores": cores, "spark.cores.max": workers * cores, "spark.executor.memory": executor_memory,
            "spark.driver.memory": driver_memory, "spark.driver.host": HOST, "spark.ui.enabled": "false",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0", "spark.sql.shuffle.partitions": workers * cores,
            "spark.local.dir": str(self.folder / "local"), **(settings or {})}
        self.url = self.remote = ""

    def __enter__(self):
        try:
            port = free_port()
            self._start("master", "org.apache.spark.deploy.master.Master", "--host", HOST, "--port", port, "--webui-port", 0)
            self._wait_for("master", "I have been elected leader|New state: ALIVE")
            self.url = f"spark://{HOST}:{port}"
            for k in range(self.number):
                self._start(f"worker{k}", "org.apache.spark.deploy.worker.Worker", "--host", HOST, "--webui-port", 0, "-c",
                            self.cores, "-m", self.memory, "-d", self.folder / f"work{k}", self.url)
            for k in range(self.number):
                self._wait_for(f"worker{k}", "Successfully registered with master")
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, kind, *_):
        for process in reversed(self.processes.values()):  # each in a group of its own, with its executors
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.wait(10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    continue
        if kind is None or issubclass(kind, SystemExit):
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            print(f"The cluster's logs are in {self.folder}", file=sys.stderr)

    def _start(self, name, program, *words, **environment):
        with open(self.folder / f"{name}.log", "wb") as log:
            self.processes[name] = subprocess.Popen(
                [self.home / "bin" / "spark-class", program, *map(str, words)], env={**self.environment, **environment}, cwd=self.folder, stdout=log,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)

    def _wait_for(self, name, pattern):
        log, deadline = self.folder / f"{name}.log", time.monotonic() + START_SECONDS
        while not re.search(pattern, log.read_text(errors="replace")):
            if self.processes[name].poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Spark's {name} doesn't start:\n" + log.read_text(errors="replace")[-3000:])
            time.sleep(0.1)

    def connect(self, **settings):
        """Starts a Spark Connect server on this cluster; returns its address. It takes all cores: no other session beside it."""
        port = free_port()
        chosen = {**self.settings, **settings, "spark.connect.grpc.binding.port": port, "spark.connect.grpc.binding.address": HOST}
        words = [word for name, value in chosen.items() for word in ("--conf", f"{name}={value}")]
        self._start("connect", "org.apache.spark.deploy.SparkSubmit", "--master", self.url, *words, "--class",
                    "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal",
                    SPARK_DAEMON_MEMORY=self.settings["spark.driver.memory"])  # the server's heap has this name for it
        self._wait_for("connect", "Spark Connect server started")
        self.remote = f"sc://{HOST}:{port}"
        return self.remote

    def session_environment(self):
        """What makes SparkSession.builder.getOrCreate() of another process connect to this cluster."""
        if self.remote:
            return {**self.environment, "SPARK_REMOTE": self.remote, "SPARK_CONNECT_MODE_ENABLED": "1"}
        words = ["--master", self.url, *(w for n, v in self.settings.items() for w in ("--conf", f"{n}={v}"))]
        return {**self.environment, "PYSPARK_SUBMIT_ARGS": " ".join([*words, "pyspark-shell"])}

    def session(self, **settings):
        """A session of this process. The names of settings have _ for every dot."""
        from pyspark.sql import SparkSession

        os.environ.update(self.session_environment())
        builder = SparkSession.builder
        for name, value in settings.items():
            builder = builder.config(name.replace("_", "."), value)
        return builder.getOrCreate()

    def processor_seconds(self):
        """Of the workers with their executors, and of this process with its driver: what each has used until now."""
        stats = {}
        for folder in pathlib.Path("/proc").iterdir():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split() if folder.name.isdigit() else []
            except OSError:
                continue
            if fields:
                stats[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15]))  # parent; own time, and that of children that ended
        roots = {os.getpid(), *(process.pid for process in self.processes.values())}
        ticks, below = 0, dict.fromkeys(roots, True)

        def belongs(process):
            if process not in below:
                below[process] = process in stats and belongs(stats[process][0])
            return below[process]

        for process in stats:
            ticks += stats[process][1] if belongs(process) else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def executors(self):
        """The processes of executors that run now: {worker's number: [process, …]}."""
        found = {k: [] for k in range(self.number)}
        owner = {self.processes[f"worker{k}"].pid: k for k in found}
        for folder in pathlib.Path("/proc").iterdir():
            if folder.name.isdigit() and (parent := parent_of(folder.name)) in owner:
                try:
                    if b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes():
                        found[owner[parent]].append(int(folder.name))
                except OSError:
                    continue
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connect", action="store_true", help="the command's sessions are those of a Spark Connect server")
    parser.add_argument("--memory", default="1g", help="of a worker [1g]")
    parser.add_argument("--executor-memory", default="768m", help="of an executor's JVM [768m]")
    parser.add_argument("command", nargs="+", help="after --")
    given = parser.parse_args()
    if reason := missing():
        print(reason)
        return SKIPPED
    try:
        with Cluster(memory=given.memory, executor_memory=given.executor_memory) as cluster:
            if given.connect:
                cluster.connect()
            subprocess.run(given.command, env=cluster.session_environment(), check=True)
    except subprocess.CalledProcessError as failed:
        return failed.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
