"""`linsep leaves` and `checker/read_rows.py`: the same lines from the same files, whatever is odd about them."""

import gzip
import json
import subprocess
import sys
import unittest
from pathlib import Path

from program import CommandLineTest

CHECKER = Path(__file__).resolve().parents[2] / "checker"


class Leaves(CommandLineTest):
    def script(self, *arguments):
        return subprocess.run([sys.executable, "-B", CHECKER / "read_rows.py", *map(str, arguments)], cwd=self.folder,
                              capture_output=True, timeout=60)

    def leaves(self, name, text, *options):
        """The leaves behind the first line, by both."""
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        program, script = self.run_program("leaves", name, *options).stdout, self.script(name, *options)
        self.assertEqual((script.returncode, script.stdout), (0, program), script.stderr)
        self.about = json.loads(program.splitlines()[0])
        return program.decode().splitlines()[1:]

    def refused(self, name, text, *options):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        self.complaint("leaves", name, *options, code=3)
        self.assertEqual(self.script(name, *options).returncode, 3)

    def test_a_row_of_csv_may_begin_with_a_number_sign(self):
        self.assertEqual(self.leaves("a.csv", "x,y,c\n#1,2,a\n#2,3,b\n", "--ignore", "x"), ["1 -1 1:2", "2 +1 1:3"])
        self.assertEqual(self.about["reading"], {"format": "csv", "delimiter": ",", "header": True, "label": "c", "left_out": ["x"]})

    def test_a_lone_carriage_return_begins_no_row(self):
        self.refused("a.csv", "1,a\r2,b\n")
        self.assertEqual(self.leaves("b.csv", "1,a\r\n2,b\r\n"), ["1 -1 1:1", "2 +1 1:2"])

    def test_every_row_has_as_many_fields_as_the_first(self):
        self.refused("a.csv", "1,2,a\n3,4,b,5\n")
        self.refused("a.csv", "1,2,a\n3,b\n")

    def test_blanks_in_quotes_belong_to_a_label_that_is_a_word_and_so_does_a_no_break_space(self):
        self.leaves("a.csv", '1," a"\n2,a\n')
        self.assertEqual((self.about["negative"], self.about["positive"]), (" a", "a"))
        self.leaves("a.csv", "1,\u00a0a\n2,a\n")
        self.assertEqual((self.about["negative"], self.about["positive"]), ("a", "\u00a0a"))
        self.assertEqual(self.leaves("a.csv", '1," 1 "\n2,-1\n'), ["1 +1 1:1", "2 -1 1:2"])

    def test_a_blank_before_a_quote_changes_nothing(self):
        self.assertEqual(self.leaves("a.csv", '1, "b,c" \n "2" ,a\n'), ["1 +1 1:1", "2 -1 1:2"])
        self.assertEqual(self.about["positive"], "b,c")

    def test_newlines_in_quotes_belong_to_the_field(self):
        self.assertEqual(self.leaves("a.csv", 'n,x,c\n"a\nb",1,u\nc,2,v\n', "--id", "n"), ["1 -1 1:1", "2 +1 1:2"])

    def test_headers_have_blanks_and_the_last_column_may_be_left_out(self):
        lines = self.leaves("a.csv", ' body mass ,kind, note \n1.50,a,x\n2e1,b,"y, z"\n', "--ignore", "note", "--label", "kind")
        self.assertEqual(lines, ["1 -1 1:1.5", "2 +1 1:20"])
        self.assertEqual((self.about["names"], self.about["reading"]["left_out"]), (["body mass"], ["note"]))

    def test_svmlight_has_tabs_and_comments(self):
        lines = self.leaves("a.svm", b"\xef\xbb\xbf+1\t1:0.50\t3:-0\n # comment\n\n-1 qid:7 2:1e0#x\r\n")
        self.assertEqual(lines, ["1 +1 1:0.5", "2 -1 2:1"])
        self.assertEqual((self.about["features"], self.about["reading"]), (3, {"format": "svmlight"}))

    def test_numbers_that_a_double_holds_as_0_or_infinity_are_refused(self):
        for number in ("1e-400", "-5e-324", "1e400", "1e10000"):
            self.refused("a.svm", f"1 1:{number}\n-1 1:1\n")
        self.assertEqual(self.leaves("a.svm", "1 1:0e-400\n-1 1:2.2250738585072014e-308\n")[0], "1 +1")

    def test_classes_can_be_named_and_turned_round(self):
        self.assertEqual(self.leaves("a.svm", "1 1:1\n-1 1:2\n", "--classes", "1.0,-1"), ["1 -1 1:1", "2 +1 1:2"])
        self.assertEqual(self.leaves("a.svm", "1 1:1\n-1 1:2\n", "--positive", "-1"), ["1 -1 1:1", "2 +1 1:2"])
        self.assertEqual(self.about["negative"], "1")

    def test_integers_that_doubles_merge_are_two_classes(self):
        for name, rows in (("a.svm", "{} 1:1\n{} 1:2\n"), ("a.csv", "1,{}\n2,{}\n")):
            self.assertEqual(self.leaves(name, rows.format("9007199254740993", "9007199254740992")), ["1 +1 1:1", "2 -1 1:2"])
            self.assertEqual((self.about["negative"], self.about["positive"]), ("9007199254740992", "9007199254740993"))
            self.leaves(name, rows.format("+18446744073709551617.0", "1e22"))
            self.assertEqual((self.about["negative"], self.about["positive"]), ("18446744073709551617", "1e+22"))

    def test_compressed_and_several_files(self):
        self.assertEqual(self.leaves("a.csv.gz", gzip.compress(b"x,c\n1,a\n2,b\n")), ["1 -1 1:1", "2 +1 1:2"])
        self.write("b.csv", "x,c\n3,b\n")
        together = self.run_program("leaves", "a.csv.gz", "b.csv").stdout
        self.assertEqual(together, self.script("a.csv.gz", "b.csv").stdout)
        self.assertEqual(together.decode().splitlines()[3], "3 +1 1:3")

    def test_salted_leaves_are_those_of_a_salted_proof(self):
        data = self.generate("xor")
        self.words("certify", data, "-o", "proof.json", "--salt", "secret")
        self.words("leaves", data, "--salt", "secret", "-o", "leaves.txt")
        self.assertRegex(self.read("leaves.txt").splitlines()[1], "^1 -1 #[0-9a-f]{32}$")
        check = lambda leaves: subprocess.run([sys.executable, "-B", CHECKER / "verify_certificate.py", "proof.json", leaves],
                                              cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(check("leaves.txt").returncode, 0)
        self.words("leaves", data, "-o", "plain.txt")
        self.assertEqual(check("plain.txt").returncode, 1)

    def test_what_has_no_leaves(self):
        self.assertIn("needs a file, because it reads the rows more than once", self.complaint("leaves", "-", code=2))
        self.assertIn("--table needs --proof", self.complaint("leaves", "rows.csv", "--table", "m.json", code=2))
        self.write("a.csv", "1,a,u\n2,b,v\n")
        self.assertIn("add --row-weights", self.complaint("leaves", "a.csv", "--labels", "2,3", code=2))



class OneStep(CommandLineTest):
    """`verify_certificate.py proof.json data.csv`, without leaves in between."""
    def check(self, *arguments, code=0):
        ended = subprocess.run([sys.executable, "-I", "-B", CHECKER / "verify_certificate.py", *arguments], cwd=self.folder,
                               capture_output=True, text=True, timeout=60)
        self.assertEqual((ended.returncode, ended.stderr), (code, ""), ended.stdout)
        return ended.stdout

    def test_a_data_file_is_read_with_the_options_of_certify(self):
        self.write("xor.svm", "-1 1:0 2:0\n+1 2:1\n+1 1:1\n-1 1:1 2:1\n")
        self.run_program("certify", "xor.svm", "-o", "proof.json")
        self.assertTrue(self.check("proof.json", "xor.svm").startswith("valid:"))
        self.write("patients.csv", "name;dose;ill;age\nann;0;no;1\nbob;0;yes;2\ncid;0;no;3\ndan;1.50;yes;2\n")
        reading = ["--label", "ill", "--ignore", "name"]
        self.run_program("certify", "patients.csv", *reading, "-o", "proof.json")
        told = self.check("proof.json", "patients.csv", *reading)
        self.assertIn("coefficients that go to +infinity: dose", told)
        self.run_program("leaves", "patients.csv", *reading, "-o", "leaves.txt")
        self.assertEqual(self.check("proof.json", "leaves.txt"), told)
        (self.folder / "patients.csv.gz").write_bytes(gzip.compress(self.read("patients.csv").encode()))
        self.assertEqual(self.check("proof.json", "patients.csv.gz", *reading), told)

    def test_parts_of_a_data_set_follow_one_another(self):
        self.write("a.csv", "1,a\n3,b\n")
        self.write("b.csv", "2,a\n")
        self.run_program("certify", "a.csv", "b.csv", "-o", "proof.json")
        self.assertTrue(self.check("proof.json", "a.csv", "b.csv").startswith("valid:"))
        self.assertIn("invalid", self.check("proof.json", "b.csv", "a.csv", code=1))

    def test_what_is_wrong_with_the_data_is_told_from_what_is_wrong_with_the_proof(self):
        self.write("a.csv", "1,a\n2,b\n")
        self.run_program("certify", "a.csv", "-o", "proof.json")
        self.write("other.csv", "1,a\n3,b\n")
        self.assertTrue(self.check("proof.json", "other.csv", code=1).startswith("invalid: "))
        self.write("bad.csv", "1,a\nx,b\n")
        self.assertEqual(self.check("proof.json", "bad.csv", code=3),
                         "the data can't be read: a feature is not a number\n")


if __name__ == "__main__":
    unittest.main()
