"""The function that came out, read from values: what went into a node against what it must have given.

Curves with straight parts: two slopes that meet at zero, or one line, between a lowest and a highest value; and usual
activations with another number in them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.fits import nearest_number, shortened
from pipeline.diagnose.clues.parts import undone_to
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function
from pipeline.graph import Node

Array = NDArray[Any]

# So many values that are the same are a limit; so many tell a slope, which most of them agree on.
_LEVEL, _FEWEST = 3, 6
_AGREE, _MOST = 1e-4, 0.6
# So much of it is the right function times a factor, where it is that and no other function.
_ALL = 0.9
# What has a number within, and which; the curves that multiply x by a share of it.
_WITH_NUMBER: Mapping[str, tuple[float, Callable[[float, Array], Array]]] = MappingProxyType(
    {
        "x / (1 + exp(-{k} x))": (1.0, lambda k, x: x / (1.0 + np.exp(-k * x))),
        "x / 2 (1 + tanh(sqrt(2 / pi) (x + {k} x^3)))": (0.044715, lambda k, x: _by_tanh(x, x + k * x**3)),
        "x / 2 (1 + tanh({k} sqrt(2 / pi) (x + 0.044715 x^3)))": (
            1.0, lambda k, x: _by_tanh(x, k * (x + 0.044715 * x**3)),
        ),
        "x for x > 0, else {k} (exp(x) - 1)": (
            1.0, lambda k, x: np.where(x > 0.0, x, k * np.expm1(np.minimum(x, 0.0))),
        ),
    }
)  # fmt: skip


@dataclass(frozen=True)
class ReadCurve:
    """A function in words, and how many `numbers` were read from the values to say it."""

    says: str
    function: Function
    numbers: int


def read_curves(case: Case, node: Node, of: str) -> Iterator[ReadCurve]:
    """What the wrong elements say that the node makes of the tensor `of`, if that has straight parts, or a number."""
    made = undone_to(case, case.actual, node)
    x = np.asarray(case.redo.values[of], dtype=np.float64).reshape(-1)
    if made is None or made.size != x.size or case.wrong.size != x.size:
        return
    finite = np.isfinite(made) & np.isfinite(x)
    known, every = finite & case.wrong.reshape(-1), made[finite]
    x, y = x[known], made[known]
    if len(y) < _FEWEST or _is_multiple(y, case.expected.reshape(-1)[known]):
        return
    for says, (usual, curve) in _WITH_NUMBER.items():
        for k in nearest_number(lambda k, curve=curve: _away(curve, k, x, y), usual):  # type: ignore[misc]
            yield ReadCurve(says.format(k=f"{k:.6g}"), lambda v, k=k, curve=curve: curve(k, v), 1)  # type: ignore[misc]
    # A limit may be right where it is reached: it is one if nothing wrong lies beyond.
    low = _level(every, every.min()) if every.min() <= y.min() else None
    high = _level(every, every.max()) if every.max() >= y.max() else None
    between = np.ones(len(y), dtype=bool)
    between &= (y > low) if low is not None else True
    between &= (y < high) if high is not None else True
    limits = [f"{name} {value:.6g}" for name, value in (("from", low), ("up to", high)) if value is not None]
    numbers, ends = len(limits), (-np.inf if low is None else low, np.inf if high is None else high)
    held = f", {' '.join(limits)}" if limits else ""
    slopes = [_slope(x[between & side], y[between & side]) for side in (x < 0.0, x > 0.0)]
    below, above = (1.0 if slope is None else shortened(slope)[0] for slope in slopes)
    if any(slope is not None for slope in slopes):
        parts = [f"{slope:.6g} x {side}" for slope, side in ((below, "below zero"), (above, "above")) if slope != 1.0]
        says = ", ".join(parts) or "x"
        yield ReadCurve(f"{says}{held}", lambda v: np.clip(np.where(v < 0.0, below * v, above * v), *ends), numbers + 2)
    if np.count_nonzero(between) >= _FEWEST:
        factor, offset = (shortened(float(each), 1e-4)[0] for each in np.polyfit(x[between], y[between], 1))
        if abs(offset) > _AGREE * np.abs(y).max():
            says = f"{factor:.6g} x {'+' if offset >= 0 else '-'} {abs(offset):.6g}"
            yield ReadCurve(f"{says}{held}", lambda v: np.clip(factor * v + offset, *ends), numbers + 2)


def _by_tanh(x: Array, within: Array) -> Array:
    return np.asarray(0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * within)))


def _away(curve: Callable[[float, Array], Array], k: float, x: Array, y: Array) -> float:
    """How far most are off."""
    with np.errstate(all="ignore"):
        return float(np.quantile(np.nan_to_num(np.abs(curve(k, x) - y), nan=np.inf), 0.9))


def _is_multiple(y: Array, right: Array) -> bool:
    """Whether it is the right function times a factor."""
    with np.errstate(all="ignore"):
        ratio = y[right != 0.0] / right[right != 0.0]
    middle = float(np.median(ratio)) if ratio.size else 0.0
    return bool(middle and np.mean(np.abs(ratio - middle) <= _AGREE * abs(middle)) >= _ALL)


def _level(y: Array, end: float) -> float | None:
    """The lowest or highest value, where several are exactly that."""
    return shortened(float(end))[0] if np.count_nonzero(y == end) >= _LEVEL else None


def _slope(x: Array, y: Array) -> float | None:
    """y / x, where that is much the same for most."""
    if len(x) < _FEWEST:
        return None
    ratio = y / x
    middle = float(np.median(ratio))
    agree = np.abs(ratio - middle) <= _AGREE * max(abs(middle), 1e-12)
    return middle if agree.size and np.mean(agree) >= _MOST else None
