"""The progress bar, NO_COLOR, Ctrl-C and closed pipes."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from program import PROGRAM, CommandLineTest

ENDLESS = ["--learner", "perceptron", "--passes", "1000000"]


class Terminal(CommandLineTest):
    def endless(self, *options, stderr, environment=None, learner=ENDLESS):
        """Starts a run on rows that can't be separated: it goes on until it is stopped."""
        data = self.generate("noisy", "--rows", "20000")
        return subprocess.Popen(
            [PROGRAM, "train", data, *learner, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=self.folder,
            env={**os.environ, "TERM": "xterm", **(environment or {})},
        )

    def watched(self, seconds, environment=None, learner=ENDLESS):
        """What an endless run writes to a terminal in so many seconds, and how it ends after Ctrl-C."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 132, 0, 0))
        run = self.endless("--json", stderr=theirs, environment=environment, learner=learner)
        os.close(theirs)
        seen, end = b"", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([ours], [], [], left)[0]:
                seen += os.read(ours, 4096)
        run.send_signal(signal.SIGINT)
        while True:  # drain, or the run would wait for us
            try:
                piece = os.read(ours, 4096)
            except OSError:
                break
            if not piece:
                break
            seen += piece
        os.close(ours)
        answer = json.loads(run.stdout.read())
        run.stdout.close()
        self.assertEqual(run.wait(), 130)
        return seen.decode(), answer

    def test_a_bar_appears_after_a_second_and_is_wiped_out(self):
        began = time.monotonic()
        seen, answer = self.watched(4)
        shown = time.monotonic() - began - 1  # a busy machine takes longer, and the bar goes on meanwhile
        self.assertRegex(seen, r"training  pass [\d,]+  ")
        self.assertRegex(seen, r"rows/s")
        self.assertRegex(seen, r"[\d,]+ mistakes last pass, [\d,]+ before")
        self.assertNotRegex(seen, r"left", "a limit is no forecast")
        self.assertIn("\x1b[32m", seen)
        self.assertTrue(seen.endswith("\r\x1b[K"), seen[-50:])
        self.assertLessEqual(seen.count("training"), 10 * shown + 5, "ten times a second at most")
        self.assertEqual(answer["stopped_because"], "interrupted")

    def test_the_bar_of_a_run_with_a_gap_shows_the_gap_and_the_one_asked_for(self):
        slow = ["--solver", "dual", "--C", "100000", "--gap", "1e-12", "--passes", "1000000"]
        seen, _ = self.watched(4, learner=slow)
        self.assertRegex(seen, r"training  pass [\d,]+  \d+%  [\d.kM]+ rows/s  (gap [\d.e-]+|no bound yet) \(1e-12 asked\)")
        self.assertNotRegex(seen, r"at most")

    def test_no_color_takes_the_colour_away(self):
        seen, _ = self.watched(3, {"NO_COLOR": "1"})
        self.assertIn("rows/s", seen)
        self.assertNotRegex(seen, r"\x1b\[\d+m")

    def test_nothing_in_a_pipe(self):
        run = self.endless("--quiet", stderr=subprocess.PIPE)
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
        self.assertEqual((run.returncode, out, err), (130, b"", b""))

    def test_a_first_interrupt_leaves_the_model_of_the_moment(self):
        run = self.endless("-o", "model.json", stderr=subprocess.PIPE)
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate()
        self.assertEqual(run.returncode, 130)
        self.assertIn("interrupted", out.decode())
        self.assertLess(self.answer("evaluate", "noisy.svm", "-m", "model.json")["error"], 0.5)


class Pipes(CommandLineTest):
    def test_a_reader_that_has_seen_enough_ends_the_run_quietly(self):
        generate = subprocess.Popen(
            [PROGRAM, "generate", "sparse", "--rows", "1000000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.assertTrue(re.match(rb"-?1 \d+:", generate.stdout.readline()))
        generate.stdout.close()
        self.assertEqual(generate.stderr.read(), b"")
        generate.stderr.close()
        self.assertEqual(generate.wait(), 0)

    def test_generated_rows_flow_into_training(self):
        command = f"{PROGRAM} generate noisy --rows 30000 | {PROGRAM} train - --online --json"
        done = subprocess.run(command, shell=True, capture_output=True, check=True)
        self.assertEqual(json.loads(done.stdout)["rows"], 30000)


if __name__ == "__main__":
    unittest.main()
