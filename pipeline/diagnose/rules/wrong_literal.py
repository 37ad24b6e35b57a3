"""wrong_literal: the wrong values are those of the network with the numbers written in the shader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    ANOTHER,
    BEYOND,
    ELSEWHERE,
    MORE_READ,
    Hypothesis,
    Rule,
    Stage,
    Traits,
)
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_pass
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.errors import TexelscopeError


@dataclass(frozen=True)
class _Literal:
    """A number that differs from the model's: the constant's name, the element, its line, and both values."""

    name: str
    element: tuple[int, ...]
    line: int
    written: float
    wanted: float


class WrongLiteral(Rule):
    """A weight is written in the shader as another number than the model has.

    Known by this: the shader's text, read as a network, has another number there, and with it the model gives the wrong
    values.
    """

    cause = "wrong_literal"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        denied_by_edits=frozenset(
            {"across", "element", "fewer turns", "filter", "layout", "more turns", "order", "size", "wrap"}
        ),
        denied_by_reads=ELSEWHERE | ANOTHER | BEYOND | MORE_READ | {"left out", "other channels left out", "unread"},
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes all differing numbers at once: those in the text, or those solved from the values."""
        yield from solved(case, self.cause)
        plan, graph = case.evidence.plan, case.model_slice.graph
        if not isinstance(plan, ShaderPlan) or graph is None:
            return
        try:
            network = network_of_pass(plan, case.output.tensor, case.evidence.program.fragment)
        except TexelscopeError:  # the text is no network, so its numbers have no names
            return
        literals: list[_Literal] = []
        changes: list[ModelEdit] = []
        for name in network.of_block[case.output.tensor]:
            written, wanted = network.constants[name], graph.constants.get(name)
            if wanted is None or wanted.shape != written.shape or np.array_equal(wanted, written):
                continue
            lines = network.lines[name]
            for at in map(tuple, np.argwhere(written != wanted)):
                literals.append(_Literal(name, at, int(lines[at]), _short(written[at]), _short(wanted[at])))
            changes.append(_as(name, written))
        if literals:
            yield _hypothesis(literals, changes, network.file)


def _hypothesis(literals: list[_Literal], changes: list[ModelEdit], file: str) -> Hypothesis:
    first = literals[0]
    element = ", ".join(str(index) for index in first.element)
    count = len(literals) - 1
    others = f", and {count} more number{'s differ' if count > 1 else ' differs'}" if count else ""
    return Hypothesis(
        "wrong_literal",
        f"'{first.name}'[{element}] is written as {first.written!r} instead of {first.wanted!r}{others}",
        "Write the model's number there.",
        {
            "tensor": first.name,
            "element": [int(index) for index in first.element],
            "written": first.written,
            "wanted": first.wanted,
            "count": len(literals),
        },
        tuple(changes),
        line=lambda _case: (file, first.line),
    )


def _short(value: np.float32) -> float:
    """Returns the shortest decimal that is this float32."""
    return float(str(np.float32(value)))


def _as(name: str, value: NDArray[np.float32]) -> ModelEdit:
    return constant_as(name, lambda _old: value)
