"""Small files cost little: what a file of a megabyte or less could make of time and memory. Prints the figures."""

import os
import subprocess
import sys
import unittest

from program import PROGRAM, CommandLineTest


def cost(folder, *arguments):
    """(exit code, message, peak memory in MB, seconds of a processor)."""
    process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder)
    message = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    return process.returncode, message, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


class SmallFiles(CommandLineTest):
    def cost(self, *arguments):
        code, message, megabytes, seconds = cost(self.folder, *arguments)
        print(f"{' '.join(arguments):50} {code}, {megabytes:.0f} MB, {seconds:.2f} s", file=sys.stderr)
        return code, message, megabytes, seconds

    def test_json_that_is_nested_deeply_is_refused_at_once(self):
        self.write("deep.json", "[" * 3_000_000)
        self.write("rows.csv", "a,y\n0,1\n1,0\n")
        for arguments in (("inspect", "deep.json"), ("predict", "rows.csv", "-m", "deep.json"),
                          ("train", "rows.csv", "--columns", "deep.json", "-o", "m.json")):
            with self.subTest(arguments):
                code, message, megabytes, _ = self.cost(*arguments)
                self.assertIn(code, (2, 3), message)
                self.assertLess(megabytes, 100)
        self.assertIn("deep.json:1:65: not a model file: it is nested too deeply", self.complaint("inspect", "deep.json", code=3))

    def test_a_header_of_many_names_costs_little(self):
        names = [f"name{i * 2654435761 % 2**32:011d}" for i in range(30_000)]
        self.write("wide.csv", ",".join(names) + ",y\n" + "".join("0," * 30_000 + f"{k % 2}\n" for k in range(4)))
        code, message, megabytes, seconds = self.cost("train", "wide.csv", "--learner", "perceptron", "-o", "m.json", "--quiet")
        self.assertEqual(code, 0, message)
        self.assertLess(megabytes, 100)
        self.assertLess(seconds, 5)


if __name__ == "__main__":
    unittest.main()
