"""Runs in the peers' virtual environment: peer_highs.py DATA.csv decides separability with SciPy's HiGHS.

The linear programme with the rows in memory: the greatest t with y·(θ·x + θ0) ≥ t for all rows and every weight in
[−1, 1]. Prints seconds of the solver alone (wall and processor) and t as JSON.
"""
import json
import sys
import time

import numpy
from scipy.optimize import linprog

table = numpy.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
label = numpy.where(table[:, -1] > 0, 1.0, -1.0)
z = label[:, None] * numpy.column_stack([table[:, :-1], numpy.ones(len(table))])
d = z.shape[1]
below = numpy.column_stack([-z, numpy.ones(len(z))])
wall, processor = time.perf_counter(), time.process_time()
found = linprog(numpy.append(numpy.zeros(d), -1.0), A_ub=below, b_ub=numpy.zeros(len(z)),
                bounds=[(-1, 1)] * d + [(0, None)], method="highs")
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - processor, "t": float(found.x[-1])}))
