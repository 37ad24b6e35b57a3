"""Hypotheses from interventions, with a control: what the redrawn program alone makes right."""

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
    """Yields the hypothesis that an intervention helps; nothing if it was not drawn. `rest` are its fields."""
    found = case.interventions(name)
    if found is not None:
        yield Hypothesis(
            cause, says, remedy, parameters, values=found[0], covers=found[1], is_intervention=True, **rest
        )


def cures_more(case: FailingPass, name: str, control: str) -> bool:
    """Whether the redraw `name` makes more wrong elements right than the redraw `control` does.

    A redraw's program may differ from the pass's in more than the intervention: moved reads, for example, pass through
    functions of full precision, so that values rounded by lowp become right however far the reads are moved.
    """
    return _cured(case, name) > _cured(case, control)


def _cured(case: FailingPass, name: str) -> int:
    found = case.interventions(name)
    if found is None:
        return 0
    values, covered = found
    return case.judge.only(covered).interventions(values[covered]).explained
