"""Runs pytest on the given file; exit code 77 (skipped) without pytest or where nothing is collected."""
import importlib.util
import sys

SKIPPED = 77
NOTHING_COLLECTED = 5


def main() -> int:
    if importlib.util.find_spec("pytest") is None or importlib.util.find_spec("sklearn") is None:
        print("skipped: pytest and scikit-learn aren't installed")
        return SKIPPED
    import pytest

    code = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
    return SKIPPED if code == NOTHING_COLLECTED else code


if __name__ == "__main__":  # processes that tests start import this file
    sys.exit(main())
