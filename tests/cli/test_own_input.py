"""No command writes over a file that it reads, under whatever name or link; then nothing is read or written."""

import os
import unittest

from program import CommandLineTest

ROWS = "1 1:0 2:1\n-1 1:2 2:1\n1 1:1 2:0\n-1 1:3 2:1\n"
TABLE = "a,b,y\n0,x,1\n2,z,0\n1,x,1\n3,z,0\n"


class OwnInput(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("rows.svm", ROWS)
        self.write("rows.csv", TABLE)
        self.run_program("train", "rows.svm", "-o", "model.json")
        self.run_program("train", "rows.csv", "-o", "table.json")
        self.run_program("certify", "rows.svm", "-o", "proof.json")
        self.names = {name: (self.folder / name).read_bytes() for name in os.listdir(self.folder)}

    def refused(self, *arguments):
        message = self.complaint(*arguments, code=2)
        self.assertRegex(message, r"^linsep: \S+ is given twice, and would be overwritten: write to another file")
        for name, content in self.names.items():
            self.assertEqual((self.folder / name).read_bytes(), content, arguments)

    def test_every_command_that_writes(self):
        for arguments in (
            ("train", "rows.svm", "-o", "rows.svm"),
            ("train", "rows.svm", "--log", "rows.svm"),
            ("train", "rows.svm", "--learner", "perceptron", "--trace", "rows.svm"),
            ("train", "rows.svm", "--report", "rows.svm"),
            ("train", "rows.svm", "--hard", "--proof", "rows.svm"),
            ("train", "rows.svm", "--checkpoint", "rows.svm"),
            ("train", "rows.svm", "--init", "model.json", "-o", "model.json"),
            ("certify", "rows.svm", "-o", "rows.svm"),
            ("certify", "rows.csv", "--save-table", "rows.csv"),
            ("convert", "rows.svm", "-o", "rows.svm"),
            ("evaluate", "rows.svm", "-m", "model.json", "--cost", "1:2", "--save-threshold", "rows.svm"),
            ("leaves", "rows.svm", "-o", "rows.svm"),
            ("logit", "rows.csv", "-o", "rows.csv"),
            ("logit", "rows.csv", "--report", "rows.csv"),
            ("predict", "rows.svm", "-m", "model.json", "-o", "rows.svm"),
            ("predict", "rows.svm", "-m", "model.json", "-o", "model.json"),
            ("encode", "rows.csv", "-m", "table.json", "-o", "rows.csv"),
            ("export", "model.json", "-o", "model.json", "--format", "c"),
            ("report", "rows.svm", "-m", "model.json", "-o", "rows.svm"),
        ):
            with self.subTest(arguments):
                self.refused(*arguments)

    def test_other_names_of_the_same_file(self):
        os.symlink("rows.svm", self.folder / "link")
        os.link(self.folder / "rows.svm", self.folder / "second")
        (self.folder / "below").mkdir()
        for name in ("link", "second", "./rows.svm", "below/../rows.svm", str(self.folder / "rows.svm")):
            with self.subTest(name):
                self.refused("predict", "rows.svm", "-m", "model.json", "-o", name)
                self.refused("predict", name, "-m", "model.json", "-o", "rows.svm")

    def test_other_files_are_written_over(self):
        self.write("old.txt", "old\n")
        self.run_program("predict", "rows.svm", "-m", "model.json", "-o", "old.txt")
        self.assertNotEqual((self.folder / "old.txt").read_text(), "old\n")
        self.run_program("train", "rows.svm", "-o", "model.json", "--checkpoint", "run.ckpt", "--resume")
        self.run_program("train", "rows.svm", "-o", "model.json", "--checkpoint", "run.ckpt", "--resume")


if __name__ == "__main__":
    unittest.main()
