"""Runs that are stopped and resumed: the same bytes; checkpoints that are refused."""

import json
import signal
import subprocess
import time
import unittest

from program import PROGRAM, CommandLineTest

RUNS = {
    "perceptron": ["--passes", "30", "--order", "shuffled", "--variant", "averaged"],
    "dual": ["--learner", "dual", "--kernel", "gaussian", "--gamma", "0.2"],
    "regression": ["--learner", "regression", "--rate", "0.001", "--passes", "20"],
    "cg": ["--learner", "least-squares", "--matrix", "cg", "--map", "products"],
    "hinge": ["--learner", "margin", "--C", "10", "--solver", "dual", "--passes", "30"],
    "folds": ["--learner", "margin", "--Cs", "0.1,1", "--cv", "3", "--probabilities", "platt"],
    "logistic": ["--learner", "margin", "--loss", "logistic", "--gap", "1e-9"],
}


class Resume(CommandLineTest):
    def keeping(self, *options, resume=True):
        return [*options, "--checkpoint", "run.ckpt", "--every", "1", *(["--resume"] if resume else [])]

    def without_seconds(self, answer):
        answer.pop("seconds")
        answer.pop("model")
        return answer

    def test_a_run_in_many_short_pieces_ends_with_the_same_bytes(self):
        data = self.generate("noisy", "--rows", "300", "--features", "4")
        for name, options in RUNS.items():
            with self.subTest(name):
                whole = self.answer("train", data, *options, "-o", "whole.json")
                for pieces in range(1000):
                    done = self.run_program(
                        "train", data, *self.keeping(*options), "--time", "0.000001", "-o", "parts.json", "--json"
                    )
                    answer = json.loads(done.stdout)
                    if answer["stopped_because"] != "time":
                        break
                    self.assertIn("with --resume to continue from run.ckpt", done.stderr.decode())
                self.assertGreater(pieces, 2)
                self.assertEqual(self.without_seconds(answer), self.without_seconds(whole))
                self.assertEqual(self.read("parts.json"), self.read("whole.json"))
                (self.folder / "run.ckpt").unlink()

    def test_certify_in_many_short_pieces_gives_the_same_proof(self):
        for words, pieces in ((["separable", "--rows", "2000"], 1), (["sparse", "--rows", "6000", "--features", "3000", "--seed", "2"], 8)):
            data = self.generate(*words)
            self.run_program("certify", data, "-o", "whole.json")
            for piece in range(pieces):
                done = self.run_program("certify", data, *self.keeping("--time", "0.000001"), "--json")
                self.assertEqual(json.loads(done.stdout)["stopped_because"], "time")
                self.assertIn("with --resume to continue from run.ckpt", done.stderr.decode())
            done = self.run_program("certify", data, *self.keeping(), "-o", "parts.json")
            self.assertIn(f"resumes after pass {pieces}\n", done.stderr.decode())
            self.assertEqual(self.read("parts.json"), self.read("whole.json"))
            (self.folder / "run.ckpt").unlink()

    def test_certify_that_was_killed_resumes(self):
        data = self.generate("sparse", "--rows", "6000", "--features", "3000", "--seed", "2")
        self.run_program("certify", data, "-o", "whole.json")
        for seconds in (0.1, 0.15, 0.2, 0.25, 0.3):
            process = subprocess.Popen([PROGRAM, "certify", data, *self.keeping(), "-o", "parts.json"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds)
            process.kill()
            process.wait()
        self.run_program("certify", data, *self.keeping(), "-o", "parts.json")
        self.assertEqual(self.read("parts.json"), self.read("whole.json"))

    def test_certify_refuses_what_makes_no_sense(self):
        data = self.generate("noisy", "--rows", "30")
        for words, said in ((["--resume"], "need --checkpoint"), (["--checkpoint", "x", "--maps"], "leave out --maps"),
                            (["--checkpoint", "x", "--every", "soon"], "soon")):
            self.assertIn(said, self.run_program("certify", data, *words, code=2).stderr.decode())

    def test_rows_in_memory_and_in_a_page_file_are_the_same_data(self):
        data = self.generate("sparse", "--rows", "2000", "--features", "300")
        for options in (["--passes", "10", "--order", "shuffled"], ["--learner", "margin", "--passes", "20"]):
            self.run_program("train", data, *options, "-o", "whole.json")
            self.run_program("train", data, *self.keeping(*options), "--time", "0.000001", "--cache")
            self.run_program("train", data, *self.keeping(*options), "--time", "0.000001")
            done = self.run_program("train", data, *self.keeping(*options), "--cache", "-o", "parts.json")
            self.assertIn("resumes after pass 2", done.stderr.decode())
            self.assertEqual(self.read("parts.json"), self.read("whole.json"))
            (self.folder / "run.ckpt").unlink()

    def test_the_log_of_a_resumed_run_is_whole(self):
        data = self.generate("noisy", "--rows", "300")
        options = ["--passes", "20", "--log", "log.jsonl"]
        self.run_program("train", data, *self.keeping(*options), "--time", "0.000001")
        self.run_program("train", data, *self.keeping(*options))
        self.assertEqual([line["pass"] for line in self.read_lines("log.jsonl")], list(range(1, 21)))

    def test_refusals_name_both_sides(self):
        data = self.generate("noisy", "--rows", "300")
        margin = ["--learner", "margin", "--solver", "dual"]
        self.run_program("train", data, *self.keeping(*margin), "--time", "0.000001", "--quiet")
        complaint = self.complaint("train", data, *self.keeping(*margin, "--C", "10"), code=3)
        self.assertEqual(complaint, "linsep: run.ckpt: the checkpoint was made with --C 1, but this run has --C 10\n")
        complaint = self.complaint("train", data, *self.keeping(*margin, resume=False), code=2)
        self.assertIn("run.ckpt exists: --resume continues from it", complaint)
        self.run_program("generate", "noisy", "--rows", "300", "--seed", "2", "-o", "other.svm")
        complaint = self.complaint("train", "other.svm", *self.keeping(*margin), code=3)
        self.assertIn("data with the hash", complaint)
        content = (self.folder / "run.ckpt").read_bytes()
        (self.folder / "run.ckpt").write_bytes(content[:-3])
        self.assertIn("damaged or cut short", self.complaint("train", data, *self.keeping(*margin), code=3))

    def test_what_makes_no_sense_is_said_before_reading(self):
        for options, text in [
            (["--resume"], "--every and --resume need --checkpoint"),
            (["--checkpoint", "c", "--every", "soon"], "expected a time like 60s"),
            (["--checkpoint", "c", "--online"], "leave out --online"),
        ]:
            self.assertIn(text, self.complaint("train", "missing.svm", *options, code=2))

    def test_a_place_that_cant_be_written_is_an_error_at_once(self):
        data = self.generate("and")
        self.assertIn("no/run.ckpt", self.complaint("train", data, "--checkpoint", "no/run.ckpt", code=4))


class Signals(CommandLineTest):
    def started(self, *options):
        self.run_program("generate", "noisy", "--rows", "20000", "-o", "noisy.svm")
        return subprocess.Popen(
            [PROGRAM, "train", "noisy.svm", "--learner", "perceptron", "--passes", "1000000", *options],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def test_sigterm_keeps_the_state_and_says_how_to_go_on(self):
        run = self.started("--checkpoint", "run.ckpt", "-o", "model.json", "--json")
        time.sleep(1)
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate()
        self.assertEqual(run.returncode, 143)
        self.assertIn("the same command with --resume to continue from run.ckpt", err.decode())
        answer = json.loads(out)
        self.assertEqual(answer["stopped_because"], "interrupted")
        self.assertFalse((self.folder / "model.json").exists())
        again = ["--learner", "perceptron", "--passes", "1000000", "--checkpoint", "run.ckpt", "--resume", "--time", "0.1", "--json"]
        done = self.run_program("train", "noisy.svm", *again)
        self.assertIn(f"the run resumes after pass {answer['passes']}", done.stderr.decode())
        self.assertGreater(json.loads(done.stdout)["passes"], answer["passes"])

    def test_sigterm_without_a_checkpoint_leaves_the_model_of_the_moment_where_it_is_asked_for(self):
        run = self.started("-o", "model.json", "--quiet", "--keep-partial")
        time.sleep(0.7)
        run.send_signal(signal.SIGTERM)
        self.assertEqual((*run.communicate(), run.returncode), (b"", b"", 143))
        self.assertTrue((self.folder / "model.json").exists())


if __name__ == "__main__":
    unittest.main()
