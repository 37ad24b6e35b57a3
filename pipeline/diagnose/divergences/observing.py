"""Finds how a wrong pass departs from its model: the formulas of a few wrong elements against those of the model.

The program is run symbolically, on the session's own texels, and so are this program's shaders for the model's nodes.
A formula counts only if its value is what the pass gave.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.symbolic.canonical import Forms, Sum
from texelscope.pipeline.symbolic.divergence import FormulaComparison
from texelscope.pipeline.symbolic.kinds import Divergence, near
from texelscope.pipeline.symbolic.reference import ModelFormulas, nodes_between
from texelscope.pipeline.symbolic.running import SymbolicPass
from texelscope.pipeline.symbolic.terms import value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[Any]


@dataclass(frozen=True)
class DivergenceLimits:
    """At most so many wrong elements are compared, for so many seconds; the first one always is."""

    wrong: int = 8
    seconds: float = 0.6


LIMITS = DivergenceLimits()


@dataclass(frozen=True)
class ElementDivergences:
    """Says how one wrong element, by its linear index, departs from the model."""

    element: int
    divergences: tuple[Divergence, ...]


@dataclass(frozen=True, eq=False)
class PassDivergences:
    """What was found of a pass: of each compared element, and of how many nothing could be said.

    `output` is the shape of the output in view, `shapes` has those of tensors by name. `lines` has the author's line
    of each row that divergences name. `has_formula_of` says whether one element has the formula that the model has for
    another one. `wrong` masks the wrong elements, flat; `constants` are flat, by tensor.
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


class _Observing:
    """Makes the formulas of one pass and of its model, and compares them."""

    def __init__(self, session: Session, plan: Plan, shader_pass: Pass, recorder: DispatchRecorder) -> None:
        assert plan.graph is not None
        output = plan.textures[shader_pass.output].tensor
        keys = {stored.tensor: key for key, stored in [*plan.textures.items()][::-1]}
        self.nodes = nodes_between(plan.graph, output, keys)
        if not self.nodes:
            raise UnknownTextError("a pass without nodes")
        self.symbolic = SymbolicPass(
            plan, shader_pass, session.program_source(shader_pass.name), session.texels,
            lambda tx, ty, lane: recorder.writer(shader_pass, tx, ty, lane),
        )  # fmt: skip
        self.model = ModelFormulas(plan.graph, self.nodes, output, lambda tensor: session.tensor(keys[tensor]))
        self.constants = _constants(session, plan, shader_pass, self.model)
        self.forms = Forms({key: plan.textures[key].tensor for key in shader_pass.reads}, self.constants)
        self.comparison = FormulaComparison(self.forms)
        self.actual = session.tensor(shader_pass.output).reshape(-1)
        self._sums: dict[int, Sum] = {}

    def element(self, element: int) -> tuple[Divergence, ...] | None:
        """Returns how an element departs from the model; None where nothing can be said."""
        try:
            got, expected = self.symbolic.element(element), self.model.element(element)
            if not near(float(value_of(got)), float(self.actual[element]), 1.0):
                return None  # what the driver did is not what the text says
            formula = self._sums[element] = self.forms.sum_of(got)
            return tuple(self.comparison.diverging(formula, self.forms.sum_of(expected)))
        except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
            return None

    def has_formula_of(self, element: int, other: int) -> bool:
        """Whether an element that was compared has the model's formula of another one."""
        try:
            return element in self._sums and self.comparison.are_equal(
                self._sums[element], self.forms.sum_of(self.model.element(other))
            )
        except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
            return False


def observing(
    session: Session, plan: Plan, shader_pass: Pass, wrong: Array, limits: DivergenceLimits = LIMITS
) -> Generator[None, None, PassDivergences | None]:
    """Returns how a pass departs from its model, an element a step; None where text or model are not known well enough.

    `plan` has the model's graph, `wrong` masks the wrong elements of the output in view. GL thread.
    """
    wrong = wrong.reshape(-1)
    if plan.graph is None or not wrong.any():
        return None
    if shader_pass.dispatch is not None and session.is_long(shader_pass.name):
        return None  # who writes an element shows only in another run
    recorder = DispatchRecorder(session)
    try:
        end = time.monotonic() + limits.seconds
        try:
            observed = _Observing(session, plan, shader_pass, recorder)
        except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
            return None
        places = np.flatnonzero(wrong)
        chosen = places[np.unique(np.linspace(0, len(places) - 1, min(limits.wrong, len(places))).astype(int))]
        found: list[ElementDivergences] = []
        unclear = 0
        for element in chosen.tolist():
            yield
            each = observed.element(element)
            if each is None:
                unclear += 1
            else:
                found.append(ElementDivergences(element, each))
            if time.monotonic() > end:
                break
        shapes = {stored.tensor: stored.shape for stored in plan.textures.values()}
        return PassDivergences(
            plan.textures[shader_pass.output].shape, shapes, observed.nodes, tuple(found), unclear,
            tuple(observed.symbolic.lines), wrong, observed.actual, observed.constants, observed.has_formula_of,
        )  # fmt: skip
    finally:
        recorder.release()


def _constants(session: Session, plan: Plan, shader_pass: Pass, model: ModelFormulas) -> dict[str, Array]:
    """Returns the values of what does not depend on inputs, by tensor: the model's, and those that the pass reads."""
    found = {name: np.asarray(value) for name, value in model.constants.items()}
    found = {name: value.astype(np.float32).reshape(-1) for name, value in found.items() if value.dtype.kind in "fiub"}
    for key in shader_pass.reads:
        stored = plan.textures[key]
        if stored.role == "constant" and stored.tensor not in found:
            found[stored.tensor] = session.tensor(key).reshape(-1)
    return found
