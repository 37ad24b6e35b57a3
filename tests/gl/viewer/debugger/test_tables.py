"""Tests a fragment's arrays, structs, parameters and global variables as the driver had them, in a table."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.gl.step_trace.one_pass import main_of, one_pass
from texelscope.pipeline.stepping.index import TraceIndex
from texelscope.pipeline.stepping.numbers import lanes_text
from texelscope.pipeline.stepping.rows import VariableRow, place_of, rows_at
from texelscope.pipeline.stepping.scopes import declared_in

BEFORE = """struct Tap { vec2 at; float w; };
float g_total = 0.0;
void add(inout float into, Tap tap, out vec3 made) {
    into += tap.w;
    made.xy = tap.at;
    g_total += tap.w;
    made.z = 1.0;
}
"""
BODY = """    float w[3];
    vec4 v;
    Tap taps[2] = Tap[2](Tap(vec2(1.0, 2.0), 3.0), Tap(vec2(4.0), 5.0));
    mat2 m = mat2(1.0, 2.0, 3.0, 4.0);
    m[1].x = 9.0;
    for (int i = 0; i < 3; i++) { w[i] = float(i) * 0.5; v[i] = w[i]; }
    float sum = 0.0;
    vec3 made;
    for (int i = 0; i < 2; i++)
        add(sum, taps[i], made);
    taps[1].at.y = 7.0;
    v.wz = made.xy;
    result = v * u_scale + sum;"""
TEXT = main_of(BODY, BEFORE)
OPENED = frozenset({"w", "taps", "taps[1]", "tap"})


@pytest.fixture(scope="module")
def index(gl: moderngl.Context, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TraceIndex]:
    with one_pass(tmp_path_factory.mktemp("one"), gl, TEXT) as session:
        yield TraceIndex(session.trace("y", 0))


def table(index: TraceIndex, at: int, frame: int = 0) -> dict[str, VariableRow]:
    chosen = index.frames(min(at, index.end - 1))[frame]
    place = place_of(index, chosen, at)
    rows = rows_at(index, index.variables(at, chosen.call), place, declared_in(TEXT), index.changed(at - 1, at), OPENED)
    return {row.name: row for row in rows}


def told(rows: dict[str, VariableRow]) -> dict[str, str]:
    return {name: lanes_text(row.type, row.value) for name, row in rows.items() if row.value}


def test_at_the_end_every_element_field_and_lane_stands_in_its_tree(index: TraceIndex) -> None:
    rows = table(index, index.end)
    assert told(rows) == {
        "taps[1].at": "4.0, 7.0", "taps[1].w": "5.0", "m": "1.0, 2.0 | 9.0, 4.0", "w[0]": "0.0", "w[1]": "0.5",
        "w[2]": "1.0", "v": "0.0, 0.5, 4.0, 4.0", "sum": "8.0", "made": "4.0, 4.0, 1.0", "g_total": "8.0",
        "result": "8.0, 8.25, 10.0, 10.0",
    }  # fmt: skip
    assert [rows[name].type for name in ("taps", "w", "taps[1]")] == ["Tap[2]", "float[3]", "Tap"]
    assert [name for name, row in rows.items() if row.kind == "global"] == ["g_total", "result"]


def test_a_function_has_its_parameters_and_its_caller_what_it_had(index: TraceIndex) -> None:
    inside = [step.number for step in index.steps if step.function == "add"]
    rows = table(index, inside[2])
    assert told(rows) == {
        "into": "3.0", "tap.at": "1.0, 2.0", "tap.w": "3.0", "made": "1.0, 2.0, –", "g_total": "0.0"
    }  # fmt: skip
    assert rows["made"].is_changed
    assert {name for name, row in rows.items() if row.kind == "parameter"} >= {"into", "tap", "made"}
    caller = told(table(index, inside[2], frame=1))
    assert (caller["sum"], caller["i"]) == ("0.0", "0")
    assert "made" not in caller, "it gets its value when the call is over"
    assert told(table(index, inside[3]))["g_total"] == "3.0", "a global variable that a function changed"
