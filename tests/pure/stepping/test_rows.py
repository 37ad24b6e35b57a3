"""Tests the table of variables before a step: values, scopes, parts, changes, callers."""

from __future__ import annotations

from tests.pure.stepping.made import FILE, Made
from texelscope.pipeline.stepping.index import TraceIndex
from texelscope.pipeline.stepping.loops import LoopRun, loops_around, nearest_series, series
from texelscope.pipeline.stepping.rows import VariableRow, place_of, rows_at
from texelscope.pipeline.stepping.scopes import declared_in

TEXT = """out vec4 g_out;
float f(float a) {
    float s = a;
    return s;
}
void main() {
    float w[3];
    vec2 v = vec2(0);
    for (int i = 0; i < 3; i++) {
        float x = f(w[i]);
        v.y += x;
    }
    g_out = vec4(v, 0, 1);
}
"""
DECLARED = declared_in(TEXT)


def looped() -> Made:
    """Three turns of main's loop, each with a call of f."""
    made = Made().did(8, ("vec2 v", (0.0, 0.0))).did(9, ("int i", 0))
    for turn in range(3):
        made.did(9, turns=(turn,))
        called = len(made.steps)
        made.did(10, ("float x", turn + 0.5), turns=(turn,), begun=called + 3)
        call = turn + 1
        value = ("float s", turn + 0.5)
        made.did(3, ("float a", turn + 0.5), value, function="f", call=call, depth=1)
        made.did(4, function="f", call=call, depth=1)
        made.did(11, ("float v.y", turn * 2.0), turns=(turn,))
        made.did(9, ("int i", turn + 1), turns=(turn,))
    made.did(9, turns=(3,))
    return made.did(13, ("vec4 g_out", (0.0, 4.0, 0.0, 1.0)))


def shown(made: Made, at: int, opened: frozenset[str] = frozenset(), frame: int = 0) -> dict[str, VariableRow]:
    """The table before a step, of the innermost call or one further out, by the rows' names."""
    index = TraceIndex(made.trace())
    chosen = index.frames(min(at, index.end - 1))[frame]
    place = place_of(index, chosen, at)
    found = index.variables(at, chosen.call)
    rows = rows_at(index, found, place, DECLARED, index.changed(at - 1, at), opened)
    return {row.name: row for row in rows}


def test_before_a_step_stands_what_the_steps_before_it_assigned() -> None:
    made = looped()
    assert {name: row.value for name, row in shown(made, 1).items()} == {"v": (0.0, 0.0)}
    rows = shown(made, 6)  # before `v.y += x` of the first turn
    assert {name: row.value for name, row in rows.items()} == {"v": (0.0, 0.0), "i": (0,), "x": (0.5,)}
    assert [name for name, row in rows.items() if row.is_changed] == ["x"]
    assert (rows["x"].step, rows["x"].line, rows["x"].type) == (3, (FILE, 10), "float")


def test_a_lane_changes_the_vector_that_it_is_of() -> None:
    row = shown(looped(), 12)["v"]
    assert (row.value, row.type) == ((0.0, 0.0), "vec2")
    assert shown(looped(), 19)["v"].value == (0.0, 4.0)


def test_a_name_is_there_in_its_scope_alone() -> None:
    made = looped()
    second = next(step.number for step in made.steps if step.line[1] == 10 and step.turns == (1,))
    assert "x" not in shown(made, second), "this turn has not come to it"
    assert "i" in shown(made, second)
    last = made.steps[-1].number
    assert set(shown(made, last)) == {"v"}, "the loop is over"
    assert shown(made, last + 1)["g_out"].kind == "global"


def test_a_call_has_its_own_variables_and_its_caller_keeps_its() -> None:
    made = looped()
    inside = shown(made, 5)
    assert {name: row.kind for name, row in inside.items()} == {"a": "parameter", "s": ""}
    assert {"v", "i"} <= set(shown(made, 5, frame=1))


def test_an_array_is_a_row_with_its_elements_below() -> None:
    made = Made().did(8, ("float w[0]", 1.0)).did(8, ("float w[2]", 3.0)).did(8)
    closed = shown(made, 2)
    assert (closed["w"].parts, closed["w"].value, closed["w"].type) == (2, (), "float[3]")
    opened = shown(made, 2, frozenset({"w"}))
    assert {name: row.value for name, row in opened.items() if row.depth} == {"w[0]": (1.0,), "w[2]": (3.0,)}
    assert opened["w[2]"].is_changed
    assert not opened["w[0]"].is_changed
    whole = made.did(8, ("float[3] w", (7.0, 8.0, 9.0))).did(8)
    assert shown(whole, 4, frozenset({"w"}))["w[1]"].value == (8.0,)


def test_lanes_of_a_vector_without_a_value_and_fields_of_a_struct_are_told_apart() -> None:
    made = Made().did(8, ("float v.y", 1.0)).did(8, ("float tap.x", 1.0)).did(8, ("vec2 tap.at", (2.0, 3.0))).did(8)
    rows = shown(made, 3, frozenset({"v", "tap"}))
    assert (rows["v"].value, rows["v"].type, rows["v"].parts) == ((None, 1.0), "vec2", 0)
    assert [(name, row.value) for name, row in rows.items() if row.depth] == [("tap.x", (1.0,)), ("tap.at", (2.0, 3.0))]


def test_a_plot_has_a_point_a_turn_of_the_innermost_loop() -> None:
    index = TraceIndex(looped().trace())
    loop, whole = loops_around(index, 6)
    assert (loop, whole) == (LoopRun(0, 1, 2, 20), LoopRun(0, 0, 0, 21))
    found = series(index, loop, index.history((0, "main", "v")))
    assert found is not None
    assert (found.at, found.lanes[1]) == ((0, 1, 2), (0.0, 2.0, 4.0))
    assert (found.low, found.high) == (0.0, 4.0)
    assert series(index, loop, ()) is None


def test_what_an_inner_loop_leaves_alone_is_plotted_over_the_loop_around() -> None:
    made = Made()
    for outer in range(3):
        made.did(1, ("float x", outer * 1.0), turns=(outer,))
        for turn in range(2):
            made.did(2, ("float y", turn * 1.0), turns=(outer, turn))
    index = TraceIndex(made.trace())
    loops = loops_around(index, 4)
    found = nearest_series(index, loops, index.history((0, "main", "x")))
    assert found is not None
    assert (found.depth, found.lanes[0]) == (1, (0.0, 1.0, 2.0))
    inner = nearest_series(index, loops, index.history((0, "main", "y")))
    assert inner is not None
    assert (inner.depth, inner.at) == (2, (0, 1))


def test_two_runs_of_a_loop_are_two_plots() -> None:
    made = Made()
    for _ in range(2):
        for turn in range(4):
            made.did(2, ("float x", len(made.steps) + 0.5), turns=(turn,))
    index = TraceIndex(made.trace())
    assert [loops_around(index, at)[0] for at in (1, 5)] == [LoopRun(0, 1, 0, 3), LoopRun(0, 1, 4, 7)]
    loop = loops_around(index, 5)[0]
    found = series(index, loop, index.history((0, "main", "x")))
    assert found is not None
    assert found.lanes[0] == (4.5, 5.5, 6.5, 7.5)


def test_a_plot_of_many_turns_keeps_the_extremes() -> None:
    made = Made()
    for turn in range(2000):
        made.did(2, ("float x", float(turn)), turns=(turn,))
    index = TraceIndex(made.trace())
    loop = loops_around(index, 1000)[0]
    found = series(index, loop, index.history((0, "main", "x")))
    assert found is not None
    assert len(found.at) <= 96
    assert (found.low, found.high) == (0.0, 1999.0)
