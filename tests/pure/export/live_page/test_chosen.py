"""Which elements of a wrong pass a page records."""

from __future__ import annotations

import numpy as np

from texelscope.layouts import layout
from texelscope.pipeline.export.live_page.chosen import chosen_elements
from texelscope.pipeline.plan import StoredTensor

STORED = StoredTensor("y", "y", (1, 2, 6, 6), layout("channel_tiles"))


def test_the_worst_a_far_wrong_one_and_a_near_right_one_are_traced() -> None:
    wrong = np.zeros(STORED.shape, bool)
    wrong[0, 0, 0, :] = True
    chosen = chosen_elements(STORED, wrong, worst=0)
    assert [(each.element, each.why) for each in chosen if each.is_traced] == [(0, "worst"), (5, "wrong"), (6, "right")]


def test_others_are_spread_and_each_is_chosen_once() -> None:
    wrong = np.zeros(STORED.shape, bool)
    wrong[0, 0] = True
    chosen = chosen_elements(STORED, wrong, worst=3, spread=10)
    assert len({each.element for each in chosen}) == len(chosen)
    assert {each.element for each in chosen if each.why == "wrong"} >= {0, 35}
    assert {each.element for each in chosen if each.why == "right"} >= {36, 71}
    assert len(chosen) <= 13


def test_where_every_element_is_wrong_none_is_called_right() -> None:
    chosen = chosen_elements(STORED, np.ones(STORED.shape, bool), worst=7)
    assert {each.why for each in chosen} == {"worst", "wrong"}


def test_a_scalar_has_one_element() -> None:
    scalar = StoredTensor("y", "y", (), layout("channel_tiles"))
    assert [each.element for each in chosen_elements(scalar, np.ones((), bool), worst=0)] == [0]
