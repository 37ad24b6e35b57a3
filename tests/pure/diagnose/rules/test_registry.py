"""Tests that every cause is found and complete, in words that the search for repairs knows."""

from __future__ import annotations

from typing import get_args

import pytest

from texelscope.pipeline.diagnose.rules.registry import all_rules, by_family, causes_where, traits_of
from texelscope.pipeline.diagnose.trial.hypothesis import Family, Traits
from texelscope.pipeline.repair.classify.meaning import Meaning
from texelscope.pipeline.repair.read_diff import Reading
from texelscope.pipeline.repair.text.mutation import Kind

# Fewer would mean that a folder is not searched; causes are seldom removed.
AT_LEAST = 58


def test_the_rules_of_the_folder_are_found() -> None:
    assert len(all_rules()) >= AT_LEAST
    assert list(all_rules()) == sorted(all_rules())


def test_each_cause_is_of_one_family() -> None:
    assert set(by_family()) == set(get_args(Family))
    assert sorted(cause for causes in by_family().values() for cause in causes) == sorted(all_rules())
    assert all(by_family().values())


@pytest.mark.parametrize("cause", all_rules())
def test_its_traits_name_only_what_there_is(cause: str) -> None:
    traits = all_rules()[cause].traits
    assert set(traits.edits) <= set(get_args(Kind))
    assert traits.confirmed_by <= set(all_rules())
    assert traits.denied_by_edits <= set(get_args(Meaning))
    assert traits.denied_by_reads <= set(get_args(Reading))


def test_every_trait_holds_of_some_cause() -> None:
    for name in vars(Traits()):
        assert causes_where(lambda traits, name=name: bool(getattr(traits, name))), name  # type: ignore[misc]


def test_of_a_cause_without_a_rule_nothing_holds() -> None:
    assert traits_of("nothing_like_this") == Traits()
