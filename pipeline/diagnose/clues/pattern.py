"""What the errors look like when no cause explains them: said plainly, and as nothing more than that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.diagnose.clues.recurrence import recurrence
from texelscope.pipeline.diagnose.clues.region import regions
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass


def describe_pattern(case: FailingPass, causes: Sequence[str] = (), *, partly: bool = False) -> str:
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
    region, regular = next(regions(wrong, case.address), None), recurrence(wrong.reshape(-1), case.dims)
    seen = [f"only in {region}" if region is not None else "", str(regular or "")]
    parts.extend(text for text in (*seen, _ratio(case), _reads(case)) if text)
    return "; ".join(parts) + "."


def listed(names: Sequence[str]) -> str:
    """Names with commas and an `and`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ratio(case: FailingPass) -> str:
    with np.errstate(all="ignore"):
        ratio = case.actual[case.wrong] / case.expected[case.wrong]
    finite = ratio[np.isfinite(ratio)]
    if finite.size <= 4 or np.std(finite) >= 0.05 * abs(np.mean(finite)) or abs(np.mean(finite) - 1.0) < 0.05:
        return ""
    return f"wrong values are about {np.mean(finite):.3g} times the expected ones"


def _reads(case: FailingPass) -> str:
    """What was seen of reads, which by itself is no cause: a tensor that all wrong elements miss, and no right one."""
    flat = case.wrong.reshape(-1)
    recorded = [(bool(flat[taps.element]), {*taps.unexpected(), *taps.missing()}) for taps in case.evidence.taps]
    for read in case.evidence.reads:
        off = {is_wrong: [read.values.stored.key in keys for wrong, keys in recorded if wrong is is_wrong]
               for is_wrong in (True, False)}  # fmt: skip
        if any(off[True]) and all(off[True]) and not any(off[False]):
            return f"recorded reads of '{read.tensor}' miss their place in all {len(off[True])} wrong elements"
    return ""
