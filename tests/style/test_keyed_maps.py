"""Maps and sets with a hash come from core/keyed_map.h, whose hash has a key of the process.

The standard library's hashes are known: a file of a megabyte could give all its names one hash, and a read would take
minutes.
"""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Numbers of rows ascend: whoever writes a file can't choose them.
KNOWN_HASH = re.compile(r"std::unordered_(?:map|set)<(?!std::(?:u?int64_t|size_t)\b)|std::hash\b")
ALLOWED = {
    "src/core/keyed_map.h",  # which gives them its own hash
    "src/train/explain/bucket_terms.cc",  # by numbers of features, which ascend too
    "python/src/certificate.cc",  # __hash__ of one value, for Python's own tables
    "python/src/audit.cc",  # likewise
}


def sources():
    for top in ("src", "apps", "python/src", "r/src"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in {".cc", ".h"} and not path.name.endswith("_test.cc"):
                yield path


class KeyedMapsTest(unittest.TestCase):
    def test_no_table_has_a_hash_that_is_known(self):
        found = [
            f"{path.relative_to(ROOT)}: {match.group()}"
            for path in sources()
            if str(path.relative_to(ROOT)) not in ALLOWED
            for match in KNOWN_HASH.finditer(path.read_text(encoding="utf-8"))
        ]
        self.assertEqual(found, [], "use KeyedMap, KeyedSet or KeyedHash (src/core/keyed_map.h)")

    def test_a_map_would_be_found(self):
        for text in ("std::unordered_map<std::string, int> place;", "std::hash<std::string>()"):
            self.assertTrue(KNOWN_HASH.search(text), text)


if __name__ == "__main__":
    unittest.main()
