"""Tests the report as JSON: strict, stable, and as its readers expect it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import (
    SEVERITY,
    Figures,
    Finding,
    NativeColumn,
    PageColumn,
    PassReport,
    Report,
    Verdict,
    summarise,
)
from texelscope.pipeline.device import DeviceInfo

DEVICE = DeviceInfo("llvmpipe", "4.5")
FIGURES = Figures(max_abs=0.1, max_rel=0.2, bound_ratio=31.5, mismatched=1984, count=16384, worst=7)
REPAIR = Repair((LineEdit("down.frag", 17, "a + 1;", "a;"),), "--- a/down.frag\n", 16384, 4, sizes_tried=2)
FINDING = Finding(
    "tile_bleed", {"dx": -1}, 0.998, 3e-7, "down.frag", 23, "It reads left.", "Clamp it.", made=("down.frag", 17),
    sure=True, one_of=("shift",), repair=REPAIR,
)  # fmt: skip
PASS = PassReport(
    "down1", "Conv", (1, 16, 32, 32), "channel_tiles", "mismatch", FIGURES, FIGURES, gpu_ms=0.42, findings=(FINDING,),
    layout_reason="asked for",
    runs_as="a draw of 64 fragments",
    recorded_ms=0.5,
    notes={"kernel": "Conv2D"},
    repairs=(REPAIR,),
    compared_with="meaning",
    page=PageColumn("device", FIGURES, same_inputs=True),
    native=NativeColumn("a device, Vulkan", "differs", 0.1, 12, FIGURES),
)  # fmt: skip
FIGURES_JSON = {
    "max_abs": 0.1,
    "max_rel": 0.2,
    "bound_ratio": 31.5,
    "mismatched": 1984,
    "count": 16384,
    "worst": 7,
}
REPAIR_JSON = {
    "edits": [{"file": "down.frag", "line": 17, "before": "a + 1;", "after": "a;"}],
    "diff": "--- a/down.frag\n",
    "elements": 16384,
    "inputs_tried": 4,
    "sizes_tried": 2,
    "sizes_not_tried": "",
    "out_of_bounds": False,
    "file": "down.frag",
    "line": 17,
}
REPORT = Report("model.onnx", DEVICE, "mismatch", "down1", (PASS,))


def each(name: str, verdict: Verdict) -> PassReport:
    return PassReport(name, "Relu", (1,), "channel_tiles", verdict)


def test_the_json_has_the_fields_that_its_readers_know_in_the_order_of_the_data() -> None:
    assert json.loads(REPORT.as_json()) == {
        "version": 1,
        "target": "model.onnx",
        "device": {"renderer": "llvmpipe", "version": "4.5"},
        "verdict": "mismatch",
        "culprit": "down1",
        "passes": [
            {
                "name": "down1",
                "operator": "Conv",
                "shape": [1, 16, 32, 32],
                "layout": "channel_tiles",
                "verdict": "mismatch",
                "chained": FIGURES_JSON,
                "isolated": FIGURES_JSON,
                "inherited": False,
                "gpu_ms": 0.42,
                "message": "",
                "findings": [
                    {
                        "cause": "tile_bleed",
                        "parameters": {"dx": -1},
                        "explained": 0.998,
                        "residual": 3e-7,
                        "shader": "down.frag",
                        "line": 23,
                        "evidence": "It reads left.",
                        "remedy": "Clamp it.",
                        "made": ["down.frag", 17],
                        "sure": True,
                        "one_of": ["shift"],
                        "repair": REPAIR_JSON,
                    }
                ],
                "not_chained": "",
                "layout_reason": "asked for",
                "runs_as": "a draw of 64 fragments",
                "recorded_ms": 0.5,
                "notes": {"kernel": "Conv2D"},
                "repairs": [REPAIR_JSON],
                "was_cut": False,
                "compared_with": "meaning",
                "page": {"agrees_with": "device", "isolated": FIGURES_JSON, "same_inputs": True},
                "native": {
                    "device": "a device, Vulkan",
                    "agrees": "differs",
                    "max_abs": 0.1,
                    "unequal": 12,
                    "isolated": FIGURES_JSON,
                    "not_run": "",
                },
            }
        ],
        "end_to_end": None,
        "undiagnosed": [],
        "repeated": None,
        "frames": None,
    }  # fmt: skip
    assert list(json.loads(REPORT.as_json()))[:5] == ["version", "target", "device", "verdict", "culprit"]


@pytest.mark.parametrize(
    ("line", "made", "place", "to_change"),
    [
        (44, None, "a.frag:44", ("a.frag", 44)),
        (None, None, "a.frag", ("a.frag", None)),
        (44, ("a.frag", 44), "a.frag:44", ("a.frag", 44)),
        (44, ("a.frag", 36), "a.frag:36, used in line 44", ("a.frag", 36)),
        (44, ("b.glsl", 36), "b.glsl:36, used in a.frag:44", ("b.glsl", 36)),
    ],
)
def test_a_finding_names_the_line_that_made_the_number_before_the_one_that_used_it(
    line: int | None, made: tuple[str, int] | None, place: str, to_change: tuple[str, int | None]
) -> None:
    finding = Finding("shift", {}, 1.0, 0.0, "a.frag", line, "e", "r", made=made)
    assert (finding.place, finding.to_change) == (place, to_change)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_it_is_strict_json_without_nan_or_infinity(number: float) -> None:
    wrong = Figures(number, number, number, 1, 1)
    text = Report("m", DEVICE, "nan", "a", (PassReport("a", "Relu", (), "l", "nan", wrong, None),)).as_json()

    def refuse(word: str) -> Any:
        raise AssertionError(word)

    found = json.loads(text, parse_constant=refuse)
    assert found["passes"][0]["chained"]["max_abs"] is None
    assert found["passes"][0]["isolated"] is None


def test_numbers_of_numpy_and_odd_names_are_written_too() -> None:
    finding = Finding("shift", {"dx": np.int64(3), "by": np.float32(0.5), "of": (1, 2)}, 1.0, 0.0, "s", None, "e", "r")
    odd = PassReport('a"\n</script>\x1b', "Relu", (1,), "l", "match", findings=(finding,))
    found = json.loads(Report("größe", DEVICE, "match", None, (odd,)).as_json())
    assert found["target"] == "größe"
    assert found["passes"][0]["name"] == 'a"\n</script>\x1b'
    assert found["passes"][0]["findings"][0]["parameters"] == {"dx": 3, "by": 0.5, "of": [1, 2]}


def test_the_overall_verdict_is_the_worst() -> None:
    for place, verdict in enumerate(SEVERITY):
        report = summarise("m", DEVICE, tuple(each(other, other) for other in SEVERITY[: place + 1]))
        assert report.verdict == verdict
    assert summarise("m", DEVICE, ()).verdict == "match"


@pytest.mark.parametrize(
    ("verdicts", "culprit"),
    [
        ([], None),
        (["match", "match"], None),
        (["match", "not_run", "not_run"], None),
        (["match", "mismatch", "nan"], "1"),
        (["not_run", "match", "unwritten"], "2"),
        (["match", "error"], "1"),
        (["not_compared", "match"], None),
        (["not_compared", "mismatch"], "1"),
        (["precision", "match", "precision"], "0"),
        (["precision", "mismatch"], "1"),
    ],
)
def test_the_culprit_is_the_first_that_is_wrong(verdicts: list[Verdict], culprit: str | None) -> None:
    passes = tuple(each(str(i), verdict) for i, verdict in enumerate(verdicts))
    assert summarise("m", DEVICE, passes).culprit == culprit


def test_a_pass_is_found_by_its_name() -> None:
    assert REPORT.find("down1") is PASS
    assert REPORT.find("up") is None
