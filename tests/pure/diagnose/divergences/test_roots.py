"""Tests how the factors of channels show what happened to the root of a variance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.pure.diagnose.divergences.passes import curved, divergent_pass
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.roots import seen_in_roots
from texelscope.pipeline.symbolic.kinds import Divergence, Numbered

VARIANCES = (0.3, 0.8, 1.7, 2.5)


def _channel(index: int, factor: float, *, bent: bool) -> tuple[Divergence, ...]:
    added = Numbered(0.4, 0.3, 3, is_added=True, expected_at=(("shift", index), ("variance", index)))
    if bent:
        return added, curved(lambda x: np.clip(x, 0.0, 6.0), lambda x: np.clip(factor * x, 0.0, 6.0))
    return added, Numbered(1.0, factor, 3, is_whole=True)


def _seen(factor: Callable[[Any], Any], *, channels: int = 4, bent: bool = False) -> Cause | None:
    elements = [_channel(at, factor(VARIANCES[at]), bent=bent) for at in range(channels)]
    found = divergent_pass(*elements, constants={"variance": VARIANCES, "shift": (0.4,) * 4})
    seen = seen_in_roots(found, found.elements)
    return seen.cause if seen is not None else None


@pytest.mark.parametrize("bent", [False, True])
def test_an_epsilon_outside_the_root_explains_all_factors(bent: bool) -> None:
    assert _seen(lambda v: np.sqrt(v + 0.05) / (np.sqrt(v) + 0.05), bent=bent) is causes.EPSILON


def test_a_missing_root_explains_all_factors() -> None:
    assert _seen(lambda v: 1.0 / np.sqrt(v + 0.01)) is causes.WRONG_FUNCTION


def test_one_factor_of_all_channels_says_nothing_of_roots() -> None:
    assert _seen(lambda v: 1.2 + 0.0 * v) is None


def test_two_channels_show_no_epsilon() -> None:
    assert _seen(lambda v: 1.0 / np.sqrt(v + 0.01), channels=2) is None
