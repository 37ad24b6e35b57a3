"""A form that ran often gives way to its tuned one, which gives the same; one that does not is turned down."""

from __future__ import annotations

import dataclasses
import logging

import moderngl
import numpy as np
import pytest

from tests.gl.lowerings.test_window_sums import CASES, LAYOUT
from tests.gl.operators.single_node import NodeCase, opened
from texelscope import pipeline
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING
from texelscope.pipeline.lowerings.lowering import Lowering


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_tuned_form_gives_the_same(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl, "fragment") as session:
        session.run()
        general = session.tensor("out0")
        assert session.tune(after=1)
        assert not session.tune(after=1)
        session.run()
        np.testing.assert_array_equal(session.tensor("out0"), general)


def test_a_form_waits_until_it_ran_often_enough(gl: moderngl.Context) -> None:
    with opened(CASES[0], LAYOUT, gl, "fragment") as session:
        for _ in range(RUNS_BEFORE_TUNING - 1):
            session.run()
            assert not session.tune()
        session.run()
        assert session.tune()


def test_a_tuned_form_that_gives_something_else_is_turned_down(
    gl: moderngl.Context, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(CASES[0], LAYOUT, gl, "fragment") as session:
        session.run()
        right = session.tensor("out0")
        form = session.form("node")
        assert form is not None
        wrong = _wrong(form)
        object.__setattr__(form, "tuned", lambda: wrong)
        with caplog.at_level(logging.WARNING):
            session.tune(after=1)
        np.testing.assert_array_equal(session.tensor("out0"), right)
        session.run()
        np.testing.assert_array_equal(session.tensor("out0"), right)
    assert "node keeps its general program: on this driver the tuned one gives other numbers." in caplog.text


def test_sizes_are_constants_of_a_tuned_form(gl: moderngl.Context) -> None:
    with opened(CASES[0], LAYOUT, gl, "fragment") as session:
        form = session.form("node")
        assert form is not None
        assert form.tuned is not None
        assert "uniform Shape" in form.steps[0].program.fragment
        assert "uniform Shape" not in form.tuned().steps[0].program.fragment


def _wrong(form: Lowering) -> Lowering:
    (step,) = form.steps
    text = step.program.fragment.replace("= vec4(0.0);", "= vec4(1.0);")
    assert text != step.program.fragment
    return dataclasses.replace(form, steps=(dataclasses.replace(step, program=step.program.with_fragment(text)),))


def test_a_form_that_has_no_input_yet_is_not_tuned(gl: moderngl.Context) -> None:
    with pipeline.open(CASES[0].model(), layout=LAYOUT, backend="fragment", context=gl) as session:
        session.run_fused(settle=True)
        assert not session.is_valid("out0")


def test_what_was_bound_before_a_whole_run_is_bound_after_it(gl: moderngl.Context) -> None:
    target = gl.simple_framebuffer((2, 2))
    with opened(CASES[0], LAYOUT, gl, "fragment") as session:
        target.use()
        for _ in range(2):
            session.run_fused()
            assert gl.fbo is target
    gl.detect_framebuffer(0).use()
    target.release()
