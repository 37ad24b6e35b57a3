"""What the errors look like when no cause explains them: said plainly, and as nothing more than that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.tap_pattern import misread
from pipeline.diagnose.trial.case import Case


def describe_pattern(case: Case, causes: Sequence[str] = (), *, partly: bool = False) -> str:
    """A sentence about which elements are wrong; those that are left where `causes` explain others.

    `partly` says that something is known to explain a part.
    """
    wrong = case.wrong
    count, total = int(wrong.sum()), wrong.size
    are = "is" if count == 1 else "are"
    if causes:
        leave = "leaves" if len(causes) == 1 else "leave"
        head = f"No known cause reproduces what {listed(causes)} {leave}: "
        parts = [f"{head}{count:,} of {total:,} elements {are} still wrong"]
    else:
        which = "all wrong values" if partly else "the wrong values"
        parts = [f"No known cause reproduces {which}; {count:,} of {total:,} elements {are} wrong"]
    _, C, H, W = case.dims
    axes = ((1, C, "channel"), (2, H, "row"), (3, W, "column"))
    seen = [_ring(wrong, H, W), *(_axis(wrong, *axis) for axis in axes), _lane(case), _onset(wrong), _period(wrong)]
    parts.extend(text for text in (*seen, _ratio(case), _reads(case)) if text)
    return "; ".join(parts) + "."


def listed(names: Sequence[str]) -> str:
    """Names with commas and an `and`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ring(wrong: NDArray[np.bool_], H: int, W: int) -> str:
    for width in range(1, min(H, W) // 2):
        inner = wrong[:, :, width : H - width, width : W - width]
        if not inner.any():
            return f"only in the border ring, {width} wide"
    return ""


def _axis(wrong: NDArray[Any], axis: int, size: int, name: str) -> str:
    if size < 3:
        return ""
    places = np.flatnonzero(wrong.any(axis=tuple(i for i in range(4) if i != axis)))
    if len(places) == size or len(places) > 8:
        return ""
    return f"only in {name}{'s' if len(places) > 1 else ''} {', '.join(map(str, places))}"


def _lane(case: Case) -> str:
    layout = case.output.layout
    if layout.lanes == 1:
        return ""
    address = layout.address(case.output.shape)
    flat = case.wrong.reshape(-1)
    bad = [lane for lane in range(layout.lanes) if flat[address[..., lane][address[..., lane] >= 0]].any()]
    return f"only in lane{'s' if len(bad) > 1 else ''} {', '.join(map(str, bad))}" if len(bad) < layout.lanes else ""


def _onset(wrong: NDArray[Any]) -> str:
    first = int(np.argmax(wrong.reshape(-1)))
    return f"none before linear index {first:,}" if first > wrong.size // 16 else ""


def _period(wrong: NDArray[Any]) -> str:
    """The distance at which wrong elements recur, if they do so regularly."""
    places = np.flatnonzero(wrong.reshape(-1))
    if len(places) < 4:
        return ""
    steps = np.diff(places)
    common = int(np.bincount(steps[steps < 1 << 16]).argmax()) if (steps < 1 << 16).any() else 0
    return f"most of them {common} elements apart" if common > 1 and np.mean(steps == common) > 0.9 else ""


def _ratio(case: Case) -> str:
    with np.errstate(all="ignore"):
        ratio = case.actual[case.wrong] / case.expected[case.wrong]
    finite = ratio[np.isfinite(ratio)]
    if finite.size <= 4 or np.std(finite) >= 0.05 * abs(np.mean(finite)) or abs(np.mean(finite) - 1.0) < 0.05:
        return ""
    return f"wrong values are about {np.mean(finite):.3g} times the expected ones"


def _reads(case: Case) -> str:
    """What was seen of reads, which by itself is no cause."""
    off = misread(case)
    return f"recorded reads of {off}" if off is not None else ""
