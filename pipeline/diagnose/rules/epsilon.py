"""epsilon: the wrong values are those of the normalisation with another epsilon, or one outside the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.normalised import EPSILONS, ROOTS, Normalised, normalised
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule, nowhere

Array = NDArray[Any]

# None, and powers of ten, as people write them.
_WRITTEN = (0.0, *(float(f"1e-{digits}") for digits in range(13)))


class Epsilon(Rule):
    """The constant that keeps a division from zero differs, or stands outside the root."""

    cause = "epsilon"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Powers of ten, slips by one or two of them, one fitted to the errors; that one outside of the root too."""
        for node in case.redo.nodes:
            found = normalised(case, node)
            if found is None:
                continue
            right = found.epsilon
            slips = (*_WRITTEN, right * 10, right / 10, right * 100)
            for value in dict.fromkeys((*slips, *_fitted(case, found, found.root))):
                if not np.isclose(value, right, rtol=1e-6, atol=0.0):
                    says = f"{_name(case)} with epsilon = {value:.6g} instead of {right:.6g}"
                    change, fitted = found.change(epsilon=float(value)), int(value not in slips)
                    yield self._hypothesis(says, found, value, change, 1.0, fitted=fitted)
            for root in ROOTS:
                for value in dict.fromkeys((right, *_fitted(case, found, root))) if root != found.root else ():
                    says = f"{_name(case)} divided by {root} with ε = {value:.6g} instead of by {found.root}"
                    change, fitted = found.change(root=root, epsilon=float(value)), int(value != right)
                    yield self._hypothesis(says, found, value if "ε" in root else 0.0, change, 1.1, fitted=fitted)

    def _hypothesis(
        self, says: str, found: Normalised, got: float, change: NodeChange, weight: float, *, fitted: int
    ) -> Hypothesis:
        where = "under the root" if found.root == "√(v + ε)" else "outside of the root"
        return Hypothesis(
            self.cause,
            says,
            f"Add {found.epsilon:.6g} to the variance, {where}."
            if found.root == "√(v + ε)"
            else f"Add {found.epsilon:.6g} to the deviation, {where}.",
            {"expected": found.epsilon, "got": got},
            (change,),
            line=lines.first(
                lines.written(got) if got != found.epsilon else nowhere,
                lines.called("sqrt", "inversesqrt", "pow"),
                lines.division,
            ),
            weight=weight,
            fitted=fitted,
        )


def _name(case: Case) -> str:
    return "the normalisation" if case.redo.node("Normalise") else "BatchNormalization"


def _fitted(case: Case, found: Normalised, root: str) -> list[float]:
    """The ε that gives what the largest deviations were divided by, in the middle; rounded first."""
    divisor = found.divisor(case) if root in EPSILONS else None
    if divisor is None or divisor.ndim < 2:
        return []
    with np.errstate(all="ignore"):
        value = EPSILONS[root](found.variance, divisor)
        away = np.abs(found.x if found.mean is None else found.x - found.mean) / np.sqrt(found.variance + 1e-30)
    chosen = np.isfinite(value) & (away > np.quantile(away, 0.75))
    if not chosen.any():
        return []
    middle = float(np.median(value[chosen]))
    return list(dict.fromkeys((*(float(f"{middle:.{digits}g}") for digits in (1, 2, 3)), middle))) if middle > 0 else []
