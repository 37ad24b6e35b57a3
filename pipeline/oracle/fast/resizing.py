"""Evaluates resampling, which is separable: each axis in turn mixes input elements by weights.

Coordinates are in input elements. The formulas are those of the ONNX specification of Resize (opset 19), in float64;
neighbours beyond the edge repeat the edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs

# The attributes' names in opset 1.
_MODES = {"bilinear": "linear"}


def resize(invocation: Invocation) -> Outputs | None:
    """Evaluates Resize: interpolation is separable, so each axis is resampled in turn.

    Opset 10 has scales for its second input and means what Upsample means; later opsets have a region of interest
    there, then scales or sizes. Maps X → X resampled along every axis whose size or region changes.
    """
    x = invocation.required(0)
    if x.dtype not in (np.float32, np.float64) or not x.size:
        return None
    samplings = _opset_10(invocation, x) if invocation.opset < 11 else _samplings(invocation, x)
    extrapolation = float(invocation.attribute("extrapolation_value") or 0.0)
    return resampled(x, samplings, extrapolation)


def resampled(x: Array, samplings: Sequence[Sampling] | None, extrapolation: float) -> Outputs | None:
    """Resamples `x` with one sampling an axis; returns None if one of them is unknown."""
    if samplings is None:
        return None
    for axis, sampling in enumerate(samplings):
        if sampling.scale == 1 and sampling.output == sampling.input and sampling.region == (0.0, 1.0):
            continue
        taps = taps_of(sampling)
        if taps is None:
            return None
        x = resample(x, axis, taps, extrapolation)
    return (x,)


def asymmetric(x: Array, scales: Sequence[float], mode: str) -> list[Sampling]:
    """Returns the samplings of Upsample and of Resize in opset 10: coordinates are just divided by the scale."""
    return [
        Sampling(size, int(size * scale), float(scale), mode, "asymmetric", "simple")
        for size, scale in zip(x.shape, scales, strict=True)
    ]


def _opset_10(invocation: Invocation, x: Array) -> list[Sampling]:
    return asymmetric(x, invocation.required(1).tolist(), invocation.attribute("mode") or "nearest")


def _samplings(invocation: Invocation, x: Array) -> list[Sampling] | None:
    axes = list(invocation.attribute("axes") or range(x.ndim))
    scales, sizes = _targets(invocation, [x.shape[axis] for axis in axes])
    if not scales:
        return None
    regions = _regions(invocation, len(axes))
    mode = invocation.attribute("mode") or "nearest"
    antialias = bool(invocation.attribute("antialias"))
    if mode == "nearest" and antialias:
        return None
    samplings = [Sampling(size, size, 1.0) for size in x.shape]
    for i, axis in enumerate(axes):
        samplings[axis] = Sampling(
            x.shape[axis],
            sizes[i],
            scales[i],
            mode,
            invocation.attribute("coordinate_transformation_mode") or "half_pixel",
            invocation.attribute("nearest_mode") or "round_prefer_floor",
            float(invocation.attribute("cubic_coeff_a") or -0.75),
            antialias,
            bool(invocation.attribute("exclude_outside")),
            regions[i],
        )
    return samplings


def _targets(invocation: Invocation, counts: Sequence[int]) -> tuple[list[float], list[int]]:
    """Returns scale and size of each resized axis, from whichever of the two inputs is there; empty if neither is."""
    given_scales, given_sizes = invocation.input(2), invocation.input(3)
    if given_sizes is None or not given_sizes.size:
        scales = [] if given_scales is None else [float(scale) for scale in given_scales]
        return scales, [int(count * scale) for count, scale in zip(counts, scales, strict=bool(scales))]
    sizes = [int(size) for size in given_sizes]
    scales = [size / count for size, count in zip(sizes, counts, strict=True)]
    policy = invocation.attribute("keep_aspect_ratio_policy") or "stretch"
    if policy != "stretch":
        scale = min(scales) if policy == "not_larger" else max(scales)
        scales = [scale] * len(scales)
        sizes = [int(scale * count + 0.5) for count in counts]
    return scales, sizes


def _regions(invocation: Invocation, count: int) -> list[tuple[float, float]]:
    region = invocation.input(1)
    if invocation.attribute("coordinate_transformation_mode") != "tf_crop_and_resize" or region is None:
        return [(0.0, 1.0)] * count
    return [(float(region[i]), float(region[count + i])) for i in range(count)]


def upsample(invocation: Invocation) -> Outputs | None:
    """Evaluates Upsample (opsets 1 to 9): nearest or linear enlargement by a factor an axis.

    onnx.reference supports nearest with whole factors given as an input, no more. Maps X → X enlarged; `scales` is an
    attribute in opset 7, the second input from 9 on, of two axes before.
    """
    x = invocation.required(0)
    scales = invocation.input(1)
    factors = invocation.attribute("scales") if scales is None else scales.tolist()
    if invocation.opset < 7:
        factors = (1.0, 1.0, invocation.attribute("height_scale"), invocation.attribute("width_scale"))
    if x.dtype not in (np.float32, np.float64) or not x.size or factors is None:
        return None
    mode = str(invocation.attribute("mode") or "nearest")
    return resampled(x, asymmetric(x, factors, _MODES.get(mode, mode)), 0.0)


@dataclass(frozen=True)
class Sampling:
    """Describes how an axis of `input` elements becomes one of `output`; `scale` is output per input.

    `mode` is nearest, linear or cubic; `transformation` is ONNX's coordinate_transformation_mode; `nearest` its
    nearest_mode, or `simple` (floor when enlarging, ceil when shrinking: what opset 10 and Upsample mean).
    `region` (start, end), as shares of the axis, is for tf_crop_and_resize alone.
    """

    input: int
    output: int
    scale: float
    mode: str = "nearest"
    transformation: str = "half_pixel"
    nearest: str = "round_prefer_floor"
    cubic_a: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    region: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class ResizeTaps:
    """Lists input elements int64 [output, taps], their float64 weights of the same shape, and the outputs outside."""

    elements: Array
    weights: Array
    outside: Array


def taps_of(sampling: Sampling) -> ResizeTaps | None:
    """Returns the taps of every output element; None for an unknown mode."""
    position = _coordinates(sampling)
    if position is None or sampling.mode not in ("nearest", "linear", "cubic"):
        return None
    outside = np.zeros(sampling.output, bool)
    if sampling.transformation == "tf_crop_and_resize":
        outside = (position < 0) | (position > sampling.input - 1)
    if sampling.mode == "nearest":
        elements = _nearest(position, sampling)[:, None]
        weights = np.ones(elements.shape)
    else:
        elements, weights = _kernel(position, sampling)
    inside = (elements >= 0) & (elements < sampling.input)
    if sampling.exclude_outside:
        weights = np.where(inside, weights, 0.0)
        total = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(total == 0, 1.0, total)
    return ResizeTaps(np.clip(elements, 0, sampling.input - 1), weights, outside)


def _coordinates(sampling: Sampling) -> Array | None:
    """Where each output element lies on the input's axis: float64 [output]."""
    index = np.arange(sampling.output, dtype=np.float64)
    size, scale = sampling.input, sampling.scale
    length = scale * size  # not rounded, unlike `output`
    match sampling.transformation:
        case "half_pixel":
            return (index + 0.5) / scale - 0.5
        case "tf_half_pixel_for_nn":  # opset 11 alone
            return (index + 0.5) / scale
        case "half_pixel_symmetric":
            return size / 2 * (1 - sampling.output / length) + (index + 0.5) / scale - 0.5
        case "pytorch_half_pixel":
            return np.full_like(index, -0.5) if length == 1 else (index + 0.5) / scale - 0.5
        case "asymmetric":
            return index / scale
        case "align_corners":
            return np.zeros_like(index) if length == 1 else index * (size - 1) / (length - 1)
        case "tf_crop_and_resize":
            start, end = sampling.region
            if length == 1:
                return np.full_like(index, 0.5 * (end - start) * (size - 1) + start * (size - 1))
            return start * (size - 1) + index * (end - start) * (size - 1) / (length - 1)
    return None


def _nearest(position: Array, sampling: Sampling) -> Array:
    floor = np.floor(position)
    share = position - floor
    match sampling.nearest:
        case "round_prefer_floor":
            up = share > 0.5
        case "round_prefer_ceil":
            up = share >= 0.5
        case "ceil":
            up = share > 0
        case "simple":
            up = (share > 0) & (sampling.scale < 1)
        case _:
            up = np.zeros_like(share, bool)
    return np.asarray((floor + up).astype(np.int64))


def _kernel(position: Array, sampling: Sampling) -> tuple[Array, Array]:
    """Neighbours and weights of linear and cubic kernels; antialiasing stretches them when shrinking."""
    squeeze = min(sampling.scale, 1.0) if sampling.antialias else 1.0
    radius = 1 if sampling.mode == "linear" else 2
    # An exact position counts as the right end of the interval before it, as in onnx.reference.
    base = np.ceil(position) - 1
    first = int(np.floor(-radius / squeeze)) + 1
    offsets = np.arange(first, 2 - first)
    distance = np.abs(offsets - (position - base)[:, None]) * squeeze
    if sampling.mode == "linear":
        weights = np.clip(1 - distance, 0, 1)
    else:
        weights = _cubic(distance, sampling.cubic_a)
    if sampling.antialias:
        weights = weights / weights.sum(axis=1, keepdims=True)
    return (base[:, None] + offsets).astype(np.int64), weights


def _cubic(distance: Array, a: float) -> Array:
    """Keys' kernel of parameter a (R. Keys, Cubic convolution interpolation, 1981, eq. 15)."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))


def resample(x: Array, axis: int, taps: ResizeTaps, extrapolation: float) -> Array:
    """Resamples `x` along `axis` at the taps, in x's dtype; outputs that lie outside become `extrapolation`."""
    if taps.elements.shape[1] == 1:
        y = np.take(x, taps.elements[:, 0], axis=axis)
    else:
        y = _mixed(x, axis, taps)
    if taps.outside.any():
        y[(slice(None),) * axis + (taps.outside,)] = extrapolation
    return y


def _mixed(x: Array, axis: int, taps: ResizeTaps) -> Array:
    shape = [1] * x.ndim
    shape[axis] = -1
    weights = taps.weights.astype(x.dtype)
    y = np.take(x, taps.elements[:, 0], axis=axis) * weights[:, 0].reshape(shape)
    for tap in range(1, weights.shape[1]):
        y += np.take(x, taps.elements[:, tap], axis=axis) * weights[:, tap].reshape(shape)
    return np.asarray(y)


OPERATORS: Mapping[str, Evaluate] = {
    "Resize": resize,
    "Upsample": upsample,
}
