"""Reading ends soon after a signal, whatever the file is made of: one long row, a long header, many values of a column."""

import signal
import subprocess
import time
import unittest

from program import PROGRAM, CommandLineTest, slack

WITHIN = 0.5
TRIES = 5


class Reading(CommandLineTest):
    """Each file takes some seconds to read; signals come at several moments."""

    def ends_soon(self, *arguments):
        began = time.monotonic()
        subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        alone = time.monotonic() - began
        for share in (0.2, 0.5, 0.8):
            for left in reversed(range(TRIES)):
                run = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                time.sleep(share * alone)
                sent = time.monotonic()
                if run.poll() is not None:  # other work slowed the run that was measured
                    alone *= 0.7
                run.send_signal(signal.SIGTERM)
                said = run.communicate(timeout=60)[1].decode()
                took = time.monotonic() - sent
                if run.returncode == 143 and took < WITHIN * slack():
                    break
                self.assertGreater(left, 0, f"{arguments}: {took:.2f} s after the signal at {share} of {alone:.2f} s, "
                                            f"exit code {run.returncode}: {said}")

    def test_a_long_header(self):
        names = ",".join(f"x{i}" for i in range(1_000_000))
        row = ",".join("1" * 1_000_000)
        self.write("wide.csv", f"{names},label\n{row},a\n{row},b\n")
        self.ends_soon("train", "wide.csv", "--learner", "perceptron")

    def test_repeated_names(self):
        self.write("same.csv", "x," * 1_000_000 + "label\n" + "1," * 1_000_000 + "a\n" + "2," * 1_000_000 + "b\n")
        self.ends_soon("train", "same.csv", "--learner", "perceptron")

    def test_a_long_row(self):
        entries = " ".join(f"{i}:1" for i in range(1, 8_000_000))
        self.write("long.svm", f"1 {entries}\n-1 1:1\n")
        self.ends_soon("train", "long.svm", "--learner", "perceptron", "--passes", "1")

    def test_many_values_of_a_column(self):
        rows = "".join(f"w{i * 7919 % 2_000_003},{i % 2}\n" for i in range(1_500_000))
        self.write("words.csv", "word,label\n" + rows)
        self.ends_soon("train", "words.csv", "--learner", "perceptron", "--passes", "1", "--category", "word")

    def test_long_texts(self):
        text = "some words and others " * 200_000
        self.write("texts.csv", f"text,label\n{text},a\n{text[::-1]},b\n" * 2)
        self.ends_soon("train", "texts.csv", "--learner", "perceptron", "--text", "text", "--chars", "3-5")


if __name__ == "__main__":
    unittest.main()
