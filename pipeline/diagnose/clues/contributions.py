"""How much of each tap, or of each input channel, is in the wrong values: solved by least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.parts import before_tail, undone_to
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial.case import Case

Array = NDArray[Any]

# Unknowns beyond this are too many for a system that is solved on the side.
_MOST_UNKNOWNS = 600
_MOST_PRODUCTS = 6_000_000
_MOST_FILTERS = 64


def shares_of_taps(case: Case, window: WindowSum) -> Array | None:
    """[P, Q]: the factor with which each tap enters, where one set of factors fits; 1 is right, 0 left out."""
    solved = _solve(case, window, (1,))
    return None if solved is None else solved.reshape(window.kernel)


def shares_of_channels(case: Case, window: WindowSum) -> Array | None:
    """[I]: the factor with which each input channel (of a group) enters, where one set of factors fits."""
    return _solve(case, window, (2, 3))


def filters_used(case: Case, window: WindowSum) -> NDArray[np.int64] | None:
    """For each output the number of the filter with which its elements come out as they did; None if one has none.

    An output whose own filter will do keeps it. A choice for each output, that its elements agree on.
    """
    outputs = len(window.channels)
    if window.kind != "sum" or window.weights is None or not 1 < outputs <= _MOST_FILTERS:
        return None
    node = next(each for each in case.redo.nodes if each.name == window.node)
    made = undone_to(case, case.actual, node)
    if made is None or made.size != case.redo.values[node.outputs[0]].size:
        return None
    _, of_output, _, _ = np.unravel_index(np.arange(made.size), (window.source.shape[0], outputs, *window.size))
    chosen = [
        np.flatnonzero((of_output == o) & np.isfinite(made))[:: max(1, made.size // outputs // 8)][:8]
        for o in range(outputs)
    ]
    if min(len(each) for each in chosen) < 3:
        return None
    places = np.concatenate(chosen)
    owner = of_output[places]
    slack = 1e-5 * float(np.abs(made[np.isfinite(made)]).max())
    used = np.arange(outputs)
    away = np.full((outputs, outputs), np.inf)
    for filter_ in range(outputs):
        weights = np.broadcast_to(window.weights[filter_], window.weights.shape)
        error = np.abs(window.replaced(weights=weights).evaluate_at(places) - made[places])
        away[:, filter_] = [error[owner == o].max() for o in range(outputs)]
    for o in range(outputs):
        best = o if away[o, o] <= slack else int(away[o].argmin())
        if away[o, best] > slack:
            return None
        used[o] = best
    return used


def _solve(case: Case, window: WindowSum, summed: tuple[int, ...]) -> Array | None:
    if window.kind != "sum" or window.weights is None:
        return None
    if not case.redo.nodes or window.node != _last_before_tail(case):
        return None
    unknowns = int(
        np.prod([size for axis, size in enumerate((0, *window.weights.shape[1:])) if axis and axis not in summed])
    )
    if not 1 < unknowns <= _MOST_UNKNOWNS:
        return None
    wanted = before_tail(case, case.actual)
    places = _sample(wanted, min(3 * unknowns + 64, _MOST_PRODUCTS // max(window.weights[0].size, 1)))
    if len(places) < unknowns + 16:
        return None
    products = _products(window, places)
    system = products.sum(axis=summed).reshape(len(places), -1)
    n, c, h, w = np.unravel_index(places, case.dims)
    sums = wanted[n, c, h, w]
    if window.bias is not None:
        sums = sums - window.bias.reshape(-1)[_output(case, c, w)]
    solved, _, rank, _ = np.linalg.lstsq(system, sums, rcond=None)
    if rank < unknowns:
        return None
    left = np.abs(system @ solved - sums)
    scale = float(np.abs(sums).max())
    return np.asarray(solved) if np.quantile(left, 0.9) < 1e-3 * max(scale, 1e-30) else None


def _last_before_tail(case: Case) -> str:
    name = case.redo.before_tail()
    return next((node.name for node in case.redo.nodes if name in node.outputs), "")


def _sample(wanted: Array, most: int) -> NDArray[np.int64]:
    usable = np.flatnonzero(np.isfinite(wanted))
    if len(usable) <= most:
        return usable
    return np.sort(np.random.default_rng(0).choice(usable, size=most, replace=False))


def _output(case: Case, c: Array, w: Array) -> Array:
    """The output channel: the second axis of four, the last of a product."""
    return c if len(case.output.shape) == 4 else w


def _products(window: WindowSum, places: NDArray[np.int64]) -> Array:
    """[m, I, P, Q]: the products that each of the output elements at linear `places` adds up."""
    assert window.weights is not None
    n, o, y, x = np.unravel_index(places, (window.source.shape[0], len(window.channels), *window.size))
    step_y, step_x = window.inner[0] + 1, window.inner[1] + 1
    ys = (y * window.stride[0] + window.first[0])[:, None] + np.arange(window.kernel[0]) * window.dilation[0]
    xs = (x * window.stride[1] + window.first[1])[:, None] + np.arange(window.kernel[1]) * window.dilation[1]
    H, W = window.source.shape[2:]
    # Between the elements of a transposed convolution's source are zeros.
    down, across = (ys % step_y == 0) & (ys >= 0), (xs % step_x == 0) & (xs >= 0)
    ys, xs = ys // step_y, xs // step_x
    inside = (down & (ys < H))[:, None, :, None] & (across & (xs < W))[:, None, None, :]
    values = window.source[
        n[:, None, None, None],
        window.channels[o][:, :, None, None],
        np.clip(ys, 0, H - 1)[:, None, :, None],
        np.clip(xs, 0, W - 1)[:, None, None, :],
    ]
    return np.where(inside, values, 0.0).astype(np.float64) * window.weights[o]
