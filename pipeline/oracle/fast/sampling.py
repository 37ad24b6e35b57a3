"""Evaluates operators that read a picture between its elements, at places that an input gives."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs

MODES = {"bilinear": "linear", "bicubic": "cubic"}
CUBIC_A = -0.75


def grid_sample(invocation: Invocation) -> Outputs | None:
    """Evaluates GridSample: every tap of the interpolation gathered at once.

    Places are computed in the grid's precision, as in onnx.reference, since the nearest element depends on it.
    onnx.reference walks every output element in Python and lacks opset 16's names of the modes. Maps X [N, C,
    spatial…], grid [N, places…, axes] → [N, C, places…].
    """
    if not invocation.is_real:
        return None
    x, grid = invocation.required(0), invocation.required(1)
    mode = str(invocation.attribute("mode"))
    mode = MODES.get(mode, mode)
    aligned, padding = bool(invocation.attribute("align_corners")), str(invocation.attribute("padding_mode"))
    axes = [_axis(grid[..., -1 - i], size, mode, padding, aligned=aligned) for i, size in enumerate(x.shape[2:])]
    batch = np.arange(len(x)).reshape(-1, *(1,) * (grid.ndim - 2))
    y = np.zeros((len(x), *grid.shape[1:-1], x.shape[1]))
    for taps in itertools.product(*axes):
        weight = np.prod([weight for _, weight, _ in taps], axis=0)
        inside = np.all([inside for _, _, inside in taps], axis=0)
        read = np.moveaxis(x, 1, -1)[(batch, *(element for element, _, _ in taps))]
        y += np.where(inside[..., None], read * weight[..., None], 0.0)
    return (np.moveaxis(y, -1, 1).astype(x.dtype),)


def _axis(n: Array, size: int, mode: str, padding: str, *, aligned: bool) -> list[tuple[Array, Array, Array]]:
    """For each tap along one axis: elements, weights, and which elements count."""
    one, two = n.dtype.type(1), n.dtype.type(2)
    place = (n + one) / two * n.dtype.type(size - 1) if aligned else ((n + one) * n.dtype.type(size) - one) / two
    low, high = (0.0, size - 1.0) if aligned else (-0.5, size - 0.5)
    if mode == "nearest":
        place = np.rint(place)
    outside = (place < low) | (place > high)
    if padding == "border":
        place = np.where(outside, np.clip(place, 0, size - 1), place)
    elif padding == "reflection":
        place = np.where(outside, _reflected(place.astype(np.float64), low, high), place)
    place = place.astype(np.float64)
    base = np.trunc(place) if mode == "nearest" else np.floor(place)
    offsets = {"nearest": (0,), "linear": (0, 1)}.get(mode, (-1, 0, 1, 2))
    taps = []
    for offset in offsets:
        distance = np.abs(place - base - offset)
        weight = np.ones_like(place) if mode == "nearest" else _kernel(distance, mode)
        taps.append((*_element(base + offset, size, padding, low, high), weight))
    return [(element, weight, inside) for element, inside, weight in taps]


def _element(place: Array, size: int, padding: str, low: float, high: float) -> tuple[Array, Array]:
    inside = np.full(place.shape, fill_value=True) if padding != "zeros" else (place >= 0) & (place < size)
    if padding == "reflection":
        place = np.trunc(_reflected(place, low, high))
    return np.clip(place, 0, size - 1).astype(np.int64), inside


def _reflected(place: Array, low: float, high: float) -> Array:
    """Mirrored at the borders until it lies between them: a wave of period 2 · (high − low)."""
    span = high - low
    if span <= 0:
        return np.full_like(place, low)
    phase = np.mod(place - low, 2 * span)
    return np.asarray(low + np.where(phase > span, 2 * span - phase, phase))


def _kernel(distance: Array, mode: str) -> Array:
    if mode == "linear":
        return np.asarray(1.0 - distance)
    inner = ((CUBIC_A + 2) * distance - (CUBIC_A + 3)) * distance**2 + 1
    outer = ((CUBIC_A * distance - 5 * CUBIC_A) * distance + 8 * CUBIC_A) * distance - 4 * CUBIC_A
    return np.where(distance <= 1, inner, outer)


def deform_conv(invocation: Invocation) -> Outputs | None:
    """Evaluates DeformConv: a convolution whose taps are moved by offsets, and weighted by a mask.

    Each tap's samples are gathered for all channels at once and multiplied by the tap's weights. onnx.reference walks
    every output element in Python, and divides by zero for a picture of one row. Maps X [N, C, H, W], W [O, C/group, P,
    Q], offset [N, 2·groups·P·Q, h, w], B [O], mask → [N, O, h, w].
    """
    x, weight, offset = (invocation.required(i) for i in range(3))
    if not invocation.is_real or x.ndim != 4:
        return None
    bias, mask = invocation.input(3), invocation.input(4)
    rows, columns = weight.shape[2:]
    groups, offset_groups = invocation.attribute("group") or 1, invocation.attribute("offset_group") or 1
    strides, dilations = invocation.attribute("strides") or (1, 1), invocation.attribute("dilations") or (1, 1)
    pads = invocation.attribute("pads") or (0, 0, 0, 0)
    height, width = offset.shape[2:]
    moves = offset.reshape(len(x), offset_groups, rows, columns, 2, height, width).astype(np.float64)
    shares = None if mask is None else mask.reshape(len(x), offset_groups, rows, columns, height, width)
    y = np.zeros((len(x), len(weight), height, width))
    for p in range(rows):
        for q in range(columns):
            v = (np.arange(height) * strides[0] - pads[0] + p * dilations[0])[:, None] + moves[:, :, p, q, 0]
            u = np.arange(width) * strides[1] - pads[1] + q * dilations[1] + moves[:, :, p, q, 1]
            taps = _sampled(x, v, u, offset_groups)
            if shares is not None:
                taps = taps * np.repeat(shares[:, :, p, q], x.shape[1] // offset_groups, axis=1)
            taps = taps.reshape(len(x), groups, -1, height * width)
            kernel = weight[:, :, p, q].reshape(groups, -1, weight.shape[1]).astype(np.float64)
            y += (kernel @ taps).reshape(y.shape)
    if bias is not None:
        y += bias.reshape(-1, 1, 1)
    return (y.astype(x.dtype),)


def _sampled(x: Array, v: Array, u: Array, groups: int) -> Array:
    """x at rows v and columns u [N, groups, h, w], which its channels share group by group; zero outside."""
    _, channels, height, width = x.shape
    batch = np.arange(len(x))[:, None, None, None]
    channel = np.arange(channels)[:, None, None]
    v, u = (np.repeat(place, channels // groups, axis=1) for place in (v, u))
    total = np.zeros(v.shape)
    for row, row_weight in ((np.floor(v), 1 - v + np.floor(v)), (np.floor(v) + 1, v - np.floor(v))):
        for column, column_weight in ((np.floor(u), 1 - u + np.floor(u)), (np.floor(u) + 1, u - np.floor(u))):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            r, c = (np.clip(np.where(inside, place, 0), 0, None).astype(np.int64) for place in (row, column))
            total += np.where(inside, x[batch, channel, r, c] * row_weight * column_weight, 0.0)
    return total


OPERATORS: Mapping[str, Evaluate] = {
    "GridSample": grid_sample,
    "DeformConv": deform_conv,
}
