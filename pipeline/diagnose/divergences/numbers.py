"""Names other numbers in a formula: a factor of everything, a number that is added, one inside a root."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.observing import PassDivergences
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.kinds import Numbered, near

# An epsilon is at most this.
_SMALL = 0.1
# Functions with an epsilon inside.
_ROOTS = frozenset({"sqrt", "reciprocal"})


def seen_in_numbers(found: PassDivergences, inner: Sequence[tuple[int, Numbered]]) -> Seen | None:
    """Names numbers that differ; None where not all elements show the same."""
    seen = {_of_number(found, each) for _, each in inner}
    if len(seen) != 1 or (cause := seen.pop()) is None:
        return None
    each = inner[0][1]
    return Seen(cause, f"has {each.got:.6g} in place of {each.expected:.6g}")


def _of_number(found: PassDivergences, each: Numbered) -> Cause | None:
    if each.is_whole:
        if any(facts_of(node).means for node in found.nodes):
            return causes.AVERAGE_COUNT if each.got > 0.0 else causes.SCALE
        return None if each.inside in _ROOTS else causes.SCALE
    return _of_added(found, each) if each.is_added else None


def _of_added(found: PassDivergences, each: Numbered) -> Cause | None:
    right, got = Counter(each.expected_at), Counter(each.got_at)
    if each.inside in _ROOTS:
        return causes.EPSILON if not right and abs(each.expected) <= _SMALL else None
    more, less = got - right, right - got
    if more and less:
        is_of_one = more.total() == less.total() == 1 and next(iter(more))[0] == next(iter(less))[0]
        return causes.BIAS_OFFSET if is_of_one else None
    if more.total() and len(more) == 1 and next(iter(more)) in right:
        return causes.BIAS_DOUBLED
    if less.total() == 1 and not got:
        ((tensor, index),) = less
        others = found.constants[tensor]
        if each.got and len(others) > 1 and np.isclose(others, each.got, rtol=1e-4, atol=0.0).any():
            return causes.BIAS_OFFSET
        left = each.expected - float(others[index])
        return causes.BIAS_MISSING if near(each.got, left, 1e-3 * abs(each.expected)) else None
    return None
