"""Tests which causes the differences of formulas contradict."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.names import contradicted
from texelscope.pipeline.symbolic.kinds import Curved, Divergence, Missed, Moved, Numbered
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences

MOVED = Moved(("x", 3), ("x", 4), is_weight=False, row=7)
MISSED = Missed(("x", 3), is_extra=False, row=-1)
WHOLE = Numbered(1.0, 0.5, row=7, is_whole=True)
BENT = Curved((0.0, 1.0, 2.0), (-0.5, 1.0, 2.0), (-1.0, 1.0, 2.0), row=7)
HALVED = Curved((0.0, 1.0, 2.0), (0.0, 0.5, 1.0), (-1.0, 1.0, 2.0), row=7)
EVERY = (causes.SHIFT, causes.SCALE, causes.MISSING_CHANNELS, causes.CLAMPED_0_1)


def _found(*divergences: Divergence, unclear: int = 0) -> PassDivergences:
    return PassDivergences(
        (1, 1, 1, 1), {}, (), (ElementDivergences(0, divergences),), unclear, (), np.ones(1, bool), np.zeros(1), {},
        lambda _element, _other: False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("divergence", "odd"),
    [
        (MOVED, {causes.SCALE, causes.CLAMPED_0_1}),
        (MISSED, {causes.SCALE, causes.CLAMPED_0_1}),
        (WHOLE, {causes.SHIFT, causes.MISSING_CHANNELS, causes.CLAMPED_0_1}),
        (BENT, {causes.SHIFT, causes.SCALE, causes.MISSING_CHANNELS}),
        (HALVED, {causes.SHIFT, causes.MISSING_CHANNELS, causes.CLAMPED_0_1}),
    ],
)
def test_causes_that_show_otherwise_are_contradicted(divergence: Divergence, odd: set[Cause]) -> None:
    assert contradicted(_found(divergence), EVERY) == odd


def test_of_two_differences_each_may_have_its_cause() -> None:
    assert contradicted(_found(MOVED, WHOLE), EVERY) == {causes.CLAMPED_0_1}


def test_nothing_is_contradicted_where_most_elements_are_unclear() -> None:
    assert contradicted(_found(MOVED, unclear=1), EVERY) == frozenset()
