"""Tests what a fused run does with each pass."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from texelscope.pipeline.lowerings.fusion.groups import FusedGroups
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Plan


def form(*covers: str, writes: tuple[str, ...], parts: tuple[str, ...] = ()) -> Lowering:
    return Lowering(covers, ("x",), writes, (), parts=parts)


@pytest.fixture
def groups() -> FusedGroups:
    """conv and act as one; two halves of a concatenation, of which the second form stores the rest; a pool."""
    names = ("conv", "act", "left", "right", "both", "alone", "pool")
    plan = SimpleNamespace(passes=[SimpleNamespace(name=name, outputs=(name,)) for name in names])
    items = (
        form("conv", "act", writes=("act",)),
        form("left", "both", writes=(), parts=("both",)),
        form("right", "both", writes=("both",)),
        form("alone", writes=("alone",)),
        "pool",
    )
    return FusedGroups.of(cast("Plan", plan), items)


def test_what_no_step_stores_is_inside(groups: FusedGroups) -> None:
    assert groups.inside == {"conv", "left", "right"}


def test_a_pass_is_named_by_the_head_of_its_form(groups: FusedGroups) -> None:
    assert groups.place("act") == "in conv"
    assert groups.place("conv") == "in conv"
    assert groups.place("both") == "in 2 forms"


def test_a_form_of_one_pass_and_a_plain_pass_are_by_themselves(groups: FusedGroups) -> None:
    assert (groups.place("alone"), groups.place("pool")) == ("", "")
    assert groups.together("pool") == "by itself"


def test_those_computed_together_are_counted_beyond_three(groups: FusedGroups) -> None:
    assert groups.together("act") == "together with conv"
    items = (form("a", "b", "c", "d", "e", writes=("e",)),)
    plan = SimpleNamespace(passes=[SimpleNamespace(name=name, outputs=(name,)) for name in "abcde"])
    assert FusedGroups.of(cast("Plan", plan), items).together("b") == "together with a, c, d and 1 more"
