"""Records the outcome of a planted bug: how the pass compared, what the diagnosis said, and whether that is right."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import moderngl
import numpy as np

from tests.faults.fault import Fault, Line, Planted, other_values
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding, Verdict
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.diagnose.locating import Locating
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.repair.text.patch import applied


@dataclass(frozen=True)
class Outcome:
    """`findings` best first; `lines` are the places that are right, `changed` those where the bug was planted.

    `seconds` are those of the diagnosis alone. `repairs` says of each repair that is offered whether it is right on
    inputs that it was not tried on.
    """

    fault: Fault
    verdict: Verdict
    findings: tuple[Finding, ...]
    lines: frozenset[Line]
    seconds: float
    changed: frozenset[Line] = frozenset()
    repairs: tuple[bool, ...] = ()

    @property
    def rank(self) -> int | None:
        """Place of the first finding that names the bug, from 1; None if none does."""
        ranks = [i for i, finding in enumerate(self.findings, 1) if names(finding, self.fault)]
        return ranks[0] if ranks else None

    @property
    def is_sure(self) -> bool:
        """Whether the first finding is sure of itself."""
        return bool(self.findings) and self.findings[0].sure

    @property
    def line_is_right(self) -> bool | None:
        """Whether the finding that names the bug gives a right line; None where the bug is not in a shader."""
        if not self.lines or self.rank is None:
            return None
        finding = self.findings[self.rank - 1]
        return _is_in((finding.shader, finding.line), self.lines)

    @property
    def reaches_the_change(self) -> bool | None:
        """Whether that finding's line, or the one that it says made the number, was changed; None where none was."""
        if not self.changed or self.rank is None:
            return None
        finding = self.findings[self.rank - 1]
        return _is_in((finding.shader, finding.line), self.changed) or self.made_is_right is True

    @property
    def made_is_right(self) -> bool | None:
        """Whether the line that the findings say made the number was changed; None where they say none."""
        made = next((finding.made for finding in self.findings if finding.made is not None), None)
        return None if made is None else _is_in(made, self.changed)


def names(finding: Finding, fault: Fault) -> bool:
    """Whether the finding has the fault's cause, with its parameters, or a cause that is as true."""
    if finding.cause in fault.alternatives:
        return True
    wanted = fault.parameters or {}
    return finding.cause == fault.cause and all(_alike(finding.parameters.get(key), wanted[key]) for key in wanted)


def _alike(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, float) and isinstance(got, int | float):
        return math.isclose(got, wanted, rel_tol=1e-3, abs_tol=1e-9)
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return got is not None and np.array_equal(got, wanted)
    return bool(got == wanted)


def _is_in(line: tuple[str, int | None], lines: frozenset[Line]) -> bool:
    return (PurePosixPath(line[0]).name, line[1]) in {(PurePosixPath(file).name, number) for file, number in lines}


def outcome(fault: Fault, context: moderngl.Context, *, located: bool = False) -> Outcome:
    """Plants the fault, compares, diagnoses, and clears away; if `located`, looks for the line that made the number."""
    planted = fault.plant(context)
    with planted.session as session:
        comparer, capture = Comparer(session.plan), session.capture()
        compared = comparer.compare(capture).find(planted.name)
        assert compared is not None
        start = time.perf_counter()
        diagnosis = Diagnosis(())
        if compared.verdict in WRONG:
            output = comparer.wrong_output(capture, planted.name)
            gathering = Gathering(session, capture, output, comparer.wrong(capture, output))
            diagnosis = explain(gathering.run())
            diagnosis = Locating(session, planted.name, diagnosis).run() if located else diagnosis
        seconds = time.perf_counter() - start
        repairs = tuple(_is_mended(fault, planted, each) for each in diagnosis.repairs)
    return Outcome(fault, compared.verdict, diagnosis.findings, planted.lines, seconds, planted.changed, repairs)


def _is_mended(fault: Fault, planted: Planted, repair: Repair) -> bool:
    """Whether the pass is right under a repair, on two inputs that nobody has seen."""
    session, inputs = planted.session, fault.subject().inputs
    before = session.program_source(planted.name)
    session.replace_program(planted.name, applied(before, repair.edits))
    verdicts = []
    try:
        for number in (7, 8):
            for key, value in inputs.items():
                session.set_input(key, other_values(value, number))
            session.run()
            verdicts.append(Comparer(session.plan).alone(session.capture(), planted.name).verdict)
    finally:
        session.replace_program(planted.name, before)
    return all(verdict in ("match", "precision") for verdict in verdicts)
