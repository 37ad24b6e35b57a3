"""Writes JUnit XML for continuous integration: one test case per pass, for a report or a comparison of two runs."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from texelscope.layouts.outside_text import in_xml, one_line, printable
from texelscope.pipeline.compare.report import Finding, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import other_repairs, repair_words, repairs_of, surety_words, whole_words
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.runs.difference import DIFFERENT, RunDifference, TensorDifference

Outcome = Literal["passed", "failure", "error", "skipped"]
# Maps verdicts to build results: rounding by storage is not wrong, and passes without an oracle do not fail.
_OUTCOMES: dict[str, Outcome] = {
    "match": "passed",
    "precision": "passed",
    "not_compared": "skipped",
    "not_run": "error",
    "error": "error",
}


@dataclass(frozen=True)
class _Case:
    name: str
    operator: str
    outcome: Outcome
    kind: str
    message: str
    text: str = ""
    seconds: float = 0.0


def junit_of_report(report: Report) -> str:
    """Returns the XML of a comparison with the oracle."""
    varying = {each.name for each in report.repeated or () if each.reason != "inherited"}
    cases = [_of_pass(each, varies=each.name in varying) for each in report.passes]
    whole = whole_words(report)
    return _text(report.target, report.device, cases, whole)


def junit_of_difference(found: RunDifference) -> str:
    """Returns the XML of two runs; one test case per tensor of this side, and of tensors of the other side only."""
    cases = [_of_tensor(each) for each in found.tensors]
    device = DeviceInfo(found.here.renderer, found.here.version)
    return _text(found.here.target, device, cases, f"Against {found.there.target} on {found.there.renderer}.")


def junit_of_failure(target: str, message: str) -> str:
    """Returns the XML of a target that could not run."""
    return _text(target, None, [_Case(target, "target", "error", "not_run", message)], "")


def joined(texts: Sequence[str]) -> str:
    """Returns one XML with the test suites of several that this module wrote."""
    root = ET.Element("testsuites")
    for text in texts:
        root.extend(ET.fromstring(text))
    return _with_head(root)


def _of_pass(each: PassReport, *, varies: bool) -> _Case:
    outcome = "failure" if varies else _OUTCOMES.get(each.verdict, "failure")
    message = each.message
    if each.isolated is not None:
        figures = each.isolated
        numbers = f"{figures.mismatched} of {figures.count} elements are beyond their rounding bound, the worst "
        message = f"{numbers}{ratio_text(figures.bound_ratio)} times. {message}".strip()
    lines = [_of_finding(each, found) for found in each.findings]
    if each.compared_with == "recording":
        lines.append("Compared with what was recorded: nothing states its meaning.")
    lines += [repair_words(repair) for repair in other_repairs(each.findings, each.repairs)]
    return _Case(
        each.name,
        each.operator,
        outcome,
        "nondeterministic" if varies else each.verdict,
        message,
        "\n".join(lines),
        (each.gpu_ms or 0.0) / 1e3,
    )


def _of_finding(each: PassReport, found: Finding) -> str:
    surety = surety_words(found)
    head = f"{found.cause} explains {found.explained:.1%}, {found.place}{f'; {surety}' if surety else ''}"
    repairs = (repair_words(repair, found.shader) for repair in repairs_of(found, each.repairs))
    return "\n".join([head, found.evidence, found.remedy, *repairs])


def _of_tensor(each: TensorDifference) -> _Case:
    outcome: Outcome = "passed" if each.sameness in ("equal", "within") else "skipped"
    if each.sameness in DIFFERENT:
        outcome = "failure"
    message = f"{each.beyond} of {each.count} elements differ by more than {each.atol:.3g} + {each.rtol:.3g}·|there|."
    return _Case(each.name, each.operator, outcome, each.sameness, message if each.count else each.sameness)


def _text(target: str, device: DeviceInfo | None, cases: Sequence[_Case], whole: str) -> str:
    suite = ET.Element("testsuite", name=printable(f"texelscope {target}"), tests=str(len(cases)))
    for outcome, word in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(word, str(sum(case.outcome == outcome for case in cases)))
    suite.set("time", f"{sum(case.seconds for case in cases):.6f}")
    if device is not None:
        properties = ET.SubElement(suite, "properties")
        for name, value in (("renderer", device.renderer), ("version", device.version)):
            ET.SubElement(properties, "property", name=name, value=printable(value))
    for case in cases:
        made = ET.SubElement(
            suite,
            "testcase",
            name=printable(case.name),
            classname=printable(f"{target}.{case.operator}"),
            time=f"{case.seconds:.6f}",
        )
        if case.outcome == "passed":
            if case.text:
                ET.SubElement(made, "system-out").text = in_xml(case.text)
        else:
            detail = ET.SubElement(made, case.outcome, message=one_line(case.message))
            if case.outcome != "skipped":
                detail.set("type", case.kind)
            detail.text = in_xml(case.text)
    if whole:
        ET.SubElement(suite, "system-out").text = in_xml(whole)
    root = ET.Element("testsuites")
    root.append(suite)
    return _with_head(root)


def _with_head(root: ET.Element) -> str:
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
