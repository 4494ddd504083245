"""`linsep digest`, and roots and salts in `linsep certify` and `linsep verify`."""

import json
import os
import stat
import unittest

from program import CommandLineTest

ROWS = "1,0,a,no\n2,1,b,yes\n3,0,c,no\n4,1,d,yes\n"


class Digest(CommandLineTest):
    def digest(self, *arguments):
        root = self.words("digest", *arguments).strip()
        self.assertRegex(root, "^[0-9a-f]{64}$")
        return root

    def test_the_root_of_a_proof_is_that_of_its_data(self):
        data = self.generate("xor")
        self.words("certify", data, "-o", "proof.json")
        proof = json.loads((self.folder / "proof.json").read_text())
        self.assertEqual(proof["data"]["root"], self.digest(data))
        self.assertEqual(self.answer("digest", data)["root"], self.digest(data))
        self.assertEqual(self.answer("verify", "proof.json")["root"], self.digest(data))

    def test_the_root_binds_values_labels_names_and_what_was_left_out(self):
        def root(text, *options):
            self.write("rows.csv", text)
            return self.digest("rows.csv", "--ignore", "3", *options)

        plain = root("x,y,z,out\n" + ROWS)
        self.assertEqual(root('x,"y",z,out\r\n' + ROWS.replace("1,0", "1.0,0")), plain)
        others = [
            root("x,y,z,out\n" + ROWS.replace("3,0", "3,0.5")),
            root("x,y,z,out\n" + ROWS.replace("3,0,c,no", "3,0,c,yes")),
            root("x,w,z,out\n" + ROWS),
            root("x,y,z,out\n" + ROWS.replace("no", "healthy")),
            root("x,y,z,result\n" + ROWS),
            root("x,y,t,out\n" + ROWS),
            root("x,y,z,out\n" + ROWS, "--ignore", "3,1"),
            root("x,y,z,out\n" + ROWS, "--classes", "yes,no"),
            root(ROWS, "--no-header"),
        ]
        self.assertEqual(len({plain, *others}), len(others) + 1)

    def test_what_is_left_out_counts_by_its_name_alone(self):
        self.write("a.csv", "x,y,z,out\n" + ROWS)
        self.write("b.csv", "x,y,z,out\n" + ROWS.replace("c", "q"))
        self.assertEqual(self.digest("a.csv", "--ignore", "z"), self.digest("b.csv", "--id", "z"))

    def test_the_root_of_a_table_is_that_of_its_encoded_rows(self):
        self.words("generate", "patients", "--rows", "300", "-o", "rows.csv")
        self.words("certify", "rows.csv", "-o", "proof.json")
        root = json.loads((self.folder / "proof.json").read_text())["data"]["root"]
        self.assertEqual(self.digest("rows.csv"), root)
        self.assertNotEqual(self.digest("rows.csv", "--min-count", "1", "--ignore", "ward"), root)
        self.words("train", "rows.csv", "--quiet", "-o", "m.json")
        self.words("certify", "rows.csv", "-m", "m.json", "-o", "model.json")
        of_model = json.loads((self.folder / "model.json").read_text())["data"]["root"]
        self.assertEqual(self.digest("rows.csv", "--table", "m.json"), of_model)
        self.assertNotEqual(of_model, root)

    def test_a_proof_with_only_the_hash_of_its_table_is_checked_with_the_table(self):
        rows = "".join(f"wordnumber{k} versionnumber{k} and more of it w{k % 900},{'ab'[k % 3 == 0]}\n" for k in range(27_000))
        self.write("rows.csv", "note,kind\n" + rows)
        options = ("--min-count", "1", "--text", "note", "--words", "1-1")
        told = self.words("certify", "rows.csv", *options, "--save-table", "table.json", "-o", "proof.json")
        self.assertIn("linsep verify proof.json rows.csv --table table.json", told)
        table = json.loads((self.folder / "proof.json").read_text())["data"]["table"]
        self.assertTrue(table.startswith("sha256:"), table[:100])
        self.assertIn("--save-table", self.complaint("verify", "proof.json", "rows.csv", "--as-encoded", code=2))
        self.assertIn("encoded in another way", self.words("verify", "proof.json", "rows.csv", code=1))
        self.assertIn("valid", self.words("verify", "proof.json", "rows.csv", "--table", "table.json"))
        self.assertIn("valid", self.words("verify", "proof.json", "rows.csv", *options))
        self.assertEqual(self.digest("rows.csv", "--table", "table.json"),
                         json.loads((self.folder / "proof.json").read_text())["data"]["root"])
        self.words("train", "rows.csv", *options, "--quiet", "--learner", "basic", "-o", "m.json")
        self.words("certify", "rows.csv", "-m", "m.json", "-o", "proof.json")
        self.assertIn("valid", self.words("verify", "proof.json", "rows.csv", "--table", "m.json"))


class Root(CommandLineTest):
    def test_verify_compares_a_root_that_is_given(self):
        data = self.generate("xor")
        self.words("certify", data, "-o", "proof.json")
        root = self.words("digest", data).strip()
        self.assertIn(root, self.words("verify", "proof.json", "--root", root))
        other = root[:-1] + ("0" if root[-1] != "0" else "1")
        self.assertIn("not the one that was given", self.words("verify", "proof.json", "--root", other, code=1))
        self.complaint("verify", "proof.json", "--root", "abc", code=2)

    def test_rows_that_were_read_otherwise_are_refused(self):
        self.write("rows.csv", "x,y,out\n1,2,no\n2,1,yes\n")
        self.write("names.csv", "x,z,out\n1,2,no\n2,1,yes\n")
        self.write("rows.svm", "no 1:1 2:2\nyes 1:2 2:1\n")
        self.words("certify", "rows.csv", "-o", "proof.json")
        self.assertIn("valid", self.words("verify", "proof.json", "rows.csv"))
        self.write("values.csv", "x,y,out\n1,2,no\n2,1.5,yes\n")
        self.assertIn("the digests differ", self.words("verify", "proof.json", "values.csv", code=1))
        self.assertIn("other names", self.words("verify", "proof.json", "names.csv", code=1))
        self.assertIn("in another way", self.words("verify", "proof.json", "rows.svm", code=1))


class Salt(CommandLineTest):
    def test_a_salted_proof_needs_its_salt_and_hides_the_rest(self):
        data = self.generate("xor")
        self.words("certify", data, "-o", "proof.json", "--salt", "salt.txt")
        salt = self.folder / "salt.txt"
        self.assertRegex(salt.read_text(), "^[0-9a-f]{64}\n$")
        self.assertEqual(stat.S_IMODE(os.stat(salt).st_mode), 0o600)
        proof = json.loads((self.folder / "proof.json").read_text())
        self.assertRegex(proof["rows"][0]["leaf"], " #[0-9a-f]{32}$")
        self.assertNotIn(salt.read_text().strip(), (self.folder / "proof.json").read_text())
        self.assertIn("valid", self.words("verify", "proof.json"))
        self.assertIn("valid", self.words("verify", "proof.json", data, "--salt", "salt.txt"))
        self.assertIn("the salt is needed", self.words("verify", "proof.json", data, code=1))
        self.assertEqual(self.words("digest", data, "--salt", "salt.txt").strip(), proof["data"]["root"])

    def test_the_same_salt_gives_the_same_root_and_another_another(self):
        data = self.generate("xor")
        roots = []
        for salt in ("a", "a", "b"):
            self.words("certify", data, "-o", "proof.json", "--salt", salt)
            roots.append(json.loads((self.folder / "proof.json").read_text())["data"]["root"])
        self.assertEqual(roots[0], roots[1])
        self.assertNotEqual(roots[0], roots[2])

    def test_a_salt_must_be_one(self):
        data = self.generate("xor")
        self.write("salt.txt", "pepper\n")
        self.assertIn("64 hexadecimal digits",
                      self.complaint("certify", data, "-o", "proof.json", "--salt", "salt.txt", code=3))
        self.complaint("certify", data, "--salt", "new.txt", code=2)
        self.complaint("verify", "proof.json", "--salt", "salt.txt", code=2)


if __name__ == "__main__":
    unittest.main()
