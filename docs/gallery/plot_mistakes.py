"""
The mistakes of a perceptron
============================

The upper chart shows the mistakes in each pass over the rows, the lower one their sum. The dashed line is (R/γ)², which the
sum never exceeds in any order of the rows. R is the largest length of a row and γ the margin, both with the intercept as a feature.
"""

# %%
# Separable rows
# --------------
# The bound comes from :func:`linsep.certify`, which proves the margin.
import linsep
from linsep.plot import MistakesDisplay

X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, -1, -1, 1]
perceptron = linsep.Perceptron().fit(X, y)
MistakesDisplay.from_estimator(perceptron, certificate=linsep.certify(X, y))

# %%
# A harder set
# ------------
# The classes of these 150 rows nearly touch. The bound is large, and the perceptron makes far fewer mistakes.
points = linsep.generate("comparison")
perceptron = linsep.Perceptron().fit(points.X, points.y)
MistakesDisplay.from_estimator(perceptron, certificate=linsep.certify(points.X, points.y))
