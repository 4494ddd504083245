"""
The heaviest weights
====================

Bars to the right favor the positive class, and hatched bars to the left the negative class. Coefficients that a logistic
regression without a penalty would send to infinity are arrows.
"""

# %%
# The weights of many features
# ----------------------------
import numpy as np

import linsep
from linsep.plot import CoefficientsDisplay

rng = np.random.default_rng(6)
X = rng.normal(size=(300, 60))
y = X @ np.concatenate([[2.0, -1.5, 1.0, -0.7], np.zeros(56)]) + rng.normal(size=300) > 0
CoefficientsDisplay.from_estimator(linsep.MarginClassifier(alpha=0.1).fit(X, y), most=8)

# %%
# Coefficients without a finite estimate
# --------------------------------------
# Nobody with a dose above 0 is well, so the coefficient of the dose has no finite estimate. That of age has one.
import pandas as pd

patients = pd.DataFrame({"dose": [0, 0, 0, 0, 1, 2], "age": [31, 42, 53, 47, 40, 61]})
ill = ["no", "yes", "no", "yes", "yes", "yes"]
report = linsep.check_separation(patients, ill)
classifier = linsep.MarginClassifier(loss="logistic", C=10.0).fit(patients, ill)
CoefficientsDisplay.from_estimator(classifier, infinite=report)
