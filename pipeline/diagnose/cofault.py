"""Causes that explain nothing alone, for whoever edits the text: with one edit a pass may be as under one of them.

Two faults on the same elements are told apart so, where one has a name and the other is a slip of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.oracle.arithmetic.workers import single_threaded_blas

Array = NDArray[Any]


class Partners:
    """Hypotheses of a case that take nothing from its wrong values."""

    def __init__(self, case: FailingPass, hypotheses: Sequence[Hypothesis]) -> None:
        self._case = case
        self._each = tuple(each for each in hypotheses if each.changes and not each.fitted)

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The number of each with what some elements of the first output are under it, by their linear indices."""
        for number, each in enumerate(self._each):
            try:
                with np.errstate(all="ignore"), single_threaded_blas():
                    values = self._case.evaluate_at(each.changes, elements)
            except Exception:  # noqa: BLE001 - what one rule proposes may not apply; that must not hide the others
                continue
            if np.size(values) == len(elements):
                yield number, np.asarray(values, dtype=np.float64).reshape(-1)

    def whole(self, number: int) -> NDArray[np.float64] | None:
        """The first output under one, its elements in order; None where it does not apply to all of them."""
        try:
            with np.errstate(all="ignore"), single_threaded_blas():
                values = self._case.evaluate(self._each[number].changes)
        except Exception:  # noqa: BLE001 - as above
            return None
        return np.asarray(values, dtype=np.float64).reshape(-1)

    def finding(self, number: int, line: int) -> Finding:
        """What one says was wrong beside a line that was written otherwise."""
        each, program = self._each[number], self._case.evidence.program
        place = each.line(self._case)
        return Finding(
            cause=each.cause,
            parameters=dict(each.parameters),
            explained=1.0,
            residual=0.0,
            shader=place[0] if place is not None else program.files[0].path if program.files else "",
            line=place[1] if place is not None else None,
            evidence=f"{each.says}: that and another line {line} reproduce every element together.",
            remedy=each.remedy,
        )

    def scaled(self, factor: float, line: int) -> Finding:
        """That beside a line which was written otherwise one factor is left."""
        program = self._case.evidence.program
        return Finding(
            cause="scale",
            parameters={"factor": float(f"{factor:.6g}")},
            explained=1.0,
            residual=0.0,
            shader=program.files[0].path if program.files else "",
            line=None,
            evidence=f"times {factor:.6g}: that and another line {line} reproduce every element together.",
            remedy=f"Divide by {factor:.6g}.",
        )
