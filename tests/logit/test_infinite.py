"""The interval of an infinite coefficient covers the truth: two groups, whose tables are all gone through. bench/infinite_interval.py has more
designs, by simulation."""
import math
import unittest
from concurrent.futures import ThreadPoolExecutor

from fitted import fit_counts

UNEXPOSED, P = 66, 17 / 66
HALF_QUANTILE = 3.8414588206941254 / 2


def log_share(n, k, p):
    return math.log(math.comb(n, k)) + k * math.log(p) + (n - k) * math.log(1 - p)


def fallen(a, exposed, truth):
    """How much the likelihood of a table with events in a unexposed and some exposed rows, but not in all, falls from its maximum to the
    greatest with the true odds ratio."""
    events, rows = a
    def value(z):
        return sum(-k * math.log1p(math.exp(-z - t)) - (n - k) * math.log1p(math.exp(z + t)) for k, n, t in zip(events, rows, (0, truth)))
    low, high = -30.0, 30.0
    for _ in range(200):
        left, right = low + 0.381966 * (high - low), high - 0.381966 * (high - low)
        low, high = (left, high) if value(left) < value(right) else (low, right)
    greatest = sum(k * math.log(k / n) + (n - k) * math.log(1 - k / n) if 0 < k < n else 0 for k, n in zip(events, rows))
    return greatest - value(low)


class Coverage(unittest.TestCase):
    def coverage(self, exposed, expected, method):
        """Tables with events in all exposed rows: by the program. Others: their intervals are profiles, whose coverage takes no search for
        an end."""
        q = 1 - expected / exposed
        truth = math.log(q / (1 - q)) - math.log(P / (1 - P))
        shares = {a: math.exp(log_share(UNEXPOSED, a, P)) for a in range(1, UNEXPOSED)}
        shares = {a: share for a, share in shares.items() if share > 1e-4}
        def end_of(a):
            counts = [(0, 0, UNEXPOSED - a), (0, 1, a), (1, 1, exposed)]
            answer = fit_counts(counts, "--infinite-interval", method)["coefficients"][1]
            self.assertEqual((answer["status"], answer["high"]), ("+infinity", math.inf))
            return answer["low"]
        with ThreadPoolExecutor(2) as pool:
            ends = dict(zip(shares, pool.map(end_of, shares)))
        covered = 0.0
        for a, share in shares.items():
            for b in range(1, exposed + 1):
                if b == exposed:
                    covers = ends[a] <= truth
                else:
                    covers = fallen(((a, b), (UNEXPOSED, exposed)), exposed, truth) <= HALF_QUANTILE
                covered += share * math.exp(log_share(exposed, b, q)) * covers
        return covered / sum(shares.values()) / (1 - (1 - q) ** exposed)

    def test_face_intervals_cover_and_profile_intervals_do_not(self):
        for exposed, expected, wanted in ((13, 1.9, {"mid-p": 0.979, "face": 0.981, "profile": 0.908}),
                                          (13, 3.0, {"mid-p": 0.954, "face": 0.966, "profile": 0.937}),
                                          (50, 1.9, {"mid-p": 0.977, "face": 0.979, "profile": 0.913})):
            for method, share in wanted.items():
                with self.subTest(exposed=exposed, expected=expected, method=method):
                    self.assertAlmostEqual(self.coverage(exposed, expected, method), share, delta=0.001)

    def test_thirteen_of_thirteen(self):
        for method, ratio in (("mid-p", 9.085), ("face", 6.904), ("profile", 16.924)):
            answer = fit_counts([(0, 0, 49), (0, 1, 17), (1, 1, 13)], "--infinite-interval", method)
            self.assertAlmostEqual(answer["coefficients"][1]["odds_ratio_low"], ratio, delta=5e-4)
            self.assertEqual(answer["infinite_intervals"], method)


if __name__ == "__main__":
    unittest.main()
