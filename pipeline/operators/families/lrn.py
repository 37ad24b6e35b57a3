"""Implements LRN as ONNX defines it, and in the general form of other frameworks' conventions."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import OWN_DOMAIN
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, block, turns_of
from texelscope.pipeline.operators.conventions import LRN_CONVENTIONS, LocalResponse, LrnParameters
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma, power_error

SPATIAL_RANK = 4


class Lrn(Operator):
    """Divides every element by a power of the sum of squares around it."""

    op_types = ("LRN",)
    facts = Facts(shaped_by=("alpha", "beta", "bias"))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Sums the window of one element."""
        form = general_form(call)
        shape = call.shape(0)
        if form.spatial and len(shape) != SPATIAL_RANK:
            raise UnsupportedError(
                call.who, "an input of N, C, H, W for a window over the picture", str(list(shape)), "Reshape around it."
            )
        constants = {
            "WINDOW": form.window,
            "BEFORE": form.before,
            "SCALE": form.scale,
            "BIAS": form.bias,
            "BETA": form.exponent,
            "REPEAT_EDGE": form.repeat_edge,
            "CHANNELS": shape[1],
            "INNER_COUNT": math.prod(shape[2:]),
        }
        shader = "lrn_spatial.glsl" if form.spatial else "lrn.glsl"
        turns = turns_of(*(form.window,) * (2 if form.spatial else 1))
        is_hot = len(shape) == SPATIAL_RANK and not form.repeat_edge
        return Kernel(
            (shader,), {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=turns, may_be_hot=is_hot
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds a sum of squares, then a power of it and a division; for errors of x, y at the extremes of these.

        y is monotone in x and in the sum, so that the extremes are at the largest and smallest of either.
        """
        form = general_form(call)
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        sums = _window_sums(x**2, form)
        base = form.bias + form.scale * sums
        slack = gamma(form.window ** (1 + form.spatial) + 4, evaluation.unit) * (
            abs(form.bias) + abs(form.scale) * sums
        )
        relative = 2.0 * abs(form.exponent) * slack / np.abs(base)
        relative = relative + power_error(base, form.exponent, evaluation.unit) + 10.0 * evaluation.unit
        y = x / base**form.exponent
        bound = relative * np.abs(y) + 2.0 * SMALLEST_NORMAL
        error = evaluation.errors[0]
        if error is None:
            return np.asarray(bound)
        low, high = np.maximum(np.abs(x) - error, 0.0), np.abs(x) + error
        reach = np.zeros_like(y)
        for squares in (low**2, high**2):
            size = (form.bias + form.scale * _window_sums(squares, form)) ** form.exponent
            reach = np.maximum(reach, np.maximum(np.abs((x + error) / size - y), np.abs((x - error) / size - y)))
        return np.asarray(bound + reach)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the window inside the input, and the element itself."""
        form = general_form(call)
        shape = call.shape(0)
        n, *places = (int(i) for i in np.unravel_index(element, shape))
        axes: list[NDArray[np.int64]] = [np.array([place]) for place in places]
        for axis in (1, 2) if form.spatial else (0,):
            window = places[axis] - form.before + np.arange(form.window)
            size = shape[1 + axis]
            axes[axis] = np.clip(window, 0, size - 1) if form.repeat_edge else window[(window >= 0) & (window < size)]
        return {0: np.unique(np.append(block(shape, n, *axes), element))}


def general_form(call: Call) -> LocalResponse:
    """Returns the node's normalisation: by ONNX's parameters, or those of the general form in the own domain."""
    if call.node.domain == OWN_DOMAIN:
        names = [field.name for field in dataclasses.fields(LocalResponse)]
        return LocalResponse(**{name: call.node.attributes[name] for name in names})
    return LRN_CONVENTIONS["onnx"].read(lrn_parameters(call))


def lrn_parameters(call: Call) -> LrnParameters:
    """Returns the parameters of an ONNX LRN node."""
    return LrnParameters(
        int(call.attribute("size")),
        float(call.attribute("alpha", 1e-4)),
        float(call.attribute("beta", 0.75)),
        float(call.attribute("bias", 1.0)),
    )


def _window_sums(squares: NDArray[np.float64], form: LocalResponse) -> NDArray[np.float64]:
    """Returns sums of the window along the channels, or along both spatial axes."""
    for axis in (2, 3) if form.spatial else (1,):
        size = squares.shape[axis]
        total = np.zeros_like(squares)
        reaching = range(max(form.before - size + 1, 0), min(form.before + size, form.window))  # others are all outside
        for tap in range(form.window) if form.repeat_edge else reaching:
            place = np.arange(size) - form.before + tap
            inside = np.full(size, fill_value=True) if form.repeat_edge else (place >= 0) & (place < size)
            along = [1] * squares.ndim
            along[axis] = -1
            total += np.take(squares, np.clip(place, 0, size - 1), axis=axis) * inside.reshape(along)
        squares = total
    return squares


OPERATORS = (Lrn(),)
