"""Tests strokes on inputs, taken back and done again."""

from __future__ import annotations

import numpy as np

from texelscope.viewer.inputs.model.painting import PaintedStrokes, stroke

EMPTY = np.zeros((3, 16, 20), dtype=np.float32)


def painted(strokes: PaintedStrokes, count: int) -> list[np.ndarray]:
    """Returns the planes before the first stroke, and after each."""
    states = [EMPTY]
    for number in range(count):
        after = stroke(states[-1], (2 + number, 3), (8 + number, 3), 2.0, (0.1 + 0.1 * number, 0.5, 1.0))
        strokes.add(states[-1], after)
        states.append(after)
    return states


def test_strokes_are_taken_back_one_by_one_and_done_again() -> None:
    strokes = PaintedStrokes()
    states = painted(strokes, 3)
    for wanted in (states[2], states[1], states[0]):
        np.testing.assert_array_equal(strokes.undo(), wanted)
    assert strokes.undo() is None
    for wanted in states[1:]:
        np.testing.assert_array_equal(strokes.redo(), wanted)
    assert strokes.redo() is None


def test_a_new_stroke_ends_what_could_be_done_again() -> None:
    strokes = PaintedStrokes()
    states = painted(strokes, 2)
    strokes.undo()
    strokes.add(states[1], np.ones_like(EMPTY))
    assert (strokes.can_undo, strokes.can_redo) == (2, 0)


def test_the_oldest_are_forgotten_and_counted() -> None:
    strokes = PaintedStrokes(most_strokes=2)
    states = painted(strokes, 3)
    assert (strokes.can_undo, strokes.forgotten) == (2, 1)
    strokes.undo()
    np.testing.assert_array_equal(strokes.undo(), states[1])
    small = PaintedStrokes(most_bytes=100)
    painted(small, 2)
    assert (small.can_undo, small.forgotten) == (0, 2)


def test_planes_that_somebody_else_changed_begin_anew() -> None:
    strokes = PaintedStrokes()
    painted(strokes, 2)
    grey = np.full_like(EMPTY, 0.5)
    strokes.add(grey, np.full_like(EMPTY, 0.6))
    assert strokes.can_undo == 1
    strokes.add(
        np.full_like(EMPTY, 0.6005), np.full_like(EMPTY, 0.6005)
    )  # as half precision has it; a stroke of the colour that is there
    assert strokes.can_undo == 1
