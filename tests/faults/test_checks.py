"""Bugs that people hit and that no diagnosis has to name, because something stops or shows them before."""

from __future__ import annotations

import dataclasses
import re

import moderngl
import numpy as np
import pytest

from tests.faults import models
from tests.faults.fault import changed_lines
from tests.faults.seen.subjects import convolutions, elements
from tests.faults.subjects import Subject
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import ShaderError


def opened(subject: Subject, gl: moderngl.Context) -> DebugSession:
    """A session on the subject with its inputs set; the caller releases it."""
    session = DebugSession(subject.plan, gl)
    for key, value in subject.inputs.items():
        session.set_input(key, value)
    return session


def test_a_tensor_that_fits_a_texture_by_its_area_alone_is_stored_in_another_layout() -> None:
    """tfjs#689, tfjs#920."""
    model = models.pointwise("Tanh", (1, 1, 3, 700))
    plan = pipeline.plan_of(model.proto, layout="channel_tiles", limits=Limits(max_texture_texels=512))
    assert max(max(stored.layout.texture_shape(stored.shape)[:2]) for stored in plan.textures.values()) <= 512
    (warning,) = plan.warnings
    assert re.search("fit a texture of 512 texels a side in channel_tiles, got .*Stored in row_major_rgba", warning)


def test_more_inputs_than_samplers_are_split_over_passes(gl: moderngl.Context) -> None:
    """tfjs#6884."""
    model = models.concat((1, 2, 1, 3, 2))
    plan = pipeline.plan_of(model.proto, limits=Limits(max_samplers=2))
    assert max(len(each.samplers) for each in plan.passes) == 2
    with opened(Subject("", plan, model.inputs, "y"), gl) as session:
        session.run()
        assert session.compare().verdict == "match"


def test_a_number_that_is_none_is_an_error_on_its_line(gl: moderngl.Context) -> None:
    """onnxruntime#12577."""
    subject = elements.leaky_uv()
    program = subject.plan.passes[0].program
    text = program.fragment.replace("SLOPE = 0.3", "SLOPE = 0.03125.0")
    [(file, line)] = changed_lines(program, dataclasses.replace(program, fragment=text))
    with opened(subject, gl) as session:
        session.run()
        with pytest.raises(ShaderError, match=f"{file}:{line}"):
            session.replace_shader("y", text)
        found = session.compare().find("y")
        assert found is not None
        assert found.verdict == "error"
        assert f"{file}:{line}" in found.message


def test_a_picture_decoded_otherwise_blames_no_pass(gl: moderngl.Context) -> None:
    """tfjs#6664: both sides are fed what the first pass really had."""
    subject = convolutions.conv_tiles()
    with opened(subject, gl) as session:
        stored = session.plan.textures["x"]
        off_by_one = stored.layout.encode(np.asarray(subject.inputs["x"]) + np.float32(1.0 / 255.0))
        session.texture("x").write(off_by_one.tobytes(), alignment=1)
        session.run()
        assert session.compare().verdict == "match"


def test_a_nan_that_is_kept_matches_and_one_that_is_dropped_does_not(gl: moderngl.Context) -> None:
    """tfjs PR 6828, tfjs#5800: what is NaN is found out on the CPU."""
    subject = elements.leaky_uv()
    x = np.array(subject.inputs["x"])
    x[0, 1, 2, 3] = np.nan
    with opened(subject.fed(x=x), gl) as session:
        session.run()
        assert session.compare().verdict == "match"
        text = session.program_source("y").fragment
        session.replace_shader("y", text.replace("x > 0.0 ? x : x * SLOPE", "max(x, 0.0) + min(x, 0.0) * SLOPE"))
        session.run()
        found = session.compare().find("y")
        assert found is not None
        assert found.isolated is not None
        assert found.isolated.mismatched == 1
