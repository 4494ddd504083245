"""What older releases of scikit-learn lack, or keep elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight, check_non_negative

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before 1.6

    def validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        """Check X, or X and y, by the estimator's own method."""
        return estimator._validate_data(X, **options)


def checked_weights(sample_weight: Any, X: Any) -> Any:
    """Return weights of rows as doubles; the option that refuses negative ones has had two names."""
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    check_non_negative(weights, "`sample_weight`")
    return weights


def weights_of_classes(class_weight: Any, classes: Any, place: Any, sample_weight: Any) -> Any:
    """Return the weight of each class; "balanced" counts rows by their weights, as scikit-learn does since 1.7."""
    if class_weight != "balanced":
        return compute_class_weight(class_weight, classes=classes, y=classes[place])
    total = np.bincount(place, weights=sample_weight, minlength=len(classes))
    return total.sum() / (len(classes) * total)
