"""
Separation before a regression: the endometrial data
=====================================================

Heinze and Schemper (Statistics in Medicine 21, 2002) asked what predicts a high histology grade (HG) in 79 cases of endometrial
cancer: neovasculation (NV), the pulsatility index of the uterine arteries (PI) and endometrium height (EH). It has become the
textbook case of quasi-complete separation. A regression doesn't report this. :func:`linsep.check_separation` does.
"""

# %%
# The 79 rows are next to the tutorial that explains them.
import warnings

import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.api as sm

import linsep

data = pd.read_csv("../tutorials/endometrial.csv")
print(data.groupby(["NV", "HG"]).size().unstack(fill_value=0))

# %%
# The regression
# --------------
# statsmodels stops on the way to infinity. The estimate and the standard error of NV are meaningless, because both grow with more
# iterations.
model = sm.Logit(data["HG"], sm.add_constant(data[["NV", "PI", "EH"]]))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that it didn't converge: true, but not the reason
    for iterations in (10, 20, 30):
        fit = model.fit(disp=0, maxiter=iterations)
        estimate, error = fit.params["NV"], fit.bse["NV"]
        print(f"{iterations} iterations: NV = {estimate:.1f}, standard error {error:.0f}")
print(pd.DataFrame({"estimate": fit.params, "standard error": fit.bse}).round(3))

# %%
# The check
# ---------
# The model brings its matrix, its outcomes and their names.
report = linsep.check_separation(model)
print(report)

# %%
# In a notebook the report is a table, with the proof folded away.
report

# %%
# The finite estimates, exactly
# -----------------------------
# The separated rows contribute nothing to the other coefficients, which are the estimates of the regression on the rows that
# overlap, without NV.
rest = report.overlap_rows
columns = model.data.orig_exog[report.estimable]
finite = sm.Logit(data["HG"].loc[rest], columns.loc[rest]).fit(disp=0)
print(finite.params.round(4))

# %%
# A picture of why
# ----------------
# Every case with NV has a high grade. Among the others the grades overlap. Four rows prove it, because the line (or triangle, or
# point) that one class's rows span meets that of the other.
proof = linsep.certify(data[["NV", "PI", "EH"]], data["HG"])
looks = {0: {"marker": "o", "color": "#0072b2"}, 1: {"marker": "^", "color": "#d55e00"}}
shared = {"sharex": True, "sharey": True, "layout": "constrained"}
figure, axes = plt.subplots(1, 2, figsize=(9, 4), **shared)
for axis, (value, cases) in zip(axes, data.groupby("NV"), strict=True):
    for grade, look in looks.items():
        some = cases[cases["HG"] == grade]
        label = f"HG = {grade}: {len(some)} cases"
        axis.scatter(some["PI"], some["EH"], alpha=0.7, label=label, **look)
    axis.set(title=f"NV = {value}", xlabel="PI", ylabel="EH")
    axis.legend()
for grade, look in looks.items():
    corners = data.iloc[proof.witness["row"]].query("HG == @grade")
    closed = pd.concat([corners, corners.iloc[:1]])
    axes[0].plot(closed["PI"], closed["EH"], color=look["color"], linewidth=1.5)
axes[0].plot(*proof.common_point[1:], "k*", markersize=11)
plt.show()

# %%
# The proof
# ---------
# Numbers that prove are fractions. With these weights the rows of either class have the same mean, the star in the picture. So no
# classifier has them on two sides, and NV alone separates the rest.
for entry in proof.witness:
    print(f"row {entry['row']}: HG = {entry['class']}, weight {entry['alpha']}")
check = proof.verify()
print(check.reason)
print(*check.proven, sep="\n")

# %%
# ``proof.save("proof.json")`` writes it for others, who check it with ``linsep.verify("proof.json", X, y)``, or without linsep.
assert check and report.infinite == {"NV": 1}
