"""srgb_encoded: the wrong values are the right ones on the curve of sRGB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import texels_of_input, texels_of_output
from pipeline.diagnose.clues.pattern import listed
from pipeline.diagnose.clues.region import regions
from pipeline.diagnose.mistakes.gamma import CURVES, MORE_CURVES, Changes, powers_of_result, powers_on_the_way
from pipeline.diagnose.redo.redo import NodeChange, OutputChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function, constant_as, input_through, node_of, output_through
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.trial.judging import try_quickly
from pipeline.diagnose.trial.scoring import PART
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
_REMEDY = "Use formats without sRGB and disable GL_FRAMEBUFFER_SRGB; tensors are no colours."
# A part of the result has to have so many values between 0 and 1.
_FEWEST = 3


@dataclass(frozen=True)
class _Way:
    """Where values go through a curve: in words with a gap for the curve, and what it changes there.

    `more`: approximations and other ranges too. `fitted` numbers were taken from the wrong values to say where.
    """

    says: str
    changes: Changes
    weight: float
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    of_result: bool = False
    more: bool = False
    fitted: int = 0


class SrgbEncoded(Rule):
    """Values went through the curve of sRGB, in a target, a sampler or the shader."""

    cause = "srgb_encoded"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """The curve both ways, with and without a cap, and powers that stand in for it; result and inputs.

        In four lanes the fourth is alpha, which stays as it is; parameters, what goes into an activation, sums before
        their bias; and a region of the result, where the rest is right.
        """
        of_result = tuple(powers_of_result(case))
        for way in (*_results(case), *_inputs(case), *_inside(case)):
            curves = (*CURVES.items(), *(MORE_CURVES.items() if way.more else ()))
            for weight, (says, function) in enumerate(curves):
                yield self._hypothesis(way, says, function, weight)
            powers = of_result if way.of_result else powers_on_the_way(case, way.changes)
            for weight, (says, function) in enumerate(powers, len(curves)):
                yield self._hypothesis(way, says, function, weight, fitted=1)
        for weight, (says, function) in enumerate((*CURVES.items(), *of_result)):
            for way in _regions(case) if _is_some(case, function) else ():
                yield self._hypothesis(way, says, function, weight, fitted=weight >= len(CURVES))

    def _hypothesis(self, way: _Way, says: str, function: Function, weight: int, *, fitted: int = 0) -> Hypothesis:
        return Hypothesis(
            self.cause,
            way.says.format(says),
            _REMEDY,
            {"values": says, **way.parameters},
            way.changes(function),
            line=lines.first(lines.called("pow"), lines.result),
            weight=way.weight + weight / 1000.0,
            fitted=way.fitted + fitted,
        )


def _results(case: Case) -> Iterator[_Way]:
    yield _Way("the right values {}", lambda f: (output_through(f),), 1.0, of_result=True, more=True)
    if case.output.layout.lanes == 4:
        says = "the right values {} but in the fourth lane"
        yield _Way(says, lambda f: (texels_of_output(case, _colours(f)),), 1.05, of_result=True)


def _inputs(case: Case) -> Iterator[_Way]:
    for read in case.activations():
        name, of = f"the input '{read.tensor}'", {"input": read.tensor}
        yield _Way(f"{name} {{}}", lambda f, t=read.tensor: (input_through(t, f),), 2.0, of, more=True)  # type: ignore[misc]
        if read.values.stored.layout.lanes == 4:
            says = f"{name} {{}} but in the fourth lane"
            yield _Way(says, lambda f, r=read: (texels_of_input(r, _colours(f)),), 2.05, of)  # type: ignore[misc]
    for read in case.evidence.reads:
        if read.values.stored.role == "constant" and read.tensor in case.redo.values:
            says, of = f"the parameters '{read.tensor}' {{}}", {"input": read.tensor}
            yield _Way(says, lambda f, t=read.tensor: (constant_as(t, _float(f)),), 2.5, of)  # type: ignore[misc]
    names = tuple(dict.fromkeys(read.tensor for read in case.activations()))
    if len(names) > 1:  # one function reads them all
        quoted = listed([f"'{name}'" for name in names])
        says = f"the inputs {quoted} {{}}"
        yield _Way(says, lambda f: tuple(input_through(name, f) for name in names), 2.8)


def _inside(case: Case) -> Iterator[_Way]:
    for node in case.redo.tail():
        alone = facts_of(node).pointwise
        says = f"what goes into {node.op_type} '{node.name}' {{}}"
        yield _Way(says, lambda f, n=node, p=alone: (node_of(case, n, f, pointwise=p),), 2.6)  # type: ignore[misc]
    for node in case.redo.nodes_with(lambda facts: facts.window is not None and facts.addend is not None):
        if len(node.inputs) > 2 and node.inputs[2]:
            says = f"the sum of {node.op_type} '{node.name}' before its bias {{}}"
            yield _Way(says, lambda f, n=node: (_before_bias(case, n, f),), 2.7)  # type: ignore[misc]


def _is_some(case: Case, function: Function) -> bool:
    """Whether a part of the wrong elements, and not of all, are on that curve."""
    score = try_quickly(case, Hypothesis("", "", "", changes=(output_through(function),)))
    return score is not None and score.share >= PART and not score.is_whole


def _regions(case: Case) -> Iterator[_Way]:
    """What is wrong, as a region; most of it between 0 and 1, where a curve does more than a cap would."""
    inside = (case.expected > 0.0) & (case.expected < 1.0)
    between = int((case.wrong & inside).sum())
    if case.wrong.all() or between < max(_FEWEST, int(case.wrong.sum()) / 2):
        return
    yield _Way("the right values {} where they are between 0 and 1", lambda f: (_where(inside, f),), 3.0)
    for region in regions(case.wrong, case.address):
        for text, mask in (("", region.mask), (", where they are between 0 and 1", region.mask & inside)):
            says, fitted = f"the right values {{}} in {region}{text}", region.numbers
            yield _Way(says, lambda f, m=mask: (_where(m, f),), 3.1, fitted=fitted)  # type: ignore[misc]


def _where(mask: NDArray[np.bool_], function: Function) -> OutputChange:
    return OutputChange(lambda y: np.where(mask, function(y), y))


def _before_bias(case: Case, node: Node, function: Function) -> NodeChange:
    def change(same: Node, inputs: Sequence[Array | None]) -> Array:
        bias = inputs[2]
        assert bias is not None
        bare = case.redo.run_node(same, [*inputs[:2], np.zeros_like(bias), *inputs[3:]])
        added = case.redo.run_node(same, inputs) - bare
        return np.asarray(function(bare) + added, dtype=np.float32)

    return NodeChange(node.name, change)


def _colours(function: Function) -> Function:
    def change(texels: Array) -> Array:
        changed = np.array(texels)
        changed[..., :3] = function(changed[..., :3])
        return changed

    return change


def _float(function: Function) -> Callable[[Array], Array]:
    return lambda value: np.asarray(function(value), dtype=np.float32) if value.dtype.kind == "f" else value
