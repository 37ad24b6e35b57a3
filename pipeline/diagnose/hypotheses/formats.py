"""Proposes effects of a format: it clamps values, loses signs, rounds, encodes or overflows.

Each is tried on the result, which was stored, and on each input, which was read.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.curves import LARGEST_HALF, NearestTo, as_half, curves
from texelscope.pipeline.diagnose.fault_models.error_pattern import listed
from texelscope.pipeline.diagnose.fault_models.fits import fitted_between, shortened
from texelscope.pipeline.diagnose.fault_models.moved import texels_of_input, texels_of_output
from texelscope.pipeline.diagnose.hypotheses.precision import stored_wider
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import Function, constant_as, input_through, output_through

Array = NDArray[Any]
Functions = Mapping[str, Function]
Changes = Callable[[Function], tuple[ModelEdit, ...]]

_CAPS: Functions = MappingProxyType(
    {
        "capped to 0 … 1": lambda y: np.clip(y, 0.0, 1.0),
        "capped to -1 … 1": lambda y: np.clip(y, -1.0, 1.0),
        "capped to at most 1": lambda y: np.minimum(y, 1.0),
    }
)
_STEPS: Functions = MappingProxyType(
    {
        "rounded to 255 steps between 0 and 1": lambda y: np.rint(np.clip(y, 0.0, 1.0) * 255.0) / 255.0,
        "rounded to steps of 1 / 255": lambda y: np.rint(y * 255.0) / 255.0,
        "truncated to 255 steps between 0 and 1": lambda y: np.floor(np.clip(y, 0.0, 1.0) * 255.0) / 255.0,
        "truncated to steps of 1 / 255": lambda y: np.floor(y * 255.0) / 255.0,
        "rounded to 127 steps between -1 and 1": lambda y: np.rint(np.clip(y, -1.0, 1.0) * 127.0) / 127.0,
        "rounded to 255 steps between -1 and 1": lambda y: np.rint((np.clip(y, -1.0, 1.0) + 1.0) * 127.5) / 127.5 - 1.0,
        "truncated to 256 steps": lambda y: np.floor(y * 256.0) / 256.0,
        "rounded to 256 steps": lambda y: np.rint(y * 256.0) / 256.0,
    }
)


def _clamped_0_1(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes the clamp for the result and for each input."""
    return curves(case, causes.CLAMPED_0_1, _CAPS, ("clamp", "min"), output_through)


def _clamped_nonnegative(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes it for the result and for each input; first, since in the shader it would be called a ReLU."""
    drawn = case.interventions("clean")
    stored = drawn is not None and case.judge.only(drawn[1]).interventions(drawn[0][drawn[1]]).is_whole
    says = "without the negative ones" + (", which a float target keeps" if stored else "")
    cut: Functions = {says: lambda y: np.maximum(y, 0.0)}
    yield from curves(case, causes.CLAMPED_NONNEGATIVE, cut, ("max",), output_through, (0.5 if stored else 1.05, 1.9))


def _quantized_8bit(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes it for the result, if it has few different values, and for each input."""
    finite = case.actual[np.isfinite(case.actual)]
    away = [np.abs(np.rint(finite * n) - finite * n) for n in (255.0, 127.0, 127.5, 256.0) if finite.size]
    few = len(np.unique(case.actual.reshape(-1)[case.sample])) < max(len(case.sample) * 0.9, 2)
    stepped = few or any(np.mean(each < 1e-2) > 0.5 for each in away)

    def rounded(function: Function) -> OutputChange | None:
        nearest = NearestTo(case, function)
        return OutputChange(nearest) if stepped and nearest.may_tell() else None

    yield from curves(case, causes.QUANTIZED_8BIT, _STEPS, ("floor", "round"), rounded)


def _half_overflow(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes it for the result, as infinity or clamped, and for each input."""
    largest = _largest(case.expected)
    if largest > LARGEST_HALF:
        if (np.isinf(case.actual) & np.isfinite(case.expected)).any():
            says = f"in half precision, the largest of them {largest:.5g} ({LARGEST_HALF:.0f} is the limit)"
            yield _overflows(case, largest, f"the right values {says}", OutputChange(NearestTo(case, as_half)), 0.5)
        says = f"the right values capped to {LARGEST_HALF:.0f}, the largest of them {largest:.5g}"
        capped = output_through(lambda y: np.clip(y, -LARGEST_HALF, LARGEST_HALF))
        yield _overflows(case, largest, says, capped, 0.6)
    for read in case.activations():
        largest = _largest(read.values.elements)
        if largest > LARGEST_HALF:
            says = f"reads of '{read.tensor}' in half precision, where {largest:.5g} is infinite"
            yield _overflows(case, largest, says, input_through(read.tensor, as_half), 0.7)


def _overflows(case: FailingPass, largest: float, says: str, change: ModelEdit, prior: float) -> Hypothesis:
    wider = stored_wider(case)
    remedy = f"Scale the tensor down, or {wider[0].lower()}{wider[1:]}."
    return Hypothesis(causes.HALF_OVERFLOW, says, (change,), {"largest": largest}, remedy=remedy, prior=prior)


def _largest(values: Array) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


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


@dataclass(frozen=True)
class _Guard:
    """A way to apply a curve that is made for numbers from 0 to 1 to others; `says` has a gap for the curve's name."""

    says: str
    around: Callable[[Function], Function]


_PLAIN = _Guard("{}", lambda f: f)
_CAPPED = _Guard("capped to 0 … 1 and {}", lambda f: lambda y: f(np.clip(y, 0.0, 1.0)))
_SIGNED = _Guard("{} with signs kept", lambda f: lambda y: np.sign(y) * f(np.abs(y)))
_CUT = _Guard("cut at 0 and {}", lambda f: lambda y: f(np.maximum(y, 0.0)))
_SRGB = {"encoded as sRGB": encode, "decoded from sRGB": decode}
_CURVES: Functions = MappingProxyType(
    {
        **{each.says.format(name): each.around(f) for each in (_PLAIN, _CAPPED, _SIGNED) for name, f in _SRGB.items()},
        "encoded as sRGB and cut at 0": lambda y: np.maximum(encode(y), 0.0),
    }
)
# A texture of 8 bits rounds encoded values to 255 steps.
_CURVES_IN_BYTES: Functions = MappingProxyType(
    {
        "encoded as sRGB in bytes": lambda y: np.rint(encode(np.clip(y, 0.0, 1.0)) * 255.0) / 255.0,
        "decoded as sRGB in bytes": lambda y: decode(np.rint(np.clip(y, 0.0, 1.0) * 255.0) / 255.0),
    }
)


def _raised(guard: _Guard) -> Callable[[float], Function]:
    return lambda exponent: guard.around(lambda y: np.power(y, exponent))


def _powers(case: FailingPass, changes: Changes) -> Iterator[tuple[str, Function]]:
    """Yields powers of the result, the inputs or intermediates, with the exponent that leaves the least errors."""
    for guard in (_PLAIN, _SIGNED, _CUT, _CAPPED):
        power = _raised(guard)
        for low, high in ((1.0 / _HIGHEST, 1.0 / _LOWEST), (_LOWEST, _HIGHEST)):
            for exponent in exponents(fitted_between(case, lambda e, of=power: changes(of(e)), low, high)):  # type: ignore[misc]
                yield guard.says.format(f"raised to {_text(exponent)}"), power(exponent)


def exponents(fitted: float | None) -> Sequence[float]:
    """Returns the exponent and its neighbour with fewer digits, if it is a display's gamma or the inverse of one."""
    gamma = 0.0 if fitted is None or fitted <= 0.0 else max(fitted, 1.0 / fitted)
    if fitted is None or not _LOWEST <= gamma <= _HIGHEST or abs(gamma - _SQUARE) < _NEAR_SQUARE:
        return ()
    short = shortened(gamma)[0]
    return tuple(dict.fromkeys((short if fitted > 1.0 else 1.0 / short, *shortened(fitted))))


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


def _srgb_encoded(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes the curve in both directions, clamped or not, and powers that approximate it; of result and inputs.

    In four lanes the fourth is alpha, which stays as it is. Parameters are tried too.
    """
    for way in (*_results(case), *_inputs(case)):
        curves = (*_CURVES.items(), *(_CURVES_IN_BYTES.items() if way.more else ()))
        for number, (says, function) in enumerate(itertools.chain(curves, _powers(case, way.changes))):
            yield Hypothesis(
                causes.SRGB_ENCODED, way.says.format(says), way.changes(function), {"values": says, **way.parameters},
                line=lines.first(lines.called("pow"), lines.result), prior=way.prior + number / 1000.0,
                fitted=int(number >= len(curves)),
            )  # fmt: skip


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


GENERATORS = (
    Generator(causes.CLAMPED_0_1, Stage.VALUES, _clamped_0_1),
    Generator(causes.CLAMPED_NONNEGATIVE, Stage.PARTS, _clamped_nonnegative),
    Generator(causes.QUANTIZED_8BIT, Stage.VALUES, _quantized_8bit),
    Generator(causes.HALF_OVERFLOW, Stage.VALUES, _half_overflow),
    Generator(causes.SRGB_ENCODED, Stage.VALUES, _srgb_encoded),
)
