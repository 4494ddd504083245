"""PyTorch's LBFGS on softmax or logistic loss with ½‖θ‖², float32 as people use it, on one thread.

peer_torch.py X.npy Y.npy WEIGHTS.npz prints processor seconds and writes coef and intercept. Run by an interpreter that has PyTorch:
Debian's python3-torch needs Debian's own.
"""
import sys
import time

import numpy as np
import torch

torch.set_num_threads(1)
data, own = torch.from_numpy(np.load(sys.argv[1])), torch.from_numpy(np.load(sys.argv[2]))
classes = int(own.max()) + 1
outputs = 1 if classes == 2 else classes
started = time.process_time()
weights = torch.zeros((outputs, data.shape[1]), requires_grad=True)
offsets = torch.zeros(outputs, requires_grad=True)
solver = torch.optim.LBFGS([weights, offsets], max_iter=300, line_search_fn="strong_wolfe")


def closure():
    solver.zero_grad()
    scores = data @ weights.T + offsets
    if outputs == 1:
        loss = torch.nn.functional.binary_cross_entropy_with_logits(scores[:, 0], own.float(), reduction="sum")
    else:
        loss = torch.nn.functional.cross_entropy(scores, own, reduction="sum")
    loss = loss + (weights ** 2).sum() / 2
    loss.backward()
    return loss


solver.step(closure)
print(time.process_time() - started)
np.savez(sys.argv[3], coef=weights.detach().numpy(), intercept=offsets.detach().numpy())
