"""Certificate.save("appendix.zip"): a bundle that a reviewer checks with Python's standard library alone."""

from __future__ import annotations

import html
import io
import json
import re
import shlex
import subprocess
import sys
import zipfile

import linsep
import numpy as np
import pytest
import scipy.sparse as sp

DOSES, ILL = np.array([[0.1, 1.0], [0.2, 3.0], [0.3, 2.2], [1.1, 2.5], [2.7, 5.0]]), [0, 1, 0, 1, 1]


def unpacked(proof, folder):
    """Save a bundle twice, unpack it and do what its page says; return the folder."""
    proof.save(folder / "appendix.zip")
    content = (folder / "appendix.zip").read_bytes()
    assert content == proof.bundle()  # the same bytes
    there = folder / "unpacked"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(there)
    page = (there / "README.html").read_text(encoding="utf-8")
    for block in re.findall(r'<code class="command">(.*?)</code>', page, re.DOTALL):
        for line in html.unescape(block).splitlines():
            words, _, output = line.partition(" > ")
            ended = run(shlex.split(words)[1:], there)
            assert ended.returncode == 0, (line, ended.stdout, ended.stderr)
            if output:
                (there / output).write_bytes(ended.stdout)
    assert (there / "lines.txt").read_bytes() == (there / "leaves.txt").read_bytes()
    return there


def run(arguments, folder):
    return subprocess.run(
        [sys.executable, "-I", *arguments], cwd=folder, capture_output=True, check=False, env={}
    )


def test_a_data_frame_is_checked_with_its_csv_file(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(DOSES, columns=["dose", "age"]).assign(ill=ILL)
    proof = linsep.certify(frame[["dose", "age"]], frame.ill)
    there = unpacked(proof, tmp_path)
    assert (there / "rows.csv").read_text() == "dose,age,ill\n0.1,1,0\n0.2,3,1\n0.3,2.2,0\n1.1,2.5,1\n2.7,5,1\n"
    frame.to_csv(tmp_path / "frame.csv", index=False)
    checked = run(["verify_certificate.py", "proof.json", str(tmp_path / "frame.csv")], there)
    assert checked.returncode == 0 and checked.stdout.startswith(b"valid:")
    page = (there / "README.html").read_text()
    assert "the shortest decimal that reads back as exactly this number" in page
    # The proof that is saved as JSON is about the binary numbers, as before.
    proof.save(tmp_path / "proof.json")
    assert linsep.verify(tmp_path / "proof.json", frame[["dose", "age"]], frame.ill)
    assert linsep.Certificate.load(there / "proof.json").verdict == proof.verdict


def test_the_report_on_a_regression_has_one_too(tmp_path):
    report = linsep.check_separation(DOSES, ILL, feature_names=["dose", "age"])
    there = unpacked(report.certificate, tmp_path)
    assert linsep.Certificate.load(there / "proof.json").infinite == report.certificate.infinite


@pytest.mark.parametrize("kind", ["float32", "int64", "sparse", "words", "several", "wide"])
def test_arrays_of_any_kind(kind, tmp_path):
    X, y = DOSES, np.array(ILL)
    if kind == "float32":
        X = X.astype(np.float32)
    if kind == "int64":
        X = (X * 10).astype(np.int64)
    if kind == "sparse":
        X = sp.csr_array(np.where(X > 2, 0, X))
    if kind == "words":
        y = np.array(["no, never", 'so "yes"'])[y]
    if kind == "several":
        y = np.array(["b", "a", "c", "c", "a"])
    if kind == "wide":
        X = sp.csr_array((X.ravel(), np.tile([3, 1500], 5), np.arange(0, 11, 2)), shape=(5, 2000))
    there = unpacked(linsep.certify(X, y), tmp_path)
    rows = (there / ("rows.svm" if kind == "wide" else "rows.csv")).read_text().splitlines()
    assert len(rows) == 5 + (kind != "wide")
    if kind == "float32":
        assert rows[1] == "0.1,1,0"  # and not 0.10000000149011612


def test_numbers_read_back_as_they_were_stored(tmp_path):
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 3)) * 10.0 ** random.integers(-12, 12, size=(200, 3))
    there = unpacked(linsep.certify(X, random.integers(0, 2, 200)), tmp_path)
    again = np.array([line.split(",")[:3] for line in (there / "rows.csv").read_text().splitlines()[1:]])
    assert (again.astype(np.float64) == X).all()


def test_where_decimals_and_binary_numbers_differ_both_verdicts_are_told(tmp_path):
    X, y = [[0.1, 0.2], [0.2, 0.3], [0.3, 0.4]], [0, 1, 0]  # on a line as decimals; 0.2 + 0.1 isn't 0.3 in binary
    stored = linsep.certify(X, y)
    assert stored.verdict == "separable"
    with pytest.warns(UserWarning, match="decimals of the bundle are overlapping, .* of the arrays separable"):
        there = unpacked(stored, tmp_path)
    assert linsep.Certificate.load(there / "proof.json").verdict == "overlapping"
    page = (there / "README.html").read_text()
    assert "verdict about the stored binary numbers is different: separable" in page


def test_files_are_bundled_as_they_are_written(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("id,dose,ill\nann,0.10,no\nbob,2e-1,yes\ncid,.3,no\n")
    there = unpacked(linsep.certify(linsep.scan(path, id="id")), tmp_path)
    assert (there / "rows.csv").read_text() == "id,dose,ill\n,0.1,no\n,0.2,yes\n,0.3,no\n"
    assert "the decimals exactly as they are written" in (there / "README.html").read_text()


def test_a_bundle_is_read_in_place_of_its_proof(tmp_path):
    X, y = [[0.0], [1.0]], [0, 1]
    proof = linsep.certify(X, y)
    proof.save(tmp_path / "appendix.zip")
    assert linsep.Certificate.load(tmp_path / "appendix.zip").verdict == proof.verdict
    (tmp_path / "cut.zip").write_bytes((tmp_path / "appendix.zip").read_bytes()[:1000])
    with pytest.raises(linsep.InputError, match=r"cut\.zip: it is no zip file, or it is cut off"):
        linsep.verify(tmp_path / "cut.zip", X, y)


def test_what_can_not_be_bundled_is_said(tmp_path):
    proof = linsep.certify(DOSES, ILL)
    proof.save(tmp_path / "proof.json")
    with pytest.raises(linsep.UsageError, match="no longer has: certify them again"):
        linsep.Certificate.load(tmp_path / "proof.json").save(tmp_path / "a.zip")
    with pytest.raises(linsep.UsageError, match="shows every row"):
        linsep.certify(DOSES, ILL).seal(secret="0" * 64).save(tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()
    assert json.loads((tmp_path / "proof.json").read_text())["claim"] == proof.verdict
