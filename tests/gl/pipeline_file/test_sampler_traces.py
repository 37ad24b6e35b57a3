"""Taps and traces follow reads through samplers of whole numbers, of slices and of buffers to the tensor's elements."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.pipeline_file.test_sampler_kinds import (
    CASES,
    DESKTOP,
    ES,
    SLICES,
    WHOLE,
    SamplerCase,
    opened,
    values,
)
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.read_trace import recorder

FIVE = values(2, 5, 3, 4)
# By its body, what a pass reads of `index` for y[0, 0, 1, 2], and whether that is outside.
READS = {
    "texelFetch(u_index, ivec3(at, 7), 0)": ({7 * 12 + 6}, False),
    "texelFetchOffset(u_index, ivec3(at, 0), 0, BY(1, -1))": ({3}, False),
    "texture(u_index, vec3((vec2(at) + 0.5) / vec2(4.0, 3.0), SLICE(9)))": ({9 * 12 + 6}, False),
    "texelFetch(u_index, ivec3(at, 10), 0)": ({9 * 12 + 6}, True),
    "texelFetch(u_index, ivec3(at + ivec2(0, 2), 4), 0)": ({4 * 12 + 10}, True),
    "texelFetch(u_index, ivec3(at.x - 3, at.y, 4), 0)": ({4 * 12 + 4}, True),
}
FORMS = {
    "sampler2DArray": {"BY(1, -1)": "ivec2(1, -1)", "SLICE(9)": "9.2"},
    "sampler3D": {"BY(1, -1)": "ivec3(1, -1, 0)", "SLICE(9)": "0.95"},
    "isampler2DArray": {"BY(1, -1)": "ivec2(1, -1)", "SLICE(9)": "8.7"},
}

# The rest reads between slices, or through a macro.
FOLLOWED = [name for name, case in CASES.items() if "filter" not in case.bound and "sampler" in case.kind]


@pytest.mark.parametrize("has_buffers", [True, False])
@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("read", READS)
def test_a_read_of_a_slice_is_one_of_an_element(
    read: str, kind: str, has_buffers: bool, gl: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elements, outside = READS[read]
    for name, text in FORMS[kind].items():
        read = read.replace(name, text)
    x = FIVE if kind.startswith("s") else np.arange(120).reshape(FIVE.shape)
    case = SamplerCase(kind, x, f"result = vec4({read});", x[:1, :1], head=ES if "Array" in kind else DESKTOP)
    monkeypatch.setattr(recorder, "has_buffers", lambda _context: has_buffers)
    with opened(tmp_path, case, gl) as session:
        session.run()
        (tap,) = session.taps("y", (0, 0, 1, 2)).reads
        assert (set(tap.elements), tap.outside) == (elements, outside)
        if not outside:
            assert tap.value[0] == x.reshape(-1)[tap.elements[0]]


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_trace_has_the_values_that_the_pass_writes(name: str, gl: moderngl.Context, tmp_path: Path) -> None:
    case = CASES[name]
    with opened(tmp_path, case, gl) as session:
        session.run()
        trace = session.trace("y", 1)
        assert trace.agrees
        index = case.x if case.index is None else case.index
        reads = [read for step in trace.steps for read in step.reads if read.key == "index"]
        assert reads
        for read in reads:
            assert not read.outside
            held = index.reshape(-1)[list(read.elements)].tolist()
            assert [read.value[lane] for lane in read.lanes][: len(held)] == held


def test_a_read_of_a_buffer_is_one_of_an_element(gl: moderngl.Context, tmp_path: Path) -> None:
    x = values(1, 1, 90, 70)
    case = SamplerCase("samplerBuffer", x, "result = texelFetch(u_index, 6000 + at.x);", x[:, :, :1, :2])
    with opened(tmp_path, case, gl) as session:
        session.run()
        (tap,) = session.taps("y", 1).reads
        assert tap.elements == (6001,)


@pytest.mark.parametrize("what", ["taps", "trace"])
def test_reads_between_slices_are_said_not_to_be_followed(what: str, gl: moderngl.Context, tmp_path: Path) -> None:
    message = (
        rf"{what} of 'y': expected nearest reads in a fragment shader, .* sampler3D 'u_index' with filter 'linear'"
    )
    with opened(tmp_path, SLICES["half floats, read between slices"], gl) as session:
        session.run()
        with pytest.raises(UnsupportedError, match=message):
            getattr(session, what)("y", 0)


def test_a_function_that_takes_such_a_sampler_is_followed(gl: moderngl.Context, tmp_path: Path) -> None:
    case = WHOLE["negative numbers"]
    function = "int half_of(isampler2D s, ivec2 at) { return texelFetch(s, at, 0).r / 2; }\n"
    case = dataclasses.replace(case, head=DESKTOP + function, body="result = vec4(half_of(u_index, at));")
    with opened(tmp_path, case, gl) as session:
        session.run()
        assert [tap.elements for tap in session.taps("y", 7).reads] == [(7,)]
        assert session.trace("y", 7).agrees
