"""What someone meets who tries linsep from its help alone: defaults, names of learners, other programs' options."""

import os
import pty
import select
import subprocess
import time
import unittest
from pathlib import Path

from program import PROGRAM, CommandLineTest


class Defaults(CommandLineTest):
    def test_the_default_is_the_margin_learner(self):
        run = self.answer("train", self.generate("comparison"))
        self.assertEqual((run["learner"], run["options"]["loss"]), ("margin", "hinge"))
        self.assertLessEqual(run["gap"], 1e-3)

    def test_options_of_the_margin_learner_leave_it_the_default(self):
        data = self.generate("comparison")
        for options in (["--C", "10"], ["--loss", "logistic"], ["--cv", "3"], ["--lambda", "0.01"]):
            self.assertEqual(self.answer("train", data, *options)["learner"], "margin", options)

    def test_without_a_name_the_first_learner_that_has_the_options_given_is_taken(self):
        data = self.generate("comparison")
        for learner, options in (
            ("perceptron", ["--rate", "0.5"]),
            ("perceptron", ["--variant", "averaged"]),
            ("perceptron", ["--init", "-1,1"]),
            ("perceptron", ["--trace", "steps.jsonl"]),
            ("perceptron", ["--online"]),
            ("dual", ["--kernel", "gaussian"]),
            ("least-squares", ["--matrix", "full"]),
        ):
            self.assertEqual(self.answer("train", data, *options)["learner"], learner, options)

    def test_options_that_no_learner_has_together_are_refused(self):
        message = self.complaint("train", self.generate("and"), "--C", "1", "--rate", "2", code=2)
        self.assertIn("the learner margin has no option --rate; it belongs to perceptron", message)

    def test_the_perceptron_is_one_word_away(self):
        words = self.words("train", self.generate("and"), "--learner", "perceptron")
        self.assertIn("pass 9 made no mistake, 18 mistakes on the way", words)


class Names(CommandLineTest):
    def test_svm_logistic_and_ridge_say_what_they_mean(self):
        data = self.generate("comparison")
        for name, learner, option, value in (
            ("svm", "margin", "loss", "hinge"),
            ("logistic", "margin", "loss", "logistic"),
            ("ridge", "least-squares", "ridge", 1),
        ):
            run = self.answer("train", data, "--learner", name)
            self.assertEqual((run["learner"], run["options"][option]), (learner, value))
            words = self.words("train", data, "--learner", name)
            self.assertIn(f"--learner {name} is short for --learner {learner} --{option} {value}.\n", words)

    def test_a_name_and_an_option_that_contradict_each_other_are_refused(self):
        data = self.generate("and")
        message = self.complaint("train", data, "--learner", "logistic", "--loss", "hinge", code=2)
        self.assertIn("with --loss hinge, use --learner margin", message)
        self.assertEqual(self.answer("train", data, "--learner", "ridge", "--ridge", "2")["options"]["ridge"], 2)

    def test_an_unknown_name_gets_the_nearest(self):
        self.assertIn("did you mean 'logistic'?", self.complaint("train", "x", "--learner", "logistik", code=2))
        self.assertIn("there are perceptron", self.complaint("train", "x", "--learner", "xgboost", code=2))


class Liblinear(CommandLineTest):
    def test_its_options_are_answered_with_the_same_in_ours(self):
        for theirs, ours in (
            ("-s 3 -c 1 -B 1 a.svm m", "linsep train a.svm --loss hinge --C 1 -o m"),
            ("-s 2 a.svm", "linsep train a.svm --loss squared-hinge --origin -o MODEL"),
            ("-s 0 -w1 5 -w-1 2 -B 1 a.svm", "linsep train a.svm --loss logistic --class-weight 1=5,-1=2 -o MODEL"),
            ("-v 5 -B 1 -q a.svm", "linsep train a.svm --cv 5 --quiet -o MODEL"),
            ("-C -B 1 a.svm", "linsep train a.svm --cv 5 -o MODEL"),
            ("-s 5 -c 2 a.svm m", "linsep train a.svm --penalty l1 --loss squared-hinge --C 2 --origin -o m"),
            ("-s 6 -B 1 a.svm", "linsep train a.svm --penalty l1 --loss logistic -o MODEL"),
            ("-e 0.1 a.svm", "use --gap: how far from the optimum"),
        ):
            message = self.complaint("train", *theirs.split(), code=2)
            self.assertIn(ours, message)
            self.assertIn("LIBLINEAR", message)

    def test_beside_options_of_ours_only_the_option_is_translated(self):
        for theirs, ours in (
            ("a.svm --loss hinge -q", "-q is LIBLINEAR's. Here it is: --quiet\n"),
            ("a.svm --loss logistic -c 2 -w1 5", "-c 2 -w1 5 are LIBLINEAR's. Here it is: --C 2 --class-weight 1=5\n"),
            ("a.svm --loss hinge -B 1", "-B 1 is LIBLINEAR's; there is an intercept unless you use --origin\n"),
            ("a.svm --loss hinge -e 0.1", "-e 0.1 is LIBLINEAR's; instead of -e, use --gap"),
        ):
            self.assertIn(ours, self.complaint("train", *theirs.split(), code=2))

    def test_the_translated_command_runs(self):
        data = self.generate("comparison")
        for number, options in (
            (7, {"loss": "logistic", "penalty": "l2"}),
            (5, {"loss": "squared-hinge", "penalty": "l1"}),
            (6, {"loss": "logistic", "penalty": "l1"}),
        ):
            message = self.complaint("train", "-s", number, "-c", "2", "-B", "1", data, "m.json", code=2)
            command = message.split("linsep train ")[1].split("\n")[0].split()
            answer = self.answer("train", *command)
            self.assertEqual(answer["options"] | {"C": 2.0} | options, answer["options"])

    def test_three_files_of_predict_are_its_rows_model_and_answers(self):
        message = self.complaint("predict", "a.svm", "m", "out", code=2)
        self.assertIn("Perhaps: linsep predict a.svm -m m -o out", message)

    def test_two_files_of_train_are_its_rows_and_model(self):
        data = self.generate("comparison")
        for name in ("m.model", "m"):
            message = self.complaint("train", data, name, code=2)
            self.assertIn(f"linsep train {data} -o {name};", message)
            self.assertIn(f"linsep train {data} --loss squared-hinge --origin -o {name}\n", message)
        self.words("train", data, "-o", "m.model")
        self.assertIn(f"linsep train {data} -o m.model;", self.complaint("train", data, "m.model", code=2), "also the second time")
        self.words("train", data, data, "-o", "m.model")

    def test_another_unknown_letter_is_an_unknown_option(self):
        message = self.complaint("train", "-z", "3", "a.svm", code=2)
        self.assertIn("unknown option -z", message)
        self.assertNotIn("LIBLINEAR", message)


class Wrong(CommandLineTest):
    def test_an_address_is_no_file(self):
        self.assertIn("it is a URL", self.complaint("train", "https://example.org/rows.csv", code=3))

    def test_rows_are_no_model(self):
        self.assertIn("not a model file: should be a JSON object", self.complaint("inspect", self.generate("and"), code=3))


class Words(CommandLineTest):
    def test_voted_explains_a_wrong_row_after_a_clean_pass(self):
        data = self.generate("and")
        words = self.words("train", data, "--variant", "voted")
        run = self.answer("train", data, "--variant", "voted")
        self.assertTrue(run["converged"])
        self.assertEqual("The last θ makes no mistake" in words, run["training_mistakes"] > 0)
        self.assertGreater(run["training_mistakes"], 0, "else this says nothing")
        self.assertNotIn("The last θ", self.words("train", data, "--learner", "perceptron"))

    def test_support_vectors_only_where_the_scale_of_the_weights_means_something(self):
        data = self.generate("comparison")
        for learner, spoken in (("perceptron", False), ("basic", False), ("margin", True)):
            self.words("train", data, "--learner", learner, "-o", "m.json")
            words = self.words("inspect", "m.json", data)
            self.assertEqual("Support vectors" in words, spoken, learner)
            self.assertEqual("z = ±1" in words, spoken, learner)
            self.assertIn("smallest signed distance", words)

    def test_the_gram_matrix_of_a_dual_model(self):
        data = self.write("rows.svm", "1 1:1\n-1 1:-2 2:1\n1 1:3 2:2\n-1 2:-1\n")
        self.words("train", data, "--learner", "dual", "--kernel", "polynomial", "-o", "m.json")
        run = self.answer("inspect", "m.json", "--gram")
        model = self.answer("train", data, "--learner", "dual", "--kernel", "polynomial")
        kept = [row for row, count in enumerate(model["mistakes_by_row"]) if count > 0]
        x = [(1, 0), (-2, 1), (3, 2), (0, -1)]
        expected = [[(x[i][0] * x[j][0] + x[i][1] * x[j][1] + 1) ** 2 for j in kept] for i in kept]
        self.assertEqual(run["gram"], expected)
        self.assertIn("Gram matrix", self.words("inspect", "m.json", "--gram"))
        self.words("train", data, "-o", "linear.json")
        self.assertIn("dual form", self.complaint("inspect", "linear.json", "--gram", code=2))


class Digits(CommandLineTest):
    """Weights are printed to four digits, and one sentence says how far they may be from the optimum's."""

    def inspected(self, data, *options):
        self.words("train", data, *options, "-o", "m.json")
        return self.answer("inspect", "m.json", "--top", "100"), self.words("inspect", "m.json", "--top", "100")

    def test_every_weight_is_within_the_bound_of_a_far_more_exact_one(self):
        data = self.generate("noisy", "--rows", "500", "--features", "6", "--seed", "4")
        for loss in ("hinge", "squared-hinge", "logistic"):
            exact, _ = self.inspected(data, "--loss", loss, "--gap", "1e-12", "--double")
            theta = {weight["feature"]: weight["weight"] for weight in exact["heaviest_weights"]}
            for gap in ("0.1", "1e-3", "1e-6"):
                found, _ = self.inspected(data, "--loss", loss, "--gap", gap, "--double")
                self.assertGreater(found["weight_error"], 0)
                square = sum((w["weight"] - theta[w["feature"]]) ** 2 for w in found["heaviest_weights"])
                self.assertLessEqual(square**0.5, found["weight_error"] + exact["weight_error"], (loss, gap))

    def test_weights_have_four_digits_and_a_note_however_wide_the_gap(self):
        data = self.generate("noisy", "--rows", "500", "--features", "6", "--seed", "4")
        for gap in ("0.1", "1e-3", "1e-6"):
            found, words = self.inspected(data, "--loss", "logistic", "--gap", gap)
            weights = words.partition("Weights are within")[0]
            shown = {line.split()[1]: line.split()[0] for line in weights.splitlines() if line.startswith("  ")}
            self.assertEqual(len(shown), 6)
            for weight in found["heaviest_weights"]:
                text = shown[weight["name"]].replace("−", "-")
                self.assertAlmostEqual(float(text), weight["weight"], delta=5.1e-4 * abs(weight["weight"]))
            self.assertNotIn("~", words)
            self.assertEqual(words.count("of the best possible ones"), 1)

    def test_the_gap_that_is_advised_gives_three_digits(self):
        data = self.generate("noisy", "--rows", "500", "--features", "6", "--seed", "4")
        _, words = self.inspected(data, "--loss", "logistic")
        advised = words.split("--gap ")[1].split()[0]
        better, _ = self.inspected(data, "--loss", "logistic", "--gap", advised)
        self.assertLessEqual(better["weight_error"], 2e-3 * abs(better["heaviest_weights"][0]["weight"]))

    def test_of_a_perceptron_nothing_is_claimed(self):
        found, words = self.inspected(self.generate("and"), "--learner", "perceptron")
        self.assertIsNone(found["weight_error"])
        self.assertNotIn("bound computed", words)


class Waiting(CommandLineTest):
    def test_rows_from_a_terminal_are_waited_for_aloud(self):
        ours, theirs = pty.openpty()
        run = subprocess.Popen(
            [PROGRAM, "train", "-", "--learner", "perceptron"],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            cwd=self.folder,
        )
        os.close(theirs)
        seen, end = b"", time.monotonic() + 20
        while b"Ctrl-D" not in seen and (left := end - time.monotonic()) > 0:
            if select.select([ours], [], [], left)[0]:
                seen += os.read(ours, 4096)
        self.assertIn(b"waiting for rows on standard input; end them with Ctrl-D", seen)
        os.write(ours, b"1 1:1\n-1 1:-1\n\x04")
        self.assertIn("2 rows × 1 feature", run.stdout.read().decode())
        run.stdout.close()
        os.close(ours)
        self.assertEqual(run.wait(), 0)


class Manual(CommandLineTest):
    def commands(self):
        lines = self.words("--help").splitlines()
        first = lines.index("Usage: linsep COMMAND [options]") + 2
        return [line.split()[0] for line in lines[first : lines.index("A first session:") - 1] if line[2] != " "]

    def test_every_command_has_a_page_with_all_its_options(self):
        self.assertIn("train", self.commands())
        for command in self.commands():
            page = self.words("manual", command)
            self.assertTrue(page.startswith('.TH "linsep'), command)
            for word in self.words(command, "--help").split():
                if word.startswith("--") and word[2:].isalpha():
                    self.assertIn(word.replace("-", "\\-"), page, command)
            self.assertIn(command, self.words("manual"))

    def test_every_page_is_installed(self):
        build = (Path(__file__).resolve().parents[2] / "apps/linsep/CMakeLists.txt").read_text()
        listed = build.split('foreach(page "" ')[1].split(")")[0].split()
        self.assertEqual(sorted(listed), sorted(self.commands()))

    def test_pages_are_roff_without_a_warning(self):
        for command in ["", *self.commands()]:
            page = self.words(*["manual", command][: 2 if command else 1])
            done = subprocess.run(
                ["groff", "-man", "-ww", "-Tutf8", "-Kutf8"], input=page.encode(), capture_output=True, timeout=60
            )
            self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), command)

    def test_scripts_for_three_shells_pass_their_shell(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.words("completion", shell)
            path = self.write(f"script.{shell}", script)
            done = subprocess.run([shell, "-n", path], cwd=self.folder, capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""), shell)
            for word in ("certify", "least-squares", "squared-hinge"):
                self.assertIn(word, script, shell)
        self.assertIn("bash, zsh or fish", self.complaint("completion", "tcsh", code=2))

    def test_fish_completes_learners_and_bash_does(self):
        self.write("s.fish", self.words("completion", "fish"))
        done = subprocess.run(
            ["fish", "-c", "source s.fish; complete -C 'linsep train --learner lo'"],
            cwd=self.folder,
            capture_output=True,
            env={**os.environ, "HOME": str(self.folder)},
            timeout=60,
        )
        self.assertIn(b"logistic", done.stdout)
        self.write("s.bash", self.words("completion", "bash"))
        ask = "source s.bash; COMP_WORDS=(linsep train --learner lo); COMP_CWORD=3; _linsep; echo ${COMPREPLY[@]}"
        done = subprocess.run(["bash", "-c", ask], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.stdout.split(), [b"logistic"])


if __name__ == "__main__":
    unittest.main()
