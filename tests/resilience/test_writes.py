"""A kill or an error at every single step of writing a checkpoint: the file is always the old or the new one."""

import os
import resource
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import runs

# A few checkpoints; one thread, so that system calls come in one order.
TRAIN = ["train", "noisy.svm", "--learner", "perceptron", "--passes", "4", "--threads", "1", "-o", "run.model"]
KEEPING = ["--checkpoint", "run.ckpt", "--every", "1", "--resume"]
STEPS = ["openat", "write", "fsync", "close", "linkat", "rename", "unlink"]


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.run_program("generate", "noisy", "--rows", "100", "--features", "4", "-o", "noisy.svm")
        self.run_program(*TRAIN)
        self.model = (self.folder / "run.model").read_bytes()

    def run_program(self, *words, before=(), code=0, **how):
        done = subprocess.run([*before, runs.PROGRAM, *words], cwd=self.folder, capture_output=True, **how)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr.decode())
        return done

    def traced(self, *options):
        return ["strace", "-f", "-qq", "-y", "-o", "trace", *options]

    def steps_of_checkpoints(self):
        """(system call, how manieth of its kind in the process) for every step that touches a checkpoint."""
        self.run_program(*TRAIN, *KEEPING, before=self.traced("-e", "trace=" + ",".join(STEPS)))
        seen, found = {}, []
        for line in (self.folder / "trace").read_text().splitlines():
            call = line.split("(", 1)[0].split()[-1]
            if call not in STEPS:
                continue
            seen[call] = seen.get(call, 0) + 1
            directory = call in ("fsync", "openat") and f"{self.folder}>)" in line
            nameless = f"{self.folder}/#" in line  # the model's among them
            if "run.ckpt" in line or directory or nameless:
                found.append((call, seen[call]))
        self.forget()
        return found

    def forget(self):
        for path in self.folder.glob("run.*"):
            path.unlink()

    def goes_on(self, message):
        """The file is whole or not there, and a resumed run comes to the same model."""
        self.run_program(*TRAIN, *KEEPING)
        self.assertEqual((self.folder / "run.model").read_bytes(), self.model, message)
        self.assertEqual([path.name for path in self.folder.glob("run.ckpt*")], ["run.ckpt"], message)
        self.forget()

    @unittest.skipUnless(runs.have("strace"), "needs strace")
    def test_a_kill_at_any_step_does_no_harm(self):
        steps = self.steps_of_checkpoints()
        self.assertGreater(len(steps), 20)
        killed = 0
        for call, number in steps:
            inject = self.traced("-e", f"inject={call}:signal=SIGKILL:when={number}")
            done = self.run_program(*TRAIN, *KEEPING, before=inject, code=None)
            killed += done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
            self.goes_on(f"killed in {call} number {number}")
        self.assertEqual(killed, len(steps))

    @unittest.skipUnless(runs.have("strace"), "needs strace")
    def test_an_error_at_any_step_ends_the_run_or_lets_it_go_on(self):
        for call, number in self.steps_of_checkpoints():
            if call in ("close", "unlink"):
                continue
            for error in ("ENOSPC", "EIO"):
                inject = self.traced("-e", f"inject={call}:error={error}:when={number}")
                done = self.run_program(*TRAIN, *KEEPING, before=inject, code=None)
                self.assertIn(done.returncode, (0, 4), done.stderr.decode())
                if done.returncode == 4:
                    self.assertRegex(done.stderr.decode(), r"run\.(ckpt|model): can't be ")
                else:
                    self.assertEqual((self.folder / "run.model").read_bytes(), self.model)
                self.assertEqual(list(self.folder.glob("run.ckpt.*")), [], "nothing half written is left")
                self.goes_on(f"{error} in {call} number {number}")

    def test_a_disk_that_fills_up_leaves_the_last_checkpoint_and_training_goes_on(self):
        self.run_program(*TRAIN, "--checkpoint", "run.ckpt", "--every", "1000")
        room = (self.folder / "run.ckpt").stat().st_size + 200  # a record of a pass takes 78 bytes
        self.forget()

        def fill():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        words = [word for word in TRAIN if word not in ("-o", "run.model")]
        words[words.index("--passes") + 1] = "9"
        done = self.run_program(*words, *KEEPING, preexec_fn=fill)
        self.assertEqual(done.stderr.decode().count("training continues without this checkpoint"), 6)
        self.assertEqual(os.listdir(self.folder).count("run.ckpt"), 1)
        done = self.run_program(*words, *KEEPING)
        self.assertIn("resumes after pass 2\n", done.stderr.decode())

    def test_a_disk_that_is_full_from_the_start_is_an_error(self):
        def fill():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        done = self.run_program(*TRAIN, *KEEPING, preexec_fn=fill, code=4)
        self.assertIn("run.ckpt: can't be written: ", done.stderr.decode())
        self.assertEqual(list(self.folder.glob("run.ckpt*")), [])


if __name__ == "__main__":
    unittest.main()
