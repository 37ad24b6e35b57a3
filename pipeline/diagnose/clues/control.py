"""What redraws cure, and a control: what the redrawn program cures without the change that is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def forced(
    case: FailingPass,
    cause: str,
    name: str,
    says: str,
    remedy: str,
    parameters: Mapping[str, Any] = _NOTHING,
    **rest: Any,
) -> Iterator[Hypothesis]:
    """That what came out under an intervention is right; nothing where that was not drawn. `rest` are its fields."""
    found = case.redrawn(name)
    if found is not None:
        yield Hypothesis(cause, says, remedy, parameters, values=found[0], covers=found[1], is_cure=True, **rest)


def cures_more(case: FailingPass, name: str, control: str) -> bool:
    """Whether the redraw `name` makes more wrong elements right than the redraw `control` does.

    A redraw's program may differ from the pass's in more than what is asked about: moved reads, for one, go through
    functions of full precision, so that what lowp had rounded comes right however far they are moved.
    """
    return _cured(case, name) > _cured(case, control)


def _cured(case: FailingPass, name: str) -> int:
    found = case.redrawn(name)
    if found is None:
        return 0
    values, covered = found
    return case.judge.only(covered).cures(values[covered]).explained
