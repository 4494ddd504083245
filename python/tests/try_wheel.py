"""What a wheel must do in a clean environment: tools/make_wheels and the workflow wheels run it there."""
import os
import pathlib
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time


def import_seconds(name: str) -> float:
    """Processor seconds: the median of seven imports, each in a process of its own, less the interpreter's start."""
    def once(code: str) -> float:
        begin = sum(os.times()[2:4])
        subprocess.run([sys.executable, "-c", code], check=True)
        return sum(os.times()[2:4]) - begin
    once(f"import {name}")
    pairs = [(once(f"import {name}"), once("pass")) for _ in range(7)]
    return statistics.median(whole - start for whole, start in pairs)


def work(folder: str, rank: int) -> None:
    """One of two workers that meet in a folder, each with half of the rows: both have the model of one process with all of them."""
    import numpy
    from linsep import MarginClassifier, cluster

    def exchange(mine: str) -> list[str]:
        files = [pathlib.Path(folder, f"worker.{other}") for other in range(2)]
        files[rank].with_suffix(".new").write_text(mine)
        files[rank].with_suffix(".new").rename(files[rank])
        while not all(file.exists() for file in files):
            time.sleep(0.01)
        return [file.read_text() for file in files]

    rows = numpy.arange(80, dtype=numpy.float32).reshape(40, 2) % 7
    labels = (rows[:, 0] > rows[:, 1]).astype(int)
    half = slice(20 * rank, 20 * rank + 20)
    classifier = MarginClassifier(loss="squared_hinge")
    with cluster.connect(exchange, rank, 2) as comm:
        shared = cluster.fit(classifier, (rows[half], labels[half]), comm).model_.to_bytes()
    assert shared == MarginClassifier(loss="squared_hinge").fit(rows, labels).model_.to_bytes()


def main() -> int:
    if len(sys.argv) > 1:
        work(sys.argv[1], int(sys.argv[2]))
        return 0
    beyond = 0.0
    if sys.platform != "win32":  # where the system doesn't tell what other processes took
        beyond = import_seconds("sklearn.base, linsep") - import_seconds("sklearn.base")
        print(f"Python {sys.version.split()[0]}: import takes {beyond:.3f} s beyond scikit-learn's")

    import numpy
    import linsep
    rows = numpy.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=numpy.float32)
    both = numpy.array([0, 0, 0, 1])
    assert list(linsep.MarginClassifier(C=100).fit(rows, both).predict(rows)) == [0, 0, 0, 1]
    certificate = linsep.certify(rows, both)
    assert certificate.verdict == "separable" and linsep.verify(certificate, rows, both)
    either = numpy.array([0, 1, 1, 0])
    assert linsep.certify(rows, either).verdict == "overlapping"
    assert linsep.check_separation(rows, both).separated
    program = pathlib.Path(sysconfig.get_path("scripts")) / "linsep"
    with tempfile.TemporaryDirectory() as folder:
        for words in ("generate and -o and.svm", "train and.svm -o model.json", "certify and.svm -o proof.json", "verify proof.json and.svm"):
            subprocess.run([program, *words.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        if pathlib.Path(sysconfig.get_path("data"), "share/linsep/play.html").exists():  # where the preset wasm was built
            subprocess.run([program, "play", "-o", "program.html"], cwd=folder, check=True)
            subprocess.run([sys.executable, "-m", "linsep", "play", "-o", "module.html"], cwd=folder, check=True)
            assert pathlib.Path(folder, "program.html").read_bytes() == pathlib.Path(folder, "module.html").read_bytes() != b""
        if sys.platform == "linux":  # wheels for other systems are without Gloo
            workers = [subprocess.Popen([sys.executable, __file__, folder, str(rank)]) for rank in range(2)]
            assert [worker.wait() for worker in workers] == [0, 0]
            print(f"Python {sys.version.split()[0]}: two workers trained one model")
    print(f"Python {sys.version.split()[0]}: module and program trained, certified and verified")
    return 0 if beyond < 0.15 else 1


if __name__ == "__main__":
    sys.exit(main())
