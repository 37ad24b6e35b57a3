"""A form that computes something wrong is named, and not the pass's own program, which did not run."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.reload.test_own_shaders import shaders as shaders
from tests.small_models import one_convolution
from texelscope import pipeline

FORM = "lowerings/window_sum.glsl"


@pytest.mark.parametrize(
    ("right", "wrong", "cause"),
    [
        ("sum[g * PIXELS + k]);", "0.5 * sum[g * PIXELS + k]);", "scale"),
        ("int column = x0 + c;", "int column = x0 + c + 1;", "shift"),
    ],
)
def test_the_file_of_the_form_is_named_and_no_line_of_the_pass(
    gl: moderngl.Context, shaders: Path, right: str, wrong: str, cause: str
) -> None:
    text = (shaders / FORM).read_text(encoding="utf-8")
    assert right in text
    (shaders / FORM).write_text(text.replace(right, wrong), encoding="utf-8")
    with pipeline.open(one_convolution(), context=gl) as session:
        session.set_input("image", np.random.default_rng(4).standard_normal((1, 3, 8, 8)).astype(np.float32))
        session.run()
        found = session.compare().find("conv1")
        assert found is not None
        assert [(each.cause, each.shader, each.line) for each in found.findings] == [(cause, f"shaders/{FORM}", None)]


def test_what_the_own_program_of_the_pass_gets_wrong_too_is_told_of_that_program(gl: moderngl.Context) -> None:
    """Half floats round, whatever computes what they hold."""
    told = []
    with pipeline.open(one_convolution(), precision="float16", context=gl) as session:
        session.set_input("image", np.random.default_rng(4).standard_normal((1, 3, 8, 8)).astype(np.float32))
        for is_form in (True, False):
            assert (session.form("conv1") is not None) == is_form
            session.run()
            found = session.compare().find("conv1")
            assert found is not None
            told.append([(each.cause, each.shader, each.line) for each in found.findings])
            session.replace_program("conv1", session.program_source("conv1"))
    assert told[0] == told[1] != []
