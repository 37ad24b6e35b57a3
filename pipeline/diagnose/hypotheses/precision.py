"""Proposes rounding: to half precision, or errors that are small beside the values, with no other cause.

Errors look like rounding if they are small beside the values, everywhere, and without a pattern.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.curves import NearestTo, as_half
from texelscope.pipeline.diagnose.model_slice.model_slice import OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage, forced, nowhere
from texelscope.pipeline.diagnose.trial.model_edits import input_through
from texelscope.pipeline.glsl.source_text import is_es as is_es_text
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.pipeline_file.declarations import lowp_samplers

Array = NDArray[Any]

# The first version of GLSL ES whose outputs are variables with a precision of their own (4.5.3 of ES 1.00).
_FIRST_WITH_OUT = 300
_WRITE = "Write to an `out highp vec4`"
_REMEDY_OF_BYTES = "Store the tensor as float32 or float16, or accept 256 values with a tolerance of half a step."
_LOW_DEFAULT = re.compile(r"\bprecision\s+(?:mediump|lowp)\b")
_HIGH_DEFAULT = re.compile(r"\bprecision\s+highp\s+float\b")
_LOW = re.compile(r"(?P<before>\bout\s+)?\b(?P<precision>mediump|lowp)\s+[\w]+\s+(?P<name>[A-Za-z_]\w*)")


@dataclass(frozen=True)
class _Limits:
    """Says when errors look like rounding."""

    # Relative error that all elements together stay below: larger ones are hardly rounding.
    typical: float = UNIT_ROUNDOFF["bfloat16"]
    largest: float = 2.0**-6  # relative error that one of many elements stays below
    alike: float = 0.25  # share of their mean by which errors have to vary: equal ones are no rounding
    elements: int = 3  # fewest wrong elements that show a pattern
    huge: float = 8.0  # multiple of the median above which values are outliers
    byte_bits: int = 7  # bits of a texture of bytes, less one: values below its largest have fewer
    halves: float = 0.99  # share of the values that have to be numbers of half precision


_LIMITS = _Limits()


def rounding_of(case: FailingPass) -> float | None:
    """Returns the unit round-off that would explain the errors; None if they do not look like rounding.

    The bound grows with the unit, so the largest ratio of an error to its bound gives the unit.
    """
    if not np.isfinite(case.actual).all() or not np.isfinite(case.expected).all():
        return None
    error = case.actual - case.expected
    wrong = np.asarray(error[case.wrong])
    if len(wrong) < _LIMITS.elements or _is_confined(case) or _is_systematic(case, error):
        return None
    ratio = np.abs(wrong) / size_of(case, case.expected[case.wrong])
    unit = float(ratio.max())
    return unit if unit < _LIMITS.largest and float(np.sqrt(np.mean(np.square(ratio)))) < _LIMITS.typical else None


def size_of(case: FailingPass, values: Array) -> Array:
    """Returns the magnitudes by which errors are measured: values near zero count as of the usual size.

    The usual size ignores a few huge values, such as those that a mask pushes down.
    """
    sizes = np.abs(case.expected[case.expected != 0.0])
    usual = (
        min(float(np.sqrt(np.mean(np.square(sizes)))), _LIMITS.huge * float(np.median(sizes))) if sizes.size else 1.0
    )
    return np.asarray(np.maximum(np.abs(values), usual))


def _is_confined(case: FailingPass) -> bool:
    """Whether all wrong elements lie in some channels, rows, columns or lanes, while others have none."""
    _, C, H, W = case.dims
    count = int(case.wrong.sum())
    for axis, size in ((1, C), (2, H), (3, W)):
        there = case.wrong.any(axis=tuple(i for i in range(4) if i != axis))
        # A few of many lines have none by chance.
        if size > 2 and np.count_nonzero(~there) > max(size // 2, _by_chance(size, count)):
            return True
    lanes = np.asarray(case.to_texels(case.wrong.astype(np.float32)).any(axis=(0, 1)))
    empty = np.count_nonzero(~lanes)
    return bool(lanes.any() and empty > _by_chance(len(lanes), count) and len(lanes) <= min(4, C))


def _by_chance(lines: int, count: int) -> float:
    """Returns how many of that many lines may by chance contain none of `count` scattered elements."""
    expected = lines * float((1.0 - 1.0 / lines) ** count)
    return expected + math.sqrt(expected)


def _is_systematic(case: FailingPass, error: Array) -> bool:
    """Whether the errors are one multiple of the values, or one number in each channel."""
    with np.errstate(all="ignore"):
        ratio = (error / case.expected)[case.wrong]
    ratio = np.asarray(ratio[np.isfinite(ratio)])
    if len(ratio) > _LIMITS.elements and np.std(ratio) < _LIMITS.alike * abs(float(np.mean(ratio))):
        return True
    within = error.std(axis=(0, 2, 3))
    between = np.abs(error.mean(axis=(0, 2, 3)))
    several = error[:, 0].size > _LIMITS.elements
    return bool(several and within.mean() < _LIMITS.alike * between.mean())


def _precision(case: FailingPass) -> Iterator[Hypothesis]:
    unit = rounding_of(case)
    if unit is None:
        return
    bits = float(-np.log2(unit))
    # A texture of 8 bits keeps no more of any value: the sum is not to blame.
    is_stored = case.output.storage == "uint8" and round(bits) >= _LIMITS.byte_bits
    storage = ', which is what dtype = "uint8" stores' if is_stored else ""
    of_sum = lines.sum_or_result if case.windows() else lines.first(lines.called("pow"), lines.sum_or_result)
    yield Hypothesis(
        causes.PRECISION, f"errors of at most {unit:.1e} of the values, as with {bits:.0f} bits instead of 24{storage}",
        parameters={"bits": round(bits)}, remedy=_REMEDY_OF_BYTES if is_stored else "",
        line=nowhere if is_stored else of_sum, within=1.001 * unit * size_of(case, case.expected), fitted=1,
    )  # fmt: skip


def _half_precision(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes all highp; the result rounded; all reads rounded, those of activations, those of one tensor."""
    yield from _highp(case)
    if _are_halves(case):
        yield _stored(case)
    reads = tuple(dict.fromkeys(read.tensor for read in case.evidence.reads))
    activations = tuple(read.tensor for read in case.activations())
    for weight, names in enumerate(dict.fromkeys((reads, activations, *((name,) for name in reads)))):
        yield Hypothesis(
            causes.HALF_PRECISION, f"every read of {', '.join(names)} rounded to half precision",
            tuple(input_through(name, as_half) for name in names), {"where": "read"},
            line=lines.first(lines.precision, lines.read(names[0] if names else None)), prior=1.5 + weight / 100.0,
        )  # fmt: skip


def _stored(case: FailingPass) -> Hypothesis:
    is_of_shader, remedy = _is_stored_by_the_shader(case), f"{stored_wider(case)}."
    if case.output.storage != "float32":
        remedy = "The plan stores this tensor in fewer bits; choose float32 if that is not enough."
    return Hypothesis(
        causes.HALF_PRECISION, "the right values rounded to half precision", (OutputChange(NearestTo(case, as_half)),),
        {"where": "stored"}, remedy=remedy,
        line=lines.first(lines.built_in_output, lines.declared_output) if is_of_shader else nowhere,
    )  # fmt: skip


def _highp(case: FailingPass) -> Iterator[Hypothesis]:
    if not case.differ("highp", "clean"):
        return
    remedy = "Declare `precision highp float;` and `precision highp sampler2D;`."
    low, where = _declared_low(case), lines.first(lines.precision, lines.read())
    if low is not None:
        remedy = f"Declare `{low['name']}` highp, not {low['precision']}."
        where = lines.first(lambda case: next(iter(case.text.mentions(low["name"])), None), where)
    elif _is_declared_in_half(case):
        remedy = f"{remedy[:-1]}, and write to an `out highp vec4`."
    yield from forced(
        case, causes.HALF_PRECISION, "highp", "with every precision highp", {"where": "read"}, remedy=remedy, order=1,
        line=where, prior=0.9,
    )  # fmt: skip


def stored_wider(case: FailingPass) -> str:
    """Returns how the result keeps more than half precision, as an order: the target's format or the shader's variable.

    The output of GLSL ES 1.00 has no precision that a shader could choose.
    """
    if not _is_stored_by_the_shader(case):
        return "Store the tensor as float32"
    if _is_of_es_100(case):
        return f"{_WRITE} of #version 300 es: gl_FragColor is mediump in GLSL ES 1.00"
    return f"{_WRITE}: the target is float32, the output is declared with less"


def _is_stored_by_the_shader(case: FailingPass) -> bool:
    """Whether the target holds float32, and the shader's output has less."""
    return case.output.storage == "float32" and (_is_of_es_100(case) or _is_declared_in_half(case))


def _is_of_es_100(case: FailingPass) -> bool:
    version = version_of(case.evidence.program.fragment)
    return version is not None and version.is_es and version.number < _FIRST_WITH_OUT


def _is_declared_in_half(case: FailingPass) -> bool:
    """Whether a fragment shader of GLSL ES declares an output with less than highp; elsewhere it means nothing."""
    is_es = is_es_text(case.evidence.program.fragment)
    return is_es and any({"mediump", "lowp"} & {*words} for words in case.text.output_words)


def _declared_low(case: FailingPass) -> re.Match[str] | None:
    """Returns the first variable that is declared with less than highp, where the defaults of the text are highp."""
    bare = without_comments(case.evidence.program.fragment)
    if _LOW_DEFAULT.search(bare) or not _HIGH_DEFAULT.search(bare) or lowp_samplers(case.evidence.program.fragment):
        return None
    return next((each for each in _LOW.finditer(bare) if "out" not in (each["before"] or "")), None)


def _are_halves(case: FailingPass) -> bool:
    """Whether the values are numbers of half precision; where tolerances are wide, whether right ones are near some."""
    actual = np.asarray(case.actual[case.judge.counted], dtype=np.float32)
    if (np.isinf(actual) & np.isfinite(case.expected[case.judge.counted])).any():
        return False  # another cause names that
    return bool(np.mean((as_half(actual) == actual) | np.isnan(actual)) > _LIMITS.halves)


GENERATORS = (
    Generator(causes.PRECISION, Stage.LAST, _precision),
    Generator(causes.HALF_PRECISION, Stage.VALUES, _half_precision),
)
