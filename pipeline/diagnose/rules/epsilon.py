"""epsilon: the wrong values are those of the normalisation with another epsilon, or one outside the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.normalised import ROOTS, Normalised, normalised
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule, nowhere

Array = NDArray[Any]

_COMMON = (0.0, 1e-5, 1e-3, 1e-6, 1e-4, 1e-2, 1e-8, 1e-7, 1e-12, 1e-1, 1.0)


class Epsilon(Rule):
    """The constant that keeps a division from zero differs, or stands outside the root."""

    cause = "epsilon"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Common values, and one fitted to the errors; the same outside the root, squared, as a lower limit."""
        for node in case.redo.nodes:
            found = normalised(case, node)
            if found is None:
                continue
            right = found.epsilon
            values = [*_COMMON, right * 10, right / 10, right * 100, *_fitted(case, found)]
            for value in dict.fromkeys(values):
                if not np.isclose(value, right, rtol=1e-6, atol=0.0):
                    says = f"{_name(case)} with epsilon = {value:.6g} instead of {right:.6g}"
                    yield self._hypothesis(says, found, value, found.change(epsilon=float(value)), 1.0)
            for root in ROOTS:
                for value in dict.fromkeys((right, 1e-5, 1e-8, 1e-3, 1e-6)) if root != found.root else ():
                    says = f"{_name(case)} divided by {root} with ε = {value:.6g} instead of by {found.root}"
                    change = found.change(root=root, epsilon=float(value))
                    yield self._hypothesis(says, found, value if "ε" in root else 0.0, change, 1.1)

    def _hypothesis(self, says: str, found: Normalised, got: float, change: NodeChange, weight: float) -> Hypothesis:
        where = "under the root" if found.root == "√(v + ε)" else "outside of the root"
        return Hypothesis(
            self.cause,
            says,
            f"Add {found.epsilon:.6g} to the variance, {where}."
            if found.root == "√(v + ε)"
            else f"Add {found.epsilon:.6g} to the deviation, {where}.",
            {"expected": found.epsilon, "got": got},
            (change,),
            place=lines.first(
                lines.written(got) if got != found.epsilon else nowhere,
                lines.called("sqrt", "inversesqrt", "pow"),
                lines.division,
            ),
            weight=weight,
        )


def _name(case: Case) -> str:
    return "the normalisation" if case.redo.node("Normalise") else "BatchNormalization"


def _fitted(case: Case, found: Normalised) -> list[float]:
    """ε = divisor² − variance, for the largest deviations; rounded first."""
    divisor = found.divisor(case)
    if divisor is None or divisor.ndim < 2:
        return []
    with np.errstate(all="ignore"):
        value = np.square(divisor) - found.variance
        away = np.abs(found.x if found.mean is None else found.x - found.mean) / np.sqrt(found.variance + 1e-30)
    chosen = np.isfinite(value) & (away > np.quantile(away, 0.75))
    if not chosen.any():
        return []
    middle = float(np.median(value[chosen]))
    return [float(f"{middle:.2g}"), float(f"{middle:.3g}"), middle] if middle > 0 else []
