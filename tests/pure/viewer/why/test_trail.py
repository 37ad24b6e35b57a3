"""What is said of each step of an error's way."""

from __future__ import annotations

import dataclasses

from texelscope.pipeline.read_trace.error_path import ErrorStep
from texelscope.viewer.why.model.trail import step_words, verdict_words

INHERITED = ErrorStep("up1", "up1", 3, 0.5, 0.25, 0.5, is_wrong=True, is_made_here=False, wrong_reads=12)


def test_an_inherited_value_says_how_the_way_came_to_it() -> None:
    assert verdict_words(INHERITED) == "0.5, should be 0.25: inherited"
    assert step_words(INHERITED) == (
        "The step before read 12 wrong elements; this one counts most.",
        "It is inherited: what was read was wrong; it should be 0.25.",
    )


def test_a_value_made_here_should_be_what_its_own_reads_give() -> None:
    made = dataclasses.replace(INHERITED, own_oracle=0.75, is_made_here=True, wrong_reads=1)
    assert verdict_words(made) == "0.5, should be 0.75: made here"
    assert step_words(made) == (
        "It is the one wrong element that the step before read.",
        "It is made here: from what was read it should be 0.75.",
    )


def test_right_values_and_values_without_an_oracle_are_no_errors() -> None:
    right = dataclasses.replace(INHERITED, is_wrong=False, wrong_reads=0)
    assert (verdict_words(right), step_words(right)) == ("0.5, right", ("It is right, within the bound of rounding.",))
    unknown = dataclasses.replace(right, oracle=None, own_oracle=None)
    assert verdict_words(unknown) == "0.5, without an oracle"
    assert step_words(unknown) == ("Nothing says what it should be: its pass has no oracle.",)
