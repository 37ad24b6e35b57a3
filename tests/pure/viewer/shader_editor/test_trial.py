"""Edits that passes run though no file holds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from texelscope.viewer.shader_editor.model.drafts import Draft, TextOfTrial, Trial
from texelscope.viewer.shader_editor.model.replacing import changed_lines


@pytest.mark.parametrize(
    ("before", "after", "first", "stop", "text"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", 1, 2, "B\n"),
        ("a\nb\nc\n", "a\nc\n", 1, 2, ""),
        ("a\nc\n", "a\nb\nc\n", 1, 1, "b\n"),
        ("a\nb\n", "a\nb\nc", 2, 2, "c\n"),
        ("a\na\na\n", "a\na\n", 2, 3, ""),
        ("a\nb\nc\nd\n", "A\nb\nc\nD\n", 0, 4, "A\nb\nc\nD\n"),
    ],
)
def test_only_lines_that_are_others_are_replaced(before: str, after: str, first: int, stop: int, text: str) -> None:
    lines = changed_lines(before, after)
    assert (lines.first, lines.stop, lines.text) == (first, stop, text)
    old = before.splitlines(keepends=True)
    assert "".join((*old[:first], text, *old[stop:])) == (after if after.endswith("\n") else f"{after}\n")


def test_an_undo_turns_a_trial_off_and_a_redo_on_until_it_is_saved_or_over() -> None:
    trial = Trial({}, {}, {})
    tried = TextOfTrial("old\n", "new\n", trial)
    assert [tried.wanted(text) for text in ("new\n", "something else\n", "old\n")] == [None, None, False]
    trial.is_on = False
    assert [tried.wanted(text) for text in ("new\n", "something else\n", "old\n")] == [True, None, None]
    trial.is_over = True
    assert tried.wanted("new\n") is None
    draft = Draft("a.frag", "old\n", "old\n", Path("a.frag"), tried=tried)
    draft.saved("new\n")
    assert draft.tried is None
