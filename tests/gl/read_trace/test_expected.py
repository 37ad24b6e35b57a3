"""Tests the expected reads of an element, and the cases where they are unknown."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.read_trace import recorder
from texelscope.pipeline.read_trace.expected import reads_made
from texelscope.pipeline.read_trace.instrument import instrument

SHAPE = (1, 2, 4, 4)


@pytest.fixture
def session(gl: moderngl.Context) -> DebugSession:
    made = model([node("MaxPool", "x", "y", "pool", kernel_shape=[2, 2])], [value("x", SHAPE)], [value("y", None)])
    opened = pipeline.open(made, layout="channel_tiles", context=gl)
    opened.set_input("x", array(*SHAPE))
    opened.run()
    return opened


def test_an_element_is_named_by_its_index_or_its_place(session: DebugSession) -> None:
    by_place, by_number = session.taps("pool", (0, 1, 0, 2)), session.taps("pool", 9 + 2)
    assert by_place == by_number
    assert by_place.read_elements() == {"x": frozenset({18, 19, 22, 23})}
    assert by_place.expected == by_place.read_elements()
    assert by_place.unexpected() == {}
    assert by_place.missing() == {}


def test_the_reads_alone_are_those_of_the_taps(session: DebugSession) -> None:
    alone = recorder.ReadRecorder(session)
    try:
        assert reads_made(session, alone, "pool", 11) == session.taps("pool", 11).reads
        with pytest.raises(TexelscopeError, match="taps of 'pool'"):
            reads_made(session, alone, "pool", (0, 0, 9, 9))
    finally:
        alone.release()


def test_recording_leaves_the_tensor_as_it_was(session: DebugSession) -> None:
    before, generation = session.texels("y"), session.generation("y")
    session.taps("pool", 0)
    np.testing.assert_array_equal(session.texels("y"), before)
    assert session.generation("y") == generation


MACROS = """#version 330 core
uniform sampler2D t_X;
layout(location = 0) out float Y;
#define SIZE 4
#define TILE(c) ivec2(c % 2, c / 2)
#define READ(at, c) texelFetch(t_X, (at) + SIZE * TILE(c), 0)
#define LARGER(a, b) max((a), \\
    (b))

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int c = texel.x / 3;
    ivec2 at = texel - ivec2(3 * c, 0);
    Y = LARGER(LARGER(READ(at, c).r, READ(at + ivec2(1, 0), c).r),
               LARGER(READ(at + ivec2(0, 1),
                           c).r, READ(at + 1, c).r));
}
"""


def test_reads_in_macros_are_recorded_where_the_macro_is_used(session: DebugSession) -> None:
    session.replace_shader("pool", MACROS)
    session.run()
    assert session.compare().verdict == "match"
    taps = session.taps("pool", (0, 1, 0, 2))
    assert taps.read_elements() == taps.expected == {"x": frozenset({18, 19, 22, 23})}
    assert [(tap.site.line, tap.site.text) for tap in taps.reads] == [
        (14, "READ(at, c)"),
        (14, "READ(at + ivec2(1, 0), c)"),
        (15, "READ(at + ivec2(0, 1), c)"),
        (16, "READ(at + 1, c)"),
    ]


@pytest.mark.parametrize("has_buffers", [True, False])
@pytest.mark.parametrize("component", [-3, 4, 9])
def test_a_component_that_a_vector_has_not_names_no_element_and_leaves_the_line_as_it_is(
    session: DebugSession, component: int, has_buffers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if has_buffers and not recorder.has_buffers(session.context):
        pytest.skip("the driver has no storage buffers")
    text = f"""#version 330 core
uniform sampler2D t_X;
layout(location = 0) out float Y;
void main() {{
    int component = int(gl_FragCoord.x) * 0 + {component};
    Y = texelFetch(t_X, ivec2(0), 0)[component];
}}
"""
    session.replace_shader("pool", text)
    session.run()
    monkeypatch.setattr(recorder, "has_buffers", lambda _context: has_buffers)
    (tap,) = session.taps("pool", 0).reads
    assert (tap.site.line, tap.elements) == (6, ())


@pytest.mark.parametrize("place", [18, -1, (0, 2, 0, 0), (0, 0)])
def test_an_element_outside_the_tensor_is_told(session: DebugSession, place: tuple[int, ...] | int) -> None:
    message = r"taps of 'pool': expected an element of a tensor of shape \[1, 2, 3, 3\], got .*Choose another"
    with pytest.raises(TexelscopeError, match=message):
        session.taps("pool", place)


def test_a_pass_that_does_not_exist_is_told(session: DebugSession) -> None:
    with pytest.raises(TexelscopeError, match="pass 'pol': expected a pass of the plan, got another name"):
        session.taps("pol", 0)


def test_more_reads_than_can_be_kept_are_told(session: DebugSession, monkeypatch: pytest.MonkeyPatch) -> None:
    if not recorder.has_buffers(session.context):
        pytest.skip("what is logged in colours has no such limit")
    monkeypatch.setattr(recorder, "FIRST_ENTRIES", 2)
    assert len(session.taps("pool", 0).reads) == 4  # the log grows
    monkeypatch.setattr(recorder, "MAX_ENTRIES", 3)
    with pytest.raises(UnsupportedError, match="taps of 'pool': expected at most 3 reads for one element, got 4"):
        session.taps("pool", 1)


def test_a_recording_that_the_driver_refuses_is_told(session: DebugSession, monkeypatch: pytest.MonkeyPatch) -> None:

    def spoilt(*arguments: object, **how: bool) -> object:
        made = instrument(*arguments, **how)  # type: ignore[arg-type]
        return type(made)(made.fragment + "nonsense", made.samplers, made.sites, made.lanes_apart)

    monkeypatch.setattr(recorder, "instrument", spoilt)
    with pytest.raises(
        UnsupportedError, match=r"taps of 'pool': expected a variant that the driver compiles, got .*error"
    ):
        session.taps("pool", 0)
