"""Captures of one run after the other: what is read back, what stands, and that verdicts are as if all were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from tests.gl.incremental_compare.counted_reads import Reads
from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.incremental_compare.held import HeldTensors
from texelscope.pipeline.incremental_compare.in_textures import CopiesInTextures
from texelscope.pipeline.incremental_compare.judged import IncrementalJudge

SHAPE = (1, 5, 6, 7)
X = np.abs(array(*SHAPE)) + np.float32(0.5)


@pytest.fixture
def session(gl: moderngl.Context) -> Iterator[DebugSession]:
    """Returns x → first → a → second → b → third → y, and a → beside → z."""
    nodes = [
        node("Relu", "x", "a", "first"), node("Neg", "a", "b", "second"), node("Tanh", "a", "z", "beside"),
        node("Add", "b b", "y", "third"),
    ]  # fmt: skip
    made = model(nodes, [value("x", SHAPE)], [value("y", SHAPE), value("z", SHAPE)])
    with pipeline.open(made, layout="channel_tiles_rgba", context=gl) as opened:
        opened.set_input("x", X)
        opened.run()
        yield opened


@pytest.fixture
def comparer(session: DebugSession) -> Comparer:
    return Comparer(session.plan)


@pytest.fixture
def judged(session: DebugSession, comparer: Comparer) -> Iterator[IncrementalJudge]:
    """Captures once, and holds the tensors for the next run, in textures as on a GPU."""
    made = IncrementalJudge(session, HeldTensors(session, CopiesInTextures(session)))
    comparer.compare(made.capture())
    made.hold()
    yield made
    made.release()


def edit(session: DebugSession, name: str, before: str, after: str) -> None:
    text = session.program_source(name).fragment
    assert before in text
    session.replace_shader(name, text.replace(before, after))


def untimed(report: Report) -> Report:
    return replace(report, passes=tuple(replace(each, gpu_ms=None) for each in report.passes))


def judge(session: DebugSession, judged: IncrementalJudge, comparer: Comparer) -> Report:
    """The report of what is there now, which is that of a comparison of everything."""
    report = comparer.compare(judged.capture())
    whole = Comparer(session.plan).compare(session.capture())
    assert untimed(report) == untimed(whole)
    judged.hold()
    return report


def test_equal_runs_read_no_tensor_back(
    session: DebugSession, judged: IncrementalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = judged.capture()
    reads = Reads(monkeypatch)
    for count in range(1, 4):
        session.run()
        judged.hold()
        assert judged.capture() is before
        assert len(reads.bytes) == count, "what tells that nothing differs"
        assert sum(reads.bytes) <= 1024 * count


def test_a_capture_in_steps_reads_one_tensor_a_step_and_is_that_of_one_go(
    session: DebugSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, counts = Reads(monkeypatch), list[int]()
    stepwise = IncrementalJudge(session)
    steps = stepwise.capturing()
    while True:
        reads.clear()
        try:
            next(steps)
        except StopIteration as ended:
            capture = ended.value
            break
        counts.append(len(reads.bytes))
    whole = session.capture()
    assert max(counts) == 1
    assert sum(counts) == len(whole.tensors) == 5
    assert capture.tensors.keys() == whole.tensors.keys()
    for key, values in whole.tensors.items():
        np.testing.assert_array_equal(capture.tensors[key], values)
    assert replace(capture, tensors={}) == replace(whole, tensors={})


def test_what_was_not_run_again_is_not_even_asked_about(
    session: DebugSession, judged: IncrementalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = Reads(monkeypatch)
    judged.capture()
    judged.capture()
    assert reads.bytes == []


def test_what_a_changed_shader_changes_is_read_back_and_no_more(
    session: DebugSession, judged: IncrementalJudge, comparer: Comparer
) -> None:
    before = judged.capture()
    edit(session, "second", "compute_here(lane)", "1.25 * compute_here(lane)")
    session.run()
    after = judged.capture()
    assert {key for key in after.tensors if after.tensors[key] is not before.tensors[key]} == {"b", "y"}
    report = judge(session, judged, comparer)
    assert report.culprit == "second"
    judge(session, judged, comparer)
    assert comparer.stood == {"first", "second", "third", "beside"}, "nothing has changed since"


def test_only_passes_that_touch_what_differs_are_compared_again(
    session: DebugSession, judged: IncrementalJudge, comparer: Comparer
) -> None:
    edit(session, "second", "compute_here(lane)", "1.25 * compute_here(lane)")
    session.run()
    report = comparer.compare(judged.capture())
    assert comparer.stood == {"first", "beside"}
    assert {each.name for each in report.passes if each.verdict == "mismatch"} == {"second"}


@pytest.mark.parametrize(
    ("added", "verdict"), [("0.5", "mismatch"), ("1.0 / 0.0", "mismatch"), ("uintBitsToFloat(0x7fc00000u)", "nan")]
)
def test_one_wrong_element_has_its_verdict(
    session: DebugSession, judged: IncrementalJudge, comparer: Comparer, added: str, verdict: str
) -> None:
    there = "ivec3(gl_FragCoord.xy, lane) == ivec3(3, 4, 1)"
    edit(session, "third", "compute_here(lane)", f"compute_here(lane) + ({there} ? {added} : 0.0)")
    session.run()
    found = judge(session, judged, comparer).find("third")
    assert found is not None
    assert found.verdict == verdict
    session.run()
    again = judge(session, judged, comparer).find("third")
    assert again is not None
    assert again.verdict == verdict, "NaN is what it was, and wrong as before"


def test_texels_that_a_save_leaves_unwritten_are_seen_though_the_right_numbers_are_still_there(
    session: DebugSession, judged: IncrementalJudge, comparer: Comparer
) -> None:
    edit(session, "third", "void main() {", "void main() {\n    if (gl_FragCoord.x < 2.0) discard;")
    session.run()
    report = judge(session, judged, comparer)
    assert {each.name: each.verdict for each in report.passes}["third"] == "unwritten"


def test_another_input_is_judged_whole(session: DebugSession, judged: IncrementalJudge, comparer: Comparer) -> None:
    before = judged.capture()
    session.set_input("x", X + np.float32(1.0))
    session.run()
    assert judge(session, judged, comparer).verdict == "match"
    after = judged.capture()
    assert all(after.tensors[key] is not before.tensors[key] for key in after.tensors)


def test_the_same_input_once_more_is_no_change(session: DebugSession, judged: IncrementalJudge) -> None:
    before = judged.capture()
    judged.hold()
    session.set_input("x", X)
    session.run()
    assert judged.capture() is before


def test_a_run_before_which_nothing_was_held_is_read_back_whole(session: DebugSession, comparer: Comparer) -> None:
    judged = IncrementalJudge(session)
    before = judged.capture()
    session.run()
    after = judged.capture()
    assert after.tensors["x"] is before.tensors["x"], "not written since"
    assert judged.reads == len(after.tensors) + len(after.tensors) - 1
    judge(session, judged, comparer)
    judged.release()


def test_a_refused_shader_is_told_and_a_step_back_too(
    session: DebugSession, judged: IncrementalJudge, comparer: Comparer
) -> None:
    with pytest.raises(ShaderError, match="syntax error"):
        session.replace_shader("third", "#version 330 core\nvoid main() { nothing }")
    assert {each.verdict for each in judge(session, judged, comparer).passes} == {"match", "error"}
    session.replace_shader("third", session.program_source("third").fragment)
    session.run()
    assert judge(session, judged, comparer).verdict == "match"
    session.invalidate("second")
    verdicts = {each.name: each.verdict for each in judge(session, judged, comparer).passes}
    assert verdicts == {"first": "match", "second": "not_run", "third": "not_run", "beside": "match"}


def test_an_injected_value_is_judged_as_one(
    session: DebugSession, judged: IncrementalJudge, comparer: Comparer
) -> None:
    session.inject("b", -X)
    session.run(from_="third")
    verdicts = {each.name: each.verdict for each in judge(session, judged, comparer).passes}
    assert verdicts["second"] == "not_run"
    session.run()
    verdicts = {each.name: each.verdict for each in judge(session, judged, comparer).passes}
    assert verdicts["second"] == "match"


def test_what_is_known_without_reading(
    session: DebugSession, judged: IncrementalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = Reads(monkeypatch)
    np.testing.assert_array_equal(judged.array("b"), -X)
    assert reads.bytes == []
    session.run()
    assert judged.array("b") is None, "nobody has asked what it holds now"
    judged.capture()
    np.testing.assert_array_equal(judged.array("b"), -X)
    assert judged.array("nothing") is None


def test_a_copy_of_what_was_captured_earlier_is_not_taken_for_one_of_the_last(
    session: DebugSession, judged: IncrementalJudge
) -> None:
    text = session.program_source("second").fragment
    edit(session, "second", "compute_here(lane)", "1.25 * compute_here(lane)")
    session.run()
    np.testing.assert_array_equal(judged.capture().tensors["b"], -1.25 * X)
    session.replace_shader("second", text)  # and nothing was held in between
    session.run()
    np.testing.assert_array_equal(judged.capture().tensors["b"], -X)
