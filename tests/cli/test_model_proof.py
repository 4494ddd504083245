"""Models that carry their proof: `train --proof`, `certify --model`, `verify` of a model and of its proof; and forgeries."""

import base64
import json
import pathlib
import subprocess
import sys
import unittest
import zipfile

from program import CommandLineTest

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "checker/verify_certificate.py"


class ModelProof(CommandLineTest):
    def rows(self):
        return self.generate("noisy", "--rows", "300", "--features", "3", "--seed", "2")

    def trained(self, *options, data=None, model="model.json"):
        self.run_program("train", data or self.rows(), "-o", model, "--quiet", *options)
        return json.loads(self.read(model))

    def edited(self, model, **training):
        found = json.loads(self.read(model))
        found["training"] |= training
        return self.write("edited.json", json.dumps(found))

    def test_a_model_says_how_its_training_went(self):
        model = self.trained("--loss", "logistic")
        self.assertEqual(model["version"], 4)
        training = model["training"]
        self.assertEqual(training["stopped"], "converged")
        self.assertLessEqual(training["gap"], 1e-3)
        self.assertAlmostEqual(training["bound"], training["objective"] * (1 - training["gap"]), places=12)
        self.assertNotIn("root", training)
        cut = self.trained("--loss", "logistic", "--gap", "1e-12", "--passes", "3", model="cut.json")["training"]
        self.assertEqual(cut["stopped"], "passes")
        self.assertGreater(cut["gap"], 1e-12)
        self.assertEqual(set(self.trained("--learner", "perceptron")["training"]), {"stopped"})

    def test_verify_confirms_a_model_on_its_rows(self):
        data = self.rows()
        for loss in ("hinge", "squared-hinge", "logistic"):
            sparse = [] if loss == "hinge" else [["--penalty", "l1"], ["--penalty", "elasticnet", "--l1-ratio", "0.3"]]
            for more in ([], ["--origin"], ["--positive-weight", "2"], ["--class-weight", "balanced"], *sparse):
                claimed = self.trained("--loss", loss, *more, data=data)["training"]
                found = self.answer("verify", "model.json", data)
                self.assertTrue(found["valid"], (loss, more, found))
                self.assertLessEqual(found["gap"], 1.1 * claimed["gap"] + 1e-7, (loss, more))
                self.assertLessEqual(found["gap"], 1e-3)
        told = self.words("verify", "model.json", data)
        self.assertIn("model.json: confirmed.", told)
        self.assertIn("No linear classifier's is below", told)

    def test_what_a_model_claims_falsely_is_not_confirmed(self):
        data = self.rows()
        training = self.trained("--loss", "logistic", "--gap", "0.01", "--passes", "2", data=data)["training"]
        edited = self.edited("model.json", gap=training["gap"] / 10, bound=training["objective"])
        found = self.answer("verify", edited, data, code=1)
        self.assertFalse(found["valid"])
        self.assertIn("its file says within", self.words("verify", edited, data, code=1))
        edited = self.edited("model.json", objective=training["objective"] / 2)
        self.assertIn("its file says that its objective is", self.words("verify", edited, data, code=1))
        edited = self.edited("model.json", root="0" * 64)
        self.assertIn("its file names other rows", self.words("verify", edited, data, code=1))
        weights = json.loads(self.read("model.json"))
        weights["theta"][0] += 1.5
        self.write("weights.json", json.dumps(weights))
        self.assertIn("not confirmed", self.words("verify", "weights.json", data, code=1))
        weights = json.loads(self.read("model.json")) | {"weight_error": 1e-12}
        self.write("error.json", json.dumps(weights))
        self.assertIn("its weights are within ±1e-12", self.words("verify", "error.json", data, code=1))

    def test_a_model_that_claims_nothing_is_not_confirmed(self):
        data = self.rows()
        old = self.trained("--loss", "logistic", data=data)
        del old["training"]
        self.write("old.json", json.dumps(old | {"version": 1}))
        told = self.words("verify", "old.json", data, code=1)
        self.assertIn("its file says nothing of its objective", told)
        self.assertIn("No linear classifier's is below", told)
        self.trained("--learner", "perceptron", data=data)
        self.assertIn("the learner perceptron doesn't", self.complaint("verify", "model.json", data, code=2))
        self.assertIn("linsep verify model.json DATA", self.complaint("verify", "model.json", code=2))

    def test_training_writes_the_proof_and_the_root(self):
        data = self.rows()
        for loss in ("hinge", "squared-hinge", "logistic"):
            told = self.words("train", data, "--loss", loss, "-o", "model.json", "--proof", "proof.json")
            self.assertIn("No linear classifier's is below", told)
            self.assertIn(f"linsep verify proof.json {data}", told)
            proof = json.loads(self.read("proof.json"))
            self.assertEqual(json.loads(self.read("model.json"))["training"]["root"], proof["data"]["root"])
            self.assertTrue(self.answer("verify", "proof.json", data)["valid"])
            self.assertTrue(self.answer("verify", "model.json", data)["valid"])
            told = self.answer("train", data, "--loss", loss, "--proof", "proof.json")
            self.assertEqual(told["proven"]["root"], proof["data"]["root"])

    def test_proofs_with_an_l1_part_are_checked_by_the_script_too(self):
        data = self.rows()
        for loss, more in (("hinge", ["l1"]), ("logistic", ["l1"]), ("squared-hinge", ["l1"]), ("logistic", ["elasticnet", "--l1-ratio", "0.3"])):
            self.run_program("train", data, "--loss", loss, "--penalty", *more, "--lambda", "0.02", "-o", "model.json", "--proof", "proof.json",
                             "--quiet")
            self.assertTrue(self.answer("verify", "proof.json", data)["valid"], (loss, more))
            done = subprocess.run([sys.executable, "-I", CHECKER, "proof.json", data], cwd=self.folder, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            proof = json.loads(self.read("proof.json"))
            proof["objective"]["l1_ratio"] = "0.9" if len(more) > 1 else "0.5"
            self.write("forged.json", json.dumps(proof))
            self.assertFalse(self.answer("verify", "forged.json", data, code=1)["valid"], (loss, more))
            done = subprocess.run([sys.executable, "-I", CHECKER, "forged.json", data], cwd=self.folder, capture_output=True, check=False)
            self.assertEqual(done.returncode, 1, (loss, more))

    def test_a_table_with_categories_and_missing_values(self):
        lines = ["age,town,result"]
        for i in range(120):
            lines.append(f"{'' if i % 17 == 0 else 20 + i * 7 % 50},{['Oslo', 'Bergen', 'Molde'][i % 3]},{'ill' if i * 5 % 7 < 3 else 'well'}")
        self.write("table.csv", "\n".join(lines) + "\n")
        for loss in ("hinge", "logistic"):
            told = self.words("train", "table.csv", "--label", "result", "--positive", "ill", "--loss", loss, "-o", "model.json",
                              "--proof", "proof.json")
            check = told.rpartition("To check it:\n")[2].split("\n")[0].split()
            self.assertEqual(check[0], "linsep")
            self.assertIn(": valid. ", self.words(*check[1:]))
            self.assertTrue(self.answer("verify", "model.json", "table.csv")["valid"])

    def weighed(self, name="weighed.csv", heavier=1):
        """Rows with the weights 0, 0.25, …, of which one may be another."""
        lines = ["x,y,w,v,class"]
        for i in range(90):
            weight = [0, 0.25, 1, 3.5, 12][i % 5] + (heavier - 1) * (i == 43)
            lines.append(f"{i * 37 % 101 / 10},{i * 53 % 89 / 7:.3f},{weight},{1 + i % 3},{'ab'[i * 29 % 31 > 15]}")
        return self.write(name, "\n".join(lines) + "\n")

    def script(self, *args):
        done = subprocess.run([sys.executable, "-I", CHECKER, *args], cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_weights_of_rows_are_those_of_the_data(self):
        data, forged = self.weighed(), self.weighed("forged.csv", heavier=1.001)
        reading = ["--label", "class", "--weight", "w", "--ignore", "v", "--scale", "none"]
        for loss, more in (("logistic", []), ("squared-hinge", ["--class-weight", "balanced"]), ("hinge", ["--positive-weight", "2"]),
                           ("logistic", ["--penalty", "l1", "--C", "0.02"])):
            told = self.words("train", data, *reading, "--loss", loss, *more, "-o", "model.json", "--proof", "proof.json")
            self.assertIn("No linear classifier's is below", told)
            options = [word for word in reading if word not in ("--scale", "none")]
            self.assertTrue(self.answer("verify", "proof.json", data, *options)["valid"], loss)
            self.assertTrue(self.answer("verify", "model.json", data, *options)["valid"], loss)
            code, said = self.script("proof.json", data, *options)
            self.assertEqual(code, 0, said)
            certain = self.answer("verify", "proof.json", data, *options)["labels_certain"]
            self.assertIn(f"label is certain for {certain} of 90 rows", said)
            # Another weight of a single row, another column of weights, and none at all.
            other = ["--label", "class", "--weight", "v", "--ignore", "w"]
            none = ["--label", "class", "--ignore", "w,v"]
            for rows, given in ((forged, options), (data, other), (data, none)):
                found = self.answer("verify", "proof.json", rows, *given, code=1)
                self.assertFalse(found["valid"], (loss, rows, given))
                self.assertIn("digests differ", found["reason"])
                self.assertEqual(self.script("proof.json", rows, *given)[0], 1, (loss, rows, given))
            leaves = self.words("leaves", data, *options, "--row-weights")
            self.assertIn("\n4 -1*3.5 " if "\n4 -1" in leaves else "\n4 +1*3.5 ", leaves)
            self.assertEqual(self.script(self.write("p.json", self.read("proof.json")), self.write("leaves.txt", leaves))[0], 0)
            changed = self.write("changed.txt", leaves.replace("*3.5 ", "*3.6 ", 1))
            self.assertEqual(self.script("proof.json", changed)[0], 1)
            self.words("certify", data, *options, "--model", "model.json", "-o", "again.json")
            self.assertTrue(self.answer("verify", "again.json", data, *options)["valid"])

    def test_a_proof_of_equal_rows_isnt_one_of_others(self):
        data = self.weighed()
        equal = ["--label", "class", "--ignore", "w,v"]
        self.run_program("train", data, *equal, "--scale", "none", "--loss", "logistic", "-o", "model.json", "--proof", "proof.json", "--quiet")
        self.assertTrue(self.answer("verify", "proof.json", data, *equal)["valid"])
        options = ["--label", "class", "--weight", "w", "--ignore", "v"]
        self.assertFalse(self.answer("verify", "proof.json", data, *options, code=1)["valid"])
        self.assertEqual(self.script("proof.json", data, *options)[0], 1)
        # Weights that are all 1 are no weights.
        ones = self.write("ones.csv", self.read(data).replace(",0,", ",1,").replace(",0.25,", ",1,").replace(",3.5,", ",1,").replace(",12,", ",1,"))
        self.run_program("train", ones, *options, "--scale", "none", "--loss", "logistic", "-o", "model.json", "--proof", "proof.json", "--quiet")
        self.assertTrue(self.answer("verify", "proof.json", ones, "--label", "class", "--ignore", "w,v")["valid"])

    def test_a_bundle_of_rows_with_weights(self):
        data = self.weighed()
        options = ["--label", "class", "--weight", "w", "--ignore", "v"]
        self.run_program("train", data, *options, "--scale", "none", "--loss", "logistic", "-o", "model.json", "--proof", "appendix.zip", "--quiet")
        self.assertTrue(self.answer("verify", "appendix.zip")["valid"])
        self.assertEqual(self.script("appendix.zip")[0], 0)
        with zipfile.ZipFile(self.folder / "appendix.zip") as bundle:
            self.assertNotIn("rows.csv", bundle.namelist())
            files = {name: bundle.read(name) for name in bundle.namelist()}
        files["leaves.txt"] = files["leaves.txt"].replace(b"*3.5 ", b"*3.6 ", 1)
        with zipfile.ZipFile(self.folder / "forged.zip", "w") as bundle:
            for name, text in files.items():
                bundle.writestr(name, text)
        self.assertFalse(self.answer("verify", "forged.zip", code=1)["valid"])
        self.assertEqual(self.script("forged.zip")[0], 1)

    def test_page_files_have_the_values_of_their_texts(self):
        data = self.rows()
        self.run_program("convert", data, "-o", "rows.lsp", "--double")
        for loss in ("logistic", "hinge"):
            self.run_program("train", data, "--loss", loss, "-o", "model.json", "--proof", "proof.json", "--quiet")
            self.assertTrue(self.answer("verify", "proof.json", "rows.lsp")["valid"], loss)
            self.assertTrue(self.answer("verify", "model.json", "rows.lsp")["valid"], loss)
            self.run_program("certify", "rows.lsp", "--model", "model.json", "-o", "again.json", "--quiet")
            self.assertTrue(self.answer("verify", "again.json", data)["valid"], loss)
        self.assertTrue(self.answer("verify", "proof.json", data, "--memory", "40M", "--cache")["valid"])

    def test_threads_change_neither_a_proof_nor_its_check(self):
        data = self.generate("noisy", "--rows", "3000", "--features", "20", "--seed", "5")
        for loss in ("logistic", "hinge"):
            self.trained("--loss", loss, data=data)
            proofs, checks = set(), []
            for threads in ("1", "2", "3"):
                self.run_program("certify", data, "--model", "model.json", "-o", "p.json", "--threads", threads, "--quiet")
                proofs.add(self.read("p.json"))
                checks.append(self.answer("verify", "p.json", data, "--threads", threads))
            self.assertEqual(len(proofs), 1, loss)
            self.assertEqual(checks[1:], checks[:1] * 2, loss)

    def test_what_no_proof_can_be_about_is_refused_before_training(self):
        data = self.rows()
        for options, words in (
            (["--learner", "perceptron"], "the learner perceptron doesn't"),
            (["--map", "products"], "without a map so far"),
        ):
            self.assertIn(words, self.complaint("train", data, *options, "--proof", "proof.json", code=2))
            self.assertFalse((self.folder / "proof.json").exists())

    def test_inspect_names_claims_as_claims(self):
        self.trained("--loss", "logistic")
        told = self.words("inspect", "model.json")
        self.assertIn("of the best possible, as claimed by the run that trained it.", told)
        self.assertNotIn("proven", told)
        self.assertEqual(self.answer("inspect", "model.json")["training"]["stopped_because"], "converged")

    def test_a_report_names_the_claims_of_files(self):
        data = self.rows()
        self.run_program("train", data, "--loss", "logistic", "-o", "model.json", "--log", "run.jsonl", "--quiet")
        self.run_program("train", data, "--loss", "logistic", "--C", "0.1", "-o", "other.json", "--log", "other.jsonl", "--quiet")
        own = self.report(data, "model.json", "run.jsonl")
        self.assertIn("of the best possible, as the log claims", own)
        self.assertNotIn("The log is of another run", own)
        self.assertIn("The log is of another run than the model", self.report(data, "model.json", "other.jsonl"))
        model = json.loads(self.read("model.json")) | {"weight_error": 1e-12}
        self.write("edited.json", json.dumps(model))
        told = self.report(data, "edited.json", "run.jsonl")
        self.assertNotIn("proven within", told)
        self.assertIn("as claimed by the run that trained it", told)

    def test_a_report_takes_bounds_from_a_proof_that_it_checks(self):
        data = self.rows()
        self.run_program("train", data, "--loss", "logistic", "-o", "model.json", "--proof", "proof.json", "--quiet")
        self.run_program("report", data, "-m", "model.json", "--proof", "proof.json", "-o", "report.html")
        page = self.read("report.html")
        self.assertIn("of its best possible value, by the proof of the model", page)
        self.assertIn("No linear classifier&#39;s is below", page)
        link = page.partition('<a download="proof.json" href="data:application/json;base64,')[2].partition('"')[0]
        self.assertEqual(base64.b64decode(link).decode(), self.read("proof.json"))
        self.run_program("train", data, "--loss", "logistic", "--C", "0.1", "-o", "other.json", "--quiet")
        self.assertIn("is about another model than other.json",
                      self.complaint("report", data, "-m", "other.json", "--proof", "proof.json", "-o", "x.html", code=3))
        proof = json.loads(self.read("proof.json"))
        self.write("forged.json", json.dumps(proof | {"at_least": proof["at_most"]}))
        self.assertIn("doesn't hold for these rows",
                      self.complaint("report", data, "-m", "model.json", "--proof", "forged.json", "-o", "x.html", code=3))
        self.assertIn("give the model", self.complaint("report", data, "--proof", "proof.json", "-o", "x.html", code=2))

    def report(self, data, model, log):
        self.run_program("report", data, "-m", model, "--log", log, "-o", "report.html")
        return self.read("report.html")


if __name__ == "__main__":
    unittest.main()
