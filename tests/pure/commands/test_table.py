"""The table that a terminal shows: rows that fit, and what stands below them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from texelscope.pipeline.commands.table import render
from texelscope.pipeline.compare.report import EndToEnd, Figures, Finding, PassReport, summarise
from texelscope.pipeline.device import DeviceInfo

DEVICE = DeviceInfo("llvmpipe", "4.5")
FIGURES = Figures(1.5e-7, 2e-6, 0.25, 0, 1024)
BLOCK = "Conv+BatchNormalization+Relu+Conv+BatchNormalization+Relu+Conv+BatchNormalization+Add+Relu"
NAME = "/backbone/stage_3/block_11/bottleneck/expansion/convolution_2/with/a/long/name/Conv_output_0"


def row(name: str, operator: str) -> PassReport:
    return PassReport(name, operator, (1, 64, 112, 112), "channel_tiles", "match", FIGURES, FIGURES, gpu_ms=12.5)


REPORT = summarise("net", DEVICE, (row("stem", "Conv"), row(NAME, BLOCK), row("head", "BatchNormalization")))


def table(width: int | None) -> list[str]:
    return render(REPORT, width).split("\n\n")[0].splitlines()


@pytest.mark.parametrize("width", [112, 120, 160])
def test_rows_fit_the_terminal_and_say_how_many_nodes_a_pass_covers(width: int) -> None:
    lines = table(width)
    assert max(map(len, lines)) <= width
    assert "  /back" in lines[2]
    assert "output_0  Conv+" in lines[2]
    assert "(10 nodes)" in lines[2]


def test_figures_are_never_cut_however_narrow_the_terminal() -> None:
    assert all(line.endswith("1.5e-07         0.25     0.25   12.50") for line in table(20)[1:])


def test_a_file_gets_names_whole() -> None:
    assert NAME in table(None)[2]
    assert "Conv+BatchNormalization+Relu+Conv+…+Relu (10 nodes)" in table(None)[2]


def test_the_conclusion_says_what_holds_end_to_end() -> None:
    said = dataclasses.replace(REPORT, end_to_end=EndToEnd((), None, "End to end 'y' is equal."))
    assert render(said).endswith("3 of 3 passes match on llvmpipe.\nEnd to end 'y' is equal.")


def test_a_report_of_no_pass_is_a_heading() -> None:
    assert render(summarise("net", DEVICE, ()), 80).endswith("0 of 0 passes match on llvmpipe.")


WRONG = Figures(1.5, 2.0, 1e5, 8, 1024)
FINDING = Finding("shift", {"dx": 1}, 1.0, 0.0, "a.frag", 4, "It reads right.", "Read left.")


@pytest.mark.parametrize(
    ("changes", "undiagnosed", "below"),
    [
        ({}, (), ["No known cause explains it. Follow a wrong texel: step --pass 'my stem' --texel X,Y"]),
        (
            {"was_cut": True},
            (),
            [
                "No known cause explains it. Follow a wrong texel: step --pass 'my stem' --texel X,Y",
                "The search for its cause ran out of time: --diagnose-seconds 120 gives it more.",
            ],
        ),
        ({}, ("my stem",), ["It was not diagnosed."]),
        ({"verdict": "error"}, (), ["It did not run: its message above says why."]),
        ({"verdict": "precision"}, (), ["Its errors are no larger than what its storage rounds."]),
    ],
)
def test_a_culprit_without_a_finding_has_a_sentence_below_it(
    changes: dict[str, Any], undiagnosed: tuple[str, ...], below: list[str]
) -> None:
    stem = dataclasses.replace(row("my stem", "Conv"), verdict="mismatch", isolated=WRONG)
    stem = dataclasses.replace(stem, **changes)
    report = dataclasses.replace(summarise("net", DEVICE, (stem,)), culprit="my stem", undiagnosed=undiagnosed)
    lines = render(report).splitlines()
    start = next(number for number, line in enumerate(lines) if line.endswith(": my stem")) + 1
    assert [line.strip() for line in lines[start : start + len(below)]] == below


def test_a_culprit_whose_search_was_cut_says_so_below_its_findings() -> None:
    stem = dataclasses.replace(row("stem", "Conv"), verdict="mismatch", isolated=WRONG, findings=(FINDING,))
    said = render(summarise("net", DEVICE, (dataclasses.replace(stem, was_cut=True),)))
    assert "Read left.\n  The search for its cause ran out of time: --diagnose-seconds 120 gives it more." in said
    assert "No known cause" not in said
