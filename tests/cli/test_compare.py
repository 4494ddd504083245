"""`linsep evaluate --against`: a model beside another one, the gate for its promotion, and figures by group."""

import json
import math
import random
import unittest

from program import CommandLineTest


class CompareTest(CommandLineTest):
    def rows(self, name, count, seed, columns=("a", "b", "c"), label=("ill", "well"), shift=0.0):
        """Numbers, a region and a date, and words as labels."""
        draw = random.Random(seed)
        lines = [",".join([*columns, "region", "day", "y"])]
        for i in range(count):
            x = {column: draw.gauss(shift, 1) for column in "abc"}
            z = 2 * x["a"] - x["b"] + 0.5 * x["c"] + draw.gauss(0, 1.5)
            region = ("north", "south", "7", "10")[draw.randrange(4)]
            values = [f"{x[column]:.4f}" for column in columns]
            lines.append(",".join([*values, region, f"2026-{i % 3 + 1:02}-15", label[0 if z > 0 else 1]]))
        return self.write(name, "\n".join(lines) + "\n")

    def train(self, data, model, *more, ignore="region,day"):
        self.run_program("train", data, "--loss", "logistic", "--ignore", ignore, "-o", model, "--quiet", *more)
        return model

    def setUp(self):
        super().setUp()
        self.train(self.rows("train.csv", 600, 1), "good.json")
        self.train("train.csv", "weak.json", ignore="region,day,a")
        self.rows("new.csv", 1000, 2)

    def compare(self, new, old, *more, data="new.csv", **how):
        return self.answer("evaluate", data, "-m", new, "--against", old, *more, **how)


class SideBySide(CompareTest):
    def test_figures_are_those_of_each_model_alone(self):
        both = self.compare("good.json", "weak.json", "--cost", "5:1")
        for name, part in (("good.json", both), ("weak.json", both["against"])):
            alone = self.answer("evaluate", "new.csv", "-m", name)
            for key in ("rows", "mistakes", "confusion", "ranking", "probabilities"):
                self.assertEqual(part[key], alone[key], (name, key))
        metrics = both["comparison"]["metrics"]
        self.assertEqual(list(metrics), ["error", "accuracy", "precision", "recall", "f1", "area_under_curve",
                                         "average_precision", "ks", "cost", "log_loss", "brier"])
        for key in ("error", "accuracy", "precision", "recall", "f1", "area_under_curve"):
            self.assertAlmostEqual(metrics[key]["model"], both[key], places=12)
            self.assertAlmostEqual(metrics[key]["against"], both["against"][key], places=12)
        confusion = both["against"]["confusion"]
        self.assertAlmostEqual(metrics["cost"]["against"],
                               (5 * confusion["false_negative"] + confusion["false_positive"]) / 1000, places=12)
        for metric in metrics.values():
            self.assertLess(metric["at_least"], metric["difference"])
            self.assertGreater(metric["at_most"], metric["difference"])

    def test_mistakes_are_paired_by_row(self):
        found = self.compare("good.json", "weak.json")["comparison"]
        labels = [line.rsplit(",", 1)[1] for line in self.read("new.csv").splitlines()[1:]]
        wrong = {}
        for name in ("good.json", "weak.json"):
            said = self.words("predict", "new.csv", "-m", name).split()
            wrong[name] = [a != b for a, b in zip(said, labels, strict=True)]
        pairs = list(zip(wrong["good.json"], wrong["weak.json"], strict=True))
        b, c = pairs.count((True, False)), pairs.count((False, True))
        self.assertEqual((found["only_model"], found["only_against"]), (b, c))
        p = min(1, 2 * sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c))
        self.assertAlmostEqual(found["mcnemar_p"] / p, 1, places=10)

    def test_words_name_both(self):
        words = self.words("evaluate", "new.csv", "-m", "good.json", "--against", "weak.json")
        self.assertRegex(words, r"model +against +difference +95 % interval\n  error +0\.\d+ +0\.\d+ +−0\.\d+ +−")
        self.assertIn("McNemar's exact test", words)

    def test_the_same_for_any_threads_and_workers(self):
        self.rows("many.csv", 3000, 5)
        command = ("evaluate", "many.csv", "-m", "good.json", "--against", "weak.json", "--by", "region", "--json")
        answers = {self.words(*command, "--threads", n) for n in (1, 2, 5)}
        self.assertEqual(len(answers), 1)
        self.assertNotEqual(self.words(*command, "--seed", 2), answers.pop())

    def test_models_of_other_columns_read_the_rows_in_their_own_way(self):
        self.run_program("train", "train.csv", "--loss", "logistic", "-o", "table.json", "--quiet", "--ignore", "day")
        both = self.compare("table.json", "weak.json")
        self.assertEqual(both["mistakes"], self.answer("evaluate", "new.csv", "-m", "table.json")["mistakes"])
        self.assertEqual(both["table"]["rows"], 1000)

    def test_several_classes(self):
        header, *lines = self.read("new.csv").splitlines()
        for i, line in enumerate(lines):
            fields = line.split(",")
            x = float(fields[0]) + 0.5 * float(fields[1])
            lines[i] = ",".join([*fields[:-1], "low" if x < -0.5 else "high" if x > 0.5 else "middle"])
        self.write("three.csv", "\n".join([header, *lines]) + "\n")
        self.train("three.csv", "s.json")
        self.run_program("train", "three.csv", "--learner", "perceptron", "--ignore", "region,day", "--passes", 1,
                         "-o", "p.json", "--quiet")
        both = self.compare("s.json", "p.json", "--fail-if-worse", "error+5%", data="three.csv")
        self.assertEqual(list(both["comparison"]["metrics"]), ["error", "accuracy"])
        self.assertTrue(both["gate"]["passed"])
        self.assertLess(both["error"], both["against"]["error"])


class Gate(CompareTest):
    def gate(self, new, old, rules, *more, code, data="new.csv"):
        told = self.run_program("evaluate", data, "-m", new, "--against", old, "--fail-if-worse", rules, *more, code=code)
        return told.stdout.decode()

    def test_a_better_model_passes(self):
        words = self.gate("good.json", "weak.json", "error,auc-0.01,log_loss+1%", code=0)
        self.assertIn("Passed: the error is shown to be no worse (difference −", words)
        self.assertIn("Passed: the ROC area is shown to be no worse by more than 0.01", words)
        self.assertIn("1 % of the other model's", words)

    def test_a_worse_model_fails(self):
        for unsure in ("fail", "pass"):
            words = self.gate("weak.json", "good.json", "error+0.005", "--if-unsure", unsure, code=1)
            self.assertIn("Failed: the error is shown to be worse by more than 0.005", words)

    def test_too_few_rows_fail_unless_asked(self):
        self.rows("few.csv", 40, 3)
        self.train(self.rows("again.csv", 600, 4), "again.json")
        words = self.gate("again.json", "good.json", "error+0.005", data="few.csv", code=1)
        self.assertIn("isn't shown to be worse by more than 0.005, nor to be no worse", words)
        self.assertIn("More rows can decide it", words)
        self.gate("again.json", "good.json", "error+0.005", "--if-unsure", "pass", data="few.csv", code=0)

    def test_one_failed_rule_is_enough(self):
        told = self.run_program("evaluate", "new.csv", "-m", "weak.json", "--against", "good.json", "--fail-if-worse",
                                "error+90%,error+0.9,log_loss", "--json", code=1)
        gate = json.loads(told.stdout)["gate"]
        self.assertFalse(gate["passed"])
        self.assertEqual([rule["passed"] for rule in gate["rules"]][1:], [True, False])
        self.assertIn("the log loss is shown to be worse", told.stderr.decode())

    def test_nothing_to_decide_by_is_never_a_pass(self):
        header, *lines = self.read("new.csv").splitlines()
        self.write("empty.csv", "")
        self.write("header.csv", header + "\n")
        self.write("ill.csv", "\n".join([header, *(line for line in lines if line.endswith(",ill"))]) + "\n")
        self.write("unlabeled.csv", "\n".join([header, *(line.rsplit(",", 1)[0] + "," for line in lines)]) + "\n")
        self.write("relabeled.csv", "\n".join([header, *(line.replace("well", "fine") for line in lines)]) + "\n")
        for data in ("empty.csv", "header.csv", "ill.csv", "unlabeled.csv", "relabeled.csv"):
            for unsure in ("fail", "pass"):
                with self.subTest(data, unsure=unsure):
                    told = self.complaint("evaluate", data, "-m", "good.json", "--against", "weak.json",
                                          "--fail-if-worse", "error+0.5", "--if-unsure", unsure, code=3)
                    self.assertGreater(len(told), 20)
        self.assertIn("all rows are of the class 'ill'", self.complaint(
            "evaluate", "ill.csv", "-m", "good.json", "--against", "weak.json", "--fail-if-worse", "error", code=3))
        told = self.complaint("evaluate", "unlabeled.csv", "-m", "good.json", "--against", "weak.json",
                              "--missing-label", "drop", "--fail-if-worse", "error", code=3)
        self.assertIn("there are no rows", told)

    def test_models_of_other_classes_are_not_compared(self):
        self.train(self.rows("other.csv", 300, 4, label=("sick", "well")), "other.json")
        self.train("train.csv", "turned.json", "--positive", "ill")
        self.train("train.csv", "straight.json", "--positive", "well")
        told = self.complaint("evaluate", "new.csv", "-m", "good.json", "--against", "other.json", code=3)
        self.assertIn("the models can't be compared", told)
        told = self.complaint("evaluate", "new.csv", "-m", "turned.json", "--against", "straight.json", code=3)
        self.assertIn("--classes", told)

    def test_rules_that_make_no_sense_are_refused(self):
        for rules, part in (("eror+1", "no metric is called 'eror'"), ("auc+0.01", "more area_under_curve is better"),
                            ("error-0.01", "less error is better"), ("error+x", "isn't a margin"),
                            ("error+-1", "isn't a margin"), ("error,", "no metric is called ''"),
                            ("error+nan", "isn't a margin"), ("cost+1%", "no common 'cost'")):
            told = self.complaint("evaluate", "new.csv", "-m", "good.json", "--against", "weak.json",
                                  "--fail-if-worse", rules, code=2)
            self.assertIn(part, told)
            self.assertIn("--fail-if-worse", told)
        self.assertIn("worse than which model", self.complaint(
            "evaluate", "new.csv", "-m", "good.json", "--fail-if-worse", "error", code=2))
        self.assertIn("needs a file", self.complaint(
            "evaluate", "-", "-m", "good.json", "--against", "weak.json", code=2, stdin=self.read("new.csv")))

    def test_models_without_probabilities_have_no_log_loss(self):
        self.run_program("train", "train.csv", "--learner", "perceptron", "--ignore", "region,day", "--passes", 5,
                         "-o", "p.json", "--quiet")
        told = self.complaint("evaluate", "new.csv", "-m", "p.json", "--against", "good.json", "--fail-if-worse",
                              "log_loss", code=2)
        self.assertIn("no common 'log_loss'", told)


class Groups(CompareTest):
    def test_figures_are_those_of_the_rows_alone(self):
        told = self.answer("evaluate", "new.csv", "-m", "good.json", "--by", "region")
        self.assertEqual([group["value"] for group in told["groups"]], ["7", "10", "north", "south"])
        header, *lines = self.read("new.csv").splitlines()
        for group in told["groups"]:
            self.write("part.csv", "\n".join([header, *(x for x in lines if x.split(",")[3] == group["value"])]) + "\n")
            alone = self.answer("evaluate", "part.csv", "-m", "good.json")
            for key in ("rows", "mistakes", "confusion", "ranking", "probabilities"):
                self.assertEqual(group[key], alone[key], (group["value"], key))
        self.assertEqual(told["mistakes"], sum(group["mistakes"] for group in told["groups"]))

    def test_with_another_model(self):
        told = self.compare("good.json", "weak.json", "--by", "region")
        for group in told["groups"]:
            found = group["comparison"]
            self.assertEqual(found["only_model"] - found["only_against"],
                             group["mistakes"] - group["against"]["mistakes"])
        words = self.words("evaluate", "new.csv", "-m", "good.json", "--against", "weak.json", "--by", "region")
        self.assertRegex(words, r"region +rows +error +against +difference +95 % interval\n  7 +\d+ +0\.")

    def test_by_period(self):
        told = self.answer("evaluate", "new.csv", "-m", "good.json", "--by", "day", "--by-letters", 7)
        self.assertEqual([group["value"] for group in told["groups"]], ["2026-01", "2026-02", "2026-03"])
        self.assertRegex(self.words("evaluate", "new.csv", "-m", "good.json", "--by", "day", "--by-letters", 7),
                         r"day +rows +error +ROC area +log loss\n  2026-01 +334 ")

    def test_columns_that_cannot_group(self):
        self.assertIn("1,000 values", self.complaint(
            "evaluate", self.rows("wide.csv", 3000, 6), "-m", "good.json", "--by", "a", code=3))
        self.complaint("evaluate", "new.csv", "-m", "good.json", "--by", "nowhere", code=2)


if __name__ == "__main__":
    unittest.main()
