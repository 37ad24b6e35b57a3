"""Causes and figures as a person says them; JSON has their names and numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from texelscope.pipeline.compare.report import LARGEST_RATIO, Figures, Finding

# Where the name of a cause is no words by itself.
_NAMES = {
    "clamped_0_1": "clamped to 0 … 1",
    "srgb_encoded": "sRGB encoded",
    "nan_source": "NaN source",
    "inf_source": "infinity source",
    "quantized_8bit": "quantized to 8 bits",
}
_WHERE = {"read": "where it reads", "stored": "where it stores"}


def cause_words(finding: Finding) -> str:
    """What is wrong, without its details: `half precision`."""
    return _NAMES.get(finding.cause, finding.cause.replace("_", " "))


def detail_words(finding: Finding) -> str:
    """The details that a cause has: `where it reads`, `by (1, 0)`, `0.1 in place of 0.2`; empty without any."""
    left = dict(finding.parameters)
    if "map" in left and len(left) > 2:  # the evidence says of which tensor, and by which map
        del left["map"]
        left.pop("tensor", None)
    if finding.repair is not None:  # which is shown as a diff, these lines and all
        left = {key: value for key, value in left.items() if key not in ("before", "after")}
    said = []
    if {"dx", "dy"} <= left.keys():
        said.append(f"by ({_value(left.pop('dx'))}, {_value(left.pop('dy'))})")
    if {"expected", "got"} <= left.keys():
        said.append(f"{_value(left.pop('got'))} in place of {_value(left.pop('expected'))}")
    if left.get("where") in _WHERE:
        said.append(_WHERE[left.pop("where")])
    if "sides" in left:
        said.append(f"beyond {_value(left.pop('sides'))}")
    others = ", ".join(f"{_named(key)} {_value(value)}" for key, value in left.items())
    return " ".join([*said, *([f"({others})"] if others else [])])


def finding_words(finding: Finding) -> str:
    """Cause and details in one."""
    return f"{cause_words(finding)} {detail_words(finding)}".rstrip()


def ratio_words(ratio: float) -> str:
    """An error over what rounding explains, as a clause."""
    if ratio == 0.0:
        return "none"
    if ratio <= 1.0:
        return f"{ratio:.2g} of what rounding explains"
    if ratio <= LARGEST_RATIO:
        return f"{grouped(ratio)} times what rounding explains"
    return "far beyond what rounding explains"


def relative_words(figures: Figures) -> str:
    """The largest error over the value that was expected there; beside an expected 0 that is no number."""
    if math.isinf(figures.max_rel):
        return "expected 0" if math.isfinite(figures.max_abs) else "not finite"
    return _percent(figures.max_rel)


def _percent(share: float) -> str:
    if share == 0.0:
        return "0"
    if share < 1e-4:
        return f"{share:.1e}"
    if share < 0.1:
        return f"{share:.2%}".replace("%", " %")
    return f"{grouped(100.0 * share)} %" if share < 100.0 else f"{grouped(share)} times"


def grouped(number: float) -> str:
    """A positive number in three digits, thousands apart."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 100.0 else f"{number:.3g}"


def _named(key: str) -> str:
    return key.replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{_named(str(key))} {_value(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(f"({_value(each)})" if isinstance(each, list | tuple) else _value(each) for each in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)
