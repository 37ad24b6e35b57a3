"""Tests where a value or an address came from: the assignments behind it, with line, step, text and value."""

from __future__ import annotations

import moderngl
import pytest

from tests.checkout import ROOT
from tests.gl.step_trace.one_pass import main_of, one_pass
from texelscope import pipeline
from texelscope.pipeline.step_trace.provenance import ProvenanceLink, chain

pytestmark = pytest.mark.usefixtures("both_logs")

Told = tuple[int, str, int]


def told(links: tuple[ProvenanceLink, ...]) -> list[Told]:
    """Returns depth, name and line."""
    return [(each.depth, each.name, each.line[1]) for each in links]


def test_an_address_is_followed_to_the_line_that_made_it_wrong(gl: moderngl.Context) -> None:
    with pipeline.open(ROOT / "examples/webgl_cnn/broken.toml", context=gl) as session:
        session.run(to="down1")
        trace = session.trace("down1", (0, 3, 5, 6))
    step = [each for each in trace.steps if each.line[1] == 44][3]
    links = chain(trace, step.number, step.reads[0])
    assert told(links)[:6] == [
        (0, "source", 38), (1, "at", 36), (2, "position", 23), (3, "st", 22), (4, "gl_FragCoord", 0),
        (4, "u_output_size", 0),
    ]  # fmt: skip
    assert (1, "column", 42) in told(links)
    assert links[1].text == "vec2 at = position + (offset + 1.0) * input_texel"
    ran = {each.number: each for each in trace.steps}
    assert all(link.value in [made.value for made in ran[link.step].assigned] for link in links if link.step >= 0)
    # What a turn of the loop made is the last turn's, and nothing is there that ran afterwards.
    assert max(link.step for link in links) < step.number
    assert [link.value for link in links if link.name == "input_tile"] == [(1.0, 1.0)]


FUNCTIONS = """\
float twice(float x) {
    float y = 2.0 * x;
    return y + 1.0;
}
float kept = 0.25;
"""
BODY = """\
    float a = 3.0;
    float w[3] = float[3](1.0, 2.0, 4.0);
    int i = 1;
    w[i + 1] = a;
    vec4 v = vec4(0.0);
    v.xy = vec2(a, 5.0);
    v.z = w[2];
    a = 100.0;
    kept = v.z;
    for (int k = 0; k < 2; k++) kept += v.y;
    float b = twice(v.x) * kept;
    result = vec4(b, v.y, w[0], 1.0);"""


@pytest.fixture(scope="module")
def steps(gl: moderngl.Context, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    with one_pass(tmp_path_factory.mktemp("chain"), gl, main_of(BODY, FUNCTIONS)) as session:
        yield session.trace("y", 7)


@pytest.mark.parametrize(
    ("text", "name", "names"),
    [
        # A lane: what gave it its value, and not what gave another one its own.
        ("v.z = w[2]", "v.z", ["v.z", "w[2]", "a"]),
        ("v.z = w[2]", "v.x", ["v.xy", "a"]),
        # A variable that was given another value afterwards: the one that was used.
        ("result = vec4(b, v.y, w[0], 1.0)", "v.y", ["v.xy", "a"]),
        # Through a loop, turn by turn, to what it began with.
        ("float b = twice(v.x) * kept", "kept", ["kept", "v.xy", "a", "kept", "kept", "v.z", "w[2]"]),
        # Through a function: what it gave, its own variable, its parameter, and what was handed over.
        ("float b = twice(v.x) * kept", "b", ["b", "twice()", "y", "x", "v.xy", "a", "kept", "kept", "kept"]),
    ],
)
def test_lanes_elements_loops_and_calls_are_followed(steps, text: str, name: str, names: list[str]) -> None:  # type: ignore[no-untyped-def]
    number = next(each.number for each in steps.steps if each.text == text)
    found = [link.name for link in chain(steps, number, name)]
    assert found[: len(names)] == names


def test_of_an_array_s_element_its_own_assignment_is_told(steps) -> None:  # type: ignore[no-untyped-def]
    last = steps.steps[-1].number
    [whole] = chain(steps, last, "w[0]")
    assert (whole.text, whole.value) == ("float w[3] = float[3](1.0, 2.0, 4.0)", (1.0,))


def test_what_the_trace_does_not_have_has_no_chain(steps) -> None:  # type: ignore[no-untyped-def]
    assert chain(steps, 10_000, "a") == ()
    assert chain(steps, 3, "nothing") == ()
