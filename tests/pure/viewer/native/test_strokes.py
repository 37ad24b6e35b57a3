"""Tests which keys, letters and buttons one frame takes."""

from __future__ import annotations

from functools import partial

from texelscope.viewer.native.strokes import FRAMES_TO_FOCUS, FRAMES_TO_MOVE, KeyStroke, KeyStrokes, Kind

CARET = ("left", "end")
NAMES = (*CARET, "return", "button")


def strokes_of(event: str, at: float, told: list[str]) -> list[KeyStroke]:
    """Returns the strokes of an event such as "+ctrl"; "+a" also types a letter, and "a" is one whole stroke."""
    if event[0] not in "+-":
        return [*strokes_of(f"+{event}", at, told), *strokes_of(f"-{event}", at, told)]
    name, deliver = event[1:], partial(told.append, event)
    if name in ("ctrl", "shift"):
        return [KeyStroke(Kind.MODIFIER, deliver, at=at)]
    key = hash(name)
    if name == "button":
        return [KeyStroke(Kind.BUTTON, deliver, rest=FRAMES_TO_MOVE, leaves=True, at=at)]
    if event.startswith("-"):
        return [KeyStroke(Kind.RELEASE, deliver, key, at=at)]
    if name in NAMES:
        return [KeyStroke(Kind.KEY, deliver, key, FRAMES_TO_MOVE if name in CARET else 0, name == "return", at)]
    if name.startswith("^"):  # with Ctrl
        return [KeyStroke(Kind.KEY, deliver, key, FRAMES_TO_FOCUS, leaves=True, at=at)]
    return [
        KeyStroke(Kind.LETTER, deliver, key, leaves=True, at=at),
        KeyStroke(Kind.TEXT, partial(told.append, name), at=at),
    ]


def frames(events: str, *, is_typing: bool = False, at: float = 0.0, strokes: KeyStrokes | None = None) -> list[str]:
    """Returns what each frame receives, until nothing waits."""
    strokes = KeyStrokes() if strokes is None else strokes
    told, found = list[str](), list[str]()
    for event in events.split():
        for stroke in strokes_of(event, at, told):
            strokes.add(stroke)
    while strokes:
        strokes.deliver_one_frame(is_typing=is_typing)
        found.append(" ".join(told))
        told.clear()
    return found


def test_a_key_is_seen_with_the_modifiers_that_were_held_when_it_went_down() -> None:
    assert frames("+ctrl +^g -^g -ctrl") == ["+ctrl +^g", "-^g", "-ctrl"]
    assert frames("+ctrl +^g -ctrl -^g") == ["+ctrl +^g", "-ctrl -^g"]
    assert frames("+^g +ctrl -^g -ctrl") == ["+^g", "+ctrl -^g", "-ctrl"]
    assert frames("+ctrl +shift +^p") == ["+ctrl +shift +^p"]


def test_a_click_is_seen_with_the_modifiers_that_were_held_too() -> None:
    assert frames("+shift +button -button -shift +button") == ["+shift +button -button", "-shift +button"]


def test_keys_come_one_a_frame_and_in_order() -> None:
    """A widget takes one key a frame, and no edit in the frame after its caret moved."""
    assert frames("return return") == ["+return", "-return", "+return", "-return"]
    assert frames("end return") == ["+end", "-end", "+return", "-return"]
    assert frames("+return +end -return -end") == ["+return", "+end -return", "-end"]


def test_letters_of_a_text_take_one_frame_and_stay_between_its_keys() -> None:
    assert frames("a b b", is_typing=True) == ["a b b"]
    assert frames("a return b", is_typing=True) == ["a", "+return", "-return", "", "b"]
    assert frames("left a", is_typing=True) == ["+left", "-left", "a"]


def test_letters_wait_for_the_field_that_a_click_or_a_key_opens() -> None:
    assert frames("button a") == ["+button -button", "", "", "+a a", "-a"]
    found = frames("+ctrl +^p -^p -ctrl +a")
    assert found[0] == "+ctrl +^p"
    assert [number for number, frame in enumerate(found) if "+a" in frame] == [FRAMES_TO_FOCUS + 1]


def test_letters_without_a_field_run_their_commands_in_order() -> None:
    found = [frame for frame in frames("g c g") if "+" in frame]
    assert found == ["+g g", "+c c", "+g g"]


def test_the_rest_of_a_word_runs_no_command_if_its_field_goes_away() -> None:
    strokes = KeyStrokes()
    assert frames("a b", is_typing=True, strokes=strokes) == ["a b"]
    assert frames("c", at=0.5, strokes=strokes) == ["c"], "only typed"
    assert frames("c", at=5.0, strokes=strokes)[0] == "+c c", "that is a new stroke"


def test_a_letter_after_return_or_a_click_is_a_command_again() -> None:
    for leaving in ("return", "button"):
        strokes = KeyStrokes()
        frames("a", is_typing=True, strokes=strokes)
        frames(leaving, at=0.1, strokes=strokes)
        assert any(frame.startswith("+c") for frame in frames("c", at=0.2, strokes=strokes))
