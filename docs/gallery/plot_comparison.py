"""
Three classifiers side by side
==============================

The same rows three times: a perceptron, the difference of the class means, and least squares. The rows are separable, but only the
perceptron separates them: averages can miss what mistakes can't.
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
