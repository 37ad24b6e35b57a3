"""Tests how often places of a picture count in a mean: found for all of them, or for none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from texelscope.pipeline.diagnose.index_maps.decoded_probes import taps_of


def case_of(taps: Any, times: Any, count: int = 12) -> Any:
    terms = SimpleNamespace(weights=None, weight=taps[times > 0], factor=times[times > 0] / count,
                            missing=np.array([(0, 0, tap) for tap in taps[times == 0]]).reshape(-1, 3))  # fmt: skip
    window = SimpleNamespace(kernel=(3, 4), source=np.zeros((1, 1, 3, 4)))
    evidence = SimpleNamespace(answers=object())
    return SimpleNamespace(kept={"asked": SimpleNamespace(terms=terms)}, windows=lambda: [window], evidence=evidence)


def test_places_that_were_not_seen_are_told_by_those_a_step_away() -> None:
    seen = np.array([0, 1, 2, 3, 5, 6, 8, 11])
    assert taps_of(case_of(seen, np.array([1, 0])[seen % 2])).tolist() == [1, 0] * 6  # type: ignore[union-attr]
    assert taps_of(case_of(seen, np.where(seen < 6, 1, 0))).tolist() == [1] * 6 + [0] * 6  # type: ignore[union-attr]


def test_nothing_is_told_of_a_mean_that_counts_all_or_of_no_pattern() -> None:
    seen = np.arange(12)
    assert taps_of(case_of(seen, np.ones(12, dtype=int))) is None
    some = np.array([0, 1, 5, 7])
    assert taps_of(case_of(some, np.array([1, 0, 0, 3]))) is None
