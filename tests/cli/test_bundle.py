"""`linsep certify -o appendix.zip`: a bundle that a reviewer checks with Python alone, as its page says."""

import html
import json
import re
import shlex
import subprocess
import sys
import unittest
import zipfile

from program import CommandLineTest

PATIENTS = "name,dose,age,weight,ill\nann,0,1,2,no\nbob,0,2,1,yes\n\"cid, or so\",0,3,1,no\ndan,1.50,2,1,yes\n"
FILES = {"README.html", "proof.json", "leaves.txt", "verify_certificate.py", "read_certificate.py", "read_rows.py"}


def follow(folder):
    """Does what README.html says, in its folder; returns what each line of it printed."""
    page = (folder / "README.html").read_text(encoding="utf-8")
    told = []
    for block in re.findall(r'<code class="command">(.*?)</code>', page, re.DOTALL):
        for line in html.unescape(block).splitlines():
            words, _, output = line.partition(" > ")
            program, *arguments = shlex.split(words)
            assert program == "python3"
            ended = subprocess.run([sys.executable, "-I", *arguments], cwd=folder, capture_output=True, env={},
                                   check=False)
            assert ended.returncode == 0, (line, ended.stdout, ended.stderr)
            if output:
                (folder / output).write_bytes(ended.stdout)
            told.append(ended.stdout.decode())
    return told


class BundleTest(CommandLineTest):
    def bundle(self, *arguments, rows="rows.csv"):
        """Makes a bundle twice, unpacks it, and follows its page; returns its folder."""
        for name in ("appendix.zip", "again.zip"):
            self.run_program("certify", *arguments, "-o", name)
        content = (self.folder / "appendix.zip").read_bytes()
        self.assertTrue(content == (self.folder / "again.zip").read_bytes(), "not the same bytes")
        folder = self.folder / "unpacked"
        with zipfile.ZipFile(self.folder / "appendix.zip") as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(set(archive.namelist()), FILES | {rows} - {None})
            archive.extractall(folder)
        told = follow(folder)
        self.assertTrue(told[0].startswith("valid:"), told)
        if rows:
            self.assertEqual(told[1], (folder / "leaves.txt").read_text())
            self.assertEqual(told[2], told[0])
        return folder


class Bundles(BundleTest):
    def test_a_bundle_in_place_of_its_proof_is_named_as_such(self):
        self.write("patients.csv", PATIENTS)
        self.run_program("certify", "patients.csv", "--id", "name", "-o", "appendix.zip")
        told = self.run_program("verify", "appendix.zip", "patients.csv", code=3).stderr.decode()
        self.assertIn("appendix.zip: not a certificate but a zip file: unpack the bundle, and give the proof.json", told)

    def test_csv(self):
        self.write("patients.csv", PATIENTS)
        folder = self.bundle("patients.csv", "--id", "name", "--weight", "weight")
        self.assertEqual((folder / "rows.csv").read_text(), "name,weight,dose,age,ill\n,,0,1,no\n,,0,2,yes\n,,0,3,no\n"
                                                            ",,1.5,2,yes\n")
        files = "".join(each.read_text() for each in folder.iterdir() if each.is_file())
        self.assertFalse("cid, or so" in files, "a column that was left out")
        page = (folder / "README.html").read_text()
        for text in ("<dt>Data</dt><dd>patients.csv</dd>", "quasi-separable", "the decimals exactly as they are written in the data",
                     json.loads((folder / "proof.json").read_text())["data"]["root"]):
            self.assertTrue(text in page, text)
        self.assertFalse(re.search(r"https?://|src=|href=|<script", page), "it loads something")
        # The reviewer's own copy of the data, with the options of `certify`.
        checked = subprocess.run([sys.executable, "-I", "verify_certificate.py", "proof.json",
                                  str(self.folder / "patients.csv"), "--id", "name", "--weight", "weight"],
                                 cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual((checked.returncode, checked.stdout.split("\n")[0]), (0, "valid:"))
        self.write("other.csv", PATIENTS.replace("1.50", "1.51"))
        checked = subprocess.run([sys.executable, "-I", "verify_certificate.py", "proof.json",
                                  str(self.folder / "other.csv"), "--ignore", "name,weight"],
                                 cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 1, checked.stdout)

    def test_a_changed_row_is_found(self):
        self.write("patients.csv", PATIENTS)
        folder = self.bundle("patients.csv", "--ignore", "name,weight")
        rows = folder / "rows.csv"
        rows.write_text(rows.read_text().replace("1.5", "2.5"))
        with self.assertRaisesRegex(AssertionError, "invalid"):
            follow(folder)

    def test_svmlight_and_a_map(self):
        self.write("xor.svm", "-1 1:0 2:0\n+1 2:1\n+1 1:1\n-1 1:1 2:1 7:0\n")
        folder = self.bundle("xor.svm", "--map", "products", rows="rows.svm")
        self.assertEqual((folder / "rows.svm").read_text().split("\n")[0], "-1 7:0")
        self.assertIn("<dt>Map</dt><dd>products</dd>", (folder / "README.html").read_text())

    def test_names_classes_and_delimiters_of_any_kind(self):
        self.write("odd.csv", "2;1;\"say \"\"what\"\"\"\n0,5;1;b b\n1;2;a;\n".replace("0,5", "0.5").replace(";\n", "\n"))
        self.bundle("odd.csv", "--header", "--label", "say \"what\"", "--classes", "b b,a")
        self.write("plain.csv", "5,yes,0.25,na\n1,no,1,x\n2,yes,0.5,y\n")
        self.bundle("plain.csv", "--no-header", "--label", "2", "--ignore", "4")
        self.write("missing.tsv", "it's\tx, <b>\tclass\n1\t0\tp\n2\t1\tq\n3\t9\t\n3\t7\tp\n")
        folder = self.bundle("missing.tsv", "--missing-label", "drop")
        self.assertFalse("<b>" in (folder / "README.html").read_text())

    def test_several_classes(self):
        self.write("three.csv", "x,y,kind\n0,0,a\n1,0,b\n0,1,c\n2,2,b\n")
        self.bundle("three.csv")
        self.bundle("three.csv", "--against", "b")

    def test_a_table_has_leaves_alone(self):
        rows = "".join(f"{town},{k % 5},{'yn'[k % 3 == 0]}\n" for k, town in enumerate(["Rome", "Oslo", "Bonn"] * 10))
        self.write("towns.csv", "town,size,rich\n" + rows)
        self.bundle("towns.csv", rows=None)

    def test_rows_that_are_hidden_are_refused(self):
        self.write("patients.csv", PATIENTS)
        self.assertIn("a bundle shows every row",
                      self.complaint("certify", "patients.csv", "--ignore", "name", "--salt", "s.txt", "-o", "a.zip",
                                     code=2))

    def test_the_report_says_where_to_look(self):
        self.write("patients.csv", PATIENTS)
        told = self.run_program("certify", "patients.csv", "--ignore", "name,weight", "-o", "appendix.zip").stdout.decode()
        self.assertIn("Proof written to appendix.zip. To check it:\n  unpack appendix.zip and open its README.html", told)


if __name__ == "__main__":
    unittest.main()
