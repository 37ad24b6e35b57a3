"""Tests that a cause is one file, in the folder or installed: diagnosis names it and its repair confirms it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import pytest

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.outcome import outcome
from tests.faults.subjects import generated
from tests.plugin_folders import added_to, distribution
from texelscope.pipeline.commands.listing import sections
from texelscope.pipeline.diagnose import rules
from texelscope.pipeline.diagnose.rules.registry import all_rules, by_family

RULE = '''

import numpy as np

from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import output_through


class Squared(Rule):
    cause = Cause(
        "squared",
        "computing",
        "The result is multiplied by itself.",
        "the wrong values are the squares of the right ones.",
        repaired_in="values",
        confirmed_by=frozenset({"wrong_function"}),
    )
    stage = Stage.DRAWING

    def propose(self, case):
        """Proposes the square of the output."""
        yield Hypothesis(
            self.cause, "the square of the result", "Return the result itself.", {}, (output_through(np.square),),
            line=lines.result,
        )
'''
RIGHT, WRONG = "return x / (1.0 + abs(x));", "return (x / (1.0 + abs(x))) * (x / (1.0 + abs(x)));"


@pytest.fixture(params=["in the folder", "installed"])
def one_more(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """The rule, in one of the two ways in which it is found."""
    if request.param == "installed":
        points = {"texelscope.causes": ["squared = scratch_squared"]}
        with distribution(tmp_path, points, {"scratch_squared.py": RULE}):
            yield
    else:
        with added_to(rules, tmp_path, {"squared": RULE}):
            yield


def test_its_bug_is_named(one_more: None, gl: moderngl.Context) -> None:
    subject = generated(models.pointwise("Softsign"))
    first = outcome(Fault("squared", "squared", lambda: subject, (Edit(RIGHT, WRONG),)), gl).findings[0]
    assert (first.cause, first.explained, first.remedy) == ("squared", 1.0, "Return the result itself.")


def test_it_is_of_its_family_and_listed(one_more: None) -> None:
    assert "squared" in by_family()["computing"]
    assert "squared  " in sections()
    assert "The result is multiplied by itself." in sections()


def test_nothing_of_it_is_left_afterwards() -> None:
    assert "squared" not in all_rules()
