"""Implements MaxRoiPool and RoiAlign: regions of a picture pooled, or resampled, to a grid of cells."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, turns_of
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma, movement


class MaxRoiPool(Operator):
    """Finds the largest element of each cell of each region."""

    op_types = ("MaxRoiPool",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads its cell, whose bounds are whole numbers."""
        constants = {"SPATIAL_SCALE": float(call.attribute("spatial_scale", 1.0))}
        reads = {"X": call.node.inputs[0], "R": call.node.inputs[1]}
        turns = turns_of(*cell_of_picture(call))
        return Kernel(("max_roi_pool.glsl",), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error: the cell's largest element moves by at most the cell's largest error."""
        x_error = evaluation.errors[0]
        if x_error is None:
            return np.zeros(evaluation.output.shape)
        alone = Evaluation(
            evaluation.inputs, (x_error, None), evaluation.output,
            lambda values: evaluation.run([values[0], evaluation.inputs[1]]), evaluation.unit,
        )  # fmt: skip
        return movement(alone)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns None: the regions are not known before the run."""
        return None


def cell_of_picture(call: Call) -> tuple[int, int]:
    """Returns rows and columns of a cell, at most, of a region as large as the picture."""
    pairs = zip(call.shape(0)[2:], call.output_shape()[2:], strict=True)
    height, width = (-(-size // cells) + 1 for size, cells in pairs)
    return height, width


# Roundings of a sample's place, of the shader and of the oracle together.
PLACE_ROUNDINGS = 24.0


class RoiAlign(Operator):
    """Resamples regions to cells, each the mean or the largest of some samples."""

    op_types = ("RoiAlign",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the samples of its cell."""
        half_pixel = _half_pixel(call)
        constants = {
            "SPATIAL_SCALE": float(call.attribute("spatial_scale", 1.0)),
            "SAMPLING_RATIO": int(call.attribute("sampling_ratio", 0)),
            "OFFSET": 0.5 if half_pixel else 0.0,
            "HALF_PIXEL": half_pixel,
            "LARGEST": call.attribute("mode", "avg") == "max",
        }
        reads = dict(zip(("X", "R", "N"), call.node.inputs, strict=True))
        ratio = int(call.attribute("sampling_ratio", 0))
        turns = turns_of(ratio, ratio) if ratio > 0 else turns_of(*cell_of_picture(call))
        return Kernel(("roi_align.glsl",), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds the roundings of weights and sums, and how far y moves while the regions move within theirs.

        Between two elements y is continuous and moves by less than twice as much as for regions moved by all of
        their rounding; the moved regions also cover samples that drop out or appear.
        """
        x, regions, images = evaluation.inputs
        assert x is not None
        assert regions is not None
        scale = float(call.attribute("spatial_scale", 1.0))
        size = np.abs(evaluation.run([np.abs(x), regions, images]).astype(np.float64))
        ratio = int(call.attribute("sampling_ratio", 0))
        samples = ratio**2 if ratio > 0 else _most_samples(call, regions, scale)
        bound = 2.0 * gamma(4 * samples + 16, evaluation.unit) * size + SMALLEST_NORMAL
        reach = PLACE_ROUNDINGS * evaluation.unit * (np.abs(regions).max(axis=1, keepdims=True) + 1.0 / scale)
        error = evaluation.errors[1] if len(evaluation.errors) > 1 else None
        reach = reach if error is None else reach + error
        moved = np.zeros(evaluation.output.shape)
        for start, end in itertools.product((-1.0, 1.0), repeat=2):
            signs = np.array((start, start, end, end))
            there = evaluation.run([x, (regions + signs * reach).astype(regions.dtype), images])
            moved = np.fmax(moved, np.abs(there - evaluation.output))
        bound = bound + 2.0 * moved
        carried = evaluation.errors[0]
        return bound if carried is None else bound + evaluation.run([carried.astype(x.dtype), regions, images])

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns None: the regions are not known before the run."""
        return None


def _half_pixel(call: Call) -> bool:
    """Whether coordinates name the middles of elements: since opset 16 by default."""
    return call.node.opset >= 16 and call.attribute("coordinate_transformation_mode", "half_pixel") == "half_pixel"


def _most_samples(call: Call, regions: Array, scale: float) -> int:
    _, _, height, width = call.output_shape()
    sizes = np.abs(regions[:, 2:] - regions[:, :2]) * scale
    return math.ceil(float(sizes[:, 0].max()) / width + 1) * math.ceil(float(sizes[:, 1].max()) / height + 1)


OPERATORS = (MaxRoiPool(), RoiAlign())
