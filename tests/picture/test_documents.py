"""Picture documents as `linsep report --data` prints them: of the documented form, and adding up to what `evaluate` says."""

import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
sys.path.insert(0, str(Path(__file__).parent))

from json_schema import problems  # noqa: E402
from program import CommandLineTest  # noqa: E402

SCHEMA_FILE = ROOT / "docs/reference/formats/picture.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text())
NODE_MODULES = ROOT / "web/node_modules"


class DocumentTest(CommandLineTest):
    def document(self, *arguments):
        """The document of `linsep report ARGUMENTS`, checked."""
        text = self.words("report", *arguments, "--data")
        self.assertNotIn("<", text)
        self.assertNotIn("NaN", text)
        document = json.loads(text)
        self.assertEqual(problems(document, SCHEMA), [])
        self.assert_columns(document)
        return document

    def assert_columns(self, value, path="$"):
        """In an object of lists all columns are of one length, but for those that say otherwise."""
        others = {"theta", "ticks", "seconds_ticks", "classes", "class_rows", "class_names", "kinds", "files", "counts",
                  "packing"}
        if isinstance(value, dict):
            if path not in ("$.cells", "$.about"):
                lengths = {len(item) for key, item in value.items() if isinstance(item, list) and key not in others
                           and not any(isinstance(x, (dict, list)) for x in item)}
                self.assertLessEqual(len(lengths), 1, path)
            for key, item in value.items():
                self.assert_columns(item, f"{path}.{key}")
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    self.assert_columns(item, f"{path}[{index}]")

    def generate(self, name, *options):
        self.run_program("generate", name, *options, "-o", f"{name}.svm")
        return f"{name}.svm"

    def train(self, data, model, *options):
        self.run_program("train", data, *options, "-o", model, "--quiet")
        return model


class Regressions(DocumentTest):
    def test_logit(self):
        self.write("rows.csv", "dose,age,ill\n0,1,0\n0,2,1\n0,3,0\n1,2,1\n2,5,1\n1,4,1\n0,2,0\n")
        self.run_program("logit", "rows.csv", "--report", "report.html")
        page = self.read("report.html")
        document = json.loads(page[page.index('id="document">') + len('id="document">'):].split("</script>")[0])
        self.assertEqual(problems(document, SCHEMA), [])
        self.assert_columns(document)
        part = document["coefficients"]
        self.assertTrue(all(len(row) == len(part["header"]) for row in part["rows"]))
        self.assertTrue(all(part["low"] <= tick <= part["high"] for tick in part["ticks"]))
        self.assertIn(1, part["ticks"])


class Sums(DocumentTest):
    def sums(self, rows):
        data = self.generate("noisy", "--rows", rows, "--features", 3)
        model = self.train(data, "model.json")
        return self.document(data, "-m", model), self.answer("evaluate", data, "-m", model)

    def test_rows_and_thresholds_add_up(self):
        for rows, how in ((2000, "all"), (2001, "drawn")):
            document, evaluation = self.sums(rows)
            self.assertEqual(document["about"]["rows"], rows)
            self.assertEqual(document["points"]["how"], how)
            self.assertEqual(document["points"]["shown"], 2000)
            self.assertEqual(sum(document["points"]["together"]), 2000)
            bins = document["distances"]["bins"]
            self.assertEqual([sum(bins["negative"]), sum(bins["positive"])], document["about"]["class_rows"])
            if how == "drawn":
                cells = document["cells"]
                self.assertEqual([sum(cells["negative"]), sum(cells["positive"])], document["about"]["class_rows"])
            else:
                self.assertNotIn("cells", document)
            thresholds = document["thresholds"]
            chosen = thresholds["chosen"]
            self.assertEqual(thresholds["threshold"][chosen], 0)
            for ours, theirs in (("tp", "true_positive"), ("fp", "false_positive"), ("tn", "true_negative"),
                                 ("fn", "false_negative")):
                self.assertEqual(thresholds[ours][chosen], evaluation["confusion"][theirs])
            self.assertEqual(document["models"][0]["mistakes"], evaluation["mistakes"])

    def test_one_row(self):
        document = self.document(self.write("one.svm", "+1 1:2 2:3\n"))
        self.assertEqual(document["points"]["x"], [2])
        self.assertEqual(document["about"]["task"], "one-class")

    def test_a_document_does_not_grow_with_its_rows(self):
        data = self.generate("sparse", "--rows", 20000, "--nonzeros", 10, "--features", 1000)
        model = self.train(data, "model.json", "--passes", 5)
        self.assertLess(len(json.dumps(self.document(data, "-m", model))), 400_000)

    def test_no_rows_shows_none(self):
        data = self.generate("noisy", "--rows", 300, "--features", 2)
        model = self.train(data, "model.json")
        document = self.document(data, "-m", model, "--no-rows")
        self.assertEqual(document["points"]["how"], "binned")
        self.assertEqual(document["points"]["row"], [])
        self.assertEqual(sum(document["cells"]["negative"]) + sum(document["cells"]["positive"]), 300)
        self.assertNotIn("witness", document.get("proof", {}))
        self.assertNotIn("alpha", document)


class Kinds(DocumentTest):
    """Each kind of input once; `document` checks the form."""

    def test_a_proof_names_rows_that_are_shown(self):
        data = self.generate("xor")
        document = self.document(data)
        self.assertEqual(document["proof"]["verdict"], "overlapping")
        self.assertEqual(sorted(document["proof"]["witness"]["x"]), [0, 0, 1, 1])
        self.assertEqual(document["proof"]["common_point"], {"x": 0.5, "y": 0.5})

    def test_several_models(self):
        data = self.generate("comparison")
        models = [self.train(data, f"{name}.json", "--learner", name) for name in ("perceptron", "basic", "margin")]
        document = self.document(data, *[word for model in models for word in ("-m", model)])
        self.assertEqual([model["mistakes"] for model in document["models"]][:2], [0, 13])
        self.assertEqual(document["models"][0]["disagreements"], 0)
        self.assertEqual({path["model"] for path in document["paths"] if path["kind"] == "boundary"}, {0, 1, 2})

    def test_a_run(self):
        data = self.generate("and")
        model = self.train(data, "and.json", "--learner", "perceptron", "--log", "run.jsonl")
        document = self.document(data, "-m", model, "--log", "run.jsonl")
        self.assertEqual(sum(document["history"]["passes"]["mistakes"]), 18)

    def test_several_classes(self):
        data = self.generate("classes", "--rows", 300, "--features", 20, "--nonzeros", 5)
        document = self.document(data, "-m", self.train(data, "classes.json"))
        self.assertEqual(sum(document["confusion"]["counts"]), 300)

    def test_label_columns(self):
        data = self.write("labels.csv", "a,x,b\n1,0.5,0\n0,1.5,1\n1,2.5,1\n0,-1,0\n")
        model = self.train(data, "labels.json", "--labels", "a,b")
        self.assertEqual(self.document(data, "-m", model)["about"]["class_rows"], [2, 2])

    def test_a_regression(self):
        data = self.write("line.svm", "1.1 1:1\n2.9 1:2\n5 1:3\n7.1 1:4\n")
        model = self.train(data, "line.json", "--learner", "regression", "--rate", "0.05")
        document = self.document(data, "-m", model)
        self.assertEqual(sum(document["residuals"]["bins"]["rows"]), 4)
        self.assertNotIn("plane", document)

    def test_kernels_and_maps_are_curved(self):
        data = self.generate("xor")
        for options in (("--learner", "dual", "--kernel", "polynomial"), ("--learner", "perceptron", "--map", "products")):
            document = self.document(data, "-m", self.train(data, "xor.json", *options))
            self.assertTrue(any(len(path["points"]["x"]) > 10 for path in document["paths"]))

    def test_hostile_names(self):
        long = "n" * 10000
        lines = f'"<b onclick=x>","a\u202eb",{long},label\n1,2,3,</script>\n2,1,1,"q""uote"\n'
        data = self.write("names.csv", lines)
        model = self.train(data, "names.json", "--learner", "basic", "--label", "label")
        document = self.document(data, "-m", model, "--label", "label")
        names = document["weights"]["heaviest"]["name"]
        self.assertIn("<b onclick=x>", names)
        self.assertIn("a\\u202eb", names)
        self.assertEqual(max(map(len, names)), 60)
        self.assertEqual(sorted(document["about"]["classes"]), ["</script>", 'q"uote'])


@unittest.skipUnless(shutil.which("node") and (NODE_MODULES / "ajv").exists(), "needs node and web/node_modules")
class Ajv(DocumentTest):
    def test_another_validator_agrees(self):
        data = self.generate("comparison")
        model = self.train(data, "model.json", "--log", "run.jsonl")
        files = []
        for name, arguments in (("all", (data, "-m", model, "--log", "run.jsonl")), ("data", (data,)), ("model", ("-m", model))):
            (self.folder / name).write_text(self.words("report", *arguments, "--data"))
            files.append(self.folder / name)
        done = subprocess.run(["node", Path(__file__).parent / "validate.mjs", NODE_MODULES, SCHEMA_FILE, *files],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
