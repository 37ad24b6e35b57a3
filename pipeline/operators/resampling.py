"""Resamples along axes: for every output place of an axis the input elements that it mixes, and their weights.

Coordinates count elements of the axis, 0 at the middle of the first one. Source of the formulas: the ONNX
specification of Resize (opset 19); for opset 10 and Upsample, which divide by the scale and say no more, the
rounding that ONNX Runtime took for nearest: down when enlarging, up when shrinking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.base import Call

# `tf_half_pixel_for_nn` was in opset 11 and 12.
TF_HALF_PIXEL_UNTIL = 13
# Callers that trace reads request the taps of the same few axes thousands of times.
KEPT_AXES = 64
Positions = NDArray[np.float64]


@dataclass(frozen=True)
class AxisTaps:
    """Describes the reads of each place of a resampled axis.

    `elements` int64 [output, taps] lie in the input, or are −1 in a row that lies outside the region to
    resample; `weights` float64 [output, taps]. Neither may be written to: nodes share them.
    """

    elements: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def count(self) -> int:
        """The number of taps."""
        return int(self.elements.shape[1])

    def is_proportional(self, size: int) -> bool:
        """Reports whether place o of an axis of `size` elements reads just element ⌊o · size / outputs⌋."""
        outputs = len(self.elements)
        return self.count == 1 and np.array_equal(self.elements[:, 0], np.arange(outputs) * size // outputs)


@dataclass(frozen=True)
class _Rule:
    """Holds a node's settings for all axes that it resamples; errors call it `who`."""

    who: str
    opset: int
    transformation: str
    mode: str
    nearest: str
    excludes_outside: bool
    antialias: bool
    cubic: float


@dataclass(frozen=True)
class _Axis:
    size: int
    outputs: int
    scale: float
    region: tuple[float, float] = (0.0, 1.0)

    @property
    def is_copied(self) -> bool:
        return self.scale == 1.0 and self.size == self.outputs and self.region == (0.0, 1.0)


def axis_taps(call: Call) -> tuple[AxisTaps | None, ...]:
    """Returns what a Resize or Upsample node reads on each axis of its input; None for an axis that is copied.

    Raises UnsupportedError where scales or sizes depend on the run, or for a mode that is not in the specification.
    """
    return call.kept("axis taps", _axis_taps)


def _axis_taps(call: Call) -> tuple[AxisTaps | None, ...]:
    rule = _rule(call)
    return tuple(None if axis.is_copied else _taps(rule, axis) for axis in _axes(call))


def _rule(call: Call) -> _Rule:
    legacy = call.node.op_type == "Upsample" or call.node.opset < 11
    mode, cubic = str(call.attribute("mode")), call.attribute("cubic_coeff_a")
    return _Rule(
        call.who,
        call.node.opset,
        "asymmetric" if legacy else str(call.attribute("coordinate_transformation_mode")),
        "linear" if mode == "bilinear" else mode,  # Upsample 1's name
        "simple" if legacy else str(call.attribute("nearest_mode")),
        bool(call.attribute("exclude_outside", 0)),
        bool(call.attribute("antialias", 0)),
        -0.75 if cubic is None else float(cubic),
    )


def _axes(call: Call) -> list[_Axis]:
    shape, outputs = call.shape(0), call.output_shape()
    axes = [axis % len(shape) for axis in call.attribute("axes") or range(len(shape))]
    scales = _scales(call, axes, shape)
    regions = _regions(call, len(axes))
    found = [_Axis(size, size, 1.0) for size in shape]
    for i, axis in enumerate(axes):
        found[axis] = _Axis(shape[axis], outputs[axis], scales[i], regions[i])
    return found


def _scales(call: Call, axes: Sequence[int], shape: Shape) -> list[float]:
    """Returns output elements per input element of the resized axes."""
    given = call.attribute("scales")
    if given is not None:  # Upsample 7
        return [float(scale) for scale in given]
    if call.attribute("height_scale") is not None:  # Upsample 1
        return [1.0, 1.0, float(call.attribute("height_scale")), float(call.attribute("width_scale"))]
    position = 2 if call.node.op_type == "Resize" and call.node.opset >= 11 else 1
    if call.has(position):
        scales = call.required_constant(position, "scales")
        if scales.size:
            return [float(scale) for scale in scales]
    sizes = call.required_constant(3, "sizes")
    factors = [int(size) / shape[axis] for size, axis in zip(sizes, axes, strict=True)]
    policy = call.attribute("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return factors
    return [min(factors) if policy == "not_larger" else max(factors)] * len(factors)


def _regions(call: Call, count: int) -> list[tuple[float, float]]:
    """Returns start and end of the region to resample, as shares of each resized axis."""
    if call.attribute("coordinate_transformation_mode") != "tf_crop_and_resize" or not call.has(1):
        return [(0.0, 1.0)] * count
    region = call.required_constant(1, "a region (roi)")
    return [(float(region[i]), float(region[count + i])) for i in range(count)]


@lru_cache(maxsize=KEPT_AXES)
def _taps(rule: _Rule, axis: _Axis) -> AxisTaps:
    place = _positions(rule, axis)
    if rule.mode == "nearest":
        elements = _nearest(place, rule.nearest, enlarges=axis.scale >= 1.0)[:, None]
        weights = np.ones(elements.shape)
    else:
        elements, weights = _interpolation(rule, place, axis.scale)
    if rule.excludes_outside:
        weights = np.where((elements >= 0) & (elements < axis.size), weights, 0.0)
        weights = weights / weights.sum(axis=1, keepdims=True)
    elements = np.clip(elements, 0, axis.size - 1)
    if rule.transformation == "tf_crop_and_resize":
        elements[(place < 0) | (place > axis.size - 1)] = -1
    for array in (elements, weights):
        array.flags.writeable = False
    return AxisTaps(elements, weights)


def _positions(rule: _Rule, axis: _Axis) -> Positions:
    """Returns where the places of the output lie on the input's axis: float64 [output]."""
    o = np.arange(axis.outputs, dtype=np.float64)
    length = axis.scale * axis.size  # of the resized axis before it was rounded to `outputs`
    last = axis.size - 1
    start, end = axis.region
    match rule.transformation:
        case "asymmetric":
            return o / axis.scale
        case "tf_half_pixel_for_nn" if rule.opset < TF_HALF_PIXEL_UNTIL:
            return (o + 0.5) / axis.scale
        case "pytorch_half_pixel" if length == 1:
            return np.full(axis.outputs, -0.5)
        case "half_pixel" | "pytorch_half_pixel":
            return (o + 0.5) / axis.scale - 0.5
        case "half_pixel_symmetric":
            return axis.size / 2 * (1 - axis.outputs / length) + (o + 0.5) / axis.scale - 0.5
        case "align_corners":
            return o * last / (length - 1) if length != 1 else np.zeros(axis.outputs)
        case "tf_crop_and_resize" if length == 1:
            return np.full(axis.outputs, (end - start) * last / 2 + start * last)
        case "tf_crop_and_resize":
            return o * (end - start) * last / (length - 1) + start * last
    raise UnsupportedError(
        rule.who, f"a coordinate_transformation_mode of opset {rule.opset}", f"'{rule.transformation}'",
        "Re-export the model.",
    )  # fmt: skip


def _nearest(place: Positions, rounding: str, *, enlarges: bool) -> NDArray[np.int64]:
    below, above = np.floor(place), np.ceil(place)
    match rounding:
        case "floor":
            chosen = below
        case "ceil":
            chosen = above
        case "simple":
            chosen = below if enlarges else above
        case "round_prefer_ceil":
            chosen = np.where(place - below >= 0.5, above, below)
        case _:
            chosen = np.where(place - below > 0.5, above, below)
    return chosen.astype(np.int64)


def _interpolation(rule: _Rule, place: Positions, scale: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns the elements under the kernel around each position, and the kernel there.

    When shrinking, antialiasing stretches the kernel by 1 / scale and makes its weights sum to one.
    """
    if rule.mode not in ("linear", "cubic"):
        raise UnsupportedError(rule.who, "mode nearest, linear or cubic", f"'{rule.mode}'", "Re-export the model.")
    squeeze = min(scale, 1.0) if rule.antialias else 1.0
    reach = 1 if rule.mode == "linear" else 2
    first = int(np.floor(-reach / squeeze)) + 1
    # A position on an element belongs to the interval that ends there.
    elements = (np.ceil(place)[:, None] - 1 + np.arange(first, 2 - first)).astype(np.int64)
    distance = np.abs(elements - place[:, None]) * squeeze
    if rule.mode == "linear":
        weights = np.maximum(1.0 - distance, 0.0)
    else:
        weights = _keys(distance, rule.cubic)
    return elements, weights / weights.sum(axis=1, keepdims=True) if rule.antialias else weights


def _keys(distance: Positions, a: float) -> NDArray[np.float64]:
    """Returns Keys' cubic convolution kernel (1981, equation 15) at a distance from its middle."""
    inner = (a + 2) * distance**3 - (a + 3) * distance**2 + 1
    outer = a * distance**3 - 5 * a * distance**2 + 8 * a * distance - 4 * a
    return np.where(distance <= 1, inner, np.where(distance < 2, outer, 0.0))
