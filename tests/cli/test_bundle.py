"""`linsep certify -o appendix.zip`: a bundle that a reviewer checks with Python alone, as its page says."""

import html
import importlib.util
import json
import os
import pathlib
import py_compile
import re
import shlex
import shutil
import subprocess
import sys
import unittest
import zipfile

from program import CommandLineTest
from test_arrays import npy

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "checker"
SCRIPTS = ("verify_certificate.py", "read_certificate.py", "read_rows.py")
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
            encoder = {"encode_rows.py", "xxh3.py"} if rows == "table.csv" else set()
            self.assertEqual(set(archive.namelist()), FILES | encoder | {rows} - {None})
            archive.extractall(folder)
        told = follow(folder)
        self.assertTrue(told[0].startswith("valid:"), told)
        if rows:
            self.assertEqual(told[1], (folder / "leaves.txt").read_text())
            self.assertEqual(told[2], told[0])
        return folder


def check(script, *arguments, cwd, options=("-I",)):
    """Exit code and output of verify_certificate.py."""
    ended = subprocess.run([sys.executable, *options, script, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                           check=False)
    return ended.returncode, ended.stdout + ended.stderr


def repacked(path, to, **changed):
    """The bundle with other files: their bytes, or None to leave one out."""
    with zipfile.ZipFile(path) as bundle:
        files = {name: bundle.read(name) for name in bundle.namelist()} | changed
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as other:
        for name, content in files.items():
            if content is not None:
                other.writestr(name, content)


class Models(BundleTest):
    """A bundle about a model: its objective instead of a verdict."""

    def model_bundle(self, loss):
        self.write("patients.csv", PATIENTS)
        told = self.words("train", "patients.csv", "--ignore", "name,weight", "--loss", loss, "-o", "model.json", "--proof",
                          "appendix.zip")
        self.assertIn("unpack appendix.zip and open its README.html", told)
        folder = self.folder / "unpacked"
        with zipfile.ZipFile(self.folder / "appendix.zip") as archive:
            self.assertTrue({*FILES, "check_model.py"} <= set(archive.namelist()), archive.namelist())
            archive.extractall(folder)
        return folder

    def test_is_checked_with_python_alone_and_by_verify(self):
        for loss in ("hinge", "squared-hinge", "logistic"):
            folder = self.model_bundle(loss)
            told = follow(folder)
            self.assertTrue(told[0].startswith("valid:"), told)
            self.assertIn("objective", told[0])
            self.assertIn("The model is near the best possible one", (folder / "README.html").read_text())
            encoded = ["--as-encoded"] if (folder / "table.csv").exists() else []
            self.assertTrue(self.answer("verify", "appendix.zip", *encoded)["valid"])

    def test_a_forged_one_is_refused(self):
        self.model_bundle("hinge")
        with zipfile.ZipFile(self.folder / "appendix.zip") as bundle:
            proof = json.loads(bundle.read("proof.json"))
        proof["at_least"] = proof["at_most"]
        repacked(self.folder / "appendix.zip", self.folder / "forged.zip", **{"proof.json": json.dumps(proof).encode()})
        self.assertFalse(self.answer("verify", "forged.zip", "--as-encoded", code=1)["valid"])
        code, told = check(CHECKER / "verify_certificate.py", "forged.zip", cwd=self.folder)
        self.assertNotEqual(code, 0, told)


class Strangers(BundleTest):
    """A bundle whose maker wants it to be believed."""

    def invalid_folder(self):
        """An unpacked bundle with the scripts of tools/, whose proof isn't valid for its rows."""
        self.write("patients.csv", PATIENTS)
        self.run_program("certify", "patients.csv", "--ignore", "name,weight", "-o", "appendix.zip")
        folder = self.folder / "forged"
        with zipfile.ZipFile(self.folder / "appendix.zip") as bundle:
            bundle.extractall(folder)
        for name in SCRIPTS:
            shutil.copy(CHECKER / name, folder)
        rows = folder / "rows.csv"
        rows.write_text(rows.read_text().replace("1.5", "2.5"))
        return folder

    def assert_invalid(self, folder):
        for options in (("-I",), ("-P",), ()):
            for arguments in (("proof.json", "rows.csv", "--ignore", "name,weight"), ("proof.json", "leaves.txt")):
                code, told = check("verify_certificate.py", *arguments, cwd=folder, options=options)
                self.assertNotIn("FORGED", told)
                if "leaves.txt" not in arguments:
                    self.assertEqual((code, told.split(":")[0]), (1, "invalid"), told)

    def test_modules_beside_the_scripts_are_not_imported(self):
        folder = self.invalid_folder()
        for name in ("json", "gzip", "hashlib", "argparse", "decimal", "re", "zipfile", "types", "fractions"):
            (folder / f"{name}.py").write_text("import os\nos.write(1, b'valid: FORGED\\n')\nos._exit(0)\n")
        self.assert_invalid(folder)
        told = subprocess.run([sys.executable, "read_rows.py", "rows.csv", "--ignore", "name,weight"],
                              cwd=folder, capture_output=True, check=True).stdout
        self.assertNotIn(b"FORGED", told)

    def test_compiled_copies_of_the_scripts_are_not_read(self):
        folder = self.invalid_folder()
        (folder / "__pycache__").mkdir()
        forged = self.folder / "forged.py"
        forged.write_text("import os\nos.write(1, b'valid: FORGED\\n')\nos._exit(0)\n")
        for name in ("read_rows", "read_certificate"):
            py_compile.compile(str(forged), importlib.util.cache_from_source(str(folder / f"{name}.py")),
                               invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        self.assert_invalid(folder)

    def test_the_script_reads_the_bundle_itself(self):
        self.write("patients.csv", PATIENTS)
        self.run_program("certify", "patients.csv", "--ignore", "name,weight", "-o", "appendix.zip")
        script = CHECKER / "verify_certificate.py"
        code, told = check(script, "appendix.zip", cwd=self.folder)
        self.assertEqual((code, told.split("\n")[0]), (0, "valid:"), told)
        self.assertIn("the rows are those of rows.csv in the bundle", told)
        code, told = check(script, "appendix.zip", "patients.csv", "--ignore", "name,weight", cwd=self.folder)
        self.assertEqual((code, "in the bundle" in told), (0, False), told)
        with zipfile.ZipFile(self.folder / "appendix.zip") as bundle:
            rows = bundle.read("rows.csv")
        repacked(self.folder / "appendix.zip", self.folder / "other.zip", **{"rows.csv": rows.replace(b"1.5", b"2.5")})
        code, told = check(script, "other.zip", cwd=self.folder)
        self.assertEqual((code, told.split(":")[0]), (1, "invalid"), told)
        repacked(self.folder / "appendix.zip", self.folder / "empty.zip", **{"proof.json": None})
        self.assertEqual(check(script, "empty.zip", cwd=self.folder)[0], 3)
        content = (self.folder / "appendix.zip").read_bytes()
        for cut in range(5, len(content), len(content) // 50):
            (self.folder / "cut.zip").write_bytes(content[:cut])
            self.assertEqual(check(script, "cut.zip", cwd=self.folder)[0], 3, cut)

    def test_the_script_reads_every_kind_of_bundle(self):
        self.write("xor.svm", "-1 1:0 2:0\n+1 2:1\n+1 1:1\n-1 1:1 2:1 7:0\n")
        self.write("odd.csv", "2;1;\"say \"\"what\"\"\"\n0.5;1;b b\n1;2;a\n")
        self.write("plain.csv", "5,yes,0.25,na\n1,no,1,x\n2,yes,0.5,y\n")
        self.write("missing.tsv", "it's\tx, <b>\tclass\n1\t0\tp\n2\t1\tq\n3\t9\t\n3\t7\tp\n")
        self.write("three.csv", "x,y,kind\n0,0,a\n1,0,b\n0,1,c\n2,2,b\n")
        self.write("twice.csv", "a,a,none,y\n0,1,7,no\n1,0,7,yes\n")
        rows = "".join(f"{town},{k % 5},{'yn'[k % 3 == 0]}\n" for k, town in enumerate(["Rome", "Oslo", "Bonn"] * 10))
        self.write("towns.csv", "town,size,rich\n" + rows)
        for arguments in (("xor.svm", "--map", "products"), ("odd.csv", "--header", "--label", "say \"what\"", "--classes", "b b,a"),
                          ("plain.csv", "--no-header", "--label", "2", "--ignore", "4"), ("missing.tsv", "--missing-label", "drop"),
                          ("three.csv",), ("three.csv", "--against", "b"), ("twice.csv", "--ignore", "none"), ("towns.csv",)):
            with self.subTest(arguments):
                self.run_program("certify", *arguments, "-o", "a.zip")
                accept = ["--as-encoded"] if arguments[0] == "towns.csv" else []
                code, told = check(CHECKER / "verify_certificate.py", "a.zip", *accept, cwd=self.folder)
                self.assertEqual((code, told.split("\n")[0]), (0, "valid:"), told)

    def test_a_column_called_none_is_in_quotes(self):
        self.write("none.csv", "a,none,y\n0,1,no\n1,2,yes\n")
        self.run_program("certify", "none.csv", "--ignore", "none", "-o", "proof.json")
        told = check(CHECKER / "verify_certificate.py", "proof.json", "none.csv", "--ignore", "none", cwd=self.folder)[1]
        self.assertIn('columns left out: "none"\n', told)


KINDS = (
    ("xor.svm", "-1 1:0 2:0\n+1 2:1\n+1 1:1\n-1 1:1 2:1 7:0\n", ("--map", "products")),
    ("odd.csv", "2;1;\"say \"\"what\"\"\"\n0.5;1;b b\n1;2;a\n", ("--header", "--label", "say \"what\"", "--classes", "b b,a")),
    ("plain.csv", "5,yes,0.25,na\n1,no,1,x\n2,yes,0.5,y\n", ("--no-header", "--label", "2", "--ignore", "4")),
    ("missing.tsv", "it's\tx, <b>\tclass\n1\t0\tp\n2\t1\tq\n3\t9\t\n3\t7\tp\n", ("--missing-label", "drop")),
    ("three.csv", "x,y,kind\n0,0,a\n1,0,b\n0,1,c\n2,2,b\n", ()),
    ("three.csv", "x,y,kind\n0,0,a\n1,0,b\n0,1,c\n2,2,b\n", ("--against", "b")),
    ("twice.csv", "a,a,none,y\n0,1,7,no\n1,0,7,yes\n", ("--ignore", "none")),
    ("patients.csv", PATIENTS, ("--ignore", "name,weight")),
)


class ReadByTheProgram(BundleTest):
    """`linsep verify appendix.zip`: nothing in it is unpacked, run or believed."""

    def made(self, name="patients.csv", text=PATIENTS, arguments=("--ignore", "name,weight")):
        self.write(name, text)
        self.run_program("certify", name, *arguments, "-o", "appendix.zip")

    def repack(self, **changed):
        repacked(self.folder / "appendix.zip", self.folder / "other.zip", **changed)

    def member(self, name):
        with zipfile.ZipFile(self.folder / "appendix.zip") as bundle:
            return bundle.read(name)

    def test_every_kind(self):
        for kind in KINDS:
            with self.subTest(kind[0], arguments=kind[2]):
                self.made(*kind)
                said = self.answer("verify", "appendix.zip")
                self.assertTrue(said["valid"], said)
                name = "rows.svm" if kind[0].endswith("svm") else "rows.csv"
                self.assertIn(f"the root of {name} in the bundle", self.words("verify", "appendix.zip"))
        self.assertIn("the root of patients.csv", self.words("verify", "appendix.zip", "patients.csv", "--ignore", "name,weight"))

    def test_a_table_is_accepted_only_on_request(self):
        rows = "".join(f"{town},{k % 5},{'yn'[k % 3 == 0]}\n" for k, town in enumerate(["Rome", "Oslo", "Bonn"] * 10))
        self.made("towns.csv", "town,size,rich\n" + rows, ())
        told = self.run_program("verify", "appendix.zip", code=1).stdout.decode()
        self.assertIn("add --as-encoded", told)
        self.assertIn("leaves.txt in the bundle", self.words("verify", "appendix.zip", "--as-encoded"))

    def test_rows_that_were_changed_are_refused(self):
        self.made()
        rows, leaves = self.member("rows.csv"), self.member("leaves.txt")
        for changed, reason in (
            ({"rows.csv": rows.replace(b"1.5", b"2.5")}, "rows.csv in the bundle isn't what its leaves say"),
            ({"rows.csv": rows + b"\n"}, "rows.csv in the bundle isn't what its leaves say"),
            ({"rows.csv": rows[:-1]}, "rows.csv in the bundle isn't what its leaves say"),
            ({"rows.csv": b""}, "rows.csv in the bundle isn't what its leaves say"),
            ({"leaves.txt": leaves.replace(b"1.5", b"2.5")}, "the digests differ"),
            ({"leaves.txt": leaves[:-1]}, "the leaves are cut off"),
            ({"leaves.txt": b""}, "the leaves are cut off"),
            ({"leaves.txt": leaves.rsplit(b"\n", 2)[0] + b"\n"}, "the digests differ"),
        ):
            with self.subTest(changed):
                self.repack(**changed)
                self.assertIn(reason, self.run_program("verify", "other.zip", code=1).stdout.decode())

    def test_forged_scripts_change_nothing(self):
        self.made()
        self.repack(**{name: b"print('valid: FORGED')\n" for name in (*SCRIPTS, "json.py")})
        self.assertNotIn("FORGED", self.words("verify", "other.zip"))

    def test_a_bundle_that_is_damaged_is_named(self):
        self.made()
        self.repack(**{"proof.json": None})
        self.assertIn("other.zip: it is no bundle of `linsep certify`: it has no proof.json", self.complaint("verify", "other.zip", code=3))
        content = (self.folder / "appendix.zip").read_bytes()
        for cut in range(5, len(content), len(content) // 50):
            (self.folder / "cut.zip").write_bytes(content[:cut])
            self.assertIn("cut.zip: it is no zip file", self.complaint("verify", "cut.zip", code=3))
        for at in range(0, len(content), len(content) // 200):
            (self.folder / "hit.zip").write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1:])
            ended = subprocess.run([os.environ["LINSEP"], "verify", "hit.zip"], cwd=self.folder, capture_output=True, check=False)
            self.assertIn(ended.returncode, (0, 1, 3), ended.stderr)

    def test_a_file_that_is_much_larger_than_its_zip_keeps_to_the_limit(self):
        self.made()
        self.repack(**{"leaves.txt": b"0" * 200_000_000})
        self.assertIn("larger than", self.complaint("verify", "other.zip", "--memory", "100M", code=3))

    def test_other_doors_take_the_proof_of_a_bundle(self):
        self.made()
        self.run_program("report", "patients.csv", "--ignore", "name,weight", "--proof", "appendix.zip", "-o", "report.html")

    def test_a_column_called_none_is_in_quotes(self):
        self.made("none.csv", "a,none,y\n0,1,no\n1,2,yes\n", ("--ignore", "none"))
        self.assertIn('Left out  "none"\n', self.words("verify", "appendix.zip"))
        self.assertIn("<dt>Left out</dt><dd>&quot;none&quot;</dd>", self.member("README.html").decode())
        self.made("none.csv", "a,b,y\n0,1,no\n1,2,yes\n", ())
        self.assertIn("Left out  none\n", self.words("verify", "appendix.zip"))

    def test_names_of_places_are_not_filled_in(self):
        self.made("odd.csv", "{{files}},{{proven}},y\n0,1,{{about}}\n1,2,{{title}}\n", ())
        page = self.member("README.html").decode()
        for name in ("{{files}}, {{proven}}", "{{about}} and {{title}}"):
            self.assertIn(name, page)
        self.assertEqual(page.count("<td><code>proof.json</code></td>"), 1)

    def test_columns_that_a_shell_would_read_something_into_are_numbered(self):
        names = ("$HOME", "`id`", 'a"b', "%PATH%", "it’s", "x!y")
        head = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        self.made("odd.csv", f"{head},a b,plain,y\n1,2,3,4,5,6,7,8,no\n2,3,4,5,6,7,8,9,yes\n",
                  ("--ignore", "1,2,3,4,5,6,7", "--label", "y"))
        page = self.member("README.html").decode()
        self.assertIn("--ignore &quot;1,2,3,4,5,6,a b&quot;", page)
        with zipfile.ZipFile(self.folder / "appendix.zip") as bundle:
            bundle.extractall(self.folder / "unpacked")
        self.assertTrue(follow(self.folder / "unpacked")[0].startswith("valid:"))


class Bundles(BundleTest):
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
        self.write("dashes.csv", "a,-x,b\n0,no,1\n1,yes,1\n2,yes,0\n")
        self.bundle("dashes.csv", "--label=-x")

    def test_several_classes(self):
        self.write("three.csv", "x,y,kind\n0,0,a\n1,0,b\n0,1,c\n2,2,b\n")
        self.bundle("three.csv")
        self.bundle("three.csv", "--against", "b")

    def test_a_table_has_the_columns_that_the_proof_uses_and_their_encoder(self):
        rows = "".join(f"name {k},\"{town}, {k % 2}\",{k % 5},{'yn'[k % 3 == 0]}\n" for k, town in enumerate(["Rome", "Oslo", "Bonn"] * 10))
        self.write("towns.csv", "who,town,size,rich\n" + rows)
        folder = self.bundle("towns.csv", "--id", "who", rows="table.csv")
        self.assertEqual((folder / "table.csv").read_text().splitlines()[:2], ["who,town,size,rich", ',"Rome, 0",0,n'])
        self.assertFalse("name 7" in "".join(each.read_text() for each in folder.iterdir()), "a column that was left out")
        # Another town in a row means another proof.
        (folder / "table.csv").write_text((folder / "table.csv").read_text().replace('"Rome, 0",0', '"Oslo, 0",0', 1))
        with self.assertRaises(AssertionError):
            follow(folder)

    def test_tables_of_any_kind(self):
        texts = "".join(f"{k % 7};\"a {'good' if k % 3 else 'bad'} film; number {k % 4}\";{k % 5};{'ab'[k % 3 == 0] if k % 9 else ''}\n"
                        for k in range(40))
        self.write("films.csv", "year;review;size;kind\n" + texts)
        self.bundle("films.csv", "--text", "review", "--missing-label", "drop", rows="table.csv")
        self.write("plain.csv", "".join(f"{'xyz'[k % 3]},{k % 5},{k},{'pqr'[k % 4 % 3]}\n" for k in range(30)))
        self.bundle("plain.csv", "--no-header", "--ignore", "3", "--label", "4", "--against", "q", rows="table.csv")
        self.bundle("plain.csv", "--no-header", "--ignore", "3", "--label", "4", "--cross", "1*2", rows="table.csv")
        self.write("signs.csv", "town,y\nOslo,-1\nRome,1\nOslo,-1\nRome,1\n")
        self.bundle("signs.csv", rows="table.csv")

    def test_an_array_is_about_the_numbers_as_they_are_stored(self):
        (self.folder / "X.npy").write_bytes(npy("<f8", [4, 2], [0, 0, 0, 1, 1, 0, 0.1, 1]))
        (self.folder / "y.npy").write_bytes(npy("<i8", [4], [0, 1, 1, 0]))
        page = (self.bundle("X.npy", "--label", "y.npy", rows=None) / "README.html").read_text()
        self.assertIn("exactly as they are stored: binary floating-point numbers", page)
        self.assertNotIn("as they are written in the data", page)

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
