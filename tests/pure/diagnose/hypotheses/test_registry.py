"""Tests that every cause is found and complete, in words that the search for repairs knows."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path
from typing import get_args

import pytest

from tests.pure.source_tree import files, syntax_of
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import CAUSES, Cause, Family
from texelscope.pipeline.diagnose.hypotheses.registry import (
    all_causes,
    by_cause,
    by_family,
    cause_called,
    causes_where,
    in_turn,
)
from texelscope.pipeline.repair.classify.meaning import Meaning
from texelscope.pipeline.repair.read_diff import Reading
from texelscope.pipeline.repair.text.mutation import Kind

TABLE = Path("pipeline/diagnose/causes/__init__.py")
NOTHING = cause_called("nothing_like_this")
TRAITS = [field.name for field in dataclasses.fields(Cause) if field.default is not dataclasses.MISSING]


def test_every_row_of_the_table_has_a_generator_and_every_generator_a_row() -> None:
    assert all_causes() == dict(sorted(CAUSES.items()))


def test_generators_take_turns_by_stage_and_the_cause_s_name() -> None:
    turns = [(each.stage, each.cause.name) for each in in_turn()]
    assert turns == sorted(turns)
    assert len(turns) == sum(map(len, by_cause().values()))


def test_a_cause_s_name_stands_in_the_table_alone() -> None:
    """Names of one word are words of other things too, such as `stride` or `scale`; so is ONNX's `padding_mode`."""
    told = {name for name in CAUSES if "_" in name} - {causes.PADDING_MODE.name}
    searched = files((".py",), below=("pipeline/diagnose", "pipeline/runs", "pipeline/repair"))
    found = [
        (path.as_posix(), node.lineno, node.value)
        for path in searched
        if path != TABLE
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.Constant) and node.value in told
    ]
    assert len(searched) > 100
    assert found == []


def test_each_cause_is_of_one_family() -> None:
    assert set(by_family()) == set(get_args(Family))
    assert sorted(cause for causes in by_family().values() for cause in causes) == sorted(by_cause())
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
def test_of_a_cause_without_a_generator_nothing_holds(name: str) -> None:
    assert not getattr(NOTHING, name)
