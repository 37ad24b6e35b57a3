"""Standing in a trace: where each motion leads, what variables hold there, what is asked for beyond a window."""

from __future__ import annotations

import time
from functools import cache

import pytest

from tests.pure.stepping.handmade import FILE, trace, window
from texelscope.pipeline.step_trace.trace import Assigned, Trace, TraceStep
from texelscope.viewer.debugger.model.stepping import Stepping


def standing(at: int = 0, of: Trace | None = None) -> Stepping:
    stepping = Stepping()
    stepping.take(of or trace(), at)
    return stepping


def where(stepping: Stepping) -> tuple[int, str, tuple[int, ...]]:
    step = stepping.step
    return (step.line[1], step.text, step.turns) if step is not None else (0, "end", ())


def wanted(stepping: Stepping) -> str | None:
    return stepping.wanted


def test_a_step_over_goes_line_by_line_and_not_into_calls() -> None:
    stepping = standing()
    seen = []
    for _ in range(8):
        seen.append(where(stepping)[:2])
        stepping.over()
    assert seen == [
        (6, "float sum = 0.0;"),
        (7, "int ky = 0"),
        (8, "int kx = 0"),
        (9, "vec2 at = vec2(kx, ky);"),
        (10, "float t = tap(at);"),
        (11, "sum += t;"),
        (8, "kx++"),
        (9, "vec2 at = vec2(kx, ky);"),
    ]


def test_back_over_goes_the_same_way_home() -> None:
    stepping = standing()
    way = []
    while stepping.step is not None:
        way.append(stepping.at)
        stepping.over()
    home = []
    while stepping.at > 0:
        stepping.back_over()
        home.append(stepping.at)
    assert home == way[::-1]


def test_into_and_out_of_a_function() -> None:
    stepping = standing()
    stepping.to_line((FILE, 10))
    stepping.into()
    assert where(stepping)[0] == 2
    assert [(each.function, each.line[1]) for each in stepping.index.frames(stepping.at)] == [("tap", 2), ("main", 10)]  # type: ignore[union-attr]
    stepping.out()
    assert where(stepping)[0] == 11
    stepping.back_into()
    assert where(stepping)[1] == "return v;"
    stepping.back_out()
    assert where(stepping)[0] == 10


def test_turns_of_a_loop() -> None:
    stepping = standing()
    stepping.next_turn()
    assert where(stepping) == (7, "ky < 3", (0,))
    stepping.to_line((FILE, 11))
    stepping.next_turn()
    assert where(stepping) == (8, "kx < 2", (0, 1))
    stepping.into()
    stepping.previous_turn()
    assert where(stepping) == (8, "kx < 2", (0, 0))
    stepping.previous_turn()
    assert where(stepping) == (8, "int kx = 0", (0,)), "before the loop, the loop around it goes on"
    stepping.next_turn()
    assert where(stepping) == (7, "ky < 3", (1,))
    stepping.next_turn()
    stepping.previous_turn()
    assert where(stepping) == (7, "ky < 3", (1,))


def test_the_last_turn_leads_behind_the_loop() -> None:
    stepping = standing()
    stepping.to_end()
    stepping.previous_turn()
    assert where(stepping) == (7, "ky < 3", (3,))
    stepping.next_turn()
    assert where(stepping)[1] == "y = sum;"
    stepping.next_turn()
    assert where(stepping)[1] == "end"
    assert stepping.place == ((FILE, 14), stepping.at), "the last line stays in sight"


def test_reads_lines_and_numbers() -> None:
    stepping = standing()
    stepping.next_read()
    first = stepping.at
    assert where(stepping)[0] == 2
    stepping.next_read()
    stepping.previous_read()
    assert stepping.at == first
    stepping.to_line((FILE, 12))
    assert where(stepping)[1] == "y = sum;", "the next line that has code"
    stepping.back_to_line((FILE, 6))
    assert stepping.at == 0
    stepping.to_step(5)
    assert stepping.at == 5
    stepping.to_step(10_000)
    assert where(stepping)[1] == "end"
    stepping.to_start()
    assert stepping.at == 0


def test_breakpoints_stop_where_their_condition_holds() -> None:
    stepping = standing()
    stepping.breakpoints = {(FILE, 11): "kx == 1 && ky > 0"}
    assert stepping.expressions == ("kx == 1 && ky > 0",)
    stepping.to_breakpoint()
    assert where(stepping) == (11, "sum += t;", (1, 1))
    stepping.to_breakpoint()
    assert where(stepping) == (11, "sum += t;", (2, 1))
    stepping.to_breakpoint()
    assert where(stepping)[1] == "end"
    stepping.back_to_breakpoint()
    assert where(stepping) == (11, "sum += t;", (2, 1))


def test_a_breakpoint_at_a_loop_stops_once_a_turn() -> None:
    stepping = standing()
    stepping.breakpoints = {(FILE, 7): ""}
    stops = []
    while stepping.step is not None:
        stepping.to_breakpoint()
        stops.append(where(stepping)[1])
    assert stops == ["int ky = 0", "ky++", "ky++", "ky++", "end"]


def test_values_are_those_before_the_step_that_would_run_next() -> None:
    stepping = standing()
    stepping.to_line((FILE, 11))
    stepping.next_turn()
    stepping.to_line((FILE, 11))
    held = {each.name: each.value for each in stepping.variables()}
    assert held == {"sum": (0.0,), "ky": (0,), "kx": (1,), "at": (1.0, 0.0), "t": (1.0,)}
    stepping.into()
    assert {each.name: each.value for each in stepping.variables()}["sum"] == (1.0,)
    assert stepping.changed() == {(0, "main", "sum")}
    stepping.back_into()
    assert stepping.changed() == {(0, "main", "sum")}, "and back again"


def test_a_call_has_variables_of_its_own_and_its_caller_gets_the_value_when_it_returns() -> None:
    stepping = standing()
    stepping.next_read()
    assert [(each.name, each.function) for each in stepping.variables()] == [("at", "tap")]
    stepping.into()
    assert stepping.index is not None
    assert stepping.index.variable("v", stepping.at).value == (0.0,)  # type: ignore[union-attr]
    stepping.into()
    assert where(stepping)[0] == 11
    assert stepping.index.variable("t", stepping.at) is not None
    assert stepping.index.variable("t", stepping.at - 1) is None


def test_a_line_tells_what_it_assigned_last() -> None:
    stepping = standing()
    index = stepping.index
    assert index is not None
    assert index.values_on((FILE, 9), 3) == ()
    stepping.to_line((FILE, 11))
    assert [(each.name, each.value) for each in index.values_on((FILE, 9), stepping.at)] == [("at", (0.0, 0.0))]
    assert [each.name for each in index.values_on((FILE, 10), stepping.at)] == ["t"], "the parameter is tap's own"
    stepping.to_end()
    assert [(each.name, each.value) for each in index.values_on((FILE, 11), stepping.at)] == [("sum", (63.0,))]
    assert index.lines_of(FILE)[11] == 6
    assert 12 not in index.lines_of(FILE)


def test_parts_that_are_assigned_alone_stand_in_the_whole() -> None:
    parts = [("m", "mat2", (1.0, 2.0, 3.0, 4.0)), ("m[1]", "vec2", (5.0, 6.0)), ("m[0].y", "float", (7.0,)),
             ("v", "vec3", (1.0, 2.0, 3.0)), ("v.zx", "vec2", (8.0, 9.0)), ("w[3]", "float", (1.0,)),
             ("p.x", "float", (2.0,))]  # fmt: skip
    steps = tuple(
        TraceStep(k, (FILE, k + 1), "main", 0, 0, (), assigned=(Assigned(name, kind, value, k + 1, "main"),))
        for k, (name, kind, value) in enumerate(parts)
    )
    stepping = standing(of=Trace("p", (0, 0), 0, len(steps), steps, {}))
    stepping.to_end()
    held = {each.name: each.value for each in stepping.variables()}
    assert held == {"m": (1.0, 7.0, 5.0, 6.0), "v": (9.0, 2.0, 8.0), "w[3]": (1.0,), "p.x": (2.0,)}


def test_a_motion_beyond_the_window_goes_on_in_the_next_one() -> None:
    whole = trace()
    stepping = standing(of=window(whole, 0, 10))
    stepping.breakpoints = {(FILE, 11): "kx == 1 && ky > 0"}
    stepping.to_breakpoint()
    assert (stepping.at, wanted(stepping)) == (0, "after")
    stepping.take_window(window(whole, 10, 10))
    assert wanted(stepping) == "after"
    for first in range(20, whole.total, 10):
        stepping.take_window(window(whole, first, 10))
        if wanted(stepping) is None:
            break
    assert where(stepping) == (11, "sum += t;", (1, 1))
    assert stepping.was == 0
    names = {each.name: each.value for each in stepping.variables()}
    assert names["sum"] == (11.0,), "what was assigned before the window is known"
    stepping.to_start()
    assert wanted(stepping) == "before"
    stepping.take_window(window(whole, 0, 10))
    assert (stepping.at, wanted(stepping)) == (0, None)


def test_without_a_trace_nothing_moves() -> None:
    stepping = Stepping()
    stepping.over()
    stepping.to_end()
    assert (stepping.at, stepping.step, stepping.variables(), stepping.is_on) == (0, None, (), False)


@cache
def long_trace() -> Trace:
    """More than 20,000 steps, which take half a second to make."""
    return trace(rows=30, columns=96)


@pytest.mark.parametrize("name", ["over", "back_over", "out", "next_turn", "previous_turn", "next_read", "to_end"])
def test_a_motion_among_20_000_steps_takes_no_time(name: str) -> None:
    stepping = standing(of=long_trace())
    stepping.to_step(12_345)
    least = 1.0
    for _ in range(5):
        stepping.to_step(12_345)
        start = time.process_time()
        getattr(stepping, name)()
        stepping.variables()
        stepping.changed()
        least = min(least, time.process_time() - start)
    assert least < 5e-3
