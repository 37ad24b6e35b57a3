"""Recordings for a page: reads and executions of the wrong passes, the most telling elements first, within a time."""

from __future__ import annotations

import dataclasses

import moderngl
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.export.live_page.contents import PageSubject, contents
from texelscope.pipeline.export.live_page.recordings import PageRecorder

# More seconds than a busy machine takes.
LONG = 600.0
NETWORKS = ROOT / "examples" / "webgl_cnn"


# Elements to record: each of six passes once, and the first one three times.
FEW = 8


@pytest.fixture(scope="module")
def broken(gl: moderngl.Context) -> PageSubject:
    """A few recordings of the network with a bug in every pass."""
    with pipeline.open(NETWORKS / "broken.toml", context=gl) as session:
        session.run()
        recorder, subject = recorder_of(session, LONG)
        for _ in range(FEW):
            assert recorder.step()
        return dataclasses.replace(subject, recordings=recorder.recordings)


def recorder_of(session: DebugSession, seconds: float) -> tuple[PageRecorder, PageSubject]:
    capture, comparer = session.capture(), Comparer(session.plan)
    report: Report = comparer.compare(capture)
    subject = PageSubject(report, session.plan, capture, comparer.isolated_values())
    return PageRecorder(session, report, capture, subject.expected, seconds), subject


def test_each_wrong_pass_has_its_worst_element_first_with_reads_execution_and_sum(broken: PageSubject) -> None:
    recordings = broken.recordings
    wrong = [each for each in broken.report.passes if each.verdict == "mismatch"]
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


def test_every_pass_gets_something_before_the_first_wrong_one_gets_more(broken: PageSubject) -> None:
    assert [len(elements) for elements in broken.recordings.values()] == [3, 1, 1, 1, 1, 1]


def test_without_time_nothing_is_recorded(gl: moderngl.Context) -> None:
    with pipeline.open(NETWORKS / "broken.toml", context=gl) as session:
        session.run()
        assert recorder_of(session, 0.0)[0].run() == {}


def test_where_all_match_nothing_is_recorded(gl: moderngl.Context) -> None:
    with pipeline.open(NETWORKS / "fixed.toml", context=gl) as session:
        session.run()
        recorder, _ = recorder_of(session, LONG)
        assert not recorder.step()
        assert recorder.progress == 1.0


def test_the_passes_and_tensors_of_a_page_refer_to_each_other(broken: PageSubject) -> None:
    data = contents(broken)
    names = [each["name"] for each in data["textures"]]
    down1 = data["passes"][0]
    assert names[down1["output"]] == "down1_act"
    assert [names[number] for number in down1["inputs"]] == ["image", "down1.weight", "down1.bias"]
    assert data["textures"][down1["output"]]["bits"] == 23
    assert {each["texture"] for each in down1["elements"][0]["inputs"]} <= set(down1["inputs"])
    assert any(path["path"].endswith("down1.frag") for path in data["files"])


@pytest.mark.parametrize("most_bytes", [400_000, 1_000_000])
def test_a_small_budget_is_kept_and_what_is_left_out_is_told(broken: PageSubject, most_bytes: int) -> None:
    data = contents(broken, most_bytes)
    sizes = [len(value) for each in data["textures"] for value in each.values() if isinstance(value, str)]
    assert sum(sizes) <= most_bytes
    assert all("bits" in each or "left out" in each["missing"] for each in data["textures"])
