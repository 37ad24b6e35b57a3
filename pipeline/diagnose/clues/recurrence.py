"""Where wrong elements recur: with a period, or from some index on."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import Dims

# Of what places may be counted: each by itself, all of a picture's channel, all of a row.
_ELEMENTS = ("element", "channel", "row")
_TEXELS = ("texel", "texture", "row of texels")


@dataclass(frozen=True)
class Recurrence:
    """Wrong elements are those at `first` + k · `period` (in elements or channels), or from `onset` on.

    `covers` are the elements that the pattern takes in, bool, flat.
    """

    unit: str
    period: int
    first: int
    onset: int
    covers: NDArray[np.bool_]

    def parameters(self) -> dict[str, Any]:
        """For a finding."""
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
    """The pattern of wrong elements, flat; None if there is none: some must be right, and few exceptions."""
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
    """The same of texels, where those with a wrong element recur; `address` [height, width, lanes] as layouts have it.

    `covers` are elements nevertheless.
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
    """Period, first place, onset (0 if from the start) of places that are set."""
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
