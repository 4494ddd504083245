"""Several files as one data set."""

import gzip
import unittest

from program import CommandLineTest


class SeveralFiles(CommandLineTest):
    def setUp(self):
        super().setUp()
        rows = [f"{1 if i % 3 else -1} 1:{i}.5 {2 + i % 4}:{i % 7}\n" for i in range(90)]
        self.write("all.svm", "".join(rows))
        self.shards = [self.write(f"shard-{k}.svm", "".join(rows[30 * k : 30 * k + 30])) for k in range(3)]

    def test_train_on_shards_is_train_on_all(self):
        for learner in ("perceptron", "basic", "least-squares", "margin"):
            self.run_program("train", "all.svm", "--learner", learner, "-o", "all.json")
            told = self.words("train", *self.shards, "--learner", learner, "-o", "shards.json")
            self.assertEqual(self.read("shards.json"), self.read("all.json"), learner)
            self.assertIn("shard-0.svm and 2 more files: 90 rows × 5 features", told)

    def test_predictions_follow_the_order_of_the_files(self):
        self.run_program("train", "all.svm", "-o", "m.json")
        expected = self.words("predict", "all.svm", "-m", "m.json", "--scores")
        self.assertEqual(self.words("predict", *self.shards, "-m", "m.json", "--scores"), expected)
        self.assertEqual(self.answer("evaluate", *self.shards, "-m", "m.json"), self.answer("evaluate", "all.svm", "-m", "m.json"))

    def test_a_proof_is_about_the_rows_not_the_files(self):
        self.run_program("certify", "all.svm", "-o", "all.json")
        told = self.words("certify", *self.shards, "-o", "shards.json")
        self.assertEqual(self.read("shards.json"), self.read("all.json"))
        self.assertIn("linsep verify shards.json shard-0.svm shard-1.svm shard-2.svm", told)
        self.assertTrue(self.answer("verify", "all.json", *self.shards)["valid"])
        self.run_program("verify", "all.json", *reversed(self.shards), code=1)

    def test_compressed_and_plain_files_go_together(self):
        (self.folder / "shard-1.svm.gz").write_bytes(gzip.compress(self.read("shard-1.svm").encode()))
        self.run_program("train", "all.svm", "-o", "all.json")
        self.run_program("train", "shard-0.svm", "shard-1.svm.gz", "shard-2.svm", "-o", "mixed.json")
        self.assertEqual(self.read("mixed.json"), self.read("all.json"))

    def test_an_error_names_the_file_and_its_own_line(self):
        self.write("bad.svm", "1 1:1\n\n-1 2:x\n")
        message = self.complaint("train", "shard-0.svm", "bad.svm", "shard-1.svm", code=3)
        self.assertIn("bad.svm:3:6: expected a number, found 'x'", message)

    def test_a_folder_stands_for_its_files(self):
        folder = self.folder / "parts"
        (folder / "more").mkdir(parents=True)
        for k, name in enumerate(("a.svm", "b.svm", "more/c.svm")):
            (folder / name).write_text(self.read(f"shard-{k}.svm"))
        (folder / "_SUCCESS").write_text("")
        for name in (".hidden", "b.svm.tmp", "b.svm.TMP", "b.svm.part", "b.svm~", "more/.c.svm.swp"):
            (folder / name).write_text("not rows")
        (folder / "_temporary").mkdir()
        (folder / "_temporary" / "d.svm").write_text("not rows")
        self.run_program("train", "all.svm", "-o", "all.json")
        self.assertIn("parts: 90 rows × 5 features", self.words("train", "parts", "-o", "folder.json"))
        self.assertEqual(self.read("folder.json"), self.read("all.json"))
        for command in (("predict", "--scores"), ("evaluate",), ("inspect",)):
            model = ("all.json",) if command == ("inspect",) else ()
            options = () if command == ("inspect",) else ("-m", "all.json")
            told = {data: self.words(command[0], *model, data, *options, *command[1:]).replace(f"{data} ", "DATA ").replace(f"{data}:", "DATA:")
                    for data in ("all.svm", "parts")}
            self.assertEqual(told["parts"], told["all.svm"])
        self.run_program("certify", "parts", "-o", "proof.json")
        self.assertTrue(self.answer("verify", "proof.json", "all.svm")["valid"])
        self.run_program("train", "parts", "--cache", "-o", "cached.json")
        self.run_program("train", "parts", "--cache", "-o", "cached.json")
        self.assertEqual(self.read("cached.json"), self.read("all.json"), "page files beside the texts aren't rows of their own")

    def test_a_folder_of_tables(self):
        folder = self.folder / "shops"
        folder.mkdir()
        for k in range(3):
            (folder / f"{k}.csv").write_text("city,size,sold\n" + "".join(f"{'Graz Linz Wien'.split()[(i + k) % 3]},{i % 7},{'no yes'.split()[i % 2]}\n" for i in range(40)))
        self.write("all.csv", "city,size,sold\n" + "".join((folder / f"{k}.csv").read_text().partition("\n")[2] for k in range(3)))
        for data in ("all.csv", "shops"):
            self.run_program("train", data, "--label", "sold", "-o", f"{data}.model")
            self.assertIn("city", self.words("columns", data, "--label", "sold"))
        self.assertEqual(self.read("shops.model"), self.read("all.csv.model"))

    def test_folders_that_hold_no_rows(self):
        (self.folder / "empty").mkdir()
        self.assertIn("empty: the folder has no files", self.complaint("train", "empty", code=3))
        (self.folder / "keys" / "shop=north").mkdir(parents=True)
        (self.folder / "keys" / "shop=north" / "a.csv").write_text("x,y\n1,a\n2,b\n")
        self.assertIn("shop=north would become a column", self.complaint("train", "keys", code=3))

    def test_every_csv_file_has_the_same_header(self):
        self.write("a.csv", "x,y,type\n1,2,ham\n3,4,spam\n")
        self.write("b.csv", "x,y,type\n5,6,ham\n")
        self.write("c.csv", "x,z,type\n5,6,ham\n")
        self.write("d.csv", "5,6,ham\n")
        self.assertEqual(self.answer("train", "a.csv", "b.csv")["rows"], 3)
        self.assertIn("c.csv:1:1: the column 'y' is not in the header", self.complaint("train", "a.csv", "c.csv", code=3))
        self.assertIn("d.csv:1:1: the column 'x' is not in the header", self.complaint("train", "a.csv", "d.csv", code=3))

    def test_a_column_that_only_a_later_file_has_is_named(self):
        rows = "".join(f"{'Graz Linz Wien'.split()[k % 3]},{k % 7},{{}}{'no yes'.split()[k % 2]}\n" for k in range(40))
        self.write("a.csv", "city,size,sold\n" + rows.format(*[""] * 40))
        self.write("b.csv", "size,city,sold\n" + "".join(",".join([line.split(",")[k] for k in (1, 0, 2)]) + "\n" for line in rows.format(*[""] * 40).splitlines()))
        self.write("c.csv", "city,size,\"new, {}\",sold\n" + rows.format(*["7,"] * 40))
        label = ("--label", "sold")
        self.assertEqual(self.answer("train", "a.csv", "b.csv", *label)["rows"], 80, "the order of columns may be another")
        said = self.complaint("train", "a.csv", "c.csv", *label, code=3)
        self.assertIn("c.csv:1: has a column 'new, ", said)
        self.assertIn(", but a.csv has none: give all files the same columns", said)
        self.complaint("columns", "a.csv", "c.csv", *label, code=3)
        self.assertEqual(self.answer("train", "a.csv", "c.csv", *label, "--only", "--number", "size")["rows"], 80)
        self.run_program("train", "a.csv", *label, "-o", "a.model")
        self.assertEqual(len(self.words("predict", "a.csv", "c.csv", "-m", "a.model").splitlines()), 80)

    def test_standard_input_goes_alone(self):
        self.assertIn("standard input can't be combined with files", self.complaint("train", "shard-0.svm", "-", code=2))

    def test_a_file_that_is_not_there(self):
        self.assertIn("none.svm: can't be read", self.complaint("train", "shard-0.svm", "none.svm", code=3))


if __name__ == "__main__":
    unittest.main()
