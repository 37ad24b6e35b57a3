"""Where NaN and infinity come from: the first pass that makes one out of finite numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.debug_session import DebugSession


@dataclass(frozen=True)
class Broken:
    """A tensor that is not finite: the first such element, its value, and the pass that made it.

    An input, which no pass makes, has an empty `name`.
    """

    name: str
    operator: str
    tensor: str
    place: tuple[int, ...]
    value: float

    def words(self) -> str:
        """Value, element and maker, in a few words."""
        at = f"element {list(self.place)} of '{self.tensor}'"
        return f"{self.value:g} in {at}" + (f", made by {self.operator} '{self.name}'" if self.name else ", an input")


def first_broken(session: DebugSession) -> Broken | None:
    """Runs all passes; the first one that makes a number that is not finite of inputs that are. None if all are finite.

    Where such numbers go in, infinite constants apart, it is the first input that has one.
    """
    session.run()
    plan = session.plan
    is_finite: dict[str, bool] = {}
    for name in plan.inputs:
        values = session.tensor(name)
        if not np.isfinite(values).all():
            return _broken("", "input", name, values)
    for each in plan.passes:
        if not session.has_run(each.name):
            continue
        for key in each.reads:
            if key not in is_finite:
                is_finite[key] = bool(np.isfinite(session.tensor(key)).all())
        for key in each.outputs:
            values = session.tensor(key)
            is_finite[key] = bool(np.isfinite(values).all())
            if not is_finite[key] and all(is_finite[read] for read in each.reads):
                return _broken(each.name, each.operator, key, values)
    return None


def _broken(name: str, operator: str, tensor: str, values: NDArray[np.float32]) -> Broken:
    place = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
    return Broken(name, operator, tensor, place, float(values[place]))
