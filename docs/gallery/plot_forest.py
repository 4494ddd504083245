"""
Odds ratios with their intervals
================================

A logistic regression as a forest plot. An infinite estimate has an arrow instead of one end. The other end is that of its one-sided
interval.
"""

# %%
# A trial in which nobody who got the drug died
# ---------------------------------------------
import linsep
from linsep.plot import ForestDisplay

X = [[0, 0, 50], [0, 0, 61], [0, 1, 48], [0, 1, 70], [1, 0, 52], [1, 1, 66], [0, 0, 44], [0, 1, 59], [1, 1, 45], [0, 0, 67], [0, 1, 41]]
died = [0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1]
result = linsep.logit(X, died, feature_names=["drug", "severe", "age"])
ForestDisplay.from_result(result)

# %%
# Firth's estimates of the same rows are finite.
ForestDisplay.from_result(linsep.logit(X, died, feature_names=["drug", "severe", "age"], method="firth"))
