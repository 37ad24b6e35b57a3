"""Evaluates the second halves of normalisations, whose statistics are inputs, and local response normalisation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate, Invocation, Outputs


def normalise(invocation: Invocation) -> Outputs:
    """Evaluates Normalise: y = (x − m) / √(v + epsilon) · s + b, m and v by group, s and b by element.

    The groups are what lies along `axes` of X seen in the shape `view`; `parameters` is the shape in which s and b meet
    that view. With `outside`, epsilon is added to the root.

    Maps X, M [groups] or None, V [groups], S and B or None → X's shape.
    """
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


def softmax_share(invocation: Invocation) -> Outputs:
    """Evaluates SoftmaxShare: y = exp(x − m) / s or, in logarithms, x − m − ln s; m and s by group, broadcasting.

    Maps X, M and S with the normalised axes of size 1 → X's shape.
    """
    x, largest, total = (invocation.required(i).astype(np.float64) for i in range(3))
    y = x - largest - np.log(total) if invocation.attribute("logarithm") else np.exp(x - largest) / total
    return (y.astype(invocation.required(0).dtype),)


def lrn(invocation: Invocation) -> Outputs:
    """Evaluates LRN in general: y = x / (bias + scale · S)^exponent, S the sum of x² over a window.

    A window, of channels or of the picture, has `window` elements an axis, `before` of them before the element itself;
    outside are zeros or, with `repeat_edge`, the nearest elements.

    Maps X [N, C, spatial…] → the same shape.
    """
    x = invocation.required(0)
    window, before = invocation.attribute("window"), invocation.attribute("before")
    sums = np.square(x, dtype=np.float64)
    for axis in (2, 3) if invocation.attribute("spatial") else (1,):
        margins = [(before, window - before - 1) if each == axis else (0, 0) for each in range(x.ndim)]
        padded = np.pad(sums, margins, mode="edge" if invocation.attribute("repeat_edge") else "constant")
        sums = np.lib.stride_tricks.sliding_window_view(padded, window, axis=axis).sum(axis=-1)
    base = invocation.attribute("bias") + invocation.attribute("scale") * sums
    return ((x / base ** invocation.attribute("exponent")).astype(x.dtype),)


OPERATORS: Mapping[str, Evaluate] = {
    "Normalise": normalise,
    "SoftmaxShare": softmax_share,
    "LRN": lrn,
}
