"""GridSample: every tap of the interpolation gathered at once.

Places are computed in the grid's own precision, as onnx.reference does, since the nearest element hangs on it.
onnx.reference walks every output element in Python and does not know the names of opset 16 for the modes.
"""

from __future__ import annotations

import itertools

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "GridSample"

MODES = {"bilinear": "linear", "bicubic": "cubic"}
CUBIC_A = -0.75


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…], grid [N, places…, axes] → [N, C, places…]."""
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
