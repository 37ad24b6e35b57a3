"""Tests what is named where reads differ, and functions or numbers beside them."""

from __future__ import annotations

import numpy as np

from tests.pure.diagnose.divergences.passes import curved, divergent_pass, node
from texelscope.pipeline.diagnose.divergences.names import named
from texelscope.pipeline.symbolic.kinds import Divergence, Moved, Numbered

MOVED = Moved(("x", 3), ("x", 8), is_weight=False, row=-1)
BENT = curved(lambda x: np.where(x < 0.0, 0.1 * x, x), lambda x: np.where(x < 0.0, 0.2 * x, x))
SAME = Numbered(0.5, 0.4, -1, is_added=True, expected_at=(("bias", 0),), got_at=(("bias", 0),), inside="curve")
LOST = Numbered(0.5, 0.0, -1, is_added=True, expected_at=(("bias", 0),), inside="curve")


def _names(*divergences: Divergence) -> list[str]:
    found = divergent_pass(
        divergences, divergences, nodes=(node("Conv"), node("LeakyRelu")), shapes={"x": (1, 4, 3, 3)},
        constants={"bias": (0.5, 0.7)},
    )  # fmt: skip
    return sorted(each.cause.name for each in named(found, np.ones(36)))


def test_a_function_in_other_units_is_not_named_beside_other_reads() -> None:
    reads = _names(MOVED)
    assert len(reads) == 1
    assert _names(MOVED, SAME, BENT) == reads
    assert _names(MOVED, curved(np.tanh, lambda x: 1.2 * np.tanh(x))) == reads


def test_a_fault_of_numbers_is_named_beside_other_reads() -> None:
    assert _names(MOVED, LOST) == sorted([*_names(MOVED), "bias_missing"])
    assert _names(MOVED, BENT) == sorted([*_names(MOVED), "alpha"])
