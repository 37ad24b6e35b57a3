"""The curve of sRGB, its known approximations, and the powers that stand in for it, whose exponent is fitted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.fits import fitted_between, shortened
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.model_edits import Function

Array = NDArray[Any]
Changes = Callable[[Function], tuple[ModelEdit, ...]]

# Gammas of displays: 1.8 of the first Macintoshes, 2.2 of monitors, 2.4 of studios (BT.1886), 2.6 of cinemas (SMPTE
# 431-2). A square and its root have names of their own.
_LOWEST, _HIGHEST, _SQUARE = 1.8, 2.6, 2.0
_NEAR_SQUARE = 1e-3


def encode(y: Array) -> Array:
    """IEC 61966-2-1."""
    power = 1.055 * np.power(np.maximum(y, 0.0), 1.0 / 2.4) - 0.055
    return np.where(y <= 0.0031308, 12.92 * y, power)


def decode(y: Array) -> Array:
    """The way back."""
    power = np.power(np.maximum((y + 0.055) / 1.055, 0.0), 2.4)
    return np.where(y <= 0.04045, y / 12.92, power)


CURVES: Mapping[str, Function] = MappingProxyType(
    {
        "encoded as sRGB": encode,
        "decoded from sRGB": decode,
        "capped to 0 … 1 and encoded as sRGB": lambda y: encode(np.clip(y, 0.0, 1.0)),
        "capped to 0 … 1 and decoded from sRGB": lambda y: decode(np.clip(y, 0.0, 1.0)),
        "encoded as sRGB, signs kept,": lambda y: np.sign(y) * encode(np.abs(y)),
        "decoded from sRGB, signs kept,": lambda y: np.sign(y) * decode(np.abs(y)),
        "encoded as sRGB and cut at 0": lambda y: np.maximum(encode(y), 0.0),
    }
)
# In a texture of 8 bits what is encoded is rounded to 255 steps.
MORE_CURVES: Mapping[str, Function] = MappingProxyType(
    {
        "encoded as sRGB in bytes": lambda y: np.rint(encode(np.clip(y, 0.0, 1.0)) * 255.0) / 255.0,
        "decoded as sRGB in bytes": lambda y: decode(np.rint(np.clip(y, 0.0, 1.0) * 255.0) / 255.0),
    }
)


@dataclass(frozen=True)
class Power:
    """A power of y by its exponent, with a gap for that in `says`."""

    says: str
    of: Callable[[Array, float], Array]


POWERS = (
    Power("raised to {}", np.power),
    Power("raised to {}, signs kept,", lambda y, e: np.sign(y) * np.power(np.abs(y), e)),
    Power("cut at 0 and raised to {}", lambda y, e: np.power(np.maximum(y, 0.0), e)),
    Power("capped to 0 … 1 and raised to {}", lambda y, e: np.power(np.clip(y, 0.0, 1.0), e)),
)


def powers(case: FailingPass, changes: Changes) -> Iterator[tuple[str, Function]]:
    """Powers of what comes out, goes into the pass, or is within, with the exponent that leaves least errors."""
    for power in POWERS:
        for low, high in ((1.0 / _HIGHEST, 1.0 / _LOWEST), (_LOWEST, _HIGHEST)):
            found = fitted_between(case, lambda e, p=power: changes(_of(p, e)), low, high)  # type: ignore[misc]
            for exponent in exponents(found):
                yield power.says.format(_text(exponent)), _of(power, exponent)


def exponents(fitted: float | None) -> Sequence[float]:
    """The exponent, and its neighbour with fewer digits, if it is that of a display's gamma or of its inverse."""
    gamma = 0.0 if fitted is None or fitted <= 0.0 else max(fitted, 1.0 / fitted)
    if fitted is None or not _LOWEST <= gamma <= _HIGHEST or abs(gamma - _SQUARE) < _NEAR_SQUARE:
        return ()
    short = shortened(gamma)[0]
    return tuple(dict.fromkeys((short if fitted > 1.0 else 1.0 / short, *shortened(fitted))))


def _of(power: Power, exponent: float) -> Function:
    return lambda y: power.of(y, exponent)


def _text(exponent: float) -> str:
    """One divided by the gamma where that has few digits, else the exponent."""
    inverse = float(f"{1.0 / exponent:.3g}")
    if exponent < 1.0 and math.isclose(inverse * exponent, 1.0, rel_tol=1e-9):
        return f"1 / {inverse:g}"
    return f"{exponent:.6g}"
