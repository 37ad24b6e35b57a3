"""Describes the pattern of errors that no cause explains: a region, a period, or all from some index on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import Dims
from texelscope.pipeline.compare.words import name_of_cause
from texelscope.pipeline.diagnose.fault_models.region import regions
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

# Units in which places are counted: single elements, channels of a picture, rows.
_ELEMENTS = ("element", "channel", "row")
_TEXELS = ("texel", "texture", "row of texels")


@dataclass(frozen=True)
class Recurrence:
    """A pattern: wrong elements are at `first` + k · `period` (in elements or channels), or from `onset` on.

    `covers` is a flat mask of the pattern's elements.
    """

    unit: str
    period: int
    first: int
    onset: int
    covers: NDArray[np.bool_]

    def parameters(self) -> dict[str, Any]:
        """Returns the pattern as a finding's parameters."""
        found: dict[str, Any] = {}
        if self.period:
            found["period"] = self.period
        if self.onset:
            found["onset"] = self.onset
        return found

    def __str__(self) -> str:
        parts = [f"every {self.period} {self.unit}s from {self.first} on"] if self.period else []
        parts += [f"from {self.unit} {self.onset:,} on"] if self.onset else []
        return ", ".join(parts)


def recurrence(wrong: NDArray[np.bool_], dims: Dims, units: tuple[str, str, str] = _ELEMENTS) -> Recurrence | None:
    """Returns the pattern of wrong elements (flat), or None: some must be right, with few exceptions."""
    if wrong.all() or not wrong.any():
        return None
    _, _, H, W = dims
    for unit, repeat in zip(units, (1, H * W, W), strict=True):
        flags = np.asarray(wrong.reshape(-1, repeat).any(axis=1))
        if not flags.any() or flags.all() or flags.size < 3:
            continue
        found = _periodic(flags)
        if found is not None:
            period, first, onset = found
            covers = np.zeros(flags.size, dtype=bool)
            covers[first::period] = True
            return Recurrence(unit, period, first, onset, np.repeat(covers, repeat))
    return None


def recurrence_of_texels(wrong: NDArray[np.bool_], address: NDArray[np.integer[Any]]) -> Recurrence | None:
    """Returns the pattern of texels with a wrong element; `address` [height, width, lanes] is the layout's.

    `covers` counts elements, not texels.
    """
    there = address >= 0
    texels = np.zeros(address.shape, dtype=bool)
    texels[there] = wrong[address[there]]
    height, width, lanes = address.shape
    found = recurrence(texels.any(axis=2).reshape(-1), (1, 1, height, width), _TEXELS)
    if found is None:
        return None
    covers = np.zeros(wrong.size, dtype=bool)
    covers[address[there]] = np.repeat(found.covers, lanes).reshape(address.shape)[there]
    return dataclasses.replace(found, covers=covers)


def _periodic(flags: NDArray[np.bool_]) -> tuple[int, int, int] | None:
    """Returns period, first place and onset (0 if from the start) of the set places."""
    places = np.flatnonzero(flags)
    if len(places) == 1:
        return None
    steps = np.diff(places)
    period = int(np.gcd.reduce(steps))
    first = int(places[0])
    expected = len(range(first, flags.size, period))
    if len(places) < 0.6 * expected:
        return None
    if period == 1 and first < flags.size // 8:
        return None
    onset = first if first > 2 * period and first > flags.size // 16 else 0
    return period, first, onset


def describe_pattern(case: FailingPass, causes: Sequence[str] = (), *, partly: bool = False) -> str:
    """Returns a sentence about the wrong elements, or about those left where `causes` explain the others.

    `partly` says that something is known to explain a part.
    """
    wrong = case.wrong
    count, total = int(wrong.sum()), wrong.size
    are = "is" if count == 1 else "are"
    if causes:
        leave = "leaves" if len(causes) == 1 else "leave"
        head = f"No known cause reproduces the errors that {listed([*map(name_of_cause, causes)])} {leave}: "
        parts = [f"{head}{count:,} of {total:,} elements {are} still wrong"]
    else:
        which = "all wrong values" if partly else "the wrong values"
        parts = [f"No known cause reproduces {which}; {count:,} of {total:,} elements {are} wrong"]
    region, regular = next(regions(wrong, case.address), None), recurrence(wrong.reshape(-1), case.dims)
    seen = [f"only in {region}" if region is not None else "", str(regular or "")]
    parts.extend(text for text in (*seen, _ratio(case), _reads(case)) if text)
    return "; ".join(parts) + "."


def listed(names: Sequence[str]) -> str:
    """Joins names by commas and an `and`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ratio(case: FailingPass) -> str:
    with np.errstate(all="ignore"):
        ratio = case.actual[case.wrong] / case.expected[case.wrong]
    finite = ratio[np.isfinite(ratio)]
    if finite.size <= 4 or np.std(finite) >= 0.05 * abs(np.mean(finite)) or abs(np.mean(finite) - 1.0) < 0.05:
        return ""
    return f"wrong values are about {np.mean(finite):.3g} times the expected ones"


def _reads(case: FailingPass) -> str:
    """Describes reads that are wrong in all wrong elements and in no right one: a symptom, but no cause by itself."""
    flat = case.wrong.reshape(-1)
    recorded = [(bool(flat[taps.element]), {*taps.unexpected(), *taps.missing()}) for taps in case.evidence.taps]
    for read in case.evidence.reads:
        off = {is_wrong: [read.values.stored.key in keys for wrong, keys in recorded if wrong is is_wrong]
               for is_wrong in (True, False)}  # fmt: skip
        if any(off[True]) and all(off[True]) and not any(off[False]):
            return f"recorded reads of '{read.tensor}' are off in all {len(off[True])} wrong elements"
    return ""
