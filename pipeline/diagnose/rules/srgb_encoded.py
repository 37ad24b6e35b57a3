"""srgb_encoded: the wrong values are the right ones through the sRGB curve.

Known approximations of the curve count, and powers that approximate it, with fitted exponents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.error_pattern import listed
from texelscope.pipeline.diagnose.fault_models.fits import fitted_between, shortened
from texelscope.pipeline.diagnose.fault_models.moved import texels_of_input, texels_of_output
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import Function, constant_as, input_through, output_through

Array = NDArray[Any]
Changes = Callable[[Function], tuple[ModelEdit, ...]]

# Gammas of displays: 1.8 of the first Macintoshes, 2.2 of monitors, 2.4 of studios (BT.1886), 2.6 of cinemas (SMPTE
# 431-2). A square and a square root are other causes.
_LOWEST, _HIGHEST, _SQUARE = 1.8, 2.6, 2.0
_NEAR_SQUARE = 1e-3


def encode(y: Array) -> Array:
    """Encodes by IEC 61966-2-1."""
    power = 1.055 * np.power(np.maximum(y, 0.0), 1.0 / 2.4) - 0.055
    return np.where(y <= 0.0031308, 12.92 * y, power)


def decode(y: Array) -> Array:
    """Decodes by IEC 61966-2-1."""
    power = np.power(np.maximum((y + 0.055) / 1.055, 0.0), 2.4)
    return np.where(y <= 0.04045, y / 12.92, power)


CURVES: Mapping[str, Function] = MappingProxyType(
    {
        "encoded as sRGB": encode,
        "decoded from sRGB": decode,
        "capped to 0 … 1 and encoded as sRGB": lambda y: encode(np.clip(y, 0.0, 1.0)),
        "capped to 0 … 1 and decoded from sRGB": lambda y: decode(np.clip(y, 0.0, 1.0)),
        "encoded as sRGB with signs kept": lambda y: np.sign(y) * encode(np.abs(y)),
        "decoded from sRGB with signs kept": lambda y: np.sign(y) * decode(np.abs(y)),
        "encoded as sRGB and cut at 0": lambda y: np.maximum(encode(y), 0.0),
    }
)
# A texture of 8 bits rounds encoded values to 255 steps.
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
    Power("raised to {} with signs kept", lambda y, e: np.sign(y) * np.power(np.abs(y), e)),
    Power("cut at 0 and raised to {}", lambda y, e: np.power(np.maximum(y, 0.0), e)),
    Power("capped to 0 … 1 and raised to {}", lambda y, e: np.power(np.clip(y, 0.0, 1.0), e)),
)


def powers(case: FailingPass, changes: Changes) -> Iterator[tuple[str, Function]]:
    """Yields powers of the result, the inputs or intermediates, with the exponent that leaves the least errors."""
    for power in POWERS:
        for low, high in ((1.0 / _HIGHEST, 1.0 / _LOWEST), (_LOWEST, _HIGHEST)):
            found = fitted_between(case, lambda e, p=power: changes(_of(p, e)), low, high)  # type: ignore[misc]
            for exponent in exponents(found):
                yield power.says.format(_text(exponent)), _of(power, exponent)


def exponents(fitted: float | None) -> Sequence[float]:
    """Returns the exponent and its neighbour with fewer digits, if it is a display's gamma or the inverse of one."""
    gamma = 0.0 if fitted is None or fitted <= 0.0 else max(fitted, 1.0 / fitted)
    if fitted is None or not _LOWEST <= gamma <= _HIGHEST or abs(gamma - _SQUARE) < _NEAR_SQUARE:
        return ()
    short = shortened(gamma)[0]
    return tuple(dict.fromkeys((short if fitted > 1.0 else 1.0 / short, *shortened(fitted))))


def _of(power: Power, exponent: float) -> Function:
    return lambda y: power.of(y, exponent)


def _text(exponent: float) -> str:
    """Writes the exponent as one divided by the gamma if that has few digits."""
    inverse = float(f"{1.0 / exponent:.3g}")
    if exponent < 1.0 and math.isclose(inverse * exponent, 1.0, rel_tol=1e-9):
        return f"1 / {inverse:g}"
    return f"{exponent:.6g}"


@dataclass(frozen=True)
class _Way:
    """A place where values pass through a curve: a description with a gap for the curve's name, and the edit it makes.

    `more`: curves in bytes too.
    """

    says: str
    changes: Changes
    prior: float
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    more: bool = False


class SrgbEncoded(Rule):
    """Values are passed through the sRGB curve, in a target, a sampler or the shader."""

    cause = causes.SRGB_ENCODED
    stage = Stage.VALUES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the curve in both directions, clamped or not, and powers that approximate it; of result and inputs.

        In four lanes the fourth is alpha, which stays as it is. Parameters are tried too.
        """
        for way in (*_results(case), *_inputs(case)):
            curves = (*CURVES.items(), *(MORE_CURVES.items() if way.more else ()))
            for weight, (says, function) in enumerate(curves):
                yield self._hypothesis(way, says, function, weight)
            for weight, (says, function) in enumerate(powers(case, way.changes), len(curves)):
                yield self._hypothesis(way, says, function, weight, fitted=1)

    def _hypothesis(self, way: _Way, says: str, function: Function, prior: int, *, fitted: int = 0) -> Hypothesis:
        return Hypothesis(
            self.cause,
            way.says.format(says),
            self.cause.remedy,
            {"values": says, **way.parameters},
            way.changes(function),
            line=lines.first(lines.called("pow"), lines.result),
            prior=way.prior + prior / 1000.0,
            fitted=fitted,
        )


def _results(case: FailingPass) -> Iterator[_Way]:
    yield _Way("the right values {}", lambda f: (output_through(f),), 1.0, more=True)
    if case.output.layout.lanes == 4:
        says = "the right values {} except for the fourth lane"
        yield _Way(says, lambda f: (texels_of_output(case, _colours(f)),), 1.05)


def _inputs(case: FailingPass) -> Iterator[_Way]:
    for read in case.activations():
        name, of = f"the input '{read.tensor}'", {"input": read.tensor}
        yield _Way(f"{name} {{}}", lambda f, t=read.tensor: (input_through(t, f),), 2.0, of, more=True)  # type: ignore[misc]
        if read.values.stored.layout.lanes == 4:
            says = f"{name} {{}} except for the fourth lane"
            yield _Way(says, lambda f, r=read: (texels_of_input(r, _colours(f)),), 2.05, of)  # type: ignore[misc]
    for read in case.evidence.reads:
        is_held = read.values.stored.role == "constant" and read.tensor in case.model_slice.values
        if is_held and (read.values.elements > 0).any():  # else nothing remains, as if it were not read
            says, of = f"the parameters '{read.tensor}' {{}}", {"input": read.tensor}
            yield _Way(says, lambda f, t=read.tensor: (constant_as(t, _float(f)),), 2.5, of)  # type: ignore[misc]
    names = tuple(dict.fromkeys(read.tensor for read in case.activations()))
    if len(names) > 1:  # one function may read them all
        quoted = listed([f"'{name}'" for name in names])
        says = f"the inputs {quoted} {{}}"
        yield _Way(says, lambda f: tuple(input_through(name, f) for name in names), 2.8)


def _colours(function: Function) -> Function:
    def change(texels: Array) -> Array:
        changed = np.array(texels)
        changed[..., :3] = function(changed[..., :3])
        return changed

    return change


def _float(function: Function) -> Callable[[Array], Array]:
    return lambda value: np.asarray(function(value), dtype=np.float32) if value.dtype.kind == "f" else value
