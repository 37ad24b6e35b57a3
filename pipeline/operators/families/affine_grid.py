"""AffineGrid: where an affine transform takes each place of an output, for GridSample to read there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import gamma


class AffineGrid(Operator):
    """y[n, …, i] = Σ_j θ[n,i,j]·p_j + θ[n,i,last], p the place from −1 to 1, x first."""

    op_types = ("AffineGrid",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One row of the transform."""
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
        """γ(k) over Σ_j|θ|, as |p| ≤ 1; three more roundings in each p. Carried: the errors of θ, added up."""
        theta = evaluation.inputs[0]
        assert theta is not None
        bound = 2.0 * gamma(theta.shape[-1] + 6, evaluation.unit) * np.abs(theta.astype(np.float64)).sum(axis=-1)
        if evaluation.errors[0] is not None:
            bound = bound + evaluation.errors[0].sum(axis=-1)
        places = (1,) * (evaluation.output.ndim - 2)
        return np.broadcast_to(bound.reshape(bound.shape[0], *places, bound.shape[1]), evaluation.output.shape)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """One row of the transform."""
        axes = call.output_shape()[-1]
        row = element // int(np.prod(call.output_shape()[1:])) * axes + element % axes
        return {0: row * (axes + 1) + np.arange(axes + 1, dtype=np.int64)}


OPERATORS = (AffineGrid(),)
