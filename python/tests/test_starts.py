"""What a job that runs every night meets: other columns, classes the other way round, files of one class or without rows."""

import warnings

import linsep
import numpy as np
import pytest
from linsep.errors import InputError, UsageError

DRAW = np.random.default_rng(4)
X = DRAW.normal(size=(300, 3))
Y = np.where(X @ [3, -2, 0.5] > -0.3, "ill", "well")


def written(path, rows=slice(None), columns=(0, 1, 2)):
    lines = [",".join([*("abc"[j] for j in columns), "y"])]
    lines += [",".join([*(f"{x[j]:.4f}" for j in columns), y]) for x, y in zip(X[rows], Y[rows], strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def warm():
    """A perceptron that stays where it starts."""
    return linsep.Perceptron(warm_start=True, max_iter=1, eta0=1e-9)


def taught(first, second):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classifier = warm().set_params(eta0=1.0, max_iter=20).fit(first)
        return classifier.set_params(eta0=1e-9, max_iter=1).fit(second)


def test_a_warm_start_matches_columns_of_files_by_name(tmp_path):
    first = linsep.scan(written(tmp_path / "1.csv"))
    turned = linsep.scan(written(tmp_path / "2.csv", columns=(2, 1, 0)))
    assert taught(first, turned).score(turned) > 0.9
    with pytest.raises(UsageError, match="the column 'c'"):
        taught(first, linsep.scan(written(tmp_path / "3.csv", columns=(0, 1))))


def test_a_warm_start_turns_classes_the_other_way_round(tmp_path):
    path = written(tmp_path / "1.csv")
    assert taught(linsep.scan(path, positive="ill"), linsep.scan(path, positive="well")).score(linsep.scan(path)) > 0.9


def test_a_warm_start_matches_columns_of_frames_by_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abc"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classifier = warm().set_params(eta0=1.0, max_iter=20).fit(frame, Y)
        turned = frame[["c", "b", "a"]]
        assert classifier.set_params(eta0=1e-9, max_iter=1).fit(turned, Y).score(turned, Y) > 0.9


def test_a_file_of_one_class_is_refused(tmp_path):
    one = linsep.scan(written(tmp_path / "1.csv", rows=Y == "well"), positive="ill")
    for classifier in (linsep.MarginClassifier(), linsep.Perceptron(), linsep.HardMarginClassifier()):
        with pytest.raises(ValueError, match="at least two classes, but every row is of the class 'well'"):
            classifier.fit(one)


def test_a_file_without_rows_has_no_score(tmp_path):
    classifier = linsep.MarginClassifier().fit(linsep.scan(written(tmp_path / "1.csv")))
    with pytest.raises(InputError, match="no rows"):
        classifier.score(written(tmp_path / "none.csv", rows=slice(0, 0)))
