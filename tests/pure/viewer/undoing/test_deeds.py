"""What was done is undone and redone in its order, each move of a slider that is held together."""

from __future__ import annotations

from texelscope.viewer.undoing.model import Deeds, StrokeDeed, ValueDeed


def gain(before: str | None, after: str | None) -> ValueDeed:
    return ValueDeed({"blur.uniforms.u_gain": before}, {"blur.uniforms.u_gain": after})


def test_deeds_are_undone_from_the_newest_on_and_redone_the_other_way() -> None:
    deeds = Deeds()
    stroke, change = StrokeDeed(), gain(None, "2")
    deeds.note(stroke)
    deeds.note(change)
    assert [deeds.undo(), deeds.undo(), deeds.undo()] == [change, stroke, None]
    assert [deeds.redo(), deeds.redo(), deeds.redo()] == [stroke, change, None]
    assert deeds.can_undo
    assert not deeds.can_redo


def test_a_new_deed_ends_what_could_be_redone() -> None:
    deeds = Deeds()
    deeds.note(gain(None, "2"))
    deeds.undo()
    deeds.note(gain(None, "3"))
    assert deeds.redo() is None


def test_changes_that_go_on_are_undone_at_once() -> None:
    deeds = Deeds()
    deeds.note(gain(None, "2"))
    deeds.note(gain("2", "3"), goes_on=True)
    deeds.note(gain("3", "4"), goes_on=True)
    assert deeds.undo() == gain(None, "4")
    assert deeds.undo() is None


def test_a_change_goes_on_with_nothing_but_the_change_before_it() -> None:
    deeds = Deeds()
    deeds.note(gain(None, "2"))
    deeds.note(StrokeDeed())
    deeds.note(gain("2", "3"), goes_on=True)
    assert deeds.undo() == gain("2", "3")
    assert deeds.undo() == StrokeDeed()


def test_undoing_after_a_save_returns_to_what_the_file_had_before() -> None:
    deeds = Deeds()
    deeds.note(gain(None, "3"))
    deeds.note(StrokeDeed())
    deeds.settle({"blur.uniforms.u_gain": "2"})
    deeds.undo()
    assert deeds.undo() == gain("2", "3")


def test_the_oldest_deeds_are_dropped() -> None:
    deeds = Deeds(most=2)
    for number in range(4):
        deeds.note(gain(str(number), str(number + 1)))
    assert [deeds.undo(), deeds.undo(), deeds.undo()] == [gain("3", "4"), gain("2", "3"), None]
