"""Implements AffineGrid, where an affine transform takes each place of an output, and GridSample, which reads there."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma


class AffineGrid(Operator):
    """Computes y[n, …, i] = Σ_j θ[n,i,j]·p_j + θ[n,i,last], p the place from −1 to 1, x first."""

    op_types = ("AffineGrid",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one row of the transform."""
        sizes = call.output_shape()[1:-1]
        return Kernel(
            ("affine_grid.glsl",),
            {"THETA": call.node.inputs[0]},
            MappingProxyType(
                {
                    "AXES": len(sizes),
                    "SIZES": tuple(reversed(sizes)),
                    "ALIGN_CORNERS": bool(call.attribute("align_corners", 0)),
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over Σ_j|θ|, as |p| ≤ 1; three more roundings in each p. Carried: the sum of θ's errors."""
        theta = evaluation.inputs[0]
        assert theta is not None
        bound = 2.0 * gamma(theta.shape[-1] + 6, evaluation.unit) * np.abs(theta.astype(np.float64)).sum(axis=-1)
        if evaluation.errors[0] is not None:
            bound = bound + evaluation.errors[0].sum(axis=-1)
        places = (1,) * (evaluation.output.ndim - 2)
        return np.broadcast_to(bound.reshape(bound.shape[0], *places, bound.shape[1]), evaluation.output.shape)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns one row of the transform."""
        axes = call.output_shape()[-1]
        row = element // int(np.prod(call.output_shape()[1:])) * axes + element % axes
        return {0: row * (axes + 1) + np.arange(axes + 1, dtype=np.int64)}


TAPS = {"nearest": 1, "linear": 2, "bilinear": 2, "cubic": 4, "bicubic": 4}
# Σ|w| of four cubic weights is at most 1.375, of two linear ones 1.
CUBIC_SIZE = 1.375
# Roundings of a place, of the shader and of the oracle together.
PLACE_ROUNDINGS = 16.0


class GridSample(Operator):
    """Reads the input at places of −1 … 1 across it, nearest, linear or cubic."""

    op_types = ("GridSample",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads an element's place and the elements around it."""
        shape, mode, padding = call.shape(0), str(call.attribute("mode")), call.attribute("padding_mode")
        if len(shape) not in (4, 5) or mode not in TAPS:
            raise UnsupportedError(
                call.who, "two or three spatial axes, mode nearest, linear or cubic", f"{list(shape)} and '{mode}'",
                "Reshape around the node.",
            )  # fmt: skip
        constants: dict[str, Constant] = {
            "SOLID": len(shape) == 5,
            "CHANNELS": shape[1],
            "SIZES": (1, *shape[2:])[-3:],
            "OUT_DEPTH": call.output_shape()[2],
            "TAPS": TAPS[mode],
            "NEAREST": TAPS[mode] == 1,
            "CUBIC": TAPS[mode] == 4,
            "ALIGN_CORNERS": bool(call.attribute("align_corners", 0)),
            "BORDER": padding == "border",
            "REFLECTION": padding == "reflection",
        }
        reads = {"X": call.node.inputs[0], "G": call.node.inputs[1]}
        return Kernel(("grid_sample.glsl",), reads, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds the roundings of weights and sums, and how far y moves while the place moves within its own rounding.

        For nearest the latter is the step to a neighbour wherever both are possible; elsewhere the
        interpolation is continuous, and moves by less than twice as much as it does at the corners.
        """
        x, grid = (np.asarray(v, dtype=np.float64) for v in evaluation.inputs)
        axes = grid.shape[-1]
        sizes = np.array(call.shape(0)[:1:-1], dtype=np.float64)
        taps = TAPS[str(call.attribute("mode"))]
        channels = (*x.shape[:2], *(1,) * axes)
        largest = np.abs(x).reshape(*x.shape[:2], -1).max(axis=-1).reshape(channels)
        size = largest * (CUBIC_SIZE if taps == 4 else 1.0) ** axes
        bound = 2.0 * gamma(axes * (taps + 10), evaluation.unit) * size * (taps > 1) + SMALLEST_NORMAL
        # Converts roundings of a place, in elements, to the grid's units, of which size / 2 are one element.
        reach = PLACE_ROUNDINGS * evaluation.unit * (np.abs(grid) + 1.0 + 2.0 / sizes)
        error = evaluation.errors[1] if len(evaluation.errors) > 1 else None
        reach = reach if error is None else reach + error
        moved = np.zeros(evaluation.output.shape)
        for signs in itertools.product((-1.0, 1.0), repeat=axes):
            corner = (grid + np.array(signs) * reach).astype(np.float32)
            moved = np.fmax(moved, np.abs(evaluation.run([evaluation.inputs[0], corner]) - evaluation.output))
        bound = np.broadcast_to(bound, evaluation.output.shape) + (1.0 if taps == 1 else 2.0) * moved
        carried = evaluation.errors[0]
        if carried is not None:
            spread = np.abs(carried).reshape(*x.shape[:2], -1).max(axis=-1).reshape(channels)
            bound = bound + spread * (CUBIC_SIZE if taps == 4 else 1.0) ** axes
        return np.asarray(bound)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns None: the grid is not known before the run."""
        return None


OPERATORS = (AffineGrid(), GridSample())
