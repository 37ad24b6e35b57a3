"""Evaluates Det, which onnx.reference rounds too coarsely."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate, Invocation, Outputs


def det(invocation: Invocation) -> Outputs | None:
    """Det in double precision: what numpy's decomposition rounds in float32 has no simple bound.

    Maps X [..., n, n] → [...].
    """
    if not invocation.is_real:
        return None
    x = invocation.required(0)
    return (np.asarray(np.linalg.det(x.astype(np.float64))).astype(x.dtype),)


OPERATORS: Mapping[str, Evaluate] = {
    "Det": det,
}
