"""Texts that replace each other in the editor's widget are as they were given, can be undone, and do not pile up."""

from __future__ import annotations

import itertools

from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.viewer.shader_editor.model.replacing import Replacing

_TEXTS = ("", "a", "a\n", "a\nb", "a\nb\n", "c\nb\n", "\n", "a\n\n", "b\na\nb\nc", "a\nb\nc\n")


def _widget(text: str) -> text_edit.TextEditor:
    made = text_edit.TextEditor()
    made.set_text(text)
    return made


def test_a_text_replaces_another_as_one_edit() -> None:
    for before, after in itertools.product(_TEXTS, _TEXTS):
        widget = _widget(before)
        shown = widget.get_text()
        Replacing(widget).take(after)
        assert widget.get_text() == _widget(after).get_text(), (before, after)
        if widget.get_text() != shown:
            widget.undo()
            assert widget.get_text() == shown, (before, after)


def test_only_lines_that_differ_are_replaced() -> None:
    lines = [f"line {number}" for number in range(50)]
    texts = Replacing(_widget("\n".join(lines) + "\n"))
    texts.take("\n".join([*lines[:20], "another", *lines[21:]]) + "\n")
    assert 0 < texts.letters < 40


def test_what_other_programs_save_again_and_again_does_not_pile_up() -> None:
    widget = _widget("begin\n")
    texts = Replacing(widget, most_letters=10_000)
    steps = []
    for number in range(100):
        texts.take(f"{number} {'x' * 1000}\n")
        steps.append(widget.get_undo_index())
        assert texts.letters <= 10_000 + 2_100
    assert max(steps) < 10
    assert widget.get_text().startswith("99 x")
