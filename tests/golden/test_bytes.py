"""Models, certificates, checkpoints and page files are the same bytes as before (hashes.json).

With --renew it writes the hashes of what comes out now instead.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ["LINSEP"])
HASHES = pathlib.Path(__file__).with_name("hashes.json")

# Options of each run; "NAME" is the file that comes out.
TRAINING = {
    "perceptron": "--learner perceptron --passes 5 --order shuffled",
    "averaged": "--learner perceptron --passes 3 --variant averaged --order drawn",
    "basic": "--learner basic",
    "least-squares": "--learner least-squares --passes 20",
    "hinge": "--learner margin",
    "dual": "--learner margin --solver dual --C 0.1",
    "planes": "--learner margin --solver planes --gap 0.01",
    "squared-hinge": "--learner margin --loss squared-hinge",
    "logistic": "--learner margin --loss logistic",
}
FEW_ROWS = {
    "interior": "--learner margin --solver interior --C 10",
    "dual-perceptron": "--learner dual --passes 5",
    "lambdas": "--learner margin --Cs 0.01,0.1,1 --gap 0.01",
    "platt": "--learner margin --probabilities platt --gap 0.01",
    "regression": "--learner regression --passes 3 --rate 1e-6",
}
HARD = {"hard": "--learner margin --hard --proof NAME.proof.json"}
CERTIFY = {"certify": "", "mistakes": "--mistakes --limit 20"}
CONFLICT = {"certify": "CONFLICT"}  # beside the set, its first row with the other label
LARGE = ("perceptron", "basic", "hinge", "logistic")


def generated(folder, *arguments):
    path = folder / f"{arguments[0]}.svm"
    subprocess.run([PROGRAM, "generate", *arguments, "-o", path], check=True)
    return path


def sets(folder):
    """Name, file and runs of every set that is there."""
    yield "large", generated(folder, "sparse"), {k: TRAINING[k] for k in LARGE}, CONFLICT
    yield "separable", generated(folder, "separable", "--rows", "2000"), TRAINING | FEW_ROWS | HARD, CERTIFY
    yield "noisy", generated(folder, "noisy", "--rows", "2000"), TRAINING | FEW_ROWS, CERTIFY
    data = os.environ.get("LINSEP_DATA")
    if not data:
        return
    data = pathlib.Path(data).resolve()
    yield "a9a", data / "a9a.svm", TRAINING, CERTIFY
    yield "pcmac", data / "pcmac.svm", TRAINING | HARD, CERTIFY
    yield "sonar", data / "sonar.csv", TRAINING | FEW_ROWS | HARD, CERTIFY
    yield "endometrial", data / "endometrial.csv", TRAINING | FEW_ROWS, CERTIFY


# Options that came later: what they say by default is taken out, so that the hashes of files from before still hold.
LATER = {"weighted": "false", "class-weight": '""'}


def without_later(data):
    for name, value in LATER.items():
        text = f'"{name}": {value}'.encode()
        data = data.replace(b",\n    " + text, b"", 1).replace(b", " + text, b"", 1).replace(b"," + text.replace(b": ", b":"), b"", 1)
    data = re.sub(rb',\s*"weight_error": ?[-+0-9.e]+', b"", data, count=1)
    return without_training(data)


def without_training(data):
    """A model as it was before files said how training went: of the version that the rest needs."""
    plain = re.sub(rb',\s*"training": ?\{[^}]*\}', b"", data, count=1)
    if plain == data:
        return data
    version = b"2" if b'"table": {' in plain else b"1"
    return re.sub(rb'"version": ?4', b'"version": ' + version, plain, count=1)


def digest(path):
    return hashlib.sha256(without_later(path.read_bytes())).hexdigest()


def digest_but_times(checkpoint):
    """Of a checkpoint (docs/reference/formats/checkpoint.md) without its checksum, as of version 0.1.0, with every time set to 0."""
    data = bytearray(checkpoint.read_bytes()[:-8])
    number = lambda at: int.from_bytes(data[at:at + 8], "little")
    at, facts = 12 + 8, []
    for _ in range(2 * number(12)):
        facts.append(bytes(data[at + 8:at + 8 + number(at)]).decode())
        at += 8 + number(at)
    plain = {name: value.strip('"') or "(empty)" for name, value in LATER.items()}
    pairs = [(name, value) for name, value in zip(facts[::2], facts[1::2]) if plain.get(name[2:]) != value]
    pairs = [(name, "0.1.0" if name == "linsep" else value) for name, value in pairs]
    size = lambda count: count.to_bytes(8, "little")
    kept = b"".join(size(len(text.encode())) + text.encode() for pair in pairs for text in pair)
    data[12:at] = size(len(pairs)) + kept
    at = 20 + len(kept)
    at += 4 + 4 + 8
    data[at:at + 8] = bytes(8)
    records, at = number(at + 8), at + 16
    for _ in range(records):
        data[at + 25:at + 33] = bytes(8)
        at += 33 + 5 * 9
    return hashlib.sha256(data).hexdigest()


def copied(path, folder):
    """The set in the working folder, with a fixed time: page files keep where and when their text was written."""
    copy = folder / path.name
    if copy != path:
        shutil.copyfile(path, copy)
    os.utime(copy, (1_000_000_000, 1_000_000_000))
    return copy.name


def run(folder, *arguments):
    """Runs the program; 3 (not separable, or no such label) is an answer too."""
    return subprocess.run([PROGRAM, *map(str, arguments), "--json"], cwd=folder, capture_output=True).returncode


def conflict(folder, path):
    with open(path, encoding="utf-8") as rows:
        label, _, rest = rows.readline().partition(" ")
    (folder / "conflict.svm").write_text(f"{-int(label):+d} {rest}")
    return folder / "conflict.svm"


def outputs(folder):
    """Pairs of "SET/RUN" and the hash of what it wrote."""
    for name, original, training, certifying in sets(folder):
        path = copied(original, folder)
        label = ["--label", "HG"] if name == "endometrial" else []
        for kind, options in training.items():
            model, checkpoint = folder / f"{name}.{kind}.json", folder / f"{name}.{kind}.checkpoint"
            options = options.replace("NAME", str(folder / f"{name}.{kind}")).split()
            if original.suffix == ".csv":
                options += ["--scale", "none"]
            if kind == "regression" and name in ("sonar", "a9a", "pcmac"):
                continue
            keeps = [] if kind in ("lambdas", "platt") or "--hard" in options else ["--checkpoint", checkpoint, "--every", "1"]
            code = run(folder, "train", path, *label, *options, "-o", model, *keeps)
            yield f"{name}/{kind}", f"exit code {code}" if code else digest(model)
            if keeps and not code:
                yield f"{name}/{kind} checkpoint", digest_but_times(checkpoint)
            proof = folder / f"{name}.{kind}.proof.json"
            if proof.exists():
                yield f"{name}/{kind} proof", digest(proof)
        for kind, options in certifying.items():
            proof = folder / f"{name}.{kind}.certificate.json"
            more = [conflict(folder, original)] if options == "CONFLICT" else options.split()
            code = run(folder, "certify", path, *more, *label, "-o", proof)
            yield f"{name}/{kind}", f"exit code {code}" if code else digest(proof)
        page = folder / f"{name}.lsp"
        code = run(folder, "convert", path, *label, "-o", page)
        yield f"{name}/pages", f"exit code {code}" if code else digest(page)


class SameBytes(unittest.TestCase):
    def test_every_file_is_the_same(self):
        wanted = json.loads(HASHES.read_text())
        with tempfile.TemporaryDirectory() as folder:
            for name, found in outputs(pathlib.Path(folder)):
                with self.subTest(name):
                    self.assertEqual(found, wanted.get(name))


if __name__ == "__main__":
    if "--renew" in sys.argv:
        kept = json.loads(HASHES.read_text()) if HASHES.exists() else {}
        with tempfile.TemporaryDirectory() as scratch:
            kept |= dict(outputs(pathlib.Path(scratch)))
        HASHES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    else:
        unittest.main()
