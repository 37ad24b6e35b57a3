"""Tests that a cause is a row and a generator, in the folder or installed: diagnosis names it, a repair confirms it."""

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
from texelscope.pipeline.diagnose import hypotheses
from texelscope.pipeline.diagnose.hypotheses.registry import all_causes, by_family

GENERATOR = '''
import numpy as np

from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import output_through

SQUARED = Cause(
    "squared",
    "computing",
    "The result is multiplied by itself.",
    "the wrong values are the squares of the right ones.",
    remedy="Return the result itself.",
    repaired_in="values",
    confirmed_by=frozenset({"wrong_function"}),
)


def _squared(case):
    """Proposes the square of the output."""
    yield Hypothesis(SQUARED, "the square of the result", (output_through(np.square),), line=lines.result)


GENERATORS = (Generator(SQUARED, Stage.DRAWING, _squared),)
'''
RIGHT, WRONG = "return x / (1.0 + abs(x));", "return (x / (1.0 + abs(x))) * (x / (1.0 + abs(x)));"


@pytest.fixture(params=["in the folder", "installed"])
def one_more(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """The row and its generator, in one of the two ways in which it is found."""
    if request.param == "installed":
        points = {"texelscope.causes": ["squared = scratch_squared"]}
        with distribution(tmp_path, points, {"scratch_squared.py": GENERATOR}):
            yield
    else:
        with added_to(hypotheses, tmp_path, {"squared": GENERATOR}):
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
    assert "squared" not in all_causes()
