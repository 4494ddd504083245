"""What a wheel must do in a clean environment: tools/make_wheels and tools/make_windows_wheel run it there."""
import pathlib
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time


def import_seconds(name: str) -> float:
    """Median of seven imports, each in a process of its own, less the interpreter's start."""
    def once(code: str) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begin
    once(f"import {name}")
    pairs = [(once(f"import {name}"), once("pass")) for _ in range(7)]
    return statistics.median(whole - start for whole, start in pairs)


def main() -> int:
    beyond = 0.0
    if sys.platform != "win32":  # under wine every process takes seconds to start
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
    print(f"Python {sys.version.split()[0]}: module and program trained, certified and verified")
    return 0 if beyond < 0.15 else 1


if __name__ == "__main__":
    sys.exit(main())
