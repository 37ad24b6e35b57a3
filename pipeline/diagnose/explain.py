"""Turns evidence into a diagnosis: generators propose, numbers decide. Numpy alone; made for a worker thread.

Causes that explain nothing alone are offered to the repair search: one edit may leave exactly one of them. This
separates two faults on the same elements, if one has a cause and the other is an error in the text.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.arithmetic.workers import single_threaded_blas
from texelscope.pipeline.compare.judge import PART, WHOLE, Judge, Score
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.compare.words import name_of_cause
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.by_formulas import MOST, is_of_one_fault, with_formulas
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.fault_models.error_pattern import describe_pattern, listed
from texelscope.pipeline.diagnose.hypotheses.registry import generators_of
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, InputMove
from texelscope.pipeline.diagnose.search import SHOWN, CauseSearch
from texelscope.pipeline.diagnose.search_result import ScoredHypothesis, SearchResult
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.lines import behind_supplied

Array = NDArray[Any]


class Partners:
    """Hypotheses of a case that have no number fitted to its wrong values."""

    def __init__(self, case: FailingPass, hypotheses: Sequence[Hypothesis]) -> None:
        self._case = case
        self._each = tuple(each for each in hypotheses if each.changes and not each.fitted)

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yields the number of each hypothesis with some elements of the first output under it, by linear indices."""
        for number, each in enumerate(self._each):
            try:
                with np.errstate(all="ignore"), single_threaded_blas():
                    values = self._case.evaluate_at(each.changes, elements)
            except Exception:  # noqa: BLE001 - what one generator proposes may not apply; that must not hide the others
                continue
            if np.size(values) == len(elements):
                yield number, np.asarray(values, dtype=np.float64).reshape(-1)

    def whole(self, number: int) -> NDArray[np.float64] | None:
        """Returns the first output under one hypothesis, its elements in order; None if it does not apply to all."""
        try:
            with np.errstate(all="ignore"), single_threaded_blas():
                values = self._case.evaluate(self._each[number].changes)
        except Exception:  # noqa: BLE001 - as above
            return None
        return np.asarray(values, dtype=np.float64).reshape(-1)

    def finding(self, number: int, line: int) -> Finding:
        """Returns the finding of a hypothesis beside a changed line."""
        each, program = self._each[number], self._case.evidence.program
        place = each.line(self._case)
        return Finding(
            cause=each.cause.name,
            parameters=dict(each.parameters),
            explained=1.0,
            residual=0.0,
            shader=place[0] if place is not None else program.files[0].path if program.files else "",
            line=place[1] if place is not None else None,
            evidence=f"{each.says}: this and a change in line {line} together reproduce every element.",
            remedy=each.remedy,
        )

    def scaled(self, factor: float, line: int) -> Finding:
        """Returns the finding of a factor beside a changed line."""
        program = self._case.evidence.program
        return Finding(
            cause=causes.SCALE.name,
            parameters={"factor": float(f"{factor:.6g}")},
            explained=1.0,
            residual=0.0,
            shader=program.files[0].path if program.files else "",
            line=None,
            evidence=f"times {factor:.6g}: this and a change in line {line} together reproduce every element.",
            remedy=f"Divide by {factor:.6g}.",
        )


@dataclass(frozen=True)
class Diagnosis:
    """A diagnosis: findings, best first; `unexplained` describes the errors if no findings explain them all.

    `failed` names causes whose generators crashed, each with its error: bugs of theirs, not of the shader. `judge`
    separates right values from wrong ones for later steps; None if the text is not the only suspect.
    `single_fault_outputs` are the pass's results with each of two causes alone, if two explain everything.
    `repairs` fix all of it, the shortest first, if they were searched for. `partners` are causes that may remain
    once a line is changed, if no finding explains everything.
    """

    findings: tuple[Finding, ...]
    unexplained: str = ""
    failed: tuple[str, ...] = ()
    judge: Judge | None = field(default=None, repr=False, compare=False)
    single_fault_outputs: tuple[Array, ...] = field(default=(), repr=False, compare=False)
    repairs: tuple[Repair, ...] = ()
    partners: Partners | None = field(default=None, repr=False, compare=False)
    was_cut: bool = False


def explain(
    evidence: Evidence,
    *,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
    is_of_one: bool = False,
    seconds: float | None = None,
) -> Diagnosis:
    """Returns the diagnosis of one pass. `progress` gets the share done; `cancel` ends it with CancelledError.

    If the case `is_of_one` fault, one cause has to explain everything. Causes are tried for `seconds`, or as
    long as is usual.
    """
    # Wrong values may be any numbers and overflow in generators; the judge sees that, without numpy's warnings.
    with np.errstate(all="ignore"), single_threaded_blas():
        case = FailingPass(evidence)
        if not case.wrong.any():
            return Diagnosis(_unwritten(case))
        if hidden := _hidden(case):
            return Diagnosis((), hidden)
        undefined = _of_undefined_numbers(case)
        if undefined.any() and not (case := case.without(undefined)).wrong.any():
            return Diagnosis((), _said_of_undefined(case))
        if evidence.cut_off is not None:  # what is written behind such a loop is no number of any model
            case = case.without(case.of_fragments(evidence.cut_off.numbers < 0))
        search = CauseSearch(
            progress, cancel, is_of_one=is_of_one, is_of_one_text=is_of_one_fault(case), seconds=seconds
        )
        found = search.run(case)
        findings = _findings(case, found)
        unexplained = _unexplained(found, search.ended, partly=bool(findings))
        failed = [*case.kept.get("failed", ()), *search.failed]
        try:
            findings, unexplained = with_formulas(case, findings, unexplained)
        except Exception as error:  # noqa: BLE001 - a bug in what formulas add must not hide what was found
            failed.append(f"formulas: {said_by(error, with_type=True)}")
        # If the GPU holds other weights than the model, the text need not be wrong; and of a loop that is cut off, no
        # edit can be told by its values from another one.
        is_suspect = not evidence.facts.get("other_constants") and evidence.cut_off is None
        judge = case.judge if is_suspect else None
        partners = Partners(case, found.every) if found.left is not None and found.every else None
        single_fault_outputs = _halves(case, found)
        was_cut = bool(unexplained and search.ended)
        return Diagnosis(
            findings,
            unexplained,
            tuple(failed),
            judge,
            single_fault_outputs,
            partners=partners,
            was_cut=was_cut,
        )


def _halves(case: FailingPass, found: SearchResult) -> tuple[Array, ...]:
    """Returns the results with one of two causes left, without the first and without the second; float32, flat."""
    chain = [each.hypothesis.changes for each in found.tried[: found.chain]]
    if found.left is not None or len(chain) != 2 or not all(chain):
        return ()
    return tuple(np.asarray(case.evaluate(changes), dtype=np.float32).reshape(-1) for changes in reversed(chain))


def _unwritten(case: FailingPass) -> tuple[Finding, ...]:
    """Returns findings about a pass whose values are right: that it did not write all of them."""
    found = []
    (unwritten,) = generators_of(causes.UNWRITTEN_TEXELS)
    for hypothesis in unwritten.propose(case):
        kept = int(hypothesis.parameters["elements"])
        if kept:
            right = ScoredHypothesis(hypothesis, Score(kept, kept, 1.0, 0.0), Stage.DRAWING)
            finding = _finding(case, right, 1.0)
            found.append(dataclasses.replace(finding, evidence=f"{hypothesis.says}, which was already right."))
    return tuple(found)


def _hidden(case: FailingPass) -> str:
    """Returns why no cause is looked for where everything is 0 and uniforms are unset that scale it; or nothing.

    Whatever else is wrong, a factor of 0 hides it: any cause that makes 0 of the values would fit.
    """
    keys = case.evidence.facts.get("hidden_by_unset")
    if not keys or np.any(case.actual):
        return ""
    names = listed([f"'{key}'" for key in keys])
    return f"Every element is 0 as long as the pipeline file does not set {names}, which hides what else is wrong."


def _of_undefined_numbers(case: FailingPass) -> NDArray[np.bool_]:
    """Returns the elements, [N, C, H, W], that are NaN in the model because the pass reads such numbers.

    GLSL leaves to the driver what a function makes of NaN: `max(x, 0.0)` may be 0, and no edit of the text decides.
    """
    if not _not_finite_reads(case):
        return np.zeros(case.dims, dtype=bool)
    return np.asarray(np.isnan(case.expected) & ~np.isnan(case.actual)).reshape(case.dims)


def _not_finite_reads(case: FailingPass) -> list[str]:
    return [read.sampler.key for read in case.evidence.reads if not np.isfinite(read.values.elements).all()]


def _said_of_undefined(case: FailingPass) -> str:
    names = listed([f"'{key}'" for key in dict.fromkeys(_not_finite_reads(case))])
    return (
        f"It reads NaN or infinity in {names}, and GLSL leaves to the driver what becomes of NaN; all else is right. "
        "See first where they begin."
    )


def _findings(case: FailingPass, found: SearchResult) -> tuple[Finding, ...]:
    """Returns the findings of the chain, by their shares; others that explain everything too; else parts."""
    findings: dict[Cause, Finding] = {}
    shares = _shares(found)
    chain = sorted(range(found.chain), key=lambda position: -shares[position])
    for position in (*chain, *range(found.chain, len(found.tried))):
        each = found.tried[position]
        shown = each.hypothesis.observed or _is_shown(found, position)
        if shown and len(findings) < MOST and (cause := each.hypothesis.cause) not in findings:
            one_of = tuple(each.name for each in found.one_of if each is not cause) if cause in found.one_of else ()
            finding = _finding(case, each, shares[position])
            finding = dataclasses.replace(finding, sure=found.sure and position < found.chain, one_of=one_of)
            findings[cause] = dataclasses.replace(finding, made=line_to_change(finding, each.hypothesis))
    return tuple(findings.values())


def line_to_change(finding: Finding, hypothesis: Hypothesis) -> tuple[str, int] | None:
    """Returns the line to change: a finding's own, if it is sure and the wrong thing is written there; else None."""
    is_known = finding.sure and hypothesis.is_to_change and finding.explained >= WHOLE
    return (finding.shader, finding.line) if is_known and finding.line is not None else None


def _shares(found: SearchResult) -> list[float]:
    """Returns shares of the wrong elements; behind another cause, of those that it leaves."""
    shares, left = [], 1.0
    for position, each in enumerate(found.tried):
        shares.append(each.score.share * (left if position < found.chain else 1.0))
        # Causes on the same elements explain them together.
        if position < found.chain and not (each.others and not position):
            left -= shares[-1]
    return shares


def _is_shown(found: SearchResult, position: int) -> bool:
    tried, chained = found.tried[position], position < found.chain
    if found.left is None:
        return chained or (found.chain == 1 and tried.score.is_whole)
    return chained or tried.score.share >= SHOWN


def _unexplained(found: SearchResult, ended: str, *, partly: bool) -> str:
    """Describes the elements that the findings leave unexplained; empty if there are none."""
    if found.left is None:
        return ""
    named = tuple(each.hypothesis.cause.name for each in found.tried[: found.chain])
    once = str(found.left.evidence.facts.get("run_once", ""))
    return " ".join(text for text in (describe_pattern(found.left, named, partly=partly), once, ended) if text)


def _finding(case: FailingPass, tried: ScoredHypothesis, share: float) -> Finding:
    hypothesis, score = tried.hypothesis, tried.score
    line = behind_supplied(case, hypothesis.line(case), fewest=_is_of_an_element(case, hypothesis))
    files = case.evidence.program.files
    each = case.evidence.shader_pass
    where = f"output '{each.output}': " if len(each.outputs) > 1 else ""
    shader = line[0] if line is not None else files[0].path if files else each.name
    return Finding(
        cause=hypothesis.cause.name,
        parameters=dict(hypothesis.parameters),
        explained=share,
        residual=score.residual,
        shader=shader,
        line=line[1] if line is not None else None,
        evidence=f"{where}{_said(tried)}, residual {score.residual:.0e}.",
        remedy=hypothesis.remedy,
    )


def _is_of_an_element(case: FailingPass, hypothesis: Hypothesis) -> bool:
    """Whether it concerns an input of a node without a sum, which has no loop around it."""
    names = {change.node for change in hypothesis.changes if isinstance(change, InputChange | InputMove)}
    nodes = [node for node in case.model_slice.nodes if node.name in names]
    return bool(nodes) and all(case.model_slice.window(node) is None for node in nodes)


def _said(tried: ScoredHypothesis) -> str:
    hypothesis, score = tried.hypothesis, tried.score
    others, before = ([name_of_cause(each.name) for each in some] for some in (tried.others, tried.behind))
    together = f", together with {listed(others)}" if others else ""
    behind = f" that {listed(before)} leave{'s' * (len(before) == 1)}" if before else ""
    if not score.explained:
        return f"{hypothesis.says}: wrong elements change by more than rounding, but none becomes right by that alone"
    one = score.explained == 1
    cured = ("becomes right" if one else "become right") if hypothesis.is_intervention and not tried.others else ""
    verb = cured or ("is reproduced" if one else "are reproduced")
    if hypothesis.within is not None:
        verb = "is no farther off" if one else "are no farther off"
    elements = "element" if score.wrong == 1 else "elements"
    counted = f"{score.explained:,} of {'the ' if behind else ''}{score.wrong:,} wrong {elements}{behind} {verb}"
    return f"{hypothesis.says}{together}: {counted}"


__all__ = ["PART", "Diagnosis", "explain", "line_to_change"]
