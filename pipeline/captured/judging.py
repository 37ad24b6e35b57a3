"""A capture compared and diagnosed: from values alone, and with what the same shader does here where that is the same.

A device that is not here cannot be asked to draw again. What is said of its passes follows from its values; only where
this driver gives the same values on the same inputs does what this driver shows (reads, redraws) hold for both.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from texelscope.pipeline.captured.own_run import Here, OwnRun
from texelscope.pipeline.captured.reading import Captured
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import PassReport, Report, summarise
from texelscope.pipeline.diagnose.evidence.of_values import evidence_of_values
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.diagnose.naming import WRONG, DiagnosisRequest, name_each
from texelscope.pipeline.plan import Pass, Tolerance

NO_TOLERANCES: Mapping[str, Tolerance] = MappingProxyType({})
NOT_CAPTURED = "Not captured."
FROM_VALUES = "Looked into from values alone."


@dataclass(frozen=True)
class JudgedCapture:
    """The report of a capture, and the comparer that made it."""

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
    """Every captured pass against the oracle; `own` runs the target's shaders on the captured inputs for comparison.

    With `findings` the first wrong passes are diagnosed, or those `asked` for. A pass is judged on its captured inputs,
    or, where they were not captured, on what the passes before it had; `tolerances` are by pass. `cancel` ends it with
    CancelledError. Raises TexelscopeError where a pass is asked for that is none.
    """
    comparer = Comparer(captured.plan, tolerances)
    report = comparer.compare(captured.capture, cancel=cancel)
    passes = tuple(_in_words(each, captured) for each in report.passes)
    report = summarise(report.target, report.device, passes)
    return JudgedCapture(_named(report, captured, own, asked, cancel) if findings else report, comparer)


def _in_words(each: PassReport, captured: Captured) -> PassReport:
    """What is missing, as one says it of a capture."""
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


def _missing(each: Pass, captured: Captured) -> list[str]:
    """What the pass reads that was not captured."""
    textures = captured.plan.textures
    return [key for key in each.reads if textures[key].role != "constant" and key not in captured.capture.tensors]


def _named(
    report: Report,
    captured: Captured,
    own: OwnRun | None,
    asked: DiagnosisRequest | None,
    cancel: threading.Event | None,
) -> Report:
    """The report with findings for wrong passes, and with how they come out here."""
    plan = captured.plan
    return name_each(
        plan,
        report,
        lambda name: _diagnosed(plan.pass_called(name), captured, own, cancel),
        lambda name: plan.pass_called(name).program.fragment,
        asked,
    )


def _diagnosed(each: Pass, captured: Captured, own: OwnRun | None, cancel: threading.Event | None) -> Diagnosis:
    """What can be said of one wrong pass, which takes what it reads and makes."""
    if each.output not in captured.capture.tensors:
        return Diagnosis((), "Capture its first output to have it diagnosed.")
    if _missing(each, captured):
        return Diagnosis((), "Capture what it reads to have it diagnosed.")
    here = own.run(each) if own is not None and captured.runs_target else None
    if own is not None and here is not None and here.same_values:
        how = " with every precision highp" if here.in_full_precision else ""
        diagnosis = own.diagnose(each, here)
        said = f"Wrong here in the same way{how}, on {own.renderer}, where it was looked into."
    else:
        program = each.program if captured.runs_target else None
        diagnosis = explain(
            evidence_of_values(captured.plan, each, captured.capture, program=program, texels=captured.texels),
            cancel=cancel,
        )
        said = _said_of(here, own.renderer) if own is not None and here is not None else FROM_VALUES
    return replace(diagnosis, unexplained=" ".join(text for text in (said, diagnosis.unexplained) if text))


def _said_of(here: Here, renderer: str) -> str:
    """How a pass that is wrong elsewhere comes out here."""
    if here.verdict in ("match", "precision"):
        return f"Right here, wrong there: the same shader is right on {renderer}, on the same inputs. {FROM_VALUES}"
    if here.verdict in WRONG:
        return f"Wrong here too, on {renderer}, but with other values. {FROM_VALUES}"
    return FROM_VALUES
