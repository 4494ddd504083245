"""Where results are written: links, devices, pipes, permissions, kills, and what is tried before the work is done."""

import json
import os
import resource
import signal
import stat
import subprocess
import threading
import time
import unittest

from program import PROGRAM, CommandLineTest

BLANK = ("--log", "--trace", "-o")


def shell_mode(path):
    return stat.S_IMODE(path.stat().st_mode)


class OutputTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.data = self.generate("and")

    def train(self, *options, **how):
        return self.run_program("train", self.data, "--learner", "perceptron", *options, **how)

    def shell(self, line, **how):
        """Runs a line in which LINSEP stands for the program."""
        return subprocess.run(["sh", "-c", line.replace("LINSEP", PROGRAM)], cwd=self.folder, capture_output=True, **how)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Links(OutputTest):
    def test_a_link_is_followed_and_stays_a_link(self):
        (self.folder / "kept").mkdir()
        for option in BLANK:
            (self.folder / "kept" / "target").write_text("old")
            (self.folder / "link").symlink_to("kept/target")
            self.train(option, "link")
            self.assertTrue((self.folder / "link").is_symlink(), option)
            self.assertNotIn((self.folder / "kept" / "target").read_text(), ("", "old"), option)
            self.assertEqual(os.listdir(self.folder / "kept"), ["target"])
            (self.folder / "link").unlink()

    def test_a_chain_of_links_to_what_isnt_there_yet_is_followed(self):
        (self.folder / "kept").mkdir()
        (self.folder / "kept" / "second").symlink_to("../third")
        (self.folder / "first").symlink_to("kept/second")
        self.train("-o", "m.json")
        self.run_program("predict", self.data, "-m", "m.json", "-o", "first")
        self.assertTrue((self.folder / "first").is_symlink() and (self.folder / "kept" / "second").is_symlink())
        self.assertEqual((self.folder / "third").read_text().count("\n"), 4)

    def test_links_in_a_circle_are_an_error(self):
        (self.folder / "a").symlink_to("b")
        (self.folder / "b").symlink_to("a")
        self.assertIn("a: can't be written: ", self.complaint("train", self.data, "-o", "a", code=4))


class StraightThrough(OutputTest):
    def test_standard_output_stays_what_it_is_where_it_is_a_file(self):
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            for option in ("--trace", "--log"):
                line = f"(echo before; LINSEP train {self.data} --learner perceptron --quiet {option} {name}; echo after)"
                done = self.shell(f"{line} > out")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                lines = self.read("out").splitlines()
                self.assertEqual((lines[0], lines[-1]), ("before", "after"))
                self.assertGreater(len([json.loads(one) for one in lines[1:-1]]), 1)
        self.assertTrue(os.path.islink("/dev/stdout"))

    def test_a_model_goes_to_an_open_file_beside_the_report(self):
        done = self.shell(f"LINSEP train {self.data} --learner perceptron -o /dev/fd/3 3> model.json > words")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("theta", json.loads(self.read("model.json")))
        self.assertIn("perceptron", self.read("words"))

    def test_a_device_is_written_and_stays_a_device(self):
        self.train("-o", "/dev/null", "--log", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        message = self.complaint("generate", "and", "-o", "/dev/full", code=4)
        self.assertIn("/dev/full: can't be written: No space left on device", message)

    def test_a_pipe_with_a_name_is_written_and_stays(self):
        self.train("-o", "m.json")
        os.mkfifo(self.folder / "pipe")
        for words in (["predict", self.data, "-m", "m.json", "-o", "pipe"], ["train", self.data, "-o", "pipe"]):
            seen = []
            reader = threading.Thread(target=lambda: seen.append((self.folder / "pipe").read_bytes()))
            reader.start()
            self.run_program(*words)
            reader.join(60)
            self.assertGreater(len(seen[0]), 5)
            self.assertTrue(stat.S_ISFIFO((self.folder / "pipe").stat().st_mode))


class Whole(OutputTest):
    def test_a_kill_in_the_midst_leaves_nothing(self):
        run = subprocess.Popen([PROGRAM, "generate", "sparse", "--rows", "1000000000", "-o", "big.svm"], cwd=self.folder)
        time.sleep(0.5)
        run.kill()
        run.wait()
        self.assertNotIn("big.svm", self.names())
        before = [name for name in self.names() if name != self.data]
        self.run_program("generate", "and", "-o", "big.svm")  # where files need names, what was left goes now
        self.assertEqual(self.names(), [self.data, "big.svm"], before)

    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self):
        def fill():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.write("rows.svm", "old")
        done = subprocess.run([PROGRAM, "generate", "noisy", "-o", "rows.svm"], cwd=self.folder, capture_output=True,
                              preexec_fn=fill)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"rows.svm: can't be written: ", done.stderr)
        self.assertEqual((self.read("rows.svm"), self.names()), ("old", [self.data, "rows.svm"]))

    def test_permissions_are_those_of_the_file_that_is_replaced_or_what_the_umask_leaves(self):
        os.umask(before := os.umask(0))
        self.train("-o", "new.json", "--log", "new.jsonl")
        for name in ("new.json", "new.jsonl"):
            self.assertEqual(shell_mode(self.folder / name), 0o666 & ~before)
        for mode in (0o600, 0o640, 0o664):
            for option in BLANK:
                (self.folder / "old").write_text("old")
                (self.folder / "old").chmod(mode)
                self.train(option, "old")
                self.assertNotEqual(self.read("old"), "old")
                self.assertEqual(shell_mode(self.folder / "old"), mode, option)

    def test_a_cache_can_be_read_by_nobody_who_cant_read_its_text(self):
        text = self.folder / self.data
        text.chmod(0o600)
        self.train("--cache")
        cache = next(path for path in self.folder.iterdir() if path.suffix == ".lsp")
        self.assertEqual(shell_mode(cache), 0o600)
        cache.unlink()
        text.chmod(0o644)
        self.train("--cache")
        self.assertEqual(shell_mode(cache) & ~0o644, 0)


class Tried(OutputTest):
    """A path that can't be written is an error before anything is read: here before it shows that there is no data."""

    def test_a_directory_that_isnt_there_is_refused_at_once(self):
        self.train("-o", "m.json")
        for words in (
            ["train", "none.svm", "-o", "no/m.json"],
            ["train", "none.svm", "--log", "no/log"],
            ["train", "none.svm", "--learner", "perceptron", "--trace", "no/trace"],
            ["train", "none.svm", "--learner", "margin", "--hard", "--proof", "no/proof"],
            ["train", "none.svm", "--checkpoint", "no/c"],
            ["train", "none.svm", "--checkpoint", "no/c", "--resume"],
            ["certify", "none.svm", "-o", "no/proof"],
            ["convert", "none.svm", "-o", "no/pages.lsp"],
            ["predict", "none.svm", "-m", "m.json", "-o", "no/answers"],
            ["generate", "and", "-o", "no/rows"],
            ["leaves", "none.svm", "-o", "no/leaves"],
        ):
            message = self.complaint(*words, code=4)
            self.assertRegex(message, r"^linsep: no/[\w.]+: can't be written: No such file or directory\n$", words)

    def test_a_directory_in_place_of_a_file_is_refused_at_once(self):
        (self.folder / "d").mkdir()
        for path in ("d", "d/"):
            self.assertIn(f"{path}: can't be written: Is a directory",
                          self.complaint("train", "none.svm", "-o", path, code=4))

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write everywhere")
    def test_a_directory_that_cant_be_written_is_refused_at_once(self):
        (self.folder / "d").mkdir(mode=0o555)
        self.assertIn("d/m: can't be written: Permission denied", self.complaint("train", "none.svm", "-o", "d/m", code=4))

    def test_nothing_is_left_of_the_trial(self):
        self.complaint("train", "none.svm", "-o", "m.json", "--log", "log", "--checkpoint", "c", code=3)
        self.assertEqual(self.names(), [self.data])


class Interrupted(OutputTest):
    def ended_by(self, sign, *options):
        self.run_program("generate", "noisy", "--rows", "20000", "-o", "noisy.svm")
        run = subprocess.Popen(
            [PROGRAM, "train", "noisy.svm", "--learner", "perceptron", "--passes", "1000000", *options],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        run.send_signal(sign)
        out, err = run.communicate(timeout=60)
        return run.returncode, out.decode(), err.decode()

    def test_a_run_that_was_interrupted_writes_its_model_says_so_and_doesnt_end_with_0(self):
        for sign, expected in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            code, _, err = self.ended_by(sign, "-o", "m.json", "--keep-partial")
            self.assertEqual(code, expected)
            self.assertEqual(err, "linsep: training was interrupted; the model at that point was written to m.json\n")
            self.answer("evaluate", "noisy.svm", "-m", "m.json")
            (self.folder / "m.json").unlink()

    def test_quiet_leaves_the_code_to_tell(self):
        self.assertEqual(self.ended_by(signal.SIGINT, "-o", "m.json", "--quiet"), (130, "", ""))
        self.assertTrue((self.folder / "m.json").exists())

    def test_a_run_that_was_given_a_time_ends_with_0(self):
        self.run_program("generate", "noisy", "--rows", "20000", "-o", "noisy.svm")
        self.run_program("train", "noisy.svm", "--learner", "perceptron", "--passes", "1000000", "--time", "0.2")


class StandardError(OutputTest):
    def test_an_error_that_cant_be_told_keeps_its_code(self):
        for stream in ("2> /dev/full", "2>&-"):
            for words, code in (("train none.svm", 3), ("train", 2), ("", 2), ("train --tarin", 2),
                                (f"train {self.data} -o no/m", 4)):
                self.assertEqual(self.shell(f"LINSEP {words} {stream}").returncode, code, (words, stream))

    def test_a_notice_that_cant_be_told_changes_nothing(self):
        for stream in ("2> /dev/full", "2>&-"):
            done = self.shell(f"LINSEP train {self.data} --learner perceptron --checkpoint c --resume {stream}")
            self.assertEqual(done.returncode, 0)
            (self.folder / "c").unlink()

    def test_no_file_takes_the_place_of_a_closed_stream(self):
        """The report, or a message, would land in it."""
        done = self.shell(f"LINSEP train {self.data} --learner perceptron -o m.json --log log >&- 2>&-")
        self.assertEqual(done.returncode, 4)
        for line in self.read_lines("log"):
            self.assertIn("pass", line)
        self.assertIn("theta", json.loads(self.read("m.json")))
        self.assertEqual(self.shell("LINSEP train - <&-").returncode, 4)


class CheckpointLock(OutputTest):
    def test_a_second_run_on_a_checkpoint_is_refused_and_the_first_is_unharmed(self):
        self.run_program("generate", "noisy", "--rows", "20000", "-o", "noisy.svm")
        words = ["train", "noisy.svm", "--learner", "perceptron", "--passes", "1000000", "--checkpoint", "c", "--every", "1"]
        first = subprocess.Popen([PROGRAM, *words, "--resume"], cwd=self.folder, stderr=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        while not (self.folder / "c").exists():
            time.sleep(0.01)
        (self.folder / "link").symlink_to("c")
        for path in ("c", "link"):
            again = [path if word == "c" else word for word in words]
            message = self.complaint(*again, "--resume", code=4)
            self.assertIn(f"{path}: another run is using this checkpoint", message)
        first.kill()
        first.communicate()
        done = self.run_program(*words, "--resume", "--time", "0.1")  # what a kill left is no lock
        self.assertIn("the run resumes after pass ", done.stderr.decode())
        self.assertFalse((self.folder / "c.lock").exists())


if __name__ == "__main__":
    unittest.main()
