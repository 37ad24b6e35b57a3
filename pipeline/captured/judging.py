"""Compares and diagnoses a capture, from its values, and from a run of the same shader here if the values agree.

The other device cannot draw again, so what is said of its passes follows from its values. Only if this driver
gives the same values on the same inputs do reads and redraws of this driver hold for both.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.captured.own_run import OwnRun, OwnRunResult
from texelscope.pipeline.captured.reading import Captured
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import PassReport, Report, summarise
from texelscope.pipeline.diagnose.evidence.evidence import evidence_of_values
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.diagnose.naming import WRONG, DiagnosisRequest, name_each
from texelscope.pipeline.plan import Pass, Plan, Tolerance

NO_TOLERANCES: Mapping[str, Tolerance] = MappingProxyType({})
NOT_CAPTURED = "Not captured."
FROM_VALUES = "Diagnosed from values alone."


@dataclass(frozen=True)
class JudgedCapture:
    """Holds the report of a capture, and the comparer that made it."""

    report: Report
    comparer: Comparer


def judge(
    captured: Captured,
    own: OwnRun | None = None,
    *,
    findings: bool = True,
    asked: DiagnosisRequest | None = None,
    tolerances: Mapping[str, Tolerance] = NO_TOLERANCES,
    cancel: threading.Event | None = None,
) -> JudgedCapture:
    """Judges every captured pass against the oracle; `own` runs the target's shaders on the captured inputs too.

    With `findings` the first wrong passes, or the passes of `asked`, are diagnosed. A pass is judged on its captured
    inputs, or, where they were not captured, on the oracle's; `tolerances` are by pass. `cancel` ends it with
    CancelledError. Raises TexelscopeError if `asked` names no pass.
    """
    comparer = Comparer(_without_itself(captured), tolerances)
    report = comparer.compare(captured.capture, cancel=cancel)
    passes = tuple(_in_words(each, captured) for each in report.passes)
    report = summarise(report.target, report.device, passes)
    return JudgedCapture(_named(report, captured, own, asked, cancel) if findings else report, comparer)


def _without_itself(captured: Captured) -> Plan:
    """Returns the plan to judge by. A recording that is its own capture has no page beside it: they agree trivially."""
    plan, tensors = captured.plan, captured.capture.tensors
    if plan.recorded is None:
        return plan
    values = plan.recorded.values
    is_itself = all(np.array_equal(value, values.get(key, ()), equal_nan=True) for key, value in tensors.items())
    return replace(plan, recorded=None) if is_itself else plan


def _in_words(each: PassReport, captured: Captured) -> PassReport:
    """Says what a capture lacks."""
    found = captured.plan.find(each.name)
    if found is None:
        return each
    absent = [key for key in found.outputs if key not in captured.capture.tensors]
    if each.verdict == "not_run" and len(absent) == len(found.outputs):
        return replace(each, message=NOT_CAPTURED)
    if absent:
        names = ", ".join(f"'{key}'" for key in absent)
        each = replace(each, message=f"{each.message} Of its outputs {names} was not captured.".strip())
    missing = _missing(found, captured)
    if not missing:
        return each
    names = ", ".join(f"'{captured.plan.textures[key].tensor}'" for key in missing)
    if each.verdict == "not_compared":
        return replace(each, message=f"Needs {names}, which was not captured.")
    return replace(each, message=f"Judged together with the passes before it: {names} was not captured.")


def _missing(shader_pass: Pass, captured: Captured) -> list[str]:
    """Lists tensors that the pass reads and that were not captured."""
    textures = captured.plan.textures
    return [
        key for key in shader_pass.reads if textures[key].role != "constant" and key not in captured.capture.tensors
    ]


def _named(
    report: Report,
    captured: Captured,
    own: OwnRun | None,
    asked: DiagnosisRequest | None,
    cancel: threading.Event | None,
) -> Report:
    """Returns the report with findings for wrong passes, and with their results here."""
    plan = captured.plan
    return name_each(
        plan,
        report,
        lambda name: _diagnosed(plan.pass_called(name), captured, own, cancel),
        lambda name: plan.pass_called(name).program.fragment,
        asked,
    )


def _diagnosed(shader_pass: Pass, captured: Captured, own: OwnRun | None, cancel: threading.Event | None) -> Diagnosis:
    """Diagnoses one wrong pass, if its inputs and output were captured."""
    if shader_pass.output not in captured.capture.tensors:
        return Diagnosis((), "Capture its first output to have it diagnosed.")
    if _missing(shader_pass, captured):
        return Diagnosis((), "Capture what it reads to have it diagnosed.")
    here = own.run(shader_pass) if own is not None and captured.runs_target else None
    if own is not None and here is not None and here.same_values:
        how = " with every precision highp" if here.in_full_precision else ""
        diagnosis = own.diagnose(shader_pass, here)
        said = f"Wrong here in the same way{how}, on {own.renderer}, where it was diagnosed."
    else:
        program = shader_pass.program if captured.runs_target else None
        diagnosis = explain(
            evidence_of_values(captured.plan, shader_pass, captured.capture, program=program, texels=captured.texels),
            cancel=cancel,
        )
        said = _said_of(here, own.renderer) if own is not None and here is not None else FROM_VALUES
    return replace(diagnosis, unexplained=" ".join(text for text in (said, diagnosis.unexplained) if text))


def _said_of(here: OwnRunResult, renderer: str) -> str:
    """Says how a pass that is wrong elsewhere behaves here."""
    if here.verdict in ("match", "precision"):
        return f"Right here, wrong there: the same shader is right on {renderer}, on the same inputs. {FROM_VALUES}"
    if here.verdict in WRONG:
        return f"Wrong here too, on {renderer}, but with other values. {FROM_VALUES}"
    return FROM_VALUES
