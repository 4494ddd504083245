"""Starts, maps, streams, limits, logs and traces of `linsep train`."""

import json
import unittest

from program import CommandLineTest


class Words(CommandLineTest):
    def test_the_account_says_what_was_read_why_it_stopped_and_where_the_model_went(self):
        words = self.words("train", "--learner", "perceptron", self.generate("and"), "-o", "and.json")
        self.assertIn("4 rows × 2 features, classes -1 and 1 (positive)", words)
        self.assertIn("converged", words)
        self.assertIn("18 mistakes", words)
        self.assertIn("Training error 0", words)
        self.assertIn("z = 3·x1 + 2·x2 − 4", words)
        self.assertIn("and.json", words)

    def test_quiet_prints_nothing(self):
        done = self.run_program("train", self.generate("and"), "-o", "and.json", "--quiet")
        self.assertEqual(done.stdout + done.stderr, b"")
        self.assertTrue((self.folder / "and.json").exists())

    def test_every_learner_trains(self):
        data = self.generate("comparison")
        for learner in ("perceptron", "dual", "basic", "least-squares", "regression"):
            run = self.answer("train", data, "--learner", learner)
            self.assertEqual((run["learner"], run["rows"], run["features"]), (learner, 150, 2))

    def test_the_perceptron_separates_the_comparison_and_the_basic_classifier_does_not(self):
        data = self.generate("comparison")
        self.assertEqual(self.answer("train", "--learner", "perceptron", data, "--passes", "10000")["training_error"], 0)
        self.assertGreater(self.answer("train", data, "--learner", "basic")["training_error"], 0)


class Starts(CommandLineTest):
    def test_from_the_basic_classifier(self):
        data = self.generate("or")
        run = self.answer("train", "--learner", "perceptron", data, "--init", "basic")
        basic = self.answer("train", data, "--learner", "basic", "-o", "basic.json")
        from_model = self.answer("train", "--learner", "perceptron", data, "--init", "basic.json")
        self.assertTrue(run["converged"])
        self.assertEqual(basic["mistakes"], None)
        for field in ("mistakes", "mistakes_by_row", "theta", "offset"):
            self.assertEqual(run[field], from_model[field])

    def test_from_the_basic_classifier_of_mapped_features(self):
        run = self.answer("train", self.generate("xor"), "--map", "products", "--init", "basic")
        self.assertTrue(run["converged"])

    def test_from_numbers_that_begin_with_a_point(self):
        run = self.answer("train", self.generate("or"), "--init", "-.5,1")
        self.assertEqual(run["options"]["init"], [-0.5, 1])

    def test_from_a_model_that_is_not_there(self):
        self.assertIn("nowhere.json", self.complaint("train", self.generate("or"), "--init", "nowhere.json", code=3))


class Streams(CommandLineTest):
    def test_one_pass_from_standard_input(self):
        text = self.words("generate", "noisy", "--rows", "5000")
        streamed = self.answer("train", "--learner", "perceptron", "-", "--online", stdin=text)
        loaded = self.answer("train", "--learner", "perceptron", self.write("noisy.svm", text), "--passes", "1")
        for field in ("rows", "features", "mistakes", "theta", "offset"):
            self.assertEqual(streamed[field], loaded[field], field)
        self.assertEqual(streamed["stopped_because"], "end_of_stream")
        self.assertEqual(streamed["training_error"], streamed["mistakes"] / 5000)
        self.assertTrue(streamed["progressive"])

    def test_a_file_can_be_streamed_more_than_once(self):
        data = self.generate("and")
        self.assertEqual(self.answer("train", data, "--online", "--passes", "100")["mistakes"], 18)

    def test_the_basic_start_needs_all_rows(self):
        self.assertIn("--online", self.complaint("train", "-", "--online", "--init", "basic", code=2))


class Limits(CommandLineTest):
    def test_time_ends_a_run_with_the_model_of_the_moment(self):
        data = self.generate("noisy", "--rows", "20000")
        run = self.answer("train", data, "--learner", "perceptron", "--passes", "1000000000", "--time", "0.3", "-o", "model.json")
        self.assertEqual((run["stopped_because"], run["converged"]), ("time", False))
        self.assertLess(run["seconds"]["train"], 20)
        self.assertEqual(self.answer("evaluate", data, "-m", "model.json")["mistakes"], run["training_mistakes"])

    def test_a_drawn_order_proves_nothing_so_the_error_is_counted(self):
        run = self.answer("train", self.generate("xor"), "--order", "drawn", "--passes", "50")
        self.assertGreater(run["training_error"], 0)


class Records(CommandLineTest):
    def test_the_log_has_a_line_for_each_pass(self):
        run = self.answer("train", "--learner", "perceptron", self.generate("and"), "--log", "log.jsonl")
        log = self.read_lines("log.jsonl")
        self.assertEqual([line["pass"] for line in log], list(range(1, run["passes"] + 1)))
        self.assertEqual(sum(line["mistakes"] for line in log), 18)
        self.assertEqual(log[-1]["mistakes"], 0)

    def test_the_trace_has_every_theta_on_the_way(self):
        self.write("rows.svm", "1 1:-1 2:-1\n-1 1:1 2:0\n1 1:-1 2:1.5\n")
        self.answer("train", "rows.svm", "--origin", "--trace", "trace.jsonl")
        steps = self.read_lines("trace.jsonl")
        self.assertEqual([(step["row"], step["theta"]) for step in steps], [(1, [-1, -1]), (3, [-2, 0.5])])

    def test_a_learner_without_a_trace_says_who_has_one(self):
        message = self.complaint("train", self.generate("and"), "--learner", "basic", "--trace", "t", code=2)
        self.assertIn("perceptron", message)

    def test_the_model_file_does_not_depend_on_threads(self):
        data = self.generate("sparse", "--rows", "3000", "--features", "200", "--nonzeros", "12")
        targets = self.generate("noisy", "--rows", "500", "--flips", "9")
        runs = {
            "perceptron": (data, "--passes", "3"),
            "averaged": (data, "--passes", "3", "--variant", "averaged", "--order", "shuffled"),
            "dual": (targets, "--learner", "dual", "--passes", "5"),
            "basic": (data, "--learner", "basic"),
            "least-squares": (data, "--learner", "least-squares"),
            "regression": (targets, "--learner", "regression", "--passes", "3"),
            "hinge": (data, "--learner", "margin", "--solver", "dual"),
            "interior": (data, "--learner", "margin", "--solver", "interior"),
            "squared": (data, "--learner", "margin", "--loss", "squared-hinge"),
            "logistic": (data, "--learner", "margin", "--loss", "logistic"),
            "folds": (data, "--learner", "margin", "--cv", "3", "--probabilities", "platt"),
        }
        for name, run in runs.items():
            with self.subTest(name):
                for threads in (1, 2, 4):
                    self.run_program("train", *run, "--threads", threads, "-o", f"{threads}.json", "--quiet")
                models = [(self.folder / f"{threads}.json").read_bytes() for threads in (1, 2, 4)]
                self.assertEqual(models[0], models[1])
                self.assertEqual(models[0], models[2])

    def test_margin_starts_from_a_model(self):
        data = self.generate("noisy", "--rows", "2000", "--flip", "0.1")
        first = self.answer("train", data, "--learner", "margin", "--solver", "dual", "-o", "first.json")
        again = self.answer("train", data, "--learner", "margin", "--solver", "dual", "--init", "first.json")
        self.assertLess(again["passes"], first["passes"])
        self.assertLessEqual(again["gap"], 1e-3)

    def test_long_vectors_are_left_out_unless_asked_for(self):
        data = self.generate("sparse", "--rows", "1200", "--features", "1500")
        short = self.answer("train", "--learner", "perceptron", data, "--passes", "1")
        self.assertNotIn("theta", short)
        self.assertNotIn("mistakes_by_row", short)
        full = self.answer("train", "--learner", "perceptron", data, "--passes", "1", "--full")
        self.assertEqual(len(full["mistakes_by_row"]), 1200)
        self.assertEqual(len(full["theta"]), full["features"])


class Csv(CommandLineTest):
    TABLE = "name,width,kind,height\na,1,cat,2\nb,2,cat,1\nc,-1,dog,-2\nd,-2,dog,-1\n"

    def test_columns_by_name(self):
        self.write("pets.csv", self.TABLE)
        run = self.answer("train", "pets.csv", "--label", "kind", "--id", "name", "-o", "pets.json")
        self.assertEqual(run["features"], 2)
        self.assertEqual(run["classes"], {"negative": "cat", "positive": "dog"})
        names = [weight["name"] for weight in self.answer("inspect", "pets.json")["heaviest_weights"]]
        self.assertEqual(sorted(names), ["height", "width"])

    def test_the_positive_class_by_name(self):
        self.write("pets.csv", self.TABLE)
        for choice in (["--positive", "cat"], ["--classes", "dog,cat"]):
            run = self.answer("train", "pets.csv", "--label", "3", "--ignore", "name", *choice)
            self.assertEqual(run["classes"], {"negative": "dog", "positive": "cat"})


if __name__ == "__main__":
    unittest.main()
