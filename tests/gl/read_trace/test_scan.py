"""Tests that the same reads are recorded without storage buffers: shipped shaders in every layout, and others."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from tests.faults import models
from tests.faults.seen.subjects import convolutions, elements, pictures, rows
from tests.faults.subjects import Subject, generated
from tests.gl.shipped_shaders import MORE
from tests.gl.shipped_shaders import Subject as Shipped
from tests.gl.shipped_shaders import subject_of as shipped
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.read_trace import recorder, scan
from texelscope.pipeline.read_trace.expected import ReadTrace, taps

ELEMENTS = 3
LAYOUTS = ("channel_tiles", "channel_tiles_rgba", "tfjs_packed")
MODELS = (
    models.conv(), models.conv(group=5, outputs=5), models.conv_transpose(), models.pool("AveragePool"),
    models.batch_norm(), models.instance_norm(), models.softmax(), models.concat(), models.gemm(), models.prelu(),
    models.resize(mode="linear"), models.pad(mode="reflect"), models.binary("Sub"), models.pointwise("Sigmoid"),
)  # fmt: skip
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


def both(
    session: DebugSession, name: str, element: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[ReadTrace, ReadTrace]:
    """Returns the taps with and without storage buffers."""
    with monkeypatch.context() as patch:
        with_buffers = session.taps(name, element)
        patch.setattr(recorder, "has_buffers", lambda context: False)
        scanning = recorder.ReadRecorder(session)
        try:
            return with_buffers, taps(session, scanning, name, element)
        finally:
            scanning.release()


def assert_same(with_buffers: ReadTrace, without: ReadTrace) -> None:
    assert len(with_buffers.reads) == len(without.reads) > 0
    for first, second in zip(with_buffers.reads, without.reads, strict=True):
        assert (first.key, first.tx, first.ty, first.elements) == (second.key, second.tx, second.ty, second.elements)
        assert (first.site, first.on_edge, first.outside) == (second.site, second.on_edge, second.outside)
        np.testing.assert_array_equal(first.value, second.value)


def check(session: DebugSession, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session.run()
    each = session.plan.find(name)
    assert each is not None
    count = math.prod(session.plan.textures[each.output].shape)
    for element in random.Random(name).sample(range(count), min(count, ELEMENTS)):
        assert_same(*both(session, each.name, element, monkeypatch))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.title)
def test_shipped_shaders_record_the_same(
    model: models.Model, layout: str, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = generated(model, layout)
    with opened(subject, gl) as session:
        check(session, subject.name, monkeypatch)


@pytest.mark.parametrize(("node", "layout"), MORE, ids=str)
def test_shaders_of_more_axes_record_the_same(
    node: object, layout: str, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject: Shipped = shipped(node, load(node.model()), layout, limits_of(gl))  # type: ignore[attr-defined,arg-type]
    with subject.opened(gl) as session:
        check(session, subject.plan.passes[-1].name, monkeypatch)


@pytest.mark.parametrize("subject", WRITTEN, ids=lambda subject: subject.__name__)
def test_shaders_written_by_hand_record_the_same(
    subject: object, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Subject = subject()  # type: ignore[operator]
    with opened(made, gl) as session:
        check(session, made.name, monkeypatch)


def opened(subject: Subject, gl: moderngl.Context) -> DebugSession:
    session = DebugSession(subject.plan, gl)
    for key, value in subject.inputs.items():
        session.set_input(key, value)
    return session


def test_what_is_read_before_a_discard_is_recorded(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(elements.leaky_uv(), gl) as session:
        session.replace_shader("y", WITH_DISCARD)
        recorded, scanned = both(session, "y", 9, monkeypatch)
    assert_same(recorded, scanned)
    assert [tap.site.line for tap in scanned.reads] == [8]


def test_a_discard_in_a_function_is_told(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    text = WITH_DISCARD.replace("void main() {", "void stop() { discard; }\nvoid main() {\n    stop();")
    with opened(elements.leaky_uv(), gl) as session:
        session.replace_shader("y", text)
        message = r"taps of 'y' \(.*:7\): expected storage buffers \(OpenGL 4\.3\), got discard in a function"
        with pytest.raises(UnsupportedError, match=message):
            both(session, "y", 0, monkeypatch)


def test_more_reads_than_can_be_kept_in_colours_are_told(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MAX_READS", 20)
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
