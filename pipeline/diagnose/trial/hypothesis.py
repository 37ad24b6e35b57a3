"""What a rule proposes: a cause, how to redo the pass under it, and the words for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any, ClassVar

from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.glsl.lines import Line

Array = NDArray[Any]
LineOf = Callable[[FailingPass], Line | None]


class Stage(IntEnum):
    """When a rule's turn comes: what is surer, cheaper or simpler first. Nothing later is tried once one explains all.

    DRAWING: seen on GL itself (state, targets, reruns). VALUES: what storing did to right values. PARTS: one operation
    left out, doubled or with another constant. WINDOW: another geometry of the window. PLACES: elements moved about.
    READS: from single recorded reads. FITS: numbers fitted to the errors, which explain least. LAST: what is left.
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
    """For causes that are not in a shader."""
    return None


@dataclass(frozen=True)
class Hypothesis:
    """`says` is the beginning of the evidence sentence ("reads input x - 1"), `remedy` a sentence.

    Either `changes` redo the oracle into what the GPU made, or `values` (4-d view) are what came out under an
    intervention that should make it right (`is_cure`), or are the prediction itself, or `within` (4-d view) says
    how large errors may be, where that is all there is to say. `weight` orders those of
    one band that explain the same, lightest first. `in_pairs`: common enough to be tried together with another.
    `observed` is seen rather than inferred (a NaN, a lane never written): worth a finding though it explains a part.
    `covers` (4-d view, bool) are the elements that `values` are known for. Cures of a higher `order` were drawn
    with those of lower ones in force: 0 the state, 1 the precision, 2 samplers, coordinates, padding.
    `fitted` counts the numbers, or choices, that were taken from the wrong values themselves: a factor that was
    divided out of them, a bias for each channel. Each has to explain several, or it explains nothing.
    """

    cause: str
    says: str
    remedy: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    changes: tuple[ModelEdit, ...] = ()
    values: Array | None = None
    is_cure: bool = False
    line: LineOf = nowhere
    weight: float = 1.0
    in_pairs: bool = False
    observed: bool = False
    covers: Array | None = None
    order: int = 0
    within: Array | None = None
    fitted: int = 0


Proposing = Callable[[FailingPass], Iterable[Hypothesis]]


class Rule(ABC):
    """Stands for one cause. The first line of the docstring is its description in listings."""

    cause: ClassVar[str]
    band: ClassVar[Stage]

    @abstractmethod
    def propose(self, case: FailingPass) -> Iterable[Hypothesis]:
        """What the shader may have done, likeliest first; proposals cost little, trying them is the caller's."""

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """When what is proposed; a rule may be surer of some than of others."""
        return ((self.band, self.propose),)
