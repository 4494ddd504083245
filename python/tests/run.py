"""Runs pytest on the given file; exit code 77 (skipped) without pytest or where nothing is collected."""
import importlib.util
import sys

SKIPPED = 77
NOTHING_COLLECTED = 5

if importlib.util.find_spec("pytest") is None or importlib.util.find_spec("sklearn") is None:
    print("skipped: pytest and scikit-learn aren't installed")
    sys.exit(SKIPPED)

import pytest  # noqa: E402

code = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
sys.exit(SKIPPED if code == NOTHING_COLLECTED else code)
