"""CDist: scipy's distances of each row of A from each row of B, squared euclidean unless told."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "CDist"


def evaluate(invocation: Invocation) -> Outputs:
    """A [M, K], B [N, K] → [M, N]. Raises ValueError for another metric than the two."""
    a, b = invocation.required(0), invocation.required(1)
    squares = ((a[:, None].astype(np.float64) - b[None]) ** 2).sum(axis=-1)
    metric = invocation.attributes.get("metric", "sqeuclidean")
    if metric not in ("sqeuclidean", "euclidean"):
        raise ValueError(f"no metric '{metric}'")
    return ((squares if metric == "sqeuclidean" else np.sqrt(squares)).astype(a.dtype),)
