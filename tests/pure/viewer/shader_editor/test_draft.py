"""A draft knows what is kept and what is not, and whose doing another text is."""

from __future__ import annotations

from pathlib import Path

import pytest

from texelscope.viewer.shader_editor.model.drafts import Draft, Drafts


@pytest.fixture
def draft() -> Draft:
    """Loads a user's file."""
    made = Draft("a.frag", "", "", Path("a.frag"))
    made.taken("one\n", "one\n")
    return made


def test_a_save_is_not_taken_for_another_programs_while_the_file_is_read_again(draft: Draft) -> None:
    draft.text = "two\n"
    assert draft.is_changed
    draft.saved("two\n")
    assert not draft.is_changed
    assert not draft.follow("one\n"), "the file was not read again yet"
    draft.text = "three\n"  # typed on meanwhile
    draft.saved("three\n")
    for shown in ("one\n", "two\n", "three\n"):
        assert not draft.follow(shown)
        assert draft.other is None


def test_what_another_program_saves_is_taken_up_or_asked_about(draft: Draft) -> None:
    assert draft.follow("theirs\n")
    draft.taken("theirs\n", "theirs\n")
    draft.text = "mine\n"
    assert not draft.follow("theirs, newer\n")
    assert draft.other == "theirs, newer\n"
    draft.keep_mine()
    assert draft.other is None
    assert draft.is_changed
    assert not draft.follow("theirs, newer\n")
    draft.saved("mine\n")
    assert not draft.follow("mine\n")
    draft.text = "mine, newer\n"
    draft.follow("theirs, newer\n")
    assert draft.other == "theirs, newer\n", "the same text as before, but saved after mine was seen"


def test_the_program_itself_never_counts_as_another(draft: Draft) -> None:
    draft.path = None
    draft.text = "tried, and typed on\n"
    assert not draft.follow("tried\n")
    assert draft.other is None
    assert draft.is_changed


def test_a_missing_end_of_the_last_line_is_no_change() -> None:
    draft = Draft("a.frag", "", "", Path("a.frag"))
    draft.taken("one", "one\n")
    assert draft.is_held
    assert not draft.is_changed
    draft.taken("a\rb\n", "ab\n")
    assert not draft.is_held, "the editor would lose a character"


def test_unsaved_drafts_are_known_together(draft: Draft) -> None:
    drafts = Drafts()
    drafts.add(("a.frag",), draft)
    assert not drafts.unsaved
    draft.text = "two\n"
    assert drafts.unsaved == (draft,)
    assert drafts.of_file(Path("a.frag")) is draft
    assert drafts.of_file(Path("b.frag")) is None
