"""Tests which keys and buttons one frame takes."""

from __future__ import annotations

from functools import partial

from texelscope.viewer.native.backend import KeyStrokes


def frames(events: str) -> list[str]:
    """Returns the strokes that each frame receives of events such as "+ctrl +g -g -ctrl"."""
    strokes, told, found = KeyStrokes(), list[str](), list[str]()
    for event in events.split():
        strokes.add(partial(told.append, event), modifier=event[1:] in ("ctrl", "shift"))
    while True:
        strokes.deliver_one_frame()
        if not told:
            return found
        found.append(" ".join(told))
        told.clear()


def test_a_key_is_seen_with_the_modifiers_that_were_held_when_it_went_down() -> None:
    assert frames("+ctrl +g -g -ctrl") == ["+ctrl +g -g", "-ctrl"]
    assert frames("+ctrl +g -ctrl -g") == ["+ctrl +g", "-ctrl -g"]
    assert frames("+g +ctrl -g -ctrl") == ["+g", "+ctrl -g", "-ctrl"]


def test_a_click_is_seen_with_the_modifiers_that_were_held_too() -> None:
    assert frames("+shift +button -button -shift +button") == ["+shift +button -button", "-shift +button"]


def test_modifiers_in_a_row_and_keys_in_a_row_take_one_frame() -> None:
    assert frames("+ctrl +shift +p") == ["+ctrl +shift +p"]
    assert frames("+a -a +b -b") == ["+a -a +b -b"]
