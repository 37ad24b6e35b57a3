"""Tests what the open target is compared with, in a thread: whose results they are, and how failures end."""

from __future__ import annotations

import itertools
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from tests.gl.incremental_compare.counted_reads import Reads
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.isolated import IsolatedJudge, IsolatedReport
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.viewer.document import comparing, comparison
from texelscope.viewer.document.comparison import Comparison, compare
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.early_verdicts import EarlyVerdicts
from texelscope.viewer.document.jobs import Job
from texelscope.viewer.document.log import MessageLog

EXAMPLE = ROOT / "examples" / "webgl_cnn"
SECONDS = 40.0


@pytest.fixture
def log() -> MessageLog:
    return MessageLog()


@pytest.fixture
def document(gl: moderngl.Context, log: MessageLog, tmp_path: Path) -> Iterator[Document]:
    """Returns the example, opened and run; not compared yet."""
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "cnn"))
    opened = Document(gl, log, lambda: None)
    opened.open(Target(str(folder / "fixed.toml")))
    wait_until(opened, lambda: opened.session is not None)
    run(opened)
    yield opened
    opened.close()


def wait_until(document: Document, holds: Callable[[], bool]) -> None:
    """Waits as the window does between frames, without running any pass."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        document.update()
        time.sleep(0.01)


def run(document: Document) -> None:
    while document.run.is_under_way:
        document.run.advance(1000.0)


def settle(document: Document) -> None:
    """Runs until nothing is to be run or compared any more."""

    def settled() -> bool:
        run(document)
        return document.settled

    wait_until(document, settled)


def logged(log: MessageLog, level: str) -> list[str]:
    return [entry.text for entry in log.entries if entry.level == level]


class Held:
    """Comparisons that wait, deaf to being cancelled, until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.free = threading.Event(), threading.Event()
        self.jobs: list[Job[Comparison]] = []

        def held(*arguments: Any) -> Comparison:
            job = arguments[-1]
            self.jobs.append(job)
            self.begun.set()
            assert self.free.wait(SECONDS)
            job.cancel.clear()
            return compare(*arguments)

        monkeypatch.setattr(comparing, "compare", held)


class Stopped:
    """Comparisons that stop after their first verdict, until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.free = threading.Event(), threading.Event()
        add = EarlyVerdicts.add

        def stopped(early: EarlyVerdicts, alone: IsolatedReport) -> None:
            add(early, alone)
            self.begun.set()
            assert self.free.wait(SECONDS)

        monkeypatch.setattr(EarlyVerdicts, "add", stopped)


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stopped]:
    made = Stopped(monkeypatch)
    yield made
    made.free.set()


def judged(document: Document) -> dict[str, str]:
    """Returns the verdicts that the window shows, by pass."""
    reports = [document.report_of(each.name) for each in document.passes]
    return {each.name: each.verdict for each in reports if each is not None}


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    made = Held(monkeypatch)
    yield made
    made.free.set()


def test_what_was_compared_of_one_session_is_not_taken_for_another_of_the_same_name(
    document: Document, held: Held
) -> None:
    wait_until(document, held.begun.is_set)
    before = document.session
    document.reopen()
    wait_until(document, lambda: document.session is not before)
    held.free.set()
    wait_until(document, lambda: document.job is None)
    assert document.comparison is None


def test_another_target_ends_the_comparison_of_the_one_before(document: Document, held: Held) -> None:
    wait_until(document, held.begun.is_set)
    document.close_session()
    assert held.jobs[0].cancel.is_set()


def test_a_comparison_given_up_is_not_waited_for(document: Document, held: Held, log: MessageLog) -> None:
    wait_until(document, held.begun.is_set)
    document.cancel()
    held.free.set()
    settle(document)
    assert (document.comparing.ended, document.comparison) == ("cancelled", None)
    assert logged(log, "info")[-1] == "Comparison cancelled. Run again to compare."
    document.run.everything()
    settle(document)
    assert document.comparing.ended == ""
    assert document.is_compared


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("Too many bins"), "no fault of this program, got ValueError: Too many bins. All of it is in"),
        (MemoryError("8 GiB"), "enough memory, got none. Use smaller shapes."),
    ],
)
def test_a_comparison_that_fails_says_so_and_is_not_waited_for(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def failing(*_: object) -> Comparison:
        raise error

    monkeypatch.setattr(comparing, "compare", failing)
    settle(document)
    assert (document.comparing.ended, document.is_compared) == ("failed", False)
    (line,) = logged(log, "error")
    assert line.startswith(f"the comparison: expected {said}")


def test_tensors_that_cannot_be_read_back_are_said_once(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> object:
        raise moderngl.Error("the context is lost")

    monkeypatch.setattr(DebugSession, "tensor", failing)
    for _ in range(3):
        settle(document)
    assert document.comparing.ended == "failed"
    (line,) = logged(log, "error")
    assert "the comparison: expected no fault of this program, got Error: the context is lost. All of it is in" in line


@pytest.mark.parametrize(
    ("part", "says"), [("summarise", "The range of '{}' could"), ("convention_fits", "The conventions of '{}' could")]
)
def test_what_fails_beside_the_verdicts_leaves_them_and_is_said(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch, part: str, says: str
) -> None:
    whole, calls = getattr(comparison, part), itertools.count()

    def failing(*arguments: Any) -> Any:
        if next(calls) == 1:
            raise ValueError("Too many bins")
        return whole(*arguments)

    monkeypatch.setattr(comparison, part, failing)
    settle(document)
    assert document.comparison is not None
    assert {each.verdict for each in document.comparison.report.passes} == {"match"}
    (warning,) = logged(log, "warning")
    second = "down1" if part == "summarise" else "down2"  # a tensor after the input, or a pass
    assert warning == f"{says.format(second)} not be determined: ValueError: Too many bins"
    known = set(document.comparison.statistics)
    everything = {"image", *(each.output for each in document.passes)}
    assert known == (everything - {"down1"} if part == "summarise" else everything)


def test_a_pass_that_cannot_be_compared_is_warned_of(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolated = GraphOracle.isolated

    def failing(oracle: GraphOracle, given: Any, wanted: str, **others: Any) -> Expected | None:
        if wanted == "down2_act":
            raise ValueError("no oracle today")
        return isolated(oracle, given, wanted, **others)

    monkeypatch.setattr(GraphOracle, "isolated", failing)
    settle(document)
    assert document.comparison is not None
    verdicts = {each.name: each.verdict for each in document.comparison.report.passes}
    assert verdicts == {**dict.fromkeys(verdicts, "match"), "down2": "not_compared"}
    assert logged(log, "warning") == ["'down2' could not be compared: ValueError: no oracle today"]


def test_an_oracle_that_does_not_run_leaves_the_passes_running(
    gl: moderngl.Context, log: MessageLog, tmp_path: Path
) -> None:
    toml = '[pipeline]\noracle = "oracle.py"\n' + INPUT + PASS
    path = write_folder(tmp_path, toml, copy_frag=COPY, oracle_py="import no_such_module\n")
    document = Document(gl, log, lambda: None)
    try:
        document.open(Target(str(path), OpenOptions(trust=True)))
        wait_until(document, lambda: document.session is not None)
        settle(document)
        assert (document.comparing.ended, document.run.position) == ("failed", 1)
        (error,) = logged(log, "error")
        assert error.startswith("oracle.py:1: expected Python that runs")
        (tmp_path / "oracle.py").write_text("def copy(t_X):\n    return t_X\n", encoding="utf-8")
        document.reload()
        settle(document)
        assert (document.comparing.ended, document.is_compared) == ("", True)
    finally:
        document.close()


def test_tensors_that_a_save_makes_another_size_are_not_shown_beside_the_oracle_of_before(
    gl: moderngl.Context, log: MessageLog, tmp_path: Path
) -> None:
    path = write_folder(tmp_path, INPUT + PASS, copy_frag=COPY)
    document = Document(gl, log, lambda: None)
    try:
        document.open(Target(str(path)))
        wait_until(document, lambda: document.session is not None)
        settle(document)
        assert document.comparison is not None
        text = path.read_text(encoding="utf-8")
        assert text.count("8, 8]") == 2
        path.write_text(text.replace("8, 8]", "4, 4]"), encoding="utf-8")
        document.reload()
        assert document.stored("copy") is not None
        assert document.comparison is None
        settle(document)
        assert document.is_compared
    finally:
        document.close()


def test_a_step_back_is_compared_anew(document: Document) -> None:
    settle(document)
    before = document.comparison
    assert before is not None
    document.run.back()
    settle(document)
    assert document.comparison is not None
    assert document.comparison.number > before.number
    assert document.comparison.report.passes[-1].verdict == "not_run"


def settled_again(document: Document) -> None:
    document.run.everything()
    settle(document)


def test_a_run_that_changes_nothing_reads_nothing_back_and_every_verdict_stands(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(document)
    before = document.comparison
    reads = Reads(monkeypatch)
    settled_again(document)
    settled_again(document)
    assert document.comparison == before
    assert document.is_compared
    assert len(reads.bytes) <= 3, "one whether shaders see every bit, and one a run"
    assert sum(reads.bytes) < 20_000
    assert logged(log, "info")[-1].startswith("Nothing has changed. Compared: 6 of 6 passes match")
    for each in document.passes:
        assert document.values(each.output) is not None
    assert len(reads.bytes) <= 3, "what was read back when it was judged is shown"


def test_a_save_has_what_it_changes_judged_and_no_more(
    document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(document)
    before = document.comparison
    assert before is not None
    shader = tmp_path / "cnn" / "up.frag"
    text = shader.read_text(encoding="utf-8")
    assert "vec4(max(sum, 0.0))" in text
    shader.write_text(text.replace("vec4(max(sum, 0.0))", "vec4(max(sum, 0.0) + 0.125)"), encoding="utf-8")
    assert document.session is not None
    tensor = document.session.tensor
    read: set[str] = set()

    def noted(key: str) -> Any:
        read.add(key)
        return tensor(key)

    monkeypatch.setattr(document.session, "tensor", noted)
    document.reload()
    settle(document)
    after = document.comparison
    assert after is not None
    assert {each.name for each in after.report.passes if each.verdict == "match"} == {"down1", "down2", "down3", "up3"}
    assert read == {each.output for each in document.passes if each.name.startswith("up")}
    assert after.statistics["down1"] is before.statistics["down1"]


def test_frames_that_are_played_are_judged_once_in_a_while_and_none_is_read_back_to_be_shown(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(document)
    # Longer than a loaded machine takes for four frames.
    monkeypatch.setattr(comparing, "COMPARE_EVERY_SECONDS", 3600.0)
    reads = Reads(monkeypatch)
    first = document.comparison
    assert first is not None
    name = document.session.plan.inputs[0] if document.session is not None else ""
    for seed in range(4):
        assert document.set_input(name, f"random:{seed}", quietly=True)
        run(document)
        document.update()
        shown = document.values(name)
        assert shown is not None
    assert len(reads.bytes) <= 1, "whether shaders see every bit"
    assert document.session is not None
    np.testing.assert_array_equal(shown, first.capture.tensors[name], "what is held against the oracle is of its frame")
    assert document.comparison is first, "it is not yet time to compare again"
    assert len(logged(log, "info")) == 2
    monkeypatch.setattr(comparing, "COMPARE_EVERY_SECONDS", 0.0)
    settle(document)
    assert document.comparison is not None
    assert document.comparison.number == first.number + 1
    assert document.is_compared


def test_the_verdict_that_is_needed_is_shown_before_the_others_are_known(document: Document, stopped: Stopped) -> None:
    document.comparing.needed = ("up2", "down1")
    wait_until(document, stopped.begun.is_set)
    assert judged(document) == {"up2": "match"}
    assert (document.comparison, document.is_compared) == (None, False), "nothing is said of all passes yet"
    key = document.session.plan.pass_called("up2").output if document.session is not None else ""
    expected, number = document.expected(key, chained=False), document.expected_number(key, chained=False)
    assert expected is not None
    assert document.expected(key, chained=True) is None
    assert document.expected_number(key, chained=True) == 0
    stopped.free.set()
    settle(document)
    assert judged(document) == {each.name: "match" for each in document.passes}
    assert document.comparing.early is None
    assert document.expected(key, chained=False) is expected
    assert document.expected_number(key, chained=False) == number, "its picture need not be drawn again"
    assert document.expected(key, chained=True) is not None
    assert document.expected_number(key, chained=True) == number


@pytest.mark.parametrize("change", ["input", "shader", "session", "step"])
def test_verdicts_of_a_comparison_under_way_end_with_what_they_are_about(
    document: Document, stopped: Stopped, tmp_path: Path, change: str
) -> None:
    document.comparing.needed = ("up2",)
    wait_until(document, stopped.begun.is_set)
    assert judged(document) == {"up2": "match"}
    session = document.session
    assert session is not None
    if change == "input":
        assert document.set_input(session.plan.inputs[0], "random:7")
    elif change == "shader":
        text = (tmp_path / "cnn" / "up.frag").read_text(encoding="utf-8")
        wrong = text.replace("vec4(max(sum, 0.0))", "vec4(max(sum, 0.0) + 0.125)")
        assert wrong != text
        (tmp_path / "cnn" / "up.frag").write_text(wrong, encoding="utf-8")
        document.reload()
    elif change == "session":
        document.reopen()
        wait_until(document, lambda: document.session is not session)
    else:
        document.run.up_to(0)
    assert judged(document) == {}
    run(document)
    assert judged(document) == {}, "not even when there are results again"
    stopped.free.set()
    settle(document)
    verdict = {"shader": "mismatch", "step": "not_run"}.get(change, "match")
    assert document.comparison is not None
    found = document.comparison.report.find("up2")
    assert found is not None
    assert found.verdict == verdict


def test_verdicts_of_an_older_run_do_not_stand_in_for_those_that_are_not_known_yet(
    document: Document, stopped: Stopped, tmp_path: Path
) -> None:
    stopped.free.set()
    settle(document)
    stopped.begun.clear()
    stopped.free.clear()
    text = (tmp_path / "cnn" / "up.frag").read_text(encoding="utf-8")
    wrong = text.replace("vec4(max(sum, 0.0))", "vec4(max(sum, 0.0) + 0.125)")
    (tmp_path / "cnn" / "up.frag").write_text(wrong, encoding="utf-8")
    document.reload()
    run(document)
    document.comparing.needed = ("up2",)
    wait_until(document, stopped.begun.is_set)
    assert judged(document) == {"up2": "mismatch"}


def test_a_cancelled_comparison_leaves_the_verdicts_that_it_found_until_the_next_run(
    document: Document, stopped: Stopped
) -> None:
    wait_until(document, stopped.begun.is_set)
    first = document.passes[0].name
    document.cancel()
    stopped.free.set()
    wait_until(document, lambda: document.job is None)
    assert judged(document) == {first: "match"}
    assert (document.comparing.ended, document.is_compared) == ("cancelled", False)
    document.run.everything()
    settle(document)
    assert len(judged(document)) == len(document.passes)
    assert document.is_compared


def test_a_pass_that_is_being_judged_when_the_user_cancels_gets_no_verdict(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, free, report = threading.Event(), threading.Event(), IsolatedJudge.report

    def broken_off(judge: IsolatedJudge, shader_pass: Pass, capture: Capture) -> IsolatedReport:
        made = report(judge, shader_pass, capture)
        if shader_pass.name == second:
            begun.set()
            assert free.wait(SECONDS)
        return made

    first, second = (each.name for each in document.passes[:2])
    monkeypatch.setattr(IsolatedJudge, "report", broken_off)
    wait_until(document, begun.is_set)
    document.cancel()
    free.set()
    wait_until(document, lambda: document.job is None)
    assert judged(document) == {first: "match"}


def test_results_are_read_back_a_few_at_a_time_and_anew_when_they_change_meanwhile(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "READ_SECONDS", 0.0)
    for _ in range(3):
        document.update()
    assert document.comparing.is_reading
    assert (document.job, document.settled) == (None, False)
    assert document.session is not None
    name = document.session.plan.inputs[0]
    assert document.set_input(name, "random:7")
    settle(document)
    assert not document.comparing.is_reading
    assert document.comparison is not None
    assert document.is_compared
    tensors = document.comparison.capture.tensors
    assert len(tensors) == len(document.passes) + 1
    for key, values in tensors.items():
        np.testing.assert_array_equal(values, document.session.tensor(key))
    assert {each.verdict for each in document.comparison.report.passes} == {"match"}


def test_reading_back_can_be_cancelled_too(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "READ_SECONDS", 0.0)
    document.update()
    document.cancel()
    settle(document)
    assert (document.comparing.is_reading, document.comparing.ended, document.comparison) == (False, "cancelled", None)
    document.run.everything()
    settle(document)
    assert document.is_compared


def test_a_session_that_is_closed_is_not_read_any_further(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "READ_SECONDS", 0.0)
    document.update()
    assert document.comparing.is_reading
    document.close_session()
    assert not document.comparing.is_reading
    document.update()
