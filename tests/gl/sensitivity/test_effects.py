"""The effect of a pass alone is that of the pass alone, and the session is as it was."""

from __future__ import annotations

import itertools
from unittest.mock import patch

import moderngl
import numpy as np
import onnx
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.figures import of_largest
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.sensitivity.effects import render, sensitivity

SHAPE = (3, 7)


def branches() -> onnx.ModelProto:
    """x → a; b and c read a, d reads c; y = b·d, and z = c beside it."""
    nodes = [
        node("Tanh", "x", "a", "a"),
        node("Exp", "a", "b", "b"),
        node("Sigmoid", "a", "c", "c"),
        node("Exp", "c", "d", "d"),
        node("Mul", "b d", "y", "y"),
        node("Neg", "c", "z", "z"),
    ]
    return model(nodes, [value("x", SHAPE)], [value("y", SHAPE), value("z", SHAPE)])


def opened(gl: moderngl.Context) -> DebugSession:
    session = pipeline.open(branches(), context=gl)
    session.set_input("x", array(*SHAPE))
    session.run()
    return session


def test_every_effect_is_that_of_a_session_in_which_nothing_else_was_changed(gl: moderngl.Context) -> None:
    with opened(gl) as session:
        before = {key: session.tensor(key) for key in ("a", "b", "c", "d", "y", "z")}
        found = sensitivity(session, {})
        for key, values in before.items():
            assert np.array_equal(session.tensor(key), values)
        assert session.injected == frozenset()
    for effect in found.passes:
        with opened(gl) as session:
            session.inject(effect.name, before[effect.name].astype(np.float16).astype(np.float32))
            for each in session.plan.between(effect.name, None)[1:]:
                if not session.has_run(each.name):
                    session.run_pass(each.name)
            largest = max(of_largest(session.tensor(key), before[key]) for key in ("y", "z"))
        assert effect.half is not None
        assert effect.half.of_largest == pytest.approx(largest, rel=1e-6)
        assert effect.half.of_largest > 0
    sizes = [effect.half.of_largest for effect in found.passes if effect.half is not None]
    assert sizes == sorted(sizes, reverse=True)


def test_the_effects_are_told_as_they_come(gl: moderngl.Context) -> None:
    shares: list[float] = []
    with opened(gl) as session:
        sensitivity(session, {}, shares.append)
    assert shares == pytest.approx([i / 6 for i in range(1, 7)])


def test_a_model_whose_output_cannot_be_computed_is_refused(gl: moderngl.Context) -> None:
    with pipeline.open(branches(), context=gl) as session:
        message = r"net: expected an output that can be computed, got none\. 'diff net' says which pass does not run\."
        with pytest.raises(TexelscopeError, match=message):
            sensitivity(session, {})


def test_a_pass_that_no_time_is_left_for_is_listed_as_not_tried(gl: moderngl.Context) -> None:
    clock = itertools.chain([0.0, 0.0, 0.0], itertools.repeat(1e3))
    with opened(gl) as session, patch("texelscope.pipeline.sensitivity.effects.time.monotonic", lambda: next(clock)):
        found = sensitivity(session, {})
    late = [each for each in found.passes if each.half is None]
    assert [len(late), len(found.passes)] == [4, 6]
    assert late[0].message == "Not tried within 25 s: --limit sensitivity_seconds=N gives it more."
    assert "4 of 6 passes, the first ones, are not among these. Not tried within 25 s" in render(found)
