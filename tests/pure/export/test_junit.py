"""JUnit XML: a test case a pass, well-formed whatever names hold."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET

import numpy as np

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Figures, Finding, PassReport, Repeated, summarise
from texelscope.pipeline.device import Device
from texelscope.pipeline.export.junit import junit_of_difference, junit_of_report
from texelscope.pipeline.runs.difference import difference
from texelscope.pipeline.runs.run import HeldTensor, Run

DEVICE = Device("a \x00 renderer", "4.5")
WRONG = Figures(0.1, 0.2, 31.5, 1984, 16384)
REPAIR = Repair((LineEdit("down.frag", 23, "x = y - 1;", "x = y;"),), "", 16384, 4)
FINDING = Finding(
    "tile_bleed", {"dx": -1}, 0.998, 3e-7, "down.frag", 23, "It reads left.", "Clamp it.", sure=True, repair=REPAIR
)
PASSES = (
    PassReport("down1", "Conv", (1,), "linear", "mismatch", WRONG, WRONG, gpu_ms=2.5, findings=(FINDING,)),
    PassReport("a\x1b[31m<&>\ud800\uffff", "Relu", (1,), "linear", "match"),
    PassReport("half", "Relu", (1,), "linear", "precision"),
    PassReport("unknown", "Relu", (1,), "linear", "not_compared", message="No oracle."),
    PassReport("odd", "Foo", (1,), "linear", "not_run", message="No shader."),
)


def suite_of(text: str) -> ET.Element:
    suite = ET.fromstring(text.encode("utf-8")).find("testsuite")
    assert suite is not None
    return suite


def outcomes(suite: ET.Element) -> dict[str, str]:
    return {case.get("name", ""): next((part.tag for part in case), "passed") for case in suite.iter("testcase")}


def test_a_pass_is_a_case_and_its_finding_stands_in_the_failure() -> None:
    suite = suite_of(junit_of_report(summarise("net.onnx", DEVICE, PASSES)))
    assert outcomes(suite) == {
        "down1": "failure",
        "a\\x1b[31m<&>\\ud800\\uffff": "passed",
        "half": "passed",
        "unknown": "skipped",
        "odd": "error",
    }
    assert [suite.get(word) for word in ("tests", "failures", "errors", "skipped")] == ["5", "1", "1", "1"]
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "mismatch"
    assert failure.get("message") == "1984 of 16384 elements are beyond their rounding bound, the worst 31.5 times."
    assert failure.text == (
        "tile_bleed explains 99.8%, down.frag:23; sure\nIt reads left.\nClamp it.\n"
        "line 23: `y - 1` -> `y`; all 16,384 elements match, on 4 inputs"
    )
    assert suite.find("testcase").get("time") == "0.002500"  # type: ignore[union-attr]


def test_a_pass_that_changes_from_run_to_run_fails() -> None:
    report = summarise("net.onnx", DEVICE, PASSES[1:3])
    varying = Repeated("half", "nondeterministic", 3, 5, 16, 0.1)
    suite = suite_of(junit_of_report(dataclasses.replace(report, repeated=(varying,))))
    assert outcomes(suite)["half"] == "failure"


def test_two_runs() -> None:
    def run(**tensors: float) -> Run:
        held = tuple(
            HeldTensor(name, name, "Relu", "float32", "float32", np.full(4, value, np.float32))
            for name, value in tensors.items()
        )
        return Run("net", "0", DEVICE, {}, {}, (), held)

    suite = suite_of(junit_of_difference(difference(run(a=1, b=2, c=3), run(a=1, b=2.5, d=4))))
    assert outcomes(suite) == {"a": "passed", "b": "failure", "c": "skipped", "d": "skipped"}
