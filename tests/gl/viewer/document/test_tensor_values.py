"""Tensors as they are now, of the session that is open."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.viewer.document.tensor_values import TensorValues

SHAPE = (1, 1, 2, 2)


def opened(gl: moderngl.Context, weight: float) -> DebugSession:
    made = model(
        [node("Mul", "x w", "y", "scale")],
        [value("x", SHAPE)],
        [value("y", SHAPE)],
        weights={"w": np.array([[[0.0]], [[weight]]], dtype=np.float32).reshape(1, 1, 2, 1)},
    )
    session = pipeline.open(made, context=gl)
    session.set_input("x", np.ones(SHAPE, dtype=np.float32))
    session.run()
    return session


@pytest.mark.parametrize("cleared", [True, False])
def test_the_values_are_those_of_the_session_that_is_asked(gl: moderngl.Context, *, cleared: bool) -> None:
    values = TensorValues()
    for weight in (2.0, 3.0):
        with opened(gl, weight) as session:
            known = values.of(session, "y")
            assert known is not None
            assert known.max() == weight
            assert values.of(session, "y") is known, "read back once"
        if cleared:
            values.clear()
