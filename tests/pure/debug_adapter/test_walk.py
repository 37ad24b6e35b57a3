"""Tests a walk through a trace made by hand: where each motion leads, and why it stops."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.pure.stepping.handmade import FILE, SHADER, trace, window
from texelscope.pipeline.debug_adapter.hit_condition import hit_condition
from texelscope.pipeline.debug_adapter.lines import stopping_line
from texelscope.pipeline.debug_adapter.stops import Breakpoint, events_of
from texelscope.pipeline.debug_adapter.walk import Walk
from texelscope.pipeline.step_trace.trace import Assigned, Trace
from texelscope.pipeline.stepping import motions
from texelscope.pipeline.stepping.index import TraceIndex


def walk(*breakpoints: Breakpoint, whole: Trace | None = None) -> Walk:
    return Walk(whole or trace(), breakpoints={FILE: breakpoints})


def on(line: int, number: int = 1, **more: object) -> Breakpoint:
    return Breakpoint(number, (FILE, line), **more)  # type: ignore[arg-type]


def stops(of: Walk) -> list[int]:
    """Runs to the end; returns the numbers of the steps on the way."""
    found = []
    while of.go_on().reason != "end":
        found.append(of.at)
    return found


def with_value(name: str, value: float, which: int = 0) -> Trace:
    """The trace, in which the assignment number `which` of a variable has another value."""
    whole, seen, steps = trace(), 0, []
    for step in whole.steps:
        made: list[Assigned] = []
        for each in step.assigned:
            is_it = each.name == name and seen == which
            seen += each.name == name
            made.append(replace(each, value=(value,)) if is_it else each)
        steps.append(replace(step, assigned=tuple(made)))
    return replace(whole, steps=tuple(steps))


def test_breakpoints_stop_before_each_run_of_their_line_forwards_and_backwards() -> None:
    of = walk(on(11))
    there = stops(of)
    assert len(there) == 6
    assert {of.index.steps[number].line for number in there} == {(FILE, 11)}
    back = []
    while of.go_back().reason == "breakpoint":
        back.append(of.at)
    assert back == there[::-1]
    assert (of.at, of.stop.reason) == (0, "entry")


def test_a_condition_and_a_hit_condition_choose_among_them() -> None:
    every = stops(walk(on(11)))
    assert stops(walk(on(11, condition="kx == 1 && ky > 0"))) == [every[3], every[5]]
    assert stops(walk(on(11, hits=hit_condition("% 3")))) == [every[2], every[5]]
    both = on(11, condition="kx == 1 && ky > 0", hits=hit_condition("2"))
    assert stops(walk(both)) == [every[5]], "hits count where the condition is true"


def test_a_condition_that_the_record_lacks_never_stops() -> None:
    assert stops(walk(on(11, condition="unheard > 1"))) == []


def test_a_run_from_the_beginning_may_stop_at_the_first_step() -> None:
    of = walk(on(6))
    assert (of.begin().reason, of.at) == ("breakpoint", 0)
    assert of.go_on().reason == "end"


def test_a_motion_stops_at_a_breakpoint_on_its_way() -> None:
    of = walk(on(2, number=7))
    while of.step is not None and of.step.line[1] != 10:
        of.move(motions.over)
    calling = of.at
    assert (of.move(motions.over).breakpoints, of.step.line if of.step else None) == ((7,), (FILE, 2))
    of.breakpoints = {}
    of.search_again()
    of.move(motions.out)
    assert of.step is not None
    assert of.step.line == (FILE, 11)
    of.breakpoints = {FILE: (on(2),)}
    of.search_again()
    assert of.move(motions.back_over).reason == "breakpoint"
    assert of.at == calling + 1


def test_steps_back_are_the_reverse_of_steps_forwards() -> None:
    of = walk()
    forwards = [of.at]
    while of.move(motions.over).reason != "end":
        forwards.append(of.at)
    backwards = []
    while of.at > 0:
        of.move(motions.back_over)
        backwards.append(of.at)
    lines = [of.index.steps[at].line for at in forwards]
    assert [of.index.steps[at].line for at in backwards] == [
        line for number, line in reversed(list(enumerate(lines))) if number == 0 or lines[number - 1] != line
    ]


def test_messages_are_printed_on_the_way_forwards_alone() -> None:
    whole = trace(watches=("kx == 1 && ky > 0",))
    of = walk(on(11, message="late: {kx == 1 && ky > 0}, {unheard}"), whole=whole)
    assert of.go_on().printed[:1] == ("late: false, {unheard}",)
    assert (len(of.stop.printed), of.stop.reason) == (6, "end")
    assert of.go_back().printed == ()


def test_reads_are_stops_of_a_filter() -> None:
    of = walk()
    of.filters = frozenset({"read"})
    assert of.go_on().reason == "exception"
    assert [event.text for event in of.stop.events] == ["reads u_x at texel (0, 0)"]
    assert len(stops(of)) == 5


def test_a_value_that_becomes_nan_or_infinite_is_a_stop_and_one_that_stays_so_is_none() -> None:
    whole = with_value("sum", math.nan, 2)
    of = walk(whole=replace(whole, steps=tuple(replace(step, returned=()) for step in whole.steps)))
    of.filters = frozenset({"nan"})
    assert of.go_on().events[0].text == "sum becomes NaN"
    assert of.step is not None
    assert of.step.line == (FILE, 11)
    lasting = trace()
    steps = tuple(
        replace(step, assigned=tuple(replace(a, value=(math.inf,)) if a.name == "sum" else a for a in step.assigned))
        for step in lasting.steps
    )
    events = [event for event in events_of(TraceIndex(replace(lasting, steps=steps))) if event.filter == "nan"]
    assert [event.text for event in events] == ["sum becomes Inf"]


def test_a_call_is_no_stop_where_a_statement_inside_made_the_value() -> None:
    whole = with_value("t", math.nan)
    calling = next(step.number for step in whole.steps if step.line[1] == 10)
    inside = next(step.number for step in whole.steps if step.end == "return")
    inner = tuple(
        replace(step, returned=(math.nan,) if step.number == inside else step.returned) for step in whole.steps
    )
    events = [e for e in events_of(TraceIndex(replace(whole, steps=inner))) if e.filter == "nan"]
    assert [(e.step, e.text) for e in events] == [(inside, "'tap' returns NaN")]
    alone = [e for e in events_of(TraceIndex(whole)) if e.filter == "nan"]
    assert [e.step for e in alone] == [calling]


def test_a_part_of_a_record_ends_where_it_ends() -> None:
    of = walk(whole=window(trace(), 20, 10))
    assert (of.at, of.go_on().reason, of.at) == (20, "end", 30)
    assert of.go_back().reason == "entry"
    assert of.at == 20
    assert of.move(motions.back_into).reason == "entry"
    assert of.at == 20


def test_the_end_shows_the_outermost_function_at_its_last_line() -> None:
    of = walk()
    of.go_on()
    assert [(frame.function, frame.line) for frame in of.frames] == [("main", (FILE, 14))]


def test_another_record_keeps_the_position() -> None:
    of = walk(on(11))
    of.go_on()
    at = of.at
    of.take(trace(watches=("ky",)))
    assert of.at == at
    assert stops(of)


def test_a_breakpoint_moves_to_the_statement_that_its_line_belongs_to() -> None:
    of = walk()
    assert stopping_line(of, FILE, SHADER, 11) == 11
    assert stopping_line(of, FILE, SHADER, 12) == 14, "a brace"
    assert stopping_line(of, FILE, SHADER, 5) == 6, "the head of a function"
    two = SHADER.replace("y = sum;", "y =\n        sum;\n    if (y < 0.0) {\n        y = 0.0;\n    }")
    assert stopping_line(of, FILE, two, 15) == 14, "inside a statement of two lines"
    assert stopping_line(of, FILE, two, 17) is None, "never run"
    assert stopping_line(of, FILE, SHADER, 500) is None
