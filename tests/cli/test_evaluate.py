"""What `linsep evaluate` says of rankings, thresholds, calibration and classes, against plain loops."""

import json
import math
import random
import unittest

from program import CommandLineTest


def exact(figure):
    """A bounded figure whose two ends agree."""
    assert figure["at_least"] == figure["at_most"], figure
    return figure["at_least"]


class EvaluateTest(CommandLineTest):
    def scored(self, rows):
        """A model z = x and a file of rows (x, positive)."""
        self.write("start.svm", "1 1:1\n-1 1:-1\n")
        self.run_program("train", "start.svm", "--learner", "perceptron", "--origin", "-o", "model.json")
        model = json.loads(self.read("model.json"))
        model["theta"] = [1.0]
        self.write("model.json", json.dumps(model))
        return self.write("rows.svm", "".join(f"{1 if y else -1} 1:{x!r}\n" for x, y in rows))

    def drawn(self, count, seed=1, places=40):
        draw = random.Random(seed)
        rows = []
        for _ in range(count):
            y = draw.random() < 0.2
            rows.append((round(places * draw.gauss(1 if y else 0, 1)) / places, y))
        return rows


def average_precision(rows):
    found = falsely = 0
    total = sum(y for _, y in rows)
    area = 0.0
    for score in sorted({x for x, _ in rows}, reverse=True):
        here = sum(1 for x, y in rows if x == score and y)
        found += here
        falsely += sum(1 for x, y in rows if x == score and not y)
        area += here / total * found / (found + falsely)
    return area


class Rankings(EvaluateTest):
    def test_figures_are_those_of_plain_loops(self):
        rows = self.drawn(1500)
        told = self.answer("evaluate", self.scored(rows), "-m", "model.json", "--double")
        ranking = told["ranking"]
        self.assertTrue(ranking["exact"])
        self.assertAlmostEqual(exact(ranking["average_precision"]), average_precision(rows), places=12)
        positives = sum(y for _, y in rows)
        ks = max(abs(sum(1 for x, y in rows if y and x >= t) / positives
                     - sum(1 for x, y in rows if not y and x >= t) / (len(rows) - positives))
                 for t in {x for x, _ in rows})
        self.assertAlmostEqual(exact(ranking["ks"]), ks, places=12)
        self.assertEqual(exact(ranking["area_under_curve"]), told["area_under_curve"])
        self.assertEqual([(top["share"], top["rows"]) for top in ranking["top"]],
                         [(0.001, 2), (0.01, 15), (0.05, 75), (0.1, 150), (0.2, 300)])
        for top in ranking["top"]:
            self.assertAlmostEqual(exact(top["lift"]), exact(top["precision"]) * len(rows) / positives, places=9)

    def test_words_show_the_top_rows_of_many(self):
        words = self.words("evaluate", self.scored(self.drawn(1500)), "-m", "model.json")
        self.assertIn("average precision", words)
        self.assertRegex(words, r"top +rows +precision +recall +lift\n +0.1% +2 ")

    def test_words_show_the_top_rows_of_few(self):
        """A share of the rows has its line where it holds at least one of them."""
        for rows, first in ((500, "1% +5 "), (50, "5% +3 ")):
            words = self.words("evaluate", self.scored(self.drawn(rows)), "-m", "model.json")
            self.assertRegex(words, r"top +rows +precision +recall +lift\n +" + first)
        self.assertNotIn("lift", self.words("evaluate", self.scored(self.drawn(4)), "-m", "model.json"))

    def test_no_auc_leaves_them_out(self):
        told = self.answer("evaluate", self.scored(self.drawn(50)), "-m", "model.json", "--no-auc")
        self.assertNotIn("ranking", told)
        self.assertIsNone(told["area_under_curve"])

    def test_the_same_for_any_threads(self):
        self.scored(self.drawn(3000, places=10**9))
        answers = {self.words("evaluate", "rows.svm", "-m", "model.json", "--json", "--threads", n) for n in (1, 2, 5)}
        self.assertEqual(len(answers), 1)


class Thresholds(EvaluateTest):
    def cost(self, rows, threshold, missed, falsely):
        return sum(missed if y and x < threshold else falsely if not y and x >= threshold else 0 for x, y in rows)

    def test_of_least_cost(self):
        rows = self.drawn(400)
        self.scored(rows)
        told = self.answer("evaluate", "rows.svm", "-m", "model.json", "--double", "--cost", "10:1.5")
        least = min(self.cost(rows, t, 10, 1.5) for t in [x for x, _ in rows] + [math.inf])
        self.assertEqual(told["cost"]["cost"], least)
        self.assertEqual(told["cost"]["no_less_than"], least)
        self.assertEqual(self.cost(rows, told["cost"]["threshold"], 10, 1.5), least)
        self.assertEqual(told["cost"]["cost_now"], self.cost(rows, 0, 10, 1.5))
        words = self.words("evaluate", "rows.svm", "-m", "model.json", "--cost", "10:1.5")
        self.assertIn("Lowest cost", words)

    def test_of_a_precision(self):
        rows = self.drawn(400)
        self.scored(rows)
        told = self.answer("evaluate", "rows.svm", "-m", "model.json", "--double", "--at-precision", "0.6")["at_precision"]
        best = 0
        for t in {x for x, _ in rows}:
            found = sum(1 for x, y in rows if y and x >= t)
            if found and found / sum(1 for x, _ in rows if x >= t) >= 0.6:
                best = max(best, found / sum(y for _, y in rows))
        self.assertEqual(exact(told["greatest_recall"]), best)
        self.assertGreaterEqual(told["precision"], 0.6)
        self.scored([(1.0, False), (0.0, True)])
        self.assertIn("No threshold", self.words("evaluate", "rows.svm", "-m", "model.json", "--at-precision", "1"))

    def test_a_saved_threshold_is_kept_by_all_who_read_the_model(self):
        rows = self.drawn(400)
        self.scored(rows)
        told = self.answer("evaluate", "rows.svm", "-m", "model.json", "--double", "--cost", "4:1", "--save-threshold", "kept.json")
        again = self.answer("evaluate", "rows.svm", "-m", "kept.json", "--double")
        self.assertEqual(again["threshold"], told["cost"]["threshold"])
        self.assertNotEqual(again["threshold"], 0)
        self.assertEqual(again["confusion"], told["cost"]["confusion"])
        wrong = again["confusion"]["false_positive"] + again["confusion"]["false_negative"]
        self.assertEqual((again["mistakes"], again["accuracy"]), (wrong, (400 - wrong) / 400))
        made = self.words("predict", "rows.svm", "-m", "kept.json", "--double").split()
        self.assertEqual(made.count("1"), again["confusion"]["true_positive"] + again["confusion"]["false_positive"])
        self.assertIn("is predicted at a score of", self.words("evaluate", "rows.svm", "-m", "kept.json"))

    def test_what_makes_no_sense_is_refused(self):
        self.scored(self.drawn(20))
        for cost in ("3", "a:b", "0:0", "-1:2", "1:inf", "1:2:3"):
            self.assertIn("--cost takes", self.complaint("evaluate", "rows.svm", "-m", "model.json", "--cost=" + cost, code=2))
        self.assertIn("--save-threshold needs",
                      self.complaint("evaluate", "rows.svm", "-m", "model.json", "--save-threshold", "x.json", code=2))
        self.assertIn("--no-auc", self.complaint("evaluate", "rows.svm", "-m", "model.json", "--cost", "1:1", "--no-auc", code=2))


class Probabilities(EvaluateTest):
    def test_equal_count_bins_hold_all_rows(self):
        data = self.generate("noisy", "--rows", "800")
        self.run_program("train", data, "--learner", "margin", "--loss", "logistic", "-o", "model.json")
        told = self.answer("evaluate", data, "-m", "model.json")["probabilities"]
        self.assertEqual([bin["rows"] for bin in told["equal_count_bins"]], [80] * 10)
        self.assertEqual(sum(bin["rows"] for bin in told["bins"]), 800)
        shares = [bin["predicted"] for bin in told["equal_count_bins"]]
        self.assertEqual(shares, sorted(shares))


class Classes(EvaluateTest):
    def test_each_against_the_rest_and_their_means(self):
        data = self.generate("classes", "--rows", "400", "--features", "40", "--nonzeros", "6", "--classes", "3")
        self.run_program("train", data, "--learner", "margin", "-o", "model.json")
        told = self.answer("evaluate", data, "-m", "model.json")
        scores = [list(map(float, line.split("\t")[1:]))
                  for line in self.words("predict", data, "-m", "model.json", "--scores").splitlines()]
        labels = [int(line.split()[0]) - 1 for line in self.read(data).splitlines()]
        f1s = []
        for c, own in enumerate(told["classes"]):
            pairs = wins = 0
            for a, z in zip(labels, scores):
                for b, w in zip(labels, scores):
                    if a == c and b != c:
                        pairs += 1
                        wins += 1 if z[c] > w[c] else 0.5 if z[c] == w[c] else 0
            self.assertAlmostEqual(own["area_under_curve"], wins / pairs, places=12)
            p, r = own["precision"], own["recall"]
            self.assertAlmostEqual(own["f1"], 2 * p * r / (p + r))
            f1s.append(own["f1"])
        self.assertAlmostEqual(told["macro"]["f1"], sum(f1s) / 3)
        self.assertAlmostEqual(told["weighted"]["f1"],
                               sum(f * own["rows"] for f, own in zip(f1s, told["classes"])) / 400)
        words = self.words("evaluate", data, "-m", "model.json")
        self.assertIn("ROC area", words)
        self.assertRegex(words, r"\n  weighted ")
        self.assertIn("two classes", self.complaint("evaluate", data, "-m", "model.json", "--cost", "1:1", code=2))


class Tables(EvaluateTest):
    def train(self):
        colours = ["red", "green", "blue"]
        rows = [f"{i % 50},{colours[i % 3]},{'yes' if (i % 50 > 25) != (i % 3 == 0) else 'no'}" for i in range(300)]
        self.write("train.csv", "size,colour,good\n" + "\n".join(rows) + "\n")
        self.run_program("train", "train.csv", "--label", "good", "--learner", "margin", "-o", "model.json", "--quiet")

    def test_what_was_never_seen_and_what_is_not_there_is_counted(self):
        self.train()
        self.write("new.csv", "size,colour,good\n" + "1,red,yes\n" * 6 + "2,pink,no\n" * 3 + ",green,no\n")
        self.assertEqual(self.answer("evaluate", "new.csv", "-m", "model.json")["table"],
                         {"rows": 10, "nothing": 0, "columns": [{"column": "size", "unseen": 0, "holes": 1},
                                                                {"column": "colour", "unseen": 3, "holes": 0}]})
        for verb in ("evaluate", "predict"):
            done = self.run_program(verb, "new.csv", "-m", "model.json").stderr.decode()
            self.assertIn("warning: column 'colour' has values never seen in training in 3 rows (30.0%)", done)
            self.assertNotIn("size", done, "a tenth isn't more than a tenth")
        words = self.words("evaluate", "new.csv", "-m", "model.json")
        self.assertIn("size: without a value: 1 row (10.0%)", words)

    def test_columns_are_kept_beside_predictions(self):
        self.train()
        out = self.words("predict", "train.csv", "-m", "model.json", "--keep", "colour").splitlines()
        self.assertEqual(out[0], "colour,prediction")
        self.assertEqual([line.split(",")[0] for line in out[1:4]], ["red", "green", "blue"])

    def test_nothing_is_said_of_rows_like_those_of_the_training(self):
        self.train()
        self.assertEqual(self.run_program("predict", "train.csv", "-m", "model.json").stderr, b"")


class Notes(EvaluateTest):
    def test_few_positive_rows_are_better_ranked_by_a_logistic_loss(self):
        draw = random.Random(3)
        rows = "".join(f"{1 if i % 200 == 0 else -1} 1:{draw.gauss(1 if i % 200 == 0 else 0, 1):.4f}\n" for i in range(1000))
        self.write("few.svm", rows)
        self.assertIn("try --loss logistic", self.words("train", "few.svm", "--learner", "margin"))
        self.assertNotIn("--loss logistic", self.words("train", "few.svm", "--learner", "margin", "--loss", "logistic"))
        self.assertNotIn("--loss logistic", self.words("train", self.generate("noisy"), "--learner", "margin"))


if __name__ == "__main__":
    unittest.main()
