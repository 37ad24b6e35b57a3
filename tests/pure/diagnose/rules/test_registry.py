"""Tests that every cause is found and complete, in words that the search for repairs knows."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from texelscope.pipeline.diagnose.causes import CAUSES, Cause, Family
from texelscope.pipeline.diagnose.rules.registry import all_causes, all_rules, by_family, cause_called, causes_where
from texelscope.pipeline.repair.classify.meaning import Meaning
from texelscope.pipeline.repair.read_diff import Reading
from texelscope.pipeline.repair.text.mutation import Kind

NOTHING = cause_called("nothing_like_this")
TRAITS = [field.name for field in dataclasses.fields(Cause) if field.default is not dataclasses.MISSING]


def test_every_row_of_the_table_has_a_rule_and_every_rule_a_row() -> None:
    assert all_causes() == dict(sorted(CAUSES.items()))
    assert list(all_rules()) == sorted(all_rules())


def test_each_cause_is_of_one_family() -> None:
    assert set(by_family()) == set(get_args(Family))
    assert sorted(cause for causes in by_family().values() for cause in causes) == sorted(all_rules())
    assert all(by_family().values())


@pytest.mark.parametrize("cause", CAUSES.values(), ids=CAUSES)
def test_its_row_says_what_it_is_and_names_only_what_there_is(cause: Cause) -> None:
    assert cause.meaning.endswith(".")
    assert cause.known_by.endswith(".")
    assert set(cause.edits) <= set(get_args(Kind))
    assert cause.confirmed_by <= set(CAUSES)
    assert cause.denied_by_edits <= set(get_args(Meaning))
    assert cause.denied_by_reads <= set(get_args(Reading))


@pytest.mark.parametrize("name", TRAITS)
def test_every_trait_holds_of_some_cause(name: str) -> None:
    assert causes_where(lambda cause: bool(getattr(cause, name)))


@pytest.mark.parametrize("name", TRAITS)
def test_of_a_cause_without_a_rule_nothing_holds(name: str) -> None:
    assert not getattr(NOTHING, name)
