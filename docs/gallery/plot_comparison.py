"""
Three classifiers side by side
==============================

A perceptron, the difference of the class means, and least squares on the same rows. The rows are separable, but only the
perceptron separates them, because it corrects mistakes, while the other two average.
"""

# %%
# Side by side
# ------------
import linsep
from linsep.plot import ComparisonDisplay

X, y = linsep.generate("comparison")
classifiers = {
    "perceptron": linsep.Perceptron().fit(X, y),
    "basic": linsep.BasicLinearClassifier().fit(X, y),
    "least squares": linsep.LeastSquaresClassifier().fit(X, y),
}
ComparisonDisplay.from_estimators(classifiers, X, y)

# %%
# All boundaries in one picture
# -----------------------------
ComparisonDisplay.from_estimators(classifiers, X, y, together=True)
