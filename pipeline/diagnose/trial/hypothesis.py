"""A rule's hypothesis: a cause, the model edits or the intervention that it implies, and its description."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.glsl.lines import Line

Array = NDArray[Any]
LineOf = Callable[[FailingPass], Line | None]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Stage(IntEnum):
    """The stage at which a rule is tried: surer, cheaper or simpler ones first. A stage that explains all is the last.

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
    """A hypothesis: `says` begins the evidence sentence ("reads input x - 1"), `remedy` is a sentence.

    Either `changes` edit the oracle into what the GPU computed, or `values` (4-d view) are the result of an
    intervention that should make it right (`is_intervention`), or are the prediction itself, or `within` (4-d view)
    bounds the errors, if nothing else is known. `prior` orders equal explanations of one stage, smallest first.
    `in_pairs`: common enough to be tried together with another. `observed` is seen rather than inferred (a NaN, a lane
    never written): worth a finding even if it explains only a part. `covers` (4-d view, bool) masks the elements for
    which `values` are known. Interventions of a higher `order` were drawn with those of lower ones in force: 0 the
    state, 1 the precision, 2 samplers, coordinates, padding. `fitted` counts the numbers, or choices, that were taken
    from the wrong values themselves: a factor divided out of them, a bias for each channel. Each has to explain several
    values, or it explains nothing.
    """

    cause: str
    says: str
    remedy: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    changes: tuple[ModelEdit, ...] = ()
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


# Differences of recorded reads that contradict the same causes, for `Traits.denied_by_reads`.
ELSEWHERE = frozenset({"elsewhere", "moved", "other steps", "other distances"})
ANOTHER = frozenset({"another bias", "another tensor"})
LESS_READ = frozenset({"left out", "other channels left out", "unread", "no bias"})
MORE_READ = frozenset({"too many", "twice"})
BEYOND = frozenset({"beyond", "past the tile"})
# Causes implied by a repair that confirm many of the more specific ones, for `Traits.confirmed_by`.
USUALLY_CONFIRMING = frozenset(
    {"accumulator_not_reset", "bias_missing", "clamped_0_1", "filter_io_swap", "scale", "wrong_function"}
)
# What goes wrong: the places of reads, the computation, the storage, or numbers alone.
Family = Literal["reading", "computing", "storing", "numbers"]


@dataclass(frozen=True)
class Traits:
    """Facts of a cause beside its hypotheses: how it relates to a repair and to the search for one.

    `repaired_in` says whether edits of addresses or of values fix it; `edits` are kinds of edits to try first
    (`pipeline.repair.text.mutation`), `words` those that such an edit may contain. `leaves_out`: something is
    missing. `bends_values`: only the removal of a function fixes it. `is_of_sums`: no inserted factor fixes it.
    `may_be_the_plan`: it may lie in bindings, sampling or state instead of the text. `is_set_in_the_file`: its
    parameters are values of unset uniforms, by their keys in the pipeline file. `is_seen`: the wrong values
    themselves show it, whichever edit makes them right. `is_rounding`: it bounds errors
    and reproduces none. `confirmed_by` are less specific causes of the same kind, by which a repair confirms this one.
    `denied_by_edits` are classes of edits (`pipeline.repair.classify`), and `denied_by_reads` changes of the recorded
    reads (`pipeline.repair.read_diff`), that contradict it.
    """

    repaired_in: Literal["addresses", "values"] | None = None
    edits: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    leaves_out: bool = False
    bends_values: bool = False
    is_of_sums: bool = False
    may_be_the_plan: bool = False
    is_set_in_the_file: bool = False
    is_seen: bool = False
    is_rounding: bool = False
    confirmed_by: frozenset[str] = frozenset()
    denied_by_edits: frozenset[str] = frozenset()
    denied_by_reads: frozenset[str] = frozenset()


Proposing = Callable[[FailingPass], Iterable[Hypothesis]]


class Rule(ABC):
    """A rule for one cause. The first line of the docstring is its description in listings."""

    cause: ClassVar[str]
    stage: ClassVar[Stage]
    family: ClassVar[Family]
    traits: ClassVar[Traits] = Traits()

    @abstractmethod
    def propose(self, case: FailingPass) -> Iterable[Hypothesis]:
        """Yields what the shader may have done, likeliest first; proposing is cheap, trying is left to the caller."""

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """Returns the stages with their proposals; a rule may be surer of some than of others."""
        return ((self.stage, self.propose),)


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
