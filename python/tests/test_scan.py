"""Rows of files: read when they are first used, as the command line reads them, to the same bits."""

import os
import signal
import threading
import time
import warnings

import linsep
import numpy as np
import pytest
from command_line import needs_command_line, run, trained
from linsep import _core


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for kind, name, options in [
        ("patients", "patients.csv", {"rows": 400}),
        ("patients", "later.csv", {"rows": 100, "random_state": 2}),
        ("messages", "messages.csv", {"rows": 400}),
        ("noisy", "numbers.csv", {"rows": 300, "features": 5}),
        ("noisy", "noisy.svm", {"rows": 300, "features": 5}),
        ("separable", "separable.csv", {"rows": 200, "features": 3}),
        ("classes", "classes.svm", {"rows": 300, "features": 50, "nonzeros": 10}),
    ]:
        linsep.generate(kind, folder / name, **options)
    return folder


def bytes_of(estimator, folder):
    estimator.model_.save(folder / "python.model")
    return (folder / "python.model").read_bytes()


SAME_MODELS = [
    ("patients.csv", {"positive": "disease"}, linsep.MarginClassifier(), ["--positive", "disease"]),
    (
        "patients.csv",
        {"label": "outcome", "category": ["ward", "age"], "ignore": "sex", "scale": "max_abs",
         "min_count": 1},
        linsep.MarginClassifier(loss="logistic", C=10.0),
        ["--label", "outcome", "--category", "ward,age", "--ignore", "sex", "--scale", "max-abs",
         "--min-count", "1", "--loss", "logistic", "--C", "10"],
    ),
    ("patients.csv", {"cross": "sex*ward"}, linsep.LeastSquaresClassifier(ridge=1.0),
     ["--learner", "least-squares", "--ridge", "1", "--cross", "sex*ward"]),
    ("messages.csv", {}, linsep.MarginClassifier(), []),
    ("messages.csv", {"bits": 12, "words": (1, 1), "weighting": "counts", "norm": False},
     linsep.MarginClassifier(), ["--bits", "12", "--words", "1-1", "--weighting", "counts", "--no-norm"]),
    ("numbers.csv", {}, linsep.MarginClassifier(), []),
    ("numbers.csv", {"double": True}, linsep.BasicLinearClassifier(), ["--learner", "basic", "--double"]),
    ("noisy.svm", {}, linsep.Perceptron(max_iter=3), ["--learner", "perceptron", "--passes", "3"]),
    ("noisy.svm", {"classes": ["1", "-1"]}, linsep.MarginClassifier(loss="squared_hinge"),
     ["--classes", "1,-1", "--loss", "squared-hinge"]),
    ("separable.csv", {}, linsep.HardMarginClassifier(), ["--hard"]),
    ("patients.csv", {}, linsep.MarginClassifierCV(Cs=[0.1, 1.0, 10.0], cv=3), ["--Cs", "0.1,1,10", "--cv", "3"]),
    ("noisy.svm", {}, linsep.MarginClassifier(probabilities="isotonic"), ["--probabilities", "isotonic"]),
    ("numbers.csv", {}, linsep.MarginClassifier(map="products"), ["--map", "products"]),
    ("classes.svm", {}, linsep.MarginClassifier(), []),
]  # fmt: skip


@needs_command_line
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("file", "options", "estimator", "arguments"), SAME_MODELS)
def test_a_file_gives_the_model_of_the_command_line(folder, file, options, estimator, arguments):
    expected = trained(folder / file, folder / "command.model", *arguments)
    estimator.fit(linsep.scan(folder / file, **options))
    assert bytes_of(estimator, folder) == expected


@needs_command_line
def test_raw_columns_are_predicted_as_the_command_line_does(folder):
    classifier = linsep.MarginClassifier(loss="logistic").fit(linsep.scan(folder / "patients.csv"))
    classifier.model_.save(folder / "patients.model")
    words = run("predict", folder / "later.csv", "-m", folder / "patients.model", "--scores").split("\n")[:-1]
    labels = [line.split("\t")[0] for line in words]
    scores = [float(line.split("\t")[1]) for line in words]
    assert classifier.predict(linsep.scan(folder / "later.csv")).tolist() == labels
    assert classifier.decision_function(folder / "later.csv").tolist() == scores


@needs_command_line
def test_a_proof_of_a_file_is_the_proof_of_the_command_line(folder):
    run("certify", folder / "patients.csv", "-o", folder / "proof.json")
    rows = linsep.scan(folder / "patients.csv")._core
    found = _core.certify(rows).certificate
    assert _core.seal(found, rows).to_json() == (folder / "proof.json").read_text()


@pytest.mark.parametrize("file", ["patients.csv", "classes.svm"])
def test_the_score_of_a_file_is_the_share_of_right_predictions(folder, file):
    classifier = linsep.BasicLinearClassifier().fit(folder / file)
    with open(folder / file) as lines:
        words = [line.split(" ")[0] if file.endswith("svm") else line.strip().split(",")[-1] for line in lines]
    labels = words[1:] if file.endswith("csv") else words
    right = [str(found) == label for found, label in zip(classifier.predict(folder / file), labels, strict=True)]
    assert classifier.score(linsep.scan(folder / file)) == np.mean(right)
    with pytest.raises(linsep.UsageError, match="'y' is part of the rows"):
        classifier.score(folder / file, labels)


def test_several_files_are_one_data_set(folder):
    both = linsep.MarginClassifier().fit(linsep.scan([folder / "patients.csv", folder / "later.csv"]))
    assert both.predict(linsep.scan([folder / "patients.csv", folder / "later.csv"])).shape == (500,)


def test_nothing_is_read_before_the_first_use(tmp_path):
    rows = linsep.scan(tmp_path / "later.csv")
    assert not rows.loaded and rows.rows == -1
    linsep.generate("patients", tmp_path / "later.csv", rows=50)
    linsep.MarginClassifier().fit(rows)
    assert rows.loaded and rows.rows == 50 and rows.classes == ["disease", "healthy"]
    assert "marker    number" in rows.account


def test_rows_are_read_when_that_is_asked_for(folder):
    told = []
    rows = linsep.scan(folder / "patients.csv").load(progress=told.append)
    assert rows.loaded and repr(rows) == "Rows(400 × 32 features, classes disease, healthy)"
    assert {record["phase"] for record in told} == {"reading"}


def test_the_same_rows_serve_a_learner_a_proof_and_a_model(folder):
    rows = linsep.scan(folder / "numbers.csv")
    first = linsep.MarginClassifier().fit(rows)
    scores = first.decision_function(rows)
    _core.certify(rows._core)
    linsep.BasicLinearClassifier().fit(rows)
    again = linsep.MarginClassifier().fit(rows)
    assert again.model_.to_bytes() == first.model_.to_bytes()
    assert np.array_equal(again.decision_function(rows), scores)


def test_the_rows_of_one_scan_are_read_once_for_one_purpose(folder, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes((folder / "numbers.csv").read_bytes())
    rows = linsep.scan(path)
    classifier = linsep.MarginClassifier().fit(rows)
    path.unlink()
    assert linsep.MarginClassifier(C=2.0).fit(rows).predict(rows).shape == classifier.predict(rows).shape


def test_classes_names_and_weights_come_from_the_file(tmp_path):
    path = tmp_path / "fruit.csv"
    path.write_text("kind,weight,grams\npear,1,120\napple,2,150\napple,1,170\npear,0.5,131\n")
    rows = linsep.scan(path, label="kind", weight="weight", scale="none", positive="apple")
    classifier = linsep.LeastSquaresClassifier().fit(rows)
    arrays = linsep.LeastSquaresClassifier().fit(
        np.float32([[120], [150], [170], [131]]),
        ["a-pear", "b-apple", "b-apple", "a-pear"],
        sample_weight=[1, 2, 1, 0.5],
    )
    assert rows.weighted
    assert classifier.classes_.tolist() == ["pear", "apple"]
    assert classifier.coef_.tolist() == arrays.coef_.tolist()
    assert list(classifier.feature_names_in_) == ["grams"]


def test_a_column_name_may_hold_a_comma(tmp_path):
    path = tmp_path / "comma.csv"
    path.write_text('"size, colour",y\n1,a\n2,b\n1,a\n2,b\n')
    classifier = linsep.MarginClassifier().fit(linsep.scan(path, category=["size, colour"], label="y"))
    assert classifier.model_._core.feature_name(0) == "size, colour=1"


def test_dates_take_formats(tmp_path):
    path = tmp_path / "dates.csv"
    path.write_text("when,y\n" + "".join(f"{day:02}.03.2026,{'ab'[day % 2]}\n" for day in range(1, 29)))
    rows = linsep.scan(path, date={"when": "%d.%m.%Y"})
    linsep.MarginClassifier().fit(rows)
    assert "when  date" in rows.account


def test_missing_labels_are_refused_or_dropped(tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("x,y\n1,a\n2,b\n3,?\n")
    with pytest.raises(linsep.InputError) as refused:
        linsep.MarginClassifier().fit(linsep.scan(path))
    assert refused.value.file == str(path) and refused.value.line == 4
    rows = linsep.scan(path, drop_missing_labels=True)
    linsep.MarginClassifier().fit(rows)
    assert rows.rows == 2


def test_rows_that_do_not_fit_into_memory_stay_on_disk(folder):
    expected = linsep.MarginClassifier().fit(linsep.scan(folder / "noisy.svm"))
    rows = linsep.scan(folder / "noisy.svm", memory="2G")
    assert linsep.MarginClassifier().fit(rows).model_.to_bytes() == expected.model_.to_bytes()
    assert not rows.in_memory


def test_a_page_file_is_as_good_as_its_text(folder, tmp_path):
    made = linsep.convert(folder / "noisy.svm", tmp_path / "noisy.lsp")
    assert (made.rows, made.features) == (300, 5) and made.bytes == (tmp_path / "noisy.lsp").stat().st_size
    of_pages = linsep.MarginClassifier().fit(linsep.scan(tmp_path / "noisy.lsp"))
    of_text = linsep.MarginClassifier().fit(linsep.scan(folder / "noisy.svm"))
    assert of_pages.model_.to_bytes() == of_text.model_.to_bytes()


def test_every_option_of_tables_is_a_keyword():
    import inspect

    keywords = inspect.signature(linsep.scan).parameters
    for option in _core.tables()["tables"]:
        name = "norm" if option["name"] == "no-norm" else option["name"].replace("-", "_")
        default = keywords[name].default
        if option["kind"] in ("integer", "flag", "choice") and name != "norm":
            assert default == option["default"], name
        elif name == "words":
            assert default == option["default"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"words": "2-1"}, "'words' takes FROM-TO"),
        ({"signed": True}, "'signed' goes with 'bits'"),
        ({"bits": 5}, "'bits' takes a number from 10 to 28"),
        ({"scale": "log"}, "scale"),
        ({"memory": "much"}, "'memory' takes bytes"),
        ({"label": "a", "labels": ["b"]}, "use 'label' or 'labels', not both"),
        ({"format": "xls"}, "'format' takes"),
        ({"delimiter": "ab"}, "'delimiter' takes one character"),
        ({"classes": ["a"]}, "'classes' takes two"),
    ],
)
def test_options_that_make_no_sense_are_refused_at_once(options, sentence):
    with pytest.raises(linsep.UsageError, match=sentence):
        linsep.scan("nowhere.csv", **options)


def test_a_message_names_the_keyword(tmp_path):
    path = tmp_path / "tiny.csv"
    path.write_text("x,y\n1e-60,a\n2,b\n")
    linsep.convert(path, tmp_path / "tiny.lsp")
    with pytest.raises(linsep.InputError, match="'double'"):
        linsep.certify(linsep.scan(tmp_path / "tiny.lsp"))


def test_what_is_no_source_is_refused():
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        linsep.scan(3.5)
    with pytest.raises(linsep.UsageError, match="no file"):
        linsep.scan([])


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(linsep.SystemFailure, match=r"none\.csv"):
        linsep.MarginClassifier().fit(linsep.scan(tmp_path / "none.csv"))


def test_a_field_that_is_no_number_has_its_place(tmp_path):
    path = tmp_path / "bad.svm"
    path.write_text("1 1:2\n-1 1:x\n")
    with pytest.raises(linsep.InputError) as refused:
        linsep.MarginClassifier().fit(linsep.scan(path))
    assert (refused.value.file, refused.value.line) == (str(path), 2)


def test_progress_tells_of_reading(folder, tmp_path):
    told = []
    linsep.convert(folder / "noisy.svm", tmp_path / "noisy.lsp", progress=told.append)
    assert told and told[-1]["rows"] == 300


def test_an_interrupt_ends_reading_soon(tmp_path):
    path = tmp_path / "pipe.svm"
    os.mkfifo(path)
    rows = _core.scan([str(path)], {})
    sent = []

    def feed():
        with open(path, "w") as pipe:
            pipe.write("1 1:2\n-1 1:3\n" * 1000)
            pipe.flush()
            time.sleep(0.2)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
            ended.wait(5)  # until then the reader waits for more rows

    ended = threading.Event()
    feeder = threading.Thread(target=feed)
    feeder.start()
    with pytest.raises(KeyboardInterrupt):
        _core.load_rows(rows)
    took = time.monotonic() - sent[0]
    ended.set()
    feeder.join()
    assert took < 3  # 5 without it; a busy machine takes a while
    assert not rows.loaded


def test_a_proof_beside_a_model_is_about_its_columns(folder):
    classifier = linsep.MarginClassifier().fit(folder / "numbers.csv")  # scales its columns
    rows = linsep.scan(folder / "numbers.csv")._core
    found = _core.certify(rows, mistakes=True, guide=classifier.model_._core)
    assert found.mistakes_at_least <= found.mistakes_at_most
    sealed = _core.seal(found.certificate, rows)
    assert _core.verify(sealed, rows, as_encoded=True)["valid"]
    other = _core.verify(sealed, linsep.scan(folder / "numbers.csv")._core)
    assert not other["valid"] and other["other_reading"]
    assert _core.verify(sealed, linsep.scan(folder / "numbers.csv")._core, as_encoded=True)["valid"]


def test_advice_names_keywords_with_their_values(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("age,y\n" + "".join(f"{k % 50},{'ab'[k % 2]}\n" for k in range(300_000)) + "4O,a\n")
    with pytest.raises(linsep.InputError, match=r"missing_words='4O', category='age' or ignore='age'"):
        linsep.MarginClassifier().fit(linsep.scan(path))


def test_numbers_that_become_0_are_warned_of_once(tmp_path):
    path = tmp_path / "doses.csv"
    path.write_text("dose,age,label\n0.1,3,a\n0.2,1e-50,b\n0.3,2e-60,b\n0.4,1,a\n")
    said = r"doses\.csv:3: 1e-50 in column 'age' is below the smallest 32-bit number and is read as 0 \(and 1 more\); multiply the column"
    with pytest.warns(linsep.ColumnWarning, match=said) as met:
        model = linsep.Perceptron(max_iter=1).fit(linsep.scan(path, label="label"))
    assert len([one for one in met if one.category is linsep.ColumnWarning]) == 1
    with pytest.warns(linsep.ColumnWarning, match=said):
        model.predict(linsep.scan(path, label="label"))
    with warnings.catch_warnings():
        warnings.simplefilter("error", linsep.ColumnWarning)
        assert linsep.certify(linsep.scan(path, label="label")).verdict == "separable"  # of numbers as written
        path.write_text(path.read_text().replace("e-", "e+").replace("e+50", "e+3").replace("e+60", "e+3"))
        linsep.Perceptron(max_iter=1).fit(linsep.scan(path, label="label"))
