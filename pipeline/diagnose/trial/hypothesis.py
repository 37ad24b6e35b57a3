"""A hypothesis: a cause, the model edits or the intervention that it implies, and its description; and who makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.glsl.lines import Line

Array = NDArray[Any]
LineOf = Callable[[FailingPass], Line | None]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Stage(IntEnum):
    """The stage at which a generator is tried: surer, cheaper or simpler ones first; one that explains all is the last.

    DRAWING: seen on GL itself (state, targets, reruns). VALUES: effects of storage on right values. PARTS: one
    operation left out, doubled or with another constant. WINDOW: another geometry of the window. PLACES: elements
    moved. READS: from single recorded reads. FITS: numbers fitted to the errors, which explain least. LAST: everything
    else.
    """

    DRAWING = 0
    VALUES = 1
    PARTS = 2
    WINDOW = 3
    PLACES = 4
    READS = 5
    FITS = 6
    LAST = 7


def nowhere(_case: FailingPass) -> Line | None:
    """Returns no line, for causes that are not in a shader."""
    return None


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis: `says` begins the evidence sentence ("reads input x - 1"); `remedy` is its cause's if it is empty.

    Either `changes` edit the oracle into what the GPU computed, or `values` (4-d view) are the result of an
    intervention that should make it right (`is_intervention`), or are the prediction itself, or `within` (4-d view)
    bounds the errors, if nothing else is known. `prior` orders equal explanations of one stage, smallest first.
    `in_pairs`: common enough to be tried together with another. `observed` is seen rather than inferred (a NaN, a lane
    never written): worth a finding even if it explains only a part. `covers` (4-d view, bool) masks the elements for
    which `values` are known. Interventions of a higher `order` were drawn with those of lower ones in force: 0 the
    state, 1 the precision, 2 samplers, coordinates, padding. `fitted` counts the numbers, or choices, that were taken
    from the wrong values themselves: a factor divided out of them, a bias for each channel. Each has to explain several
    values, or it explains nothing. `is_to_change`: `line` is where the wrong thing is written, as a number or a binding
    that was replaced there, and not where its value is used.
    """

    cause: Cause
    says: str
    changes: tuple[ModelEdit, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    remedy: str = ""
    values: Array | None = None
    is_intervention: bool = False
    line: LineOf = nowhere
    prior: float = 1.0
    in_pairs: bool = False
    observed: bool = False
    covers: Array | None = None
    order: int = 0
    within: Array | None = None
    fitted: int = 0
    is_to_change: bool = False

    def __post_init__(self) -> None:
        if not self.remedy:
            object.__setattr__(self, "remedy", self.cause.remedy)


Proposing = Callable[[FailingPass], Iterable[Hypothesis]]


@dataclass(frozen=True)
class Generator:
    """Proposes what the shader may have done, of one cause, likeliest first; `stage` says when its turn comes.

    Proposing is cheap, trying is left to the caller. A cause that is surer of some proposals than of others has several
    generators.
    """

    cause: Cause
    stage: Stage
    propose: Proposing


def forced(
    case: FailingPass, cause: Cause, name: str, says: str, parameters: Mapping[str, Any] = _NOTHING, **rest: Any
) -> Iterator[Hypothesis]:
    """Yields the hypothesis that an intervention helps; nothing if it was not drawn. `rest` are its fields."""
    found = case.interventions(name)
    if found is not None:
        values, covers = found
        yield Hypothesis(cause, says, parameters=parameters, values=values, covers=covers, is_intervention=True, **rest)


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
