"""Finds how a wrong pass departs from what it should compute: the formulas of a few wrong elements, beside others.

What it should compute is its model, of which this program's own shaders are run symbolically too, or a mended text. A
formula counts only if its value is what the pass gave.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.symbolic.canonical import Forms
from texelscope.pipeline.symbolic.divergence import FormulaComparison
from texelscope.pipeline.symbolic.kinds import Divergence, near
from texelscope.pipeline.symbolic.reference import ModelFormulas, nodes_between
from texelscope.pipeline.symbolic.running import SymbolicPass
from texelscope.pipeline.symbolic.structure import diverging_terms
from texelscope.pipeline.symbolic.terms import value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[Any]


# At most so many wrong elements are compared, for so many seconds; the first one always is.
MOST_ELEMENTS, SECONDS = 8, 0.6
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
# Seconds for the comparison of one element.
ELEMENT_SECONDS = 0.3


@dataclass(frozen=True)
class ElementDivergences:
    """Says how one wrong element, by its linear index, departs from what it should be."""

    element: int
    divergences: tuple[Divergence, ...]


@dataclass(frozen=True, eq=False)
class PassDivergences:
    """What was found of a pass: of each compared element, and of how many nothing could be said.

    `output` is the shape of the output in view, `shapes` has those of tensors by name. `lines` has the author's line
    of each row that divergences name. `has_formula_of` says whether one element has the formula that another one
    should have. `wrong` masks the wrong elements, flat; `constants` are flat, by tensor.
    """

    output: tuple[int, ...]
    shapes: Mapping[str, tuple[int, ...]]
    nodes: tuple[Node, ...]
    elements: tuple[ElementDivergences, ...]
    unclear: int
    lines: tuple[Line, ...]
    wrong: Array
    actual: Array
    constants: Mapping[str, Array]
    has_formula_of: Callable[[int, int], bool]


class Formulas(Protocol):
    """What gives the formula of an element of a tensor by its linear index."""

    def element(self, element: int) -> Any:
        """Returns a term or a number. Raises any exception where it is not known."""


class PassComparison:
    """Compares a pass's formulas with those that it should have, an element at a time."""

    def __init__(self, got: Formulas, expected: Formulas, forms: Forms, actual: Array) -> None:
        """`actual` are the pass's values, flat."""
        self._got, self._expected, self._forms, self._actual = got, expected, forms, actual
        self._comparison = FormulaComparison(forms)
        self._terms: dict[int, Any] = {}

    def element(self, element: int) -> tuple[Divergence, ...] | None:
        """Returns how an element departs; None where nothing can be said."""
        try:
            got, expected = self._got.element(element), self._expected.element(element)
            if not near(float(value_of(got)), float(self._actual[element]), 1.0):
                return None  # what the driver did is not what the text says
            self._comparison.deadline = time.thread_time() + ELEMENT_SECONDS
            self._terms[element] = got
            return tuple(diverging_terms(self._comparison, self._forms, got, expected))
        except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
            return None

    def has_formula_of(self, element: int, other: int) -> bool:
        """Whether an element that was compared has the formula that another one should have."""
        try:
            self._comparison.deadline = time.thread_time() + ELEMENT_SECONDS
            return element in self._terms and self._comparison.are_equal(
                self._forms.sum_of(self._terms[element]), self._forms.sum_of(self._expected.element(other))
            )
        except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
            return False

    def of_elements(
        self, elements: Sequence[int], seconds: float
    ) -> Generator[None, None, tuple[tuple[ElementDivergences, ...], int]]:
        """Returns how elements depart, one a step, and of how many nothing can be said."""
        end = time.thread_time() + seconds
        found: list[ElementDivergences] = []
        unclear = 0
        for element in elements:
            yield
            each = self.element(element)
            if each is None:
                unclear += 1
            else:
                found.append(ElementDivergences(element, each))
            if time.thread_time() > end:
                break
        return tuple(found), unclear


def observing(
    session: Session, plan: Plan, shader_pass: Pass, wrong: Array
) -> Generator[None, None, PassDivergences | None]:
    """Returns how a pass departs from its model, an element a step; None where text or model are not known well enough.

    `plan` has the model's graph, `wrong` masks the wrong elements of the output in view. GL thread.
    """
    wrong = wrong.reshape(-1)
    if plan.graph is None or not wrong.any():
        return None
    if shader_pass.dispatch is not None and session.is_long(shader_pass.name):
        return None  # who writes an element shows only in another run
    recorder = DispatchRecorder(session, follows_reads=False)
    try:
        stored = plan.textures[shader_pass.output]
        try:
            nodes = nodes_of_pass(plan, shader_pass)
            keys = {stored.tensor: key for key, stored in [*plan.textures.items()][::-1]}
            got = SymbolicPass(
                plan, shader_pass, session.program_source(shader_pass.name), session.texels,
                lambda tx, ty, lane: recorder.writer(shader_pass, tx, ty, lane),
            )  # fmt: skip
            model = ModelFormulas(plan.graph, nodes, stored.tensor, lambda tensor: session.tensor(keys[tensor]))
        except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
            return None
        constants = {**constants_read(session, plan, shader_pass), **flat_constants(model.constants)}
        forms = Forms({key: plan.textures[key].tensor for key in shader_pass.reads}, constants, model.computed)
        actual = session.tensor(shader_pass.output).reshape(-1)
        comparison = PassComparison(got, model, forms, actual)
        found, unclear = yield from comparison.of_elements(spread(wrong, MOST_ELEMENTS), SECONDS)
        shapes = {name: np.shape(value) for name, value in plan.graph.constants.items()}
        shapes |= {stored.tensor: stored.shape for stored in plan.textures.values()}
        return PassDivergences(
            stored.shape, shapes, nodes, found, unclear, tuple(got.lines), wrong, actual, constants,
            comparison.has_formula_of,
        )  # fmt: skip
    finally:
        recorder.release()


def nodes_of_pass(plan: Plan, shader_pass: Pass) -> tuple[Node, ...]:
    """Returns the model's nodes that make a pass's output. Raises UnknownTextError where there are none.

    They begin at what the pass reads, if that determines the output: a pass may compute anew what another one stored.
    """
    assert plan.graph is not None
    output = plan.textures[shader_pass.output].tensor
    read = {plan.textures[key].tensor for key in shader_pass.reads}
    nodes = nodes_between(plan.graph, output, read)
    made = {name for node in nodes for name in node.outputs}
    needed = {name for node in nodes for name in node.inputs if name}
    if not needed <= {*made, *read, *plan.graph.constants}:
        nodes = nodes_between(plan.graph, output, {stored.tensor for stored in plan.textures.values()})
    if not nodes:
        raise UnknownTextError("a pass without nodes")
    return nodes


def spread(wrong: Array, most: int) -> list[int]:
    """Returns a few of the elements that a flat mask has, the first and last among them, as linear indices.

    Between these they are spread by the golden ratio: equal steps might all lie in one column.
    """
    places = np.flatnonzero(wrong)
    steps = (np.arange(1, most - 1) * _GOLDEN) % 1.0
    chosen = dict.fromkeys((0, len(places) - 1, *(int(step * len(places)) for step in steps)))
    return [int(places[at]) for at in chosen]


def flat_constants(given: Mapping[str, Array]) -> dict[str, Array]:
    """Returns the constants that are numbers, float32 and flat."""
    arrays = {name: np.asarray(value) for name, value in given.items()}
    return {name: each.astype(np.float32).reshape(-1) for name, each in arrays.items() if each.dtype.kind in "fiub"}


def constants_read(session: Session, plan: Plan, shader_pass: Pass) -> dict[str, Array]:
    """Returns the constants that a pass reads, flat, by tensor."""
    stored = {key: plan.textures[key] for key in shader_pass.reads}
    return {each.tensor: session.tensor(key).reshape(-1) for key, each in stored.items() if each.role == "constant"}
