"""The checker that is proven in Coq (formal/) beside the two others, on the same certificates and changes of them.

LINSEP_FORMAL_CHECKER is the program that the target `formal` builds; without it all of this is skipped. Every question
that test_checkers, test_finder and test_model_proofs ask goes to all three, which must agree.
"""
import json
import os
import pathlib
import sys
import unittest

import test_checkers
import test_finder
import test_model_proofs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "formal"))
import verify

PROGRAM = os.environ.get("LINSEP_FORMAL_CHECKER", "")


class Formal:
    """The proven checker with the interface of the others; counts what it is asked."""

    def __init__(self):
        self.checker = verify.FormalChecker(PROGRAM)
        self.asked = self.reached = self.accepted = 0

    def ask(self, certificate, rows, labels, *salt):
        lines = None
        if rows is not None:
            data = certificate.get("data") if isinstance(certificate.get("data"), dict) else {}
            said = {"rows": len(rows), "features": len(rows[0]), **{key: data.get(key) for key in ("negative", "positive")}}
            lines = iter([json.dumps(said), *test_checkers.leaf_lines(data, rows, labels, *salt)])
        answer, reason = self.checker.ask(json.dumps(certificate), lines)
        self.asked += 1
        self.reached += not reason
        self.accepted += answer == "valid"
        return answer == "valid", reason or answer


class WithFormal:
    """Adds the proven checker to the others."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.checkers["formal"] = Formal()

    @classmethod
    def tearDownClass(cls):
        formal = cls.checkers.pop("formal")
        formal.checker.close()
        print(f"{cls.__name__}: {formal.asked} questions to {', '.join(['formal', *cls.checkers])}; "
              f"{formal.reached} reached the proven checker, {formal.accepted} were accepted")
        super().tearDownClass()


@unittest.skipUnless(os.path.exists(PROGRAM), "the target formal isn't built")
class HandMade(WithFormal, test_checkers.Checkers):
    pass


@unittest.skipUnless(os.path.exists(PROGRAM) and "LINSEP_FINDER_SERVER" in os.environ, "the target formal isn't built")
class EverySmallSet(WithFormal, test_finder.EverySmallSet):
    pass


@unittest.skipUnless(os.path.exists(PROGRAM), "the target formal isn't built")
class ModelProofs(WithFormal, test_model_proofs.ModelProofs):
    pass


if __name__ == "__main__":
    unittest.main()
