"""Evidence in, diagnosis out: rules propose, numbers decide. Numpy alone; made for a worker thread."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pipeline.compare import CancelledError
from pipeline.diagnose.case import Case
from pipeline.diagnose.evidence import Evidence
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.pattern import describe_pattern
from pipeline.diagnose.registry import all_rules
from pipeline.diagnose.scoring import PART, Score
from pipeline.oracle.workers import single_threaded_blas
from pipeline.report import Finding

# Findings that a report keeps.
MOST = 5
# Partial ones are shown only if they explain this share.
SHOWN = 0.5


@dataclass(frozen=True)
class Diagnosis:
    """Findings, best first. `unexplained` says what is known of the errors where nothing explains them all.

    `failed` names rules that broke down on the way, each with its error: bugs of theirs, not of the shader.
    """

    findings: tuple[Finding, ...]
    unexplained: str = ""
    failed: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Tried:
    hypothesis: Hypothesis
    score: Score
    band: Band

    @property
    def order(self) -> tuple[float, float, float]:
        """Whole explanations first, by band and weight; then what was seen; then parts by their share."""
        if self.score.is_whole:
            return (0.0, float(self.band), self.hypothesis.weight)
        if self.hypothesis.observed:
            return (1.0, float(self.band), -self.score.share)
        return (2.0, -self.score.share, float(self.band))


class _Search:
    def __init__(self, case: Case, progress: Callable[[float], None] | None, cancel: threading.Event | None) -> None:
        self._case = case
        self._progress = progress
        self._cancel = cancel
        self._tried: list[_Tried] = []
        self.failed: list[str] = []
        self._pairable: list[tuple[Hypothesis, Band]] = []

    def run(self) -> list[_Tried]:
        """What explains something, best first."""
        rules = sorted(all_rules().values(), key=lambda rule: rule.band)
        for band, group in itertools.groupby(rules, key=lambda rule: rule.band):
            self._band(band, list(group))
            self._say((band + 1) / (len(Band) + 2))
            if any(each.score.is_whole for each in self._tried):
                break
        else:
            self._pairs()
        self._say(1.0)
        return sorted(self._tried, key=lambda each: each.order)

    def _band(self, band: Band, rules: Iterable[Rule]) -> None:
        for rule in rules:
            try:
                for hypothesis in rule.propose(self._case):
                    self._check()
                    self._try(hypothesis, band)
            except CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - one rule's bug must not hide what the others find
                self.failed.append(f"{rule.cause}: {type(error).__name__}: {error}")

    def _try(self, hypothesis: Hypothesis, band: Band) -> None:
        if hypothesis.in_pairs and hypothesis.changes:
            self._pairable.append((hypothesis, band))
        score = self._case.try_out(hypothesis, parts=not any(each.score.is_whole for each in self._tried))
        if score is not None and (score.is_whole or score.is_part or (hypothesis.observed and score.explained)):
            self._tried.append(_Tried(hypothesis, score, band))

    def _pairs(self) -> None:
        """Two faults at once, among the common ones."""
        pairs = itertools.combinations(self._pairable, 2)
        for (first, band), (second, other) in pairs:
            self._check()
            if first.cause == second.cause:
                continue
            both = _together(first, second)
            score = self._case.try_quickly(both)
            if score is None or not score.is_whole:
                continue
            score = self._case.try_out(both)
            if score is not None and score.is_whole:
                for each, its_band in ((first, band), (second, other)):
                    named = _named_together(each, second if each is first else first, both)
                    self._tried.append(_Tried(named, score, its_band))
                return

    def _check(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError

    def _say(self, share: float) -> None:
        if self._progress is not None:
            self._progress(share)


def explain(
    evidence: Evidence,
    *,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> Diagnosis:
    """The diagnosis of one pass. `progress` gets the share done; `cancel` ends it with CancelledError."""
    with single_threaded_blas():
        case = Case(evidence)
        if not case.wrong.any():
            return Diagnosis(())
        search = _Search(case, progress, cancel)
        tried = search.run()
        findings: list[Finding] = []
        known = any(each.score.is_whole for each in tried)
        for each in tried:
            if len(findings) == MOST:
                break
            if not each.score.is_whole and (known or each.score.share < SHOWN) and not each.hypothesis.observed:
                continue
            finding = _finding(case, each)
            if not any(finding.cause == other.cause for other in findings):
                findings.append(finding)
        return Diagnosis(tuple(findings), "" if known else describe_pattern(case), tuple(search.failed))


def _finding(case: Case, tried: _Tried) -> Finding:
    hypothesis, score = tried.hypothesis, tried.score
    line = hypothesis.place(case)
    files = case.evidence.program.files
    shader = line[0] if line is not None else files[0].path if files else case.evidence.each.name
    verb = "come right" if hypothesis.is_cure else "are reproduced"
    counted = f"{score.explained:,} of {score.wrong:,} wrong elements {verb}"
    return Finding(
        cause=hypothesis.cause,
        parameters=dict(hypothesis.parameters),
        explained=score.share,
        residual=score.residual,
        shader=shader,
        line=line[1] if line is not None else None,
        evidence=f"{hypothesis.says}: {counted}, residual {score.residual:.0e}.",
        remedy=hypothesis.remedy,
    )


def _together(first: Hypothesis, second: Hypothesis) -> Hypothesis:
    return Hypothesis(first.cause, first.says, first.remedy, changes=(*first.changes, *second.changes))


def _named_together(each: Hypothesis, other: Hypothesis, both: Hypothesis) -> Hypothesis:
    return Hypothesis(
        each.cause,
        f"{each.says}, together with {other.cause}",
        each.remedy,
        each.parameters,
        both.changes,
        place=each.place,
        weight=each.weight,
    )


__all__ = ["PART", "Diagnosis", "explain"]
