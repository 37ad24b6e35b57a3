"""Runs that are kept: within bounds, and held against the present one."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.compare.report import Figures, Finding, PassReport, Report, Verdict, summarise
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.runs.run import HeldTensor, Run
from texelscope.viewer.document.reference import RunReference
from texelscope.viewer.runs.model.changes import changes, finding_changes, text_changes, trend
from texelscope.viewer.runs.model.kept import MOST_EDITS, KeptRun, Kind, Shelf, edited_files, kept_bytes

DEVICE = DeviceInfo(renderer="none", version="none")
KILO = 256  # float32 values in a kilobyte


def run(*sizes: int, value: float = 0.0, image: float = 0.0) -> Run:
    tensors = tuple(
        HeldTensor(f"t{i}", f"t{i}", "Relu", "float32", "float32", np.full(size, value, np.float32))
        for i, size in enumerate(sizes)
    )
    return Run("model", "", DEVICE, {}, {"image": np.full(1, image, np.float32)}, (tensors[-1].name,), tensors)


def kept(number: int, of: Run, kind: Kind = "edit") -> KeptRun:
    report = summarise("model", DEVICE, ())
    return KeptRun(number, kind, "before", f"run {number}", "12:00:00", of, report, {})


def report(verdict: Verdict, ratio: float, *causes: str) -> Report:
    found = tuple(Finding(cause, {}, 1.0, 0.0, "a.frag", 3, "", "") for cause in causes)
    each = PassReport("p", "Conv", (1,), "linear", verdict, *(Figures(1, 1, ratio, 1, 1),) * 2, findings=found)
    return summarise("model", DEVICE, (each,))


def test_the_oldest_edits_give_way_and_that_is_said() -> None:
    shelf = Shelf()
    said = [line for number in range(MOST_EDITS + 1) for line in shelf.keep(kept(number + 1, run(1)))]
    assert [each.number for each in shelf.runs] == list(range(MOST_EDITS + 1, 1, -1))
    assert said == ["'run 1' was dropped: at most 8 edits and 537 MB of tensors are kept."]


def test_memory_is_bounded_and_what_has_no_room_is_named() -> None:
    shelf = Shelf(most_bytes=10 << 10)
    shelf.keep(kept(1, run(4 * KILO)))
    said = shelf.keep(kept(2, run(2 * KILO, 5 * KILO)))
    assert "'run 1' was dropped" in said[0]
    said = shelf.keep(kept(3, run(1, 20 * KILO, 2)))
    assert said[-1].startswith("'run 3' was kept without t1: ")
    assert [each.name for each in shelf.runs[0].run.tensors] == ["t0", "t2"]
    shelf.keep(kept(4, run(9 * KILO), "pin"))
    with pytest.raises(TexelscopeError, match=r"Pin: expected runs of at most 0 MB together, got 0 MB\. Drop one"):
        shelf.keep(kept(5, run(9 * KILO), "pin"))
    assert [each.number for each in shelf.runs] == [3, 4]  # nothing gave way to what had no room


def test_what_runs_share_counts_once() -> None:
    shared = run(KILO)
    assert kept_bytes([kept(1, shared), kept(2, shared)]) == kept_bytes([kept(1, shared)]) == 1024 + 4


def test_changes_say_which_tensors_differ_and_that_the_input_is_another() -> None:
    here, there = run(4, 4, value=1.0, image=1.0), run(4, 5, value=0.5)
    found = changes(kept(1, there), here, 7)
    assert (found.here, found.there, found.other_inputs) == (7, 1, ("image",))
    assert found.changed == ("t0", "t1")
    assert found.tensors["t0"].max_abs == 0.5
    assert found.tensors["t1"].sameness == "other_shape"
    assert changes(kept(1, here), here, 8).changed == ()
    assert "could be kept" in changes(kept(1, there).without(["t0", "t1"]), here, 9).problem


def test_a_reference_has_values_and_bounds() -> None:
    there = run(4, value=2.0)
    reference = RunReference(-1, "before", "before", {"t0": there.tensors[0]})
    expected = reference.expected("t0")
    assert expected is not None
    assert expected.bound is not None
    assert 0.0 < expected.bound[0] < 1e-3
    assert reference.expected("other") is None


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        (("match", 0.5), ("mismatch", 9.0), "better"),
        (("mismatch", 9.0), ("match", 0.5), "worse"),
        (("match", 0.5), ("match", 0.2), "as good"),
        (("mismatch", 5.0), ("mismatch", 9.0), "better"),
        (("mismatch", 9.0), ("mismatch", 5.0), "worse"),
        (("mismatch", 9.0), ("mismatch", 9.1), "as wrong"),
    ],
)
def test_a_trend_is_by_the_oracle(here: tuple[Verdict, float], there: tuple[Verdict, float], told: str) -> None:
    assert trend(report(*here).find("p"), report(*there).find("p"), chained=False) == told
    assert trend(report(*here).find("p"), None, chained=False) == ""


def test_findings_are_gone_new_or_the_same() -> None:
    found = finding_changes(report("mismatch", 9.0, "a", "b"), report("mismatch", 9.0, "b", "c"))
    assert [(each.state, each.finding.cause) for each in found] == [("gone", "c"), ("new", "a"), ("same", "b")]


def test_changed_lines_are_told_with_their_numbers() -> None:
    before = {"p": ProgramSource("x", (SourceFile(1, "dir/a.frag", "one\n  two\nthree"),))}
    after = {"p": ProgramSource("y", (SourceFile(1, "dir/a.frag", "one\n  2\n  2b\nthree"),))}
    (change,) = text_changes(before, after)
    assert (change.name, change.text) == ("a.frag", "one\n  two\nthree")
    assert change.lines == ("   2 - two", "   2 + 2", "   3 + 2b")
    assert edited_files(before, after) == ("a.frag",)
    assert edited_files(before, before) == ()
