"""What certify proves, in numbers that can be checked by hand; certificates as values and as files."""

from __future__ import annotations

import json
import math
import os
import pickle
import shutil
import subprocess
import sys
import warnings
import zipfile
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import exact_oracle
import linsep
import numpy as np
import pytest
import scipy.sparse as sp
from linsep._proof.exact import exact, root_above, root_below

CHECKER = Path(__file__).parents[2] / "checker"
XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
PATIENTS = "name,dose,age,ill\nann,0,1,no\nbob,0,2,yes\ncid,0,3,no\ndan,1,2,yes\neve,2,5,yes\n"
GRID = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
LINE_AND_COPY = [(0, 0), (1, 1), (2, 2), (1, 1), (3, 0)]


def program() -> str:
    found = os.environ.get("LINSEP") or shutil.which("linsep")
    if not found:
        pytest.skip("the program linsep isn't there: set LINSEP")
    return found


def labellings(points):
    """Yield every labelling of the points that has both classes."""
    for labels in product([-1, 1], repeat=len(points)):
        if len(set(labels)) == 2:
            yield labels


def leaves(X, y, data: dict) -> str:
    """Return the canonical lines of binary values, by docs/reference/formats/certificate.md."""
    lines = [json.dumps(data, sort_keys=True, separators=(",", ":"))]
    for number, (row, label) in enumerate(zip(np.asarray(X), y, strict=True), start=1):
        entries = [f"{place}:{plain(value)}" for place, value in enumerate(row, start=1) if value]
        lines.append(" ".join([str(number), "+1" if label else "-1", *entries]))
    return "\n".join(lines) + "\n"


def plain(value) -> str:
    text = format(Decimal(float(value)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def test_rows_of_weight_0_are_said():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1]
    with pytest.warns(UserWarning, match="^1 row of weight 0 counts like any other, since the verdict is about all rows"):
        certificate = linsep.certify(linsep.rows(X, y, sample_weight=[1, 0, 1, 1]))
    assert certificate.verdict == "overlapping"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linsep.certify(linsep.rows(X, y, sample_weight=[1, 2, 1, 1]))


def independent_check(proof: Path, lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "leaves.txt").write_text(lines)
    command = [sys.executable, str(CHECKER / "verify_certificate.py"), str(proof), str(folder / "leaves.txt")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("points", [GRID, LINE_AND_COPY], ids=["grid", "line with a copy"])
def test_every_labelling_of_a_few_points_gets_the_verdict_of_the_oracle(points, fit_intercept):
    for labels in labellings(points):
        rows = exact_oracle.rows_of(points, labels, fit_intercept)
        proof = linsep.certify(np.array(points, dtype=float), labels, fit_intercept=fit_intercept)
        assert proof.verdict == exact_oracle.verdict(rows), labels
        left = exact_oracle.at_zero(rows)
        assert proof.separated_rows.tolist() == [row for row in range(len(points)) if row not in left], labels
        assert proof.verify()


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_every_labelling_gets_the_estimates_of_the_oracle(fit_intercept):
    names = ["x1", "x2", *(["offset"] if fit_intercept else [])]
    for labels in labellings(GRID):
        rows = exact_oracle.rows_of(GRID, labels, fit_intercept)
        proof = linsep.certify(np.array(GRID, dtype=float), labels, fit_intercept=fit_intercept)
        if proof.verdict == "overlapping":
            assert proof.estimates == {} and proof.infinite == {}
            continue
        expected = {name: exact_oracle.estimate(rows, column) for column, name in enumerate(names)}
        assert proof.estimates == expected, labels
        signs = {"+infinity": 1, "-infinity": -1}
        assert proof.infinite == {name: signs[word] for name, word in expected.items() if word in signs}


def test_drawn_points_get_the_verdict_and_the_estimates_of_the_oracle():
    random = np.random.default_rng(16)
    for _ in range(2000 if os.environ.get("LINSEP_NIGHTLY") else 25):
        points = random.integers(-2, 3, size=(random.integers(2, 7), random.integers(1, 4)))
        labels = random.choice([-1, 1], size=len(points))
        if len(set(labels)) < 2:
            continue
        offset = bool(random.integers(2))
        rows = exact_oracle.rows_of(points.tolist(), labels.tolist(), offset)
        proof = linsep.certify(points, labels, fit_intercept=offset)
        assert proof.verdict == exact_oracle.verdict(rows), (points, labels, offset)
        expected = [exact_oracle.estimate(rows, column) for column in range(len(rows[0]))]
        assert proof.verdict == "overlapping" or list(proof.estimates.values()) == expected, (
            points,
            labels,
            offset,
        )


def test_a_witness_adds_up_to_nothing():
    for labels in labellings(GRID):
        proof = linsep.certify(np.array(GRID, dtype=float), labels)
        rows = exact_oracle.rows_of(GRID, labels, True)
        for column in range(3):
            assert sum(entry["alpha"] * rows[entry["row"]][column] for entry in proof.witness) == 0
        assert all(isinstance(alpha, Fraction) and alpha > 0 for alpha in proof.witness["alpha"])


def test_levels_put_every_separated_row_on_its_side_and_bound_the_margin():
    def product_of(level, row):
        return sum(level.get(name, 0) * z for name, z in zip(["x1", "x2", "offset"], row, strict=True))

    for labels in labellings(GRID):
        proof = linsep.certify(np.array(GRID, dtype=float), labels)
        rows = exact_oracle.rows_of(GRID, labels, True)
        first = [next(filter(None, (product_of(level, row) for level in proof.levels)), 0) for row in rows]
        assert [row for row, side in enumerate(first) if side > 0] == proof.separated_rows.tolist()
        assert min(first, default=0) >= 0
        if proof.margin is not None:
            (level,) = proof.levels
            norm = sum(level.get(name, Fraction(0)) ** 2 for name in ("x1", "x2"))
            assert proof.exact_bounds["at_least_squared"] <= min(first) ** 2 / norm
            assert Fraction(proof.margin) ** 2 <= proof.exact_bounds["at_least_squared"]


def test_xor_has_a_witness_of_all_four_rows():
    proof = linsep.certify(*XOR)
    assert repr(proof) == "Certificate(overlapping, 4 rows × 2 features, witness of 4 rows)"
    assert proof.witness["share"].tolist() == [0.5] * 4
    assert proof.witness["class"].tolist() == ["0", "1", "1", "0"]
    assert proof.common_point.tolist() == [0.5, 0.5]
    assert proof.margin is None and proof.levels == [] and proof.stopped_because == "converged"


def test_xor_is_separable_by_products():
    proof = linsep.certify(*XOR, map="products")
    assert proof.verdict == "separable" and proof.map == "products"
    assert proof.infinite == {"x1": 1, "x2": 1, "x1·x2": -1, "offset": -1}


def test_two_points_have_at_most_half_their_distance_as_margin():
    proof = linsep.certify([[1.0, 1.0], [4.0, 5.0]], ["a", "b"])
    assert proof.verdict == "separable" and proof.classes == ("a", "b")
    # The margin of the separator that was found: a lower bound on the greatest, 2.5.
    assert 1.25 < proof.margin <= 2.5 and 0 <= proof.radius**2 - 41 < 1e-9
    assert isinstance(proof.mistake_bound, int) and proof.mistake_bound > 42 / 2.5**2
    assert all(isinstance(value, Fraction) for value in proof.exact_bounds.values())


def test_mistakes_are_bounded_from_both_sides():
    X = np.array([[0.0], [1], [2], [3], [4], [5]])
    proof = linsep.certify(X, [0, 1, 0, 1, 0, 1], mistakes=True)
    bounds = proof.mistake_bounds
    assert bounds.at_least == bounds.at_most == 2
    assert repr(bounds) == "MistakeBounds(at_least=2, at_most=2)"
    rows = [row for witness in bounds.witnesses for row in witness]
    assert len(rows) == len(set(rows))
    assert linsep.certify(X, [0, 1, 0, 1, 0, 1]).mistake_bounds is None


def test_layouts_of_the_same_values_give_equal_certificates():
    X, y = np.array(XOR[0], dtype=np.float64), XOR[1]
    proof = linsep.certify(X, y)
    for other in (
        np.asfortranarray(X),
        X.astype(np.float32),
        X.astype(int),
        sp.csr_array(X),
        sp.coo_array(X),
    ):
        assert linsep.certify(other, y) == proof


def test_equal_proofs_of_other_rows_are_not_equal():
    assert linsep.certify([[0.0], [1], [2]], [0, 1, 0]) != linsep.certify([[0.0], [1], [2]], [1, 0, 1])
    # The same α on the same row numbers, with other values.
    assert linsep.certify([[0.0], [1], [2]], [0, 1, 0]) != linsep.certify([[0.0], [2], [4]], [0, 1, 0])
    assert linsep.certify(*XOR) != "a certificate"


def test_a_float32_tenth_is_not_one_tenth():
    X = np.array([[0.1], [0.2]], dtype=np.float32)
    assert linsep.certify(X, [0, 1]) != linsep.certify(X.astype(np.float64).round(1), [0, 1])


def test_saved_certificates_are_read_again(tmp_path):
    proof = linsep.certify(*XOR)
    assert not proof.sealed and proof.root == ""
    proof.save(tmp_path / "proof.json")
    assert proof.sealed and len(proof.root) == 64
    assert [path.name for path in tmp_path.iterdir()] == ["proof.json"]
    again = linsep.Certificate.load(tmp_path / "proof.json")
    assert again == proof and repr(again) == repr(proof)
    assert again.witness.tolist() == proof.witness.tolist()
    assert again.common_point.tolist() == [0.5, 0.5]
    assert again.to_json() == (tmp_path / "proof.json").read_text()


def test_a_loaded_certificate_has_the_bounds_of_the_one_that_was_saved(tmp_path):
    proof = linsep.certify([[1.0, 1.0], [4.0, 5.0], [2.0, 1.0]], [0, 1, 0])
    again = linsep.Certificate.from_json(proof.to_json())
    for name in (
        "margin",
        "radius",
        "mistake_bound",
        "levels",
        "infinite",
        "estimates",
        "exact_bounds",
        "classes",
    ):
        assert getattr(again, name) == getattr(proof, name), name
    assert again.separated_rows.tolist() == [0, 1, 2]


def test_pickling_keeps_what_is_known(tmp_path):
    rows = linsep.rows(
        [[0.0, 1], [0, 2], [0, 3], [1, 2]], [0, 1, 0, 1], feature_names=["dose", "age"], ids=list("abcd")
    )
    proof = linsep.certify(rows)
    again = pickle.loads(pickle.dumps(proof))
    assert again == proof and again.witness["id"].tolist() == ["a", "b", "c"]
    assert again.separated_rows.tolist() == [3] and again.infinite == {"dose": 1}


def test_a_proof_without_the_rows_proves_what_it_carries():
    xor = linsep.Certificate.from_json(linsep.certify(*XOR).to_json())
    assert xor.verify() and xor.verify().proven == ("no linear classifier separates these rows",)
    separable = linsep.Certificate.from_json(linsep.certify([[0.0], [1.0]], [0, 1]).to_json())
    check = separable.verify()
    assert not check and check.needs_data and "data set is needed" in check.reason
    assert separable.verify([[0.0], [1.0]], [0, 1])


def test_other_rows_are_refused():
    proof = linsep.certify([[0.0], [1.0]], [0, 1], seal="now")
    for X, y in (([[0.0], [2.0]], [0, 1]), ([[0.0], [1.0], [1.0]], [0, 1, 1]), ([[1.0], [0.0]], [0, 1])):
        check = proof.verify(X, y)
        assert not check and not check.needs_data and check.reason


def test_a_forged_certificate_is_refused(tmp_path):
    text = linsep.certify(*XOR).to_json()
    forged = json.loads(text)
    forged["witness"][0]["alpha"] = "3"
    check = linsep.Certificate.from_json(json.dumps(forged)).verify(*XOR)
    assert not check and not check.needs_data
    forged = json.loads(text) | {"claim": "separable"}
    (tmp_path / "proof.json").write_text(json.dumps(forged))
    assert not linsep.verify(tmp_path / "proof.json", *XOR)


def test_salted_proofs_need_the_secret_to_be_checked_against_the_rows():
    secret = "0123456789abcdef" * 4
    proof = linsep.certify(*XOR).seal(secret=secret)
    again = linsep.Certificate.from_json(proof.to_json())
    assert again.verify() and again.verify(*XOR, secret=secret) and proof.verify()
    assert not again.verify(*XOR) and again != linsep.certify(*XOR)
    assert secret not in proof.to_json() and secret.encode() not in pickle.dumps(proof)
    with pytest.raises(linsep.UsageError, match="another secret"):
        proof.seal(secret="f" * 64)


def test_arrays_that_were_changed_are_noticed_before_sealing():
    X = np.array([[0.0], [1.0], [3.0]])
    proof = linsep.certify(X, [0, 0, 1])
    X[0, 0] = 5.0
    with pytest.raises(linsep.InputError, match="changed"):
        proof.to_json()
    X[0, 0] = 0.0
    assert json.loads(proof.to_json())["claim"] == "separable"


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_independent_checker_accepts_what_python_saves(tmp_path, dtype):
    random = np.random.default_rng(3)
    for number in range(6):
        X = (random.normal(size=(12, 2)) * 10.0 ** random.integers(-3, 4)).astype(dtype)
        y = (X[:, 0] > 0).astype(int)
        y[: number % 3] ^= 1
        X[:, 1] *= number % 2
        proof = linsep.certify(X, y, mistakes=number > 3)
        proof.save(tmp_path / "proof.json")
        data = json.loads(proof.to_json())["data"]
        assert data.pop("root") == proof.root
        checked = independent_check(tmp_path / "proof.json", leaves(X, y, data), tmp_path)
        assert checked.returncode == 0, (proof, checked.stdout, checked.stderr)
        X[0, 0] *= 2
        checked = independent_check(tmp_path / "proof.json", leaves(X, y, data), tmp_path)
        assert checked.returncode == 1


def test_dense_floats_of_many_columns_are_separated_or_have_a_witness(tmp_path):
    random = np.random.default_rng(5)
    X = random.standard_normal((24, 2100), dtype=np.float32)  # more columns than exact arithmetic takes at once
    y = random.integers(0, 2, 24)
    proof = linsep.certify(X, y, n_jobs=1)
    assert proof.verdict == "separable"  # fewer rows than columns, in general position
    assert linsep.certify(X, y, n_jobs=2).to_json() == proof.to_json()
    assert linsep.certify(X.astype(np.float64), y).verdict == "separable"
    proof.save(tmp_path / "proof.json")
    assert linsep.verify(tmp_path / "proof.json", X, y).valid
    data = json.loads(proof.to_json())["data"]
    data.pop("root")
    checked = independent_check(tmp_path / "proof.json", leaves(X, y, data), tmp_path)
    assert checked.returncode == 0, (checked.stdout, checked.stderr)
    X[7], y[7] = X[3], 1 - y[3]
    assert linsep.certify(X, y).witness["row"].tolist() == [3, 7]


def test_the_same_bytes_as_the_command_line(tmp_path):
    files = {"patients.csv": PATIENTS, "and.svm": "-1 1:0\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        identity = ["--id", "name"] if name == "patients.csv" else []
        command = [program(), "certify", str(tmp_path / name), "-o", str(tmp_path / "proof.json"), *identity]
        subprocess.run(command, check=True, capture_output=True)
        rows = linsep.scan(tmp_path / name, **({"id": "name"} if identity else {}))
        assert linsep.certify(rows).to_json() == (tmp_path / "proof.json").read_text()
        assert linsep.verify(tmp_path / "proof.json", rows)


def test_endometrial_gives_the_bytes_of_the_command_line(tmp_path):
    path = Path(os.environ.get("LINSEP_DATA", "")) / "endometrial.csv"
    if not os.environ.get("LINSEP_DATA") or not path.exists():
        pytest.skip("LINSEP_DATA names no folder with endometrial.csv")
    subprocess.run(
        [program(), "certify", str(path), "-o", str(tmp_path / "proof.json")], check=True, capture_output=True
    )
    proof = linsep.certify(path)
    assert proof.to_json() == (tmp_path / "proof.json").read_text()
    assert proof.witness["row"].tolist() == [4, 29, 43, 69] and proof.witness["alpha"].tolist() == [
        781,
        532,
        277,
        1036,
    ]
    assert len(proof.separated_rows) == 13 and proof.infinite == {"NV": 1}


def test_the_command_line_accepts_what_python_saves(tmp_path):
    (tmp_path / "patients.csv").write_text(PATIENTS)
    linsep.certify(linsep.scan(tmp_path / "patients.csv", id="name")).save(tmp_path / "proof.json")
    command = [
        program(),
        "verify",
        str(tmp_path / "proof.json"),
        str(tmp_path / "patients.csv"),
        "--id",
        "name",
    ]
    assert "valid. 5 rows" in subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_proof_does_not_choose_its_columns(tmp_path):
    path, proof = tmp_path / "sep.csv", tmp_path / "proof.json"
    path.write_text("x1,x2,y\n1,3,no\n2,1,no\n3,2,no\n7,3,yes\n8,1,yes\n9,2,yes\n")
    chosen = {"ignore": "x1", "scale": "max_abs"}
    linsep.certify(linsep.scan(path, **chosen)).save(proof)
    check = linsep.verify(proof, path)
    assert not check and "leaves out the column 'x1'" in check.reason and "as_encoded=True" in check.reason
    check = linsep.verify(proof, linsep.scan(path, **chosen))
    assert check and check.about == (
        "label: y",
        "column x2: number, divided by 3",
        "columns left out: x1",
    )
    check = linsep.verify(proof, path, as_encoded=True)
    assert check and "read and encoded as the certificate says (as_encoded)" in check.about


def test_columns_of_numbers_are_left_out_as_the_proof_says(tmp_path):
    path, proof = tmp_path / "sep.csv", tmp_path / "proof.json"
    path.write_text("x1,x2,y\n1,3,no\n2,1,no\n3,2,no\n7,3,yes\n8,1,yes\n9,2,yes\n")
    linsep.certify(linsep.scan(path, ignore="x1")).save(proof)
    assert "table" not in json.loads(proof.read_text())["data"]
    rows = linsep.scan(path)
    assert not linsep.verify(proof, rows)
    assert linsep.verify(proof, rows, as_encoded=True)
    assert linsep.verify(proof, path, as_encoded=True)


def test_a_file_is_read_as_the_proof_says_where_that_is_accepted(tmp_path):
    text = PATIENTS.replace(",", "\t").replace("dose", "0").replace("age", "1")
    (tmp_path / "patients.txt").write_text(text)
    rows = linsep.scan(tmp_path / "patients.txt", delimiter="tab", header=True, label="ill", ignore="name")
    linsep.certify(rows).save(tmp_path / "proof.json")
    assert linsep.verify(tmp_path / "proof.json", tmp_path / "patients.txt", as_encoded=True)
    (tmp_path / "patients.txt").write_text(text.replace("bob\t0\t2", "bob\t0\t2.5"))
    assert not linsep.verify(tmp_path / "proof.json", tmp_path / "patients.txt", as_encoded=True)


def test_ids_name_the_rows_of_a_witness(tmp_path):
    (tmp_path / "patients.csv").write_text(PATIENTS)
    proof = linsep.certify(linsep.scan(tmp_path / "patients.csv", id="name"))
    assert proof.witness["id"].tolist() == ["ann", "bob", "cid"]
    assert proof.separated_rows.tolist() == [3, 4] and proof.infinite == {"dose": 1}
    assert (
        repr(proof)
        == "Certificate(quasi-separable, 5 rows × 2 features, 2 rows separated, witness of 3 rows)"
    )


def test_files_that_are_no_certificates_are_refused_by_name(tmp_path):
    with pytest.raises(linsep.SystemFailure, match=r"missing\.json"):
        linsep.Certificate.load(tmp_path / "missing.json")
    (tmp_path / "bad.json").write_text('{"linsep_certificate": 2}')
    with pytest.raises(linsep.InputError, match=r"bad\.json"):
        linsep.verify(tmp_path / "bad.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(linsep.InputError, match="not a certificate"):
        linsep.Certificate.load(tmp_path / "bytes.json")
    with pytest.raises(linsep.SystemFailure, match="can't write"):
        linsep.certify(*XOR).save(tmp_path / "no" / "such" / "folder.json")


def test_usage_that_makes_no_sense_is_refused():
    with pytest.raises(linsep.UsageError, match="seal"):
        linsep.certify(*XOR, seal="later")
    with pytest.raises(linsep.UsageError, match="y without X"):
        linsep.verify(linsep.certify(*XOR), None, XOR[1])
    with pytest.raises(ValueError):
        linsep.certify(*XOR, map="cubes")
    with pytest.raises(ValueError):
        linsep.certify([[0.0], [1.0]], [1, 1])


def test_progress_hears_of_passes_and_its_exceptions_come_out():
    heard = []
    linsep.certify(*XOR, progress=heard.append)
    assert heard and {"phase", "rows"} <= heard[0].keys()

    def fails(record):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        linsep.certify(*XOR, progress=fails)


def test_a_limit_of_time_leaves_a_proof_of_what_is_known():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(4000, 60)), random.integers(0, 2, 4000)
    proof = linsep.certify(X, y, time_limit=1e-9)
    assert proof.verdict == "undecided" and proof.stopped_because != "converged"
    assert "Certificate(undecided" in repr(proof)


def test_numbers_of_many_digits_are_read_and_rounded_on_the_safe_side():
    long = "9" * 6000
    assert exact(f"1/{long}") == Fraction(1, 10**6000 - 1)
    for square in (
        Fraction(2),
        Fraction(1, 3),
        Fraction(10**700),
        Fraction(1, 10**700),
        Fraction(9, 4),
        Fraction(0),
    ):
        below, above = root_below(square), root_above(square)
        assert Fraction(below) ** 2 <= square
        assert above == np.inf or Fraction(above) ** 2 >= square
        assert above in (below, math.nextafter(below, math.inf))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
def test_a_proof_about_arrays_is_checked_against_their_files(dtype, tmp_path):
    X = np.array([[0.1, 2], [3, 0], [-5.5, 1e3], [7, 1]]).astype(dtype)
    y = np.array([0, 1, 1, 0])
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    linsep.certify(X, y).save(tmp_path / "proof.json")
    secret = "5" * 64
    linsep.certify(X, y).seal(secret=secret).save(tmp_path / "salted.json")
    (tmp_path / "salt.txt").write_text(secret, encoding="utf-8")
    command = [sys.executable, CHECKER / "verify_certificate.py"]
    arrays = [tmp_path / "X.npy", "--label", tmp_path / "y.npy"]
    for arguments, code in (
        (["proof.json", *arrays], 0),
        (["salted.json", *arrays, "--salt", "salt.txt"], 0),
        (["salted.json", *arrays], 1),
        (["proof.json", tmp_path / "X.npy"], 3),
    ):
        done = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout
    read = subprocess.run([sys.executable, CHECKER / "read_rows.py", *arrays], capture_output=True, text=True, check=True)
    if os.environ.get("LINSEP") and X.dtype.kind == "f":
        leaves = subprocess.run([os.environ["LINSEP"], "leaves", *arrays], capture_output=True, text=True, check=True)
        assert read.stdout == leaves.stdout


def test_words_say_which_classifiers_and_classes_they_are_about():
    X, y = [[1, 1], [2, 2], [1, 0], [3, 1]], list("nyny")
    proof = linsep.certify(X, y, fit_intercept=False, mistakes=True)
    page = proof._repr_html_()
    assert "no linear classifier through the origin separates these rows" in page
    assert "Every linear classifier through the origin makes at least 1 mistake" in page
    assert "features, through the origin, witness of" in repr(proof)
    assert "origin" not in repr(linsep.certify(X, y)) + linsep.certify(X, y)._repr_html_()
    with pytest.raises(linsep.NotSeparableError, match="no linear classifier through the origin separates these rows"):
        linsep.HardMarginClassifier(fit_intercept=False).fit(X, y)
    X, y = [[0.0], [1], [2], [3], [4], [5]], list("AABBCC")
    proof = linsep.certify(X, y, against="B")
    assert "no linear classifier separates B from the rest" in proof._repr_html_()
    assert "feature, B against the rest, witness of" in repr(proof)
    proof = linsep.certify(X, y, against="B", map="products", fit_intercept=False)
    assert "map products" in repr(proof) and "on the map products through the origin" in proof._repr_html_()


def test_a_proof_about_a_data_frame_says_what_its_numbers_are(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = pandas.DataFrame({"a": [0.1, 1, 0, 1], "b": [0.0, 0, 1, 1]}), [0, 1, 1, 0]
    linsep.certify(X, y).save(tmp_path / "proof.json")
    check = linsep.verify(tmp_path / "proof.json", X, y)
    assert check and "columns, numbers as stored: a, b" in check.about
    X.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    for options in ({}, {"as_encoded": True}):
        refused = linsep.verify(tmp_path / "proof.json", tmp_path / "rows.csv", **options)
        assert not refused and "it is about arrays in memory: give these" in refused.reason
        assert "as_encoded" not in refused.reason
    script = [sys.executable, CHECKER / "verify_certificate.py", "proof.json"]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "columns, numbers as stored: a, b" in done.stdout


def test_a_bundle_of_a_scanned_table_has_its_columns(tmp_path):
    towns = "".join(f"{town},{k % 5},{'yn'[k % 3 == 0]}\n" for k, town in enumerate(["Rome", "Oslo", "Bonn"] * 10))
    (tmp_path / "towns.csv").write_text("town,size,rich\n" + towns, encoding="utf-8")
    linsep.certify(linsep.scan(tmp_path / "towns.csv")).save(tmp_path / "appendix.zip")
    with zipfile.ZipFile(tmp_path / "appendix.zip") as bundle:
        assert bundle.read("table.csv").decode().startswith("town,size,rich\nRome,0,n\n")
        assert "encode_rows.py" in bundle.namelist()


def test_the_script_says_which_classes_a_proof_is_about(tmp_path):
    X, y = [[0.0], [1], [2], [3], [4], [5]], list("AABBCC")
    for options, words in (
        ({"against": "B", "mistakes": True}, "no linear classifier separates B from the rest"),
        ({"against": "B", "mistakes": True, "fit_intercept": False}, "through the origin makes at least"),
        ({"fit_intercept": False}, "no linear classifier with one score per class through the origin gets every row right"),
    ):
        linsep.certify(X, y, **options).save(tmp_path / "proof.json")
        command = [sys.executable, CHECKER / "verify_certificate.py", "proof.json"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        if done.returncode == 2:  # the rows are needed
            lines = ['{"classes":["A","B","C"],"features":1,"rows":6}']
            lines += [f"{i + 1} {'ABC'.index(y[i]) + 1}" + (f" 1:{i}" if i else "") for i in range(6)]
            (tmp_path / "leaves.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            done = subprocess.run([*command, "leaves.txt"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and words in done.stdout, done.stdout


def test_a_line_about_a_certificate_reads_no_weights(monkeypatch):
    certificate = linsep.certify(*XOR)

    def too_slow(*_):
        raise AssertionError("weights of thousands of digits would be read")

    monkeypatch.setattr("linsep._proof.file.exact", too_slow)
    assert repr(certificate) == "Certificate(overlapping, 4 rows × 2 features, witness of 4 rows)"
