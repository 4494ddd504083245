"""
Where a network makes its classes separable
===========================================

A linear probe asks whether a linear classifier can read a property off the activations of a network's layer. An accuracy below 1
doesn't answer this, because the probe may have stopped early or paid for a wide margin. ``certify`` does. It proves that the
classes are separable, or that they aren't.
"""

# %%
# A small network
# ---------------
# It learns whether a handwritten digit is 5 or more. Pixels and the outputs of its four hidden layers are kept in 16 bits, as
# activations often are. linsep takes float16 without a copy.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

import linsep

pixels, digit = load_digits(return_X_y=True)
pixels /= 16
at_least_5 = digit >= 5
train, test = slice(None, 1200), slice(1200, None)
network = MLPClassifier((6, 6, 6, 6), learning_rate_init=0.01, n_iter_no_change=50, max_iter=2000, random_state=0)
network.fit(pixels[train], at_least_5[train])

layers = [pixels]
for weights, offsets in zip(network.coefs_[:-1], network.intercepts_[:-1], strict=True):
    layers.append(np.maximum(layers[-1] @ weights + offsets, 0))
layers = [layer.astype(np.float16) for layer in layers]
names = ["pixels"] + [f"layer {k}" for k in range(1, len(layers))]

# %%
# One probe and one proof for each layer
# --------------------------------------
# ``gap_`` bounds how far a probe is from the best possible one, so layers are compared fairly. A probe with a mistake left doesn't mean
# that a layer's classes overlap, since it weighs mistakes against the margin. The verdict is about every linear classifier.
probes = [linsep.MarginClassifier(loss="logistic", C=10).fit(X[train], at_least_5[train]) for X in layers]
proofs = [linsep.certify(X[train], at_least_5[train]) for X in layers]
for name, X, probe, proof in zip(names, layers, probes, proofs, strict=True):
    mistakes = np.sum(probe.predict(X[train]) != at_least_5[train])
    accuracy = probe.score(X[test], at_least_5[test])
    print(f"{name}: {proof.verdict}; gap {probe.gap_:.0e}, mistakes in training {mistakes}, accuracy {accuracy:.3f}")

# %%
# What else a layer holds
# -----------------------
# Ten more properties, "is it a 0?" to "is it a 9?", are columns of one matrix. All probes of a layer are trained in the same passes.
Y = np.where(digit[:, np.newaxis] == np.arange(10), 1, -1)
digits = [linsep.MarginClassifier(loss="logistic", C=10).fit(X[train], Y[train]) for X in layers]
found = [np.mean(probe.predict(X[test]) == Y[test], axis=0) for probe, X in zip(digits, layers, strict=True)]

figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4), layout="constrained", sharex=True)
accuracies = [probe.score(X[test], at_least_5[test]) for probe, X in zip(probes, layers, strict=True)]
left.plot(names, accuracies, color="0.6", zorder=1)
for verdict, marker, colour in [
    ("separable", "o", "#0072B2"),
    ("quasi-separable", "D", "#E69F00"),
    ("overlapping", "X", "#D55E00"),
]:
    which = [k for k, proof in enumerate(proofs) if proof.verdict == verdict]
    if which:
        left.scatter(
            [names[k] for k in which], [accuracies[k] for k in which], s=80, marker=marker, color=colour, label=verdict
        )
left.set(title="5 or more", ylabel="accuracy on held-out digits")
left.legend(title="training rows, by proof")
for k in range(10):
    right.plot(names, [layer[k] for layer in found], color="0.8")
right.plot(names, np.mean(found, axis=1), color="#0072B2", label="mean of ten")
right.set(title="which digit it is", ylabel="accuracy on held-out digits")
right.legend()

# %%
# The first layer squeezes 64 pixels into six numbers. Deeper layers hold what the network was trained for in a form that a plane can read
# off, while what it doesn't need, which digit it is, fades. The proofs show at which layer the classes of the training rows become separable.
# A probe's mistakes alone couldn't show it. See also :doc:`/howto/probes`.
