"""What recorded reads say: which tensor is read at other places than the operator asks, and how those places lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.trial.case import Case


@dataclass(frozen=True)
class Misread:
    """Of `wrong` recorded wrong elements `off` read `tensor` elsewhere, of `right` right ones `right_too` did."""

    tensor: str
    wrong: int
    off: int
    right: int
    right_too: int
    share: float
    recurs: bool

    def __str__(self) -> str:
        return (
            f"'{self.tensor}' miss their place in {self.off} of {self.wrong} wrong elements"
            f" and in {self.right_too} of {self.right} right ones ({self.share:.0%} of the reads)"
        )


def misread(case: Case) -> Misread | None:
    """The tensor whose reads go wrong where elements are wrong; None if none does, or if nothing was recorded."""
    flat = case.wrong.reshape(-1)
    best: Misread | None = None
    for read in case.evidence.reads:
        key = read.values.stored.key
        counts = {True: [0, 0], False: [0, 0]}
        shares = []
        places: set[int] = set()
        for taps in case.evidence.taps:
            if taps.expected is None:
                continue
            wrong = bool(flat[taps.element])
            unexpected = taps.unexpected().get(key, frozenset())
            missing = taps.missing().get(key, frozenset())
            counts[wrong][0] += 1
            counts[wrong][1] += bool(unexpected or missing)
            if wrong:
                shares.append(len(missing) / max(len(taps.expected.get(key, ())), 1))
                places.update(missing)
        if not counts[True][1]:
            continue
        found = Misread(
            read.tensor, counts[True][0], counts[True][1], counts[False][0], counts[False][1],
            float(np.mean(shares)), _recurs(places, read.values.dims),
        )  # fmt: skip
        better = best is None or (found.recurs, found.share) > (best.recurs, best.share)
        if found.off == found.wrong and not found.right_too and better:
            best = found
    return best


def in_order(case: Case, tensor: str, axis: int) -> bool | None:
    """Whether recorded reads of `tensor` go up along an axis of its 4-d view, from 0, as loops do.

    Two tensors multiplied in orders that do not agree give the same sums whichever of them is turned around; the
    one that is read against the loop is the one to blame. None if nothing was recorded.
    """
    read = case.read_of(tensor)
    if read is None:
        return None
    for taps in case.evidence.taps:
        elements = [tap.elements[0] for tap in taps.reads if tap.key == read.values.stored.key and tap.elements]
        places = np.unravel_index(elements, read.values.dims)[axis] if elements else np.zeros(0, dtype=np.int64)
        steps = np.diff(places)
        if len(set(places.tolist())) > 1:
            lowest = int(places.min())
            forward = bool(((steps >= 0) | (places[1:] == lowest)).all())
            return forward and int(places[0]) == lowest
    return None


def _recurs(missing: set[int], dims: tuple[int, int, int, int]) -> bool:
    """Whether the places that should have been read lie in channels at a regular distance, others being fine."""
    if not missing:
        return False
    N, C, H, W = dims
    places = np.array(sorted(missing))
    return any(
        _regular(np.unique(axis), size) for axis, size in ((places // (H * W) % C, C), (places // (C * H * W), N))
    )


def _regular(places: NDArray[np.int64], size: int) -> bool:
    """Whether some, but not all, of `size` places are concerned, at one distance."""
    return 0 < len(places) < size and len(set(np.diff(places).tolist())) <= 1
