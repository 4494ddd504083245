"""`linsep plot` draws what it drew before: text, ASCII, colours, SVG, PNG. See README.md."""
import ctypes
import fcntl
import os
import pathlib
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
import xml.etree.ElementTree as ElementTree

PROGRAM = os.environ.get("LINSEP", "build/release/linsep")
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
MOST_BYTES = 200_000

# What is made first, in this order; then what is drawn of it, by the golden file's name.
MADE = [
    "generate not -o not.svm", "generate and -o and.svm", "generate xor -o xor.svm", "generate comparison -o comparison.svm",
    "generate noisy --rows 300 --features 8 --seed 3 -o noisy.csv",
    "generate noisy --rows 6000 --features 2 --seed 2 -o many.csv",
    "generate classes --rows 60 --features 2 --classes 3 --nonzeros 2 --seed 4 -o classes.svm",
    "train not.svm --learner perceptron -o not.json --quiet",
    "train and.svm --learner margin --hard -o hard.json --quiet",
    "train xor.svm --learner perceptron --map products -o products.json --quiet",
    "train comparison.svm --learner perceptron -o perceptron.json --log mistakes.jsonl --quiet",
    "train comparison.svm --learner basic -o basic.json --quiet",
    "train comparison.svm --learner least-squares -o least-squares.json --quiet",
    "train comparison.svm --learner margin -o margin.json --log margin.jsonl --quiet",
    "train noisy.csv --learner margin -o noisy.json --quiet",
    "certify xor.svm -o proof.json",
]
THREE = "-m perceptron.json -m basic.json -m least-squares.json"
DRAWN = {
    "not": "not.svm -m not.json",
    "and": "and.svm -m hard.json",
    "xor": "xor.svm",
    "proof": "xor.svm --proof proof.json",
    "products": "xor.svm -m products.json",
    "comparison": f"comparison.svm {THREE}",
    "margin": "comparison.svm -m margin.json",
    "rows": "comparison.svm",
    "distances": "noisy.csv -m noisy.json",
    "many": "many.csv",
    "classes": "classes.svm",
    "mistakes": "--log mistakes.jsonl",
    "progress": "--log margin.jsonl",
}
NARROW = ["and", "comparison", "distances", "progress"]
COLOURED = ["xor", "margin", "mistakes"]


def run(folder, words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True)


def plain(folder, words):
    answer = run(folder, ["plot", *words])
    assert answer.returncode == 0 and not answer.stderr, (words, answer)
    return answer.stdout


def on_terminal(folder, words, environment, columns=80, rows=25):
    """What a terminal of that size is sent."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen([PROGRAM, "plot", *words], cwd=folder, stdout=follower, stderr=subprocess.DEVNULL,
                               env={**kept, "TERM": "xterm-256color", **environment})
    os.close(follower)
    sent = b""
    try:
        while piece := os.read(leader, 65536):
            sent += piece
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert process.wait() == 0
    return sent.replace(b"\r\n", b"\n")


def files(folder):
    """Every golden file's name and bytes, as the program draws them now."""
    for name, words in DRAWN.items():
        words = words.split()
        yield f"{name}.txt", plain(folder, words)
        yield f"{name}.svg", drawn_file(folder, words, f"{name}.svg")
    for name in NARROW:
        yield f"{name}.ascii.txt", plain(folder, [*DRAWN[name].split(), "--ascii", "--width", "60", "--height", "18"])
    for name in COLOURED:
        yield f"{name}.colour.txt", on_terminal(folder, DRAWN[name].split(), {})


def drawn_file(folder, words, name):
    answer = run(folder, ["plot", *words, "-o", name])
    assert answer.returncode == 0 and not answer.stderr, (words, answer)
    return (pathlib.Path(folder) / name).read_bytes()


def prepare(folder):
    for words in MADE:
        answer = run(folder, words.split())
        assert answer.returncode == 0, (words, answer.stderr)


def has_librsvg():
    try:
        ctypes.CDLL("librsvg-2.so.2")
        return True
    except OSError:
        return False


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = cls.kept.name
        prepare(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def test_draws_what_it_drew_before(self):
        for name, drawn in files(self.folder):
            with self.subTest(name):
                self.assertEqual((GOLDEN / name).read_text(encoding="utf-8"), drawn.decode("utf-8"))

    def test_every_golden_file_is_compared(self):
        self.assertEqual(sorted(path.name for path in GOLDEN.iterdir()), sorted(name for name, _ in files(self.folder)))

    def test_svg_is_small_xml_with_text_and_without_anything_foreign(self):
        for path in GOLDEN.glob("*.svg"):
            with self.subTest(path.name):
                self.assertLess(path.stat().st_size, MOST_BYTES)
                root = ElementTree.fromstring(path.read_bytes())
                kinds = {element.tag.split("}")[1] for element in root.iter()}
                self.assertIn("title", kinds)
                self.assertIn("text", kinds)
                self.assertFalse(kinds & {"script", "image", "foreignObject", "use"})

    def test_no_colour_is_the_plain_text(self):
        words = DRAWN["xor"].split()
        self.assertEqual(on_terminal(self.folder, words, {"NO_COLOR": "1"}), plain(self.folder, words))
        self.assertNotIn(b"\x1b", on_terminal(self.folder, words, {"TERM": "dumb"}))

    def test_the_terminal_says_how_large_it_is(self):
        sent = on_terminal(self.folder, DRAWN["xor"].split(), {"NO_COLOR": "1"}, columns=120, rows=41).decode()
        lines = sent.splitlines()
        self.assertEqual(len(lines), 40)
        self.assertEqual(max(map(len, lines)), 120)

    def test_png_is_twice_as_large_or_the_error_names_svg(self):
        words = [*DRAWN["and"].split(), "--width", "400", "--height", "300", "-o", "and.png"]
        answer = run(self.folder, ["plot", *words])
        if not has_librsvg():
            self.assertEqual(answer.returncode, 2)
            self.assertIn(b"-o x.svg", answer.stderr)
            return
        self.assertEqual(answer.returncode, 0, answer.stderr)
        png = (pathlib.Path(self.folder) / "and.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", png[16:24]), (800, 600))
        self.assertEqual(png[-8:-4], b"IEND")

    def test_what_makes_no_sense_is_refused(self):
        for words, said in (["-o", "x.jpeg", "xor.svm"], b".svg or .png"), ([], b"nothing to draw"), \
                (["xor.svm", "-o", "x.svg", "--ascii"], b"--ascii"):
            with self.subTest(words):
                answer = run(self.folder, ["plot", *words])
                self.assertEqual(answer.returncode, 2)
                self.assertIn(said, answer.stderr)
        (pathlib.Path(self.folder) / "broken.jsonl").write_text('{"pass": 1}\nno\n')
        answer = run(self.folder, ["plot", "--log", "broken.jsonl"])
        self.assertEqual(answer.returncode, 3)
        self.assertIn(b"broken.jsonl:", answer.stderr)


def renew():
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.iterdir():
        path.unlink()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        for name, drawn in files(folder):
            (GOLDEN / name).write_bytes(drawn)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(PROGRAM).resolve())
    if sys.argv[1:] == ["--renew"]:
        renew()
    else:
        unittest.main()
