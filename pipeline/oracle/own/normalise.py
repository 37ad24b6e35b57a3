"""Normalise: y = (x − m) / √(v + epsilon) · s + b, m and v by group, s and b by element.

The groups are what lies along `axes` of X seen in the shape `view`; `parameters` is the shape in which s and b meet
that view. With `outside`, epsilon is added to the root.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Normalise"


def evaluate(invocation: Invocation) -> Outputs:
    """X, M [groups] or None, V [groups], S and B or None → X's shape."""
    x, mean, variance = invocation.required(0), invocation.input(1), invocation.required(2)
    view, axes = invocation.attribute("view"), invocation.attribute("axes")
    group_shape = [1 if axis in axes else size for axis, size in enumerate(view)]
    y = x.reshape(view).astype(np.float64)
    if mean is not None:
        y = y - mean.reshape(group_shape)
    epsilon, variance = invocation.attribute("epsilon"), variance.reshape(group_shape).astype(np.float64)
    y = y / (np.sqrt(variance) + epsilon if invocation.attribute("outside") else np.sqrt(variance + epsilon))
    for position, combine in ((3, np.multiply), (4, np.add)):
        parameter = invocation.input(position)
        if parameter is not None:
            y = combine(y, parameter.reshape(invocation.attribute("parameters")))
    return (y.reshape(x.shape).astype(x.dtype),)
