"""Recordings for a page: reads and executions of the wrong passes, the most telling elements first, within a time."""

from __future__ import annotations

import moderngl
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.export.live_page.contents import PageSubject, contents
from texelscope.pipeline.export.live_page.recordings import PageRecorder, Recordings

NETWORKS = ROOT / "examples" / "webgl_cnn"


def recorded(gl: moderngl.Context, name: str, seconds: float) -> tuple[Recordings, PageSubject]:
    with pipeline.open(NETWORKS / name, context=gl) as session:
        session.run()
        recorder, subject = recorder_of(session, seconds)
        return recorder.run(), subject


def recorder_of(session: DebugSession, seconds: float) -> tuple[PageRecorder, PageSubject]:
    capture, comparer = session.capture(), Comparer(session.plan)
    report: Report = comparer.compare(capture)
    subject = PageSubject(report, session.plan, capture, comparer.isolated_values())
    return PageRecorder(session, report, capture, subject.expected, seconds), subject


def test_each_wrong_pass_has_its_worst_element_first_with_reads_execution_and_sum(gl: moderngl.Context) -> None:
    recordings, subject = recorded(gl, "broken.toml", 60.0)
    wrong = [each for each in subject.report.passes if each.verdict == "mismatch"]
    assert set(recordings) == {each.name for each in wrong}
    for each in wrong:
        worst = recordings[each.name][0]
        assert each.isolated is not None
        assert (worst.chosen.element, worst.chosen.why) == (each.isolated.worst, "worst")
        assert worst.trace is not None
        assert worst.trace.element == each.isolated.worst
        assert worst.inputs
        assert worst.judged
    first = recordings["down1"][0]
    assert first.sum is not None
    assert first.sum.first_wrong is not None
    assert any(texels.unexpected or texels.missing for texels in first.inputs)


def test_when_time_is_short_every_pass_gets_something_before_one_gets_more(gl: moderngl.Context) -> None:
    with pipeline.open(NETWORKS / "broken.toml", context=gl) as session:
        session.run()
        recorder, _ = recorder_of(session, 60.0)
        count = sum(each.verdict == "mismatch" for each in session.compare(findings=False).passes)
        for _ in range(count):
            assert recorder.step()
        assert [len(elements) for elements in recorder.recordings.values()] == count * [1]


def test_without_time_nothing_is_recorded(gl: moderngl.Context) -> None:
    assert recorded(gl, "broken.toml", 0.0)[0] == {}


def test_where_all_match_nothing_is_recorded(gl: moderngl.Context) -> None:
    assert recorded(gl, "fixed.toml", 60.0)[0] == {}


def test_the_passes_and_tensors_of_a_page_refer_to_each_other(gl: moderngl.Context) -> None:
    recordings, subject = recorded(gl, "broken.toml", 60.0)
    data = contents(PageSubject(subject.report, subject.plan, subject.capture, subject.expected, recordings))
    names = [each["name"] for each in data["textures"]]
    down1 = data["passes"][0]
    assert names[down1["output"]] == "down1_act"
    assert [names[number] for number in down1["inputs"]] == ["image", "down1.weight", "down1.bias"]
    assert data["textures"][down1["output"]]["bits"] == 23
    assert {each["texture"] for each in down1["elements"][0]["inputs"]} <= set(down1["inputs"])
    assert any(path["path"].endswith("down1.frag") for path in data["files"])


@pytest.mark.parametrize("most_bytes", [400_000, 1_500_000])
def test_a_small_budget_keeps_wrong_passes_exact_longest_and_says_what_it_did(
    gl: moderngl.Context, most_bytes: int
) -> None:
    recordings, subject = recorded(gl, "broken.toml", 60.0)
    subject = PageSubject(subject.report, subject.plan, subject.capture, subject.expected, recordings)
    data = contents(subject, most_bytes)
    sizes = [len(value) for each in data["textures"] for value in each.values() if isinstance(value, str)]
    assert sum(sizes) <= most_bytes
    assert all("bits" in each or "left out" in each["missing"] for each in data["textures"])
