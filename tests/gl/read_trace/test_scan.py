"""Without storage buffers the same reads are recorded; `test_every_scan.py` has the shipped shaders in every layout."""

from __future__ import annotations

import os
import subprocess
import sys

import moderngl
import pytest

from tests.checkout import ROOT
from tests.faults.seen.subjects import convolutions, elements, pictures, rows
from tests.faults.subjects import Subject
from tests.gl.read_trace.scanning import assert_same, both, check, opened
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.read_trace import recorder

WRITTEN = (
    convolutions.conv_tiles, convolutions.conv_rgba, convolutions.conv_relu_fetch, elements.leaky_uv,
    elements.leaky_uv_rgba, pictures.upsample_uv, pictures.bilinear_tiles, rows.gemm_flat,
)  # fmt: skip
WITH_DISCARD = """#version 330 core
uniform sampler2D u_picture;
in vec2 v_uv;
layout(location = 0) out float color;
#define HERE gl_FragCoord.xy

void main() {
    float x = texture(u_picture, v_uv).r;
    if (x < 1e9) discard;
    color = texelFetch(u_picture, ivec2(HERE), 0).r;
}
"""
WITH_DISCARD_IN_A_FUNCTION = """#version 330 core
uniform sampler2D u_picture;
layout(location = 0) out float color;

bool keeps(float x) {
    if (x < 1e9) discard;
    return true;
}

void main() {
    float x = texelFetch(u_picture, ivec2(gl_FragCoord.xy), 0).r;
    while (keeps(x)) x -= 1.0;
    color = texelFetch(u_picture, ivec2(0), 0).r;
}
"""


@pytest.mark.parametrize("subject", WRITTEN, ids=lambda subject: subject.__name__)
def test_shaders_written_by_hand_record_the_same(
    subject: object, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Subject = subject()  # type: ignore[operator]
    with opened(made, gl) as session:
        check(session, made.name, monkeypatch)


def test_a_driver_of_four_colours_records_the_same(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "has_few_colours", lambda _context: True)
    made = convolutions.conv_rgba()
    with opened(made, gl) as session:
        check(session, made.name, monkeypatch)


def test_what_is_read_before_a_discard_is_recorded(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(elements.leaky_uv(), gl) as session:
        session.replace_shader("y", WITH_DISCARD)
        recorded, scanned = both(session, "y", 9, monkeypatch)
    assert_same(recorded, scanned)
    assert [tap.site.line for tap in scanned.reads] == [8]


def test_what_is_read_before_a_discard_in_a_function_is_recorded(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(elements.leaky_uv(), gl) as session:
        session.replace_shader("y", WITH_DISCARD_IN_A_FUNCTION)
        recorded, scanned = both(session, "y", 9, monkeypatch)
    assert_same(recorded, scanned)
    assert [tap.site.line for tap in scanned.reads] == [11]


def test_more_reads_than_can_be_kept_in_colours_are_told(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "MAX_READS", 20)
    with opened(convolutions.conv_tiles(), gl) as session:
        session.run()
        message = "at most 20 reads for one element without storage buffers, got .*, or a driver with OpenGL 4.3"
        with pytest.raises(UnsupportedError, match=message):
            both(session, "y", 0, monkeypatch)


ON_3_3 = """
import numpy as np, pipeline
from texelscope.pipeline.gl.context import headless_context
from tests.faults import models
context = headless_context()
assert context.version_code == 330, context.version_code
model = models.conv()
with pipeline.open(model.proto, layout="channel_tiles", context=context) as session:
    session.set_input("x", model.inputs["x"])
    session.run()
    taps = session.taps("y", (0, 1, 4, 5))
    assert taps.expected and taps.read_elements() == taps.expected, taps
    print(len(taps.reads), "reads")
"""


def test_a_driver_of_3_3_records_them() -> None:
    settings = {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330", "LIBGL_ALWAYS_SOFTWARE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", ON_3_3], env=os.environ | settings, cwd=ROOT,
        capture_output=True, text=True, check=False, timeout=50,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (0, "91 reads\n"), run.stderr
