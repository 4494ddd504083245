"""Workers over Gloo beside strangers: other users of the host (strangers.py, as another uid) and somebody on the way between
two workers. No run may end with another model, and one that ends without a model must say why. Everything happens on the
loopback of a network namespace of its own; skipped where there can be none. LINSEP_STRANGER_RUNS says how many runs [6]."""

import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections import Counter
from pathlib import Path

PROGRAM = str(Path(os.environ["LINSEP_BUILD"]).resolve() / "linsep")
STRANGERS = str(Path(__file__).with_name("strangers.py"))
STRANGER = 65534  # the uid of nobody
RUNS = int(os.environ.get("LINSEP_STRANGER_RUNS", "6"))
WORKERS = 4
CLEAR = ["can't be reached", "didn't connect in time", "doesn't know this run's secret", "was altered on its way",
         "ended before all workers were connected", "ended unexpectedly", "was cut", "has not answered"]


def start_inside():
    """Starts this script anew in a network namespace; as an own user's root where this isn't root's."""
    words = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--net", "--map-root-user"]
    if subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        print("skipped: no network namespace can be made")
        return 77
    inside = f'ip link set lo up && exec "{sys.executable}" -B "$0" "$@"'
    environment = {**os.environ, "LINSEP_STRANGERS_INSIDE": str(os.geteuid())}
    return subprocess.run([*words, "sh", "-c", inside, *sys.argv], env=environment).returncode


class Workers:
    """Workers of one run that trains a model, started one by one."""

    def __init__(self, folder, name, workers=WORKERS):
        self.folder, self.name, self.size = folder, name, workers
        self.model = folder / f"{name}.model"
        self.processes = []

    def start(self):
        environment = {**os.environ, "LINSEP_GLOO_RANK": str(len(self.processes)), "LINSEP_GLOO_SIZE": str(self.size),
                       "LINSEP_GLOO_DIR": str(self.folder), "LINSEP_GLOO_RUN": self.name, "LINSEP_WORKER_TIMEOUT": "10"}
        words = [PROGRAM, "train", str(self.folder / "data.svm"), "--learner", "basic", "-o", str(self.model), "--quiet"]
        self.processes.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                               env=environment))

    def finish(self, seconds=90):
        """Exit codes, all that was said, and by how many seconds the last worker outlived the first."""
        began, ends, said = time.monotonic(), [], []
        left = list(self.processes)
        while left:
            for process in [process for process in left if process.poll() is not None]:
                left.remove(process)
                ends.append(time.monotonic())
                said.append(process.communicate()[1])
            if time.monotonic() - began > seconds:
                for process in left:
                    process.kill()
                raise AssertionError(f"{len(left)} workers still run after {seconds} seconds")
            time.sleep(0.005)
        return [process.returncode for process in self.processes], "".join(said), ends[-1] - ends[0]


class StrangersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.run_alone("generate", "noisy", "--rows", "3000", "--features", "20", "-o", "data.svm")
        cls.run_alone("train", "data.svm", "--learner", "basic", "-o", "alone.model", "--quiet")
        cls.alone = (cls.folder / "alone.model").read_bytes()

    @classmethod
    def run_alone(cls, *words):
        subprocess.run([PROGRAM, *words], check=True, capture_output=True, cwd=cls.folder)

    def outcome(self, workers):
        """"the model", or why there is none."""
        codes, said, apart = workers.finish()
        if codes == [0] * workers.size:
            self.assertEqual(workers.model.read_bytes(), self.alone, "ANOTHER MODEL")
            return "the model", apart
        self.assertFalse(workers.model.exists(), said)
        self.assertEqual(set(codes), {4}, said)
        for words in CLEAR:
            if words in said:
                return words, apart
        raise AssertionError(f"no clear message: {said!r}")


class OnTheHost(StrangersTest):
    def strangers(self, *roles):
        """Strangers that run until the test's end, as another user where this is root's."""
        as_other = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]
        other = as_other if os.environ["LINSEP_STRANGERS_INSIDE"] == "0" else []
        with open(STRANGERS, encoding="utf-8") as program:  # which that user may not be able to read
            text = program.read()
        for role in roles:
            process = subprocess.Popen([*other, sys.executable, "-c", text, role, str(40 * RUNS)], cwd="/",
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), "ready\n")
            self.addCleanup(self.end, process)
            yield role, process

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def test_a_relay_a_rebinder_fifty_silent_callers_and_a_scanner(self):
        chance = random.Random(int(os.environ.get("LINSEP_SEED", "1")))
        started = dict(self.strangers("relay", "rebinder", "silent", "scanner"))
        outcomes, longest, longest_apart = Counter(), 0.0, 0.0
        for run in range(RUNS):
            workers = Workers(self.folder, f"run{run}")
            began = time.monotonic()
            for rank in range(WORKERS):
                if rank > 0:
                    time.sleep(chance.choice([0, 0, 0.05, 0.3, 1.5]))
                workers.start()
            outcome, apart = self.outcome(workers)
            outcomes[outcome] += 1
            longest, longest_apart = max(longest, time.monotonic() - began), max(longest_apart, apart)
        took = {}
        for role, process in started.items():
            process.kill()
            took[role] = Counter(line.split()[0] for line in process.communicate()[0].splitlines())
        print(f"{RUNS} runs of {WORKERS} workers beside strangers: {dict(outcomes)}; the longest took {longest:.1f} s; "
              f"a worker outlived another by {longest_apart:.1f} s at most; strangers got {took}")
        self.assertEqual(outcomes, {"the model": RUNS})
        self.assertEqual([role["altered"] for role in took.values()], [0] * len(took))

    def test_what_workers_tell_each_other_is_for_their_user_alone(self):
        workers = Workers(self.folder, "files")
        for _ in range(WORKERS):
            workers.start()
        self.assertEqual(self.outcome(workers)[0], "the model")
        self.assertEqual([path.stat().st_mode & 0o777 for path in self.folder.glob("files.*") if path.suffix != ".model"],
                         [0o600] * WORKERS)

    def test_a_folder_that_others_may_write_to_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            environment = {**os.environ, "LINSEP_GLOO_RANK": "0", "LINSEP_GLOO_SIZE": "2", "LINSEP_GLOO_DIR": folder,
                           "LINSEP_GLOO_RUN": "open"}
            ran = subprocess.run([PROGRAM, "train", str(self.folder / "data.svm"), "-o", str(self.folder / "open.model")],
                                 capture_output=True, text=True, env=environment)
            self.assertEqual(ran.returncode, 2, ran.stderr)
            self.assertIn("other users may write to", ran.stderr)
            self.assertEqual(os.listdir(folder), [])


class OnTheWay(StrangersTest):
    """Worker 1 is led to worker 0 by way of a relay: the file by which worker 0 is found names the relay's port."""

    def between(self, name, alter):
        workers = Workers(self.folder, name, workers=2)
        workers.start()
        card = self.folder / f"{name}.0"
        while not card.exists():
            time.sleep(0.005)
        bytes_of_card = bytearray(card.read_bytes())
        relay = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(relay.close)
        at = len(bytes_of_card) - 16 + 2  # the port in the last bytes, an IPv4 address as the system lays it out
        port = struct.unpack_from(">H", bytes_of_card, at)[0]
        struct.pack_into(">H", bytes_of_card, at, relay.getsockname()[1])
        card.write_bytes(bytes_of_card)
        threading.Thread(target=self.serve, args=(relay, port, alter), daemon=True).start()
        workers.start()
        return workers

    def serve(self, relay, port, alter):
        while True:
            try:
                caller, _ = relay.accept()
            except OSError:
                return
            called = socket.create_connection(("127.0.0.1", port))
            for one, other in ((caller, called), (called, caller)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self.pass_on, args=(one, other, alter), daemon=True).start()

    @staticmethod
    def pass_on(one, other, alter):
        place = 0
        try:
            while piece := one.recv(1 << 16):
                other.sendall(alter(bytearray(piece), place))
                place += len(piece)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            one.close()
            other.close()

    def test_one_that_passes_on_what_comes_changes_nothing(self):
        self.assertEqual(self.outcome(self.between("relay", lambda piece, _: piece))[0], "the model")

    def test_one_that_alters_anything_is_noticed(self):
        for where in (60, 90, 130, 300, 1000, 3000):  # behind the 56 and 32 bytes by which the workers prove who they are
            def alter(piece, place, where=where):
                if place <= where < place + len(piece):
                    piece[where - place] ^= 1
                return piece
            with self.subTest(where=where):
                self.assertEqual(self.outcome(self.between(f"altered{where}", alter))[0], "was altered on its way")

    def test_one_that_alters_what_proves_who_they_are_is_noticed(self):
        for where in (3, 8, 20, 30, 50):
            def alter(piece, place, where=where):
                if place <= where < place + len(piece):
                    piece[where - place] ^= 1
                return piece
            with self.subTest(where=where):
                self.assertNotEqual(self.outcome(self.between(f"proof{where}", alter))[0], "the model")

    def test_one_that_cuts_the_way_is_noticed(self):
        def cut(piece, place):
            if place > 500:
                raise OSError
            return piece
        self.assertNotEqual(self.outcome(self.between("cut", cut))[0], "the model")


if __name__ == "__main__":
    if "LINSEP_STRANGERS_INSIDE" not in os.environ:
        sys.exit(start_inside())
    unittest.main(warnings="ignore")  # relays leave their sockets to the end
