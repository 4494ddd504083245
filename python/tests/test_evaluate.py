"""`linsep.evaluate` gives the numbers of the command: arrays, tables, files, several classes, groups, gates."""

import json
import os
import subprocess

import linsep
import numpy as np
import pytest

DRAW = np.random.default_rng(5)
X = DRAW.normal(size=(400, 3)).astype(np.float32)
Y = np.where(X @ [2.0, -1.0, 0.5] + DRAW.normal(size=400) > 0, "yes", "no")
REGION = np.array(["north", "south", "7"])[np.arange(400) % 3]
BESIDES = {"unknown_columns", "table"}


@pytest.fixture
def models():
    new = linsep.LogisticRegression().fit(X[:200], Y[:200])
    old = linsep.LogisticRegression(C=1e-4).fit(X[:200], Y[:200])
    return new, old


def command(folder, *arguments, code=0):
    done = subprocess.run([os.environ["LINSEP"], "evaluate", *arguments, "--json"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()
    return {key: value for key, value in json.loads(done.stdout).items() if key not in BESIDES}


def as_file(folder, labels, region=None):
    lines = []
    for i, row in enumerate(X.tolist()):
        fields = [repr(value) for value in row] + ([] if region is None else [region[i]]) + [str(labels[i])]
        lines.append(",".join(fields))
    (folder / "rows.csv").write_text("\n".join(lines) + "\n")
    return "rows.csv"


def test_arrays_have_the_numbers_of_the_command(models, tmp_path):
    new, old = models
    new.model_.save(tmp_path / "new.json")
    old.model_.save(tmp_path / "old.json")
    rules = "error+0.01,log_loss+1%"
    found = linsep.evaluate(new, X, Y, against=old, cost=(5, 1), fail_if_worse=rules, seed=3)
    shown = command(tmp_path, as_file(tmp_path, Y), "-m", "new.json", "--against", "old.json", "--no-header", "--seed", "3",
                    "--fail-if-worse", rules, "--cost", "5:1", code=0 if found["gate"]["passed"] else 1)
    shown.pop("cost")  # the cheapest threshold
    assert "log loss" in found["gate"].pop("words")
    assert found == shown


def test_files_and_arrays_agree(models, tmp_path):
    new, old = models
    new.model_.save(tmp_path / "new.json")
    path = tmp_path / as_file(tmp_path, Y)
    assert linsep.evaluate(tmp_path / "new.json", path, against=old) == linsep.evaluate(new.model_, X, Y, against=old)
    assert linsep.evaluate(new, linsep.scan(path))["mistakes"] == np.sum(new.predict(X) != Y)
    with pytest.raises(linsep.UsageError, match="both models"):
        linsep.evaluate(new, linsep.scan(path), against=old)


def test_groups_are_those_of_the_rows_alone(models):
    new, old = models
    found = linsep.evaluate(new, X, Y, against=old, by=REGION)
    assert [group["value"] for group in found["groups"]] == ["7", "north", "south"]
    for group in found["groups"]:
        rows = REGION == group["value"]
        alone = linsep.evaluate(new, X[rows], Y[rows], against=old)
        assert group["confusion"] == alone["confusion"]
        assert group["comparison"]["metrics"]["error"] == alone["comparison"]["metrics"]["error"]
    with pytest.raises(linsep.UsageError, match="fewer values"):
        linsep.evaluate(new, X, Y, by=REGION[:10])


def test_tables_are_encoded_by_each_model():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": X[:, 0], "region": REGION, "b": X[:, 1]})
    new = linsep.TableClassifier(linsep.LogisticRegression()).fit(frame, Y)
    old = linsep.TableClassifier(linsep.LogisticRegression()).fit(frame[["region"]], Y)
    found = linsep.evaluate(new, frame, Y, against=old)
    assert found["mistakes"] == np.sum(new.predict(frame) != Y)
    assert found["against"]["mistakes"] == np.sum(old.predict(frame) != Y)


def test_several_classes_and_numbers():
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    new = linsep.MarginClassifier().fit(X, y)
    found = linsep.evaluate(new, X, y, against=linsep.BasicLinearClassifier().fit(X, y))
    assert found["accuracy"] == pytest.approx(new.score(X, y))
    assert set(found["comparison"]["metrics"]) == {"error", "accuracy"}
    numbers = linsep.PerceptronRegressor().fit(X, X[:, 0])
    found = linsep.evaluate(numbers, X, X[:, 0], against=linsep.PerceptronRegressor(max_iter=1).fit(X, X[:, 0]))
    assert found["comparison"]["metrics"]["mean_square"]["model"] == pytest.approx(np.mean((numbers.predict(X) - X[:, 0]) ** 2))


def test_what_makes_no_sense_is_refused(models):
    new, old = models
    for more, part in (({"fail_if_worse": "error"}, "against"), ({"against": old, "fail_if_worse": "eror"}, "eror"),
                       ({"against": old, "if_unsure": "maybe"}, "if_unsure"), ({"against": object()}, "against")):
        with pytest.raises(linsep.UsageError, match=part):
            linsep.evaluate(new, X, Y, **more)
    with pytest.raises(linsep.UsageError, match="'y'"):
        linsep.evaluate(new, X)
    with pytest.raises(linsep.UsageError, match="doesn't have"):
        linsep.evaluate(new, X, np.where(Y == "no", "never", Y))
    with pytest.raises(linsep.InputError, match="all rows are of the class"):
        linsep.evaluate(new, X[Y == "no"], Y[Y == "no"], against=old, fail_if_worse="error+0.5", if_unsure="pass")
