"""Resize: interpolation is separable, so each axis is resampled in turn.

Opset 10 has scales for its second input and means what Upsample means; later opsets have a region of interest there,
then scales or sizes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.resize_axis import Sampling, resample, taps_of

OPERATOR = "Resize"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → X resampled along every axis whose size or region changes."""
    x = invocation.required(0)
    if x.dtype not in (np.float32, np.float64) or not x.size:
        return None
    samplings = _opset_10(invocation, x) if invocation.opset < 11 else _samplings(invocation, x)
    extrapolation = float(invocation.attribute("extrapolation_value") or 0.0)
    return resampled(x, samplings, extrapolation)


def resampled(x: Array, samplings: Sequence[Sampling] | None, extrapolation: float) -> Outputs | None:
    """`x` with one sampling an axis applied; None if one of them is not known."""
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
    """The samplings of Upsample and of Resize in opset 10: coordinates are divided by the scale, no more."""
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
    """Scale and size of each resized axis, from whichever of the two inputs is there; empty if neither is."""
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
