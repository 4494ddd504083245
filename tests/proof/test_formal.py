"""The checker that is proven in Coq (formal/) beside the two others, on the same certificates and changes of them.

LINSEP_FORMAL_CHECKER is the program that the target `formal` builds; without it all of this is skipped. Every question
that test_checkers, test_finder and test_model_proofs ask goes to all three, which must agree, and so do those of test_several about
each class against the rest.
"""
import contextlib
import json
import os
import pathlib
import random
import sys
import unittest
import unittest.mock
from fractions import Fraction

import brute
import test_checkers
import test_finder
import test_model_proofs
import test_several

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
        self.count(answer, reason)
        return answer == "valid", reason or answer

    def count(self, answer, reason):
        self.asked += 1
        self.reached += not reason
        self.accepted += answer == "valid"


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
    def drawn_logistic(self):
        source = random.Random(1)
        while True:
            rows, labels, proof = test_model_proofs.drawn_proof(source)
            if proof["objective"]["loss"] == "logistic" and Fraction(proof.get("reference", {}).get("lower_by", "0")) > 0:
                return rows, labels, proof

    def test_a_proof_about_a_model_needs_its_rows(self):
        rows, labels, proof = self.drawn_logistic()
        self.assertEqual(self.checkers["formal"].ask(proof, None, labels), (False, "needs data"))
        self.assertEqual(self.checkers["formal"].ask(proof, rows, labels), (True, "valid"))

    def test_a_logarithm_on_the_wrong_side_is_refused(self):
        """Although it is too small a mistake to change a bound's fourteenth digit."""
        rows, labels, proof = self.drawn_logistic()
        told = verify.logarithms
        for name, step in (("logs", 6), ("losses", -6), ("losses_below", 6), ("reference_losses", -6)):
            def moved(*given):
                lists = told(*given)
                if name == "logs":
                    pairs = (map(int, pair.strip("()").split()) for pair in lists[name])
                    return lists | {name: [f"({a + step} {b + step})" for a, b in pairs]}
                return lists | {name: [number + step for number in lists[name]]}
            with self.subTest(name), unittest.mock.patch.object(verify, "logarithms", moved):
                self.assertEqual(self.checkers["formal"].ask(proof, rows, labels), (False, "invalid"))

    def test_rows_have_weights(self):
        """A row of weight 0 counts for nothing."""
        rows, labels = [("1", "0.5"), ("-2", "1"), ("0.5", "0")], [1, -1, -1]
        said = {"rows": 3, "features": 2, "negative": "-1", "positive": "1", "reading": {"format": "svmlight"}}
        proof = {"linsep_certificate": 3, "claim": "near-optimal", "origin": True, "model": {}, "at_most": "1",
                 "objective": {"loss": "hinge", "penalty": "l2", "lambda": "1", "negative_weight": "1", "positive_weight": "1"},
                 "witness": {"shares": "110", "between": []}}
        leaves = ["1 +1*2 1:1 2:0.5", "2 -1*0.5 1:-2 2:1", "3 -1*0 1:0.5"]
        proof["data"] = said | {"root": brute.data_root([leaf.encode() for leaf in leaves], said, 3)}
        # W = 2.5, v = 2*(1, 0.5) + 0.5*(2, -1) = (3, 0.5): 1 - (9 + 0.25)/(2*6.25) = 0.26
        for at_least, valid in (("0.26", True), ("0.2600000001", False)):
            text = json.dumps(proof | {"at_least": at_least})
            answer = self.checkers["formal"].checker.ask(text, iter([json.dumps(said), *leaves]))[0]
            self.assertEqual(answer, "valid" if valid else "invalid")
            checker = test_checkers.verify_certificate.checker_of(test_checkers.read_certificate.parse(text))
            with contextlib.nullcontext() if valid else self.assertRaises(ValueError):
                checker.check(iter([json.dumps(said), *leaves]))


@unittest.skipUnless(os.path.exists(PROGRAM), "the target formal isn't built")
class SeveralClasses(WithFormal, test_several.SeveralClasses):
    """Each class against the rest; the proven checker has no rules for softmax."""

    def answers(self, proof, rows, labels):
        answers = super().answers(proof, rows, labels)
        if "parts" in proof:
            said = {"classes": test_several.NAMES[:max(labels) + 1], "rows": len(rows), "features": 2}
            lines = iter([json.dumps(said), *test_several.leaves_of(rows, labels)])
            answer, reason = self.checkers["formal"].checker.ask(json.dumps(proof), lines)
            self.checkers["formal"].count(answer, reason)
            answers["formal"] = (answer == "valid", reason or answer)
        return answers


if __name__ == "__main__":
    unittest.main()
