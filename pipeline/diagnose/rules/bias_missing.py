"""bias_missing: the wrong values are those of the layer with zeros for its bias."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.formula import formula
from texelscope.pipeline.diagnose.clues.normalised import normalised
from texelscope.pipeline.diagnose.clues.parts import added_inputs, biases
from texelscope.pipeline.diagnose.functions.in_part import in_parts
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


class BiasMissing(Rule):
    """The bias, or another tensor that belongs to the sum, is not added."""

    cause = "bias_missing"
    band = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """One for each addend of the pass; for all elements, then for the parts that are wrong."""
        for bias in biases(case):
            says = f"the sum without the bias '{bias.tensor}'"
            change = constant_as(bias.tensor, np.zeros_like)
            whole = self._hypothesis(says, {"bias": bias.tensor}, change, 1.0, pairs=True)
            yield whole
            without = NodeChange(bias.node.name, _without(case, bias.tensor))
            yield from in_parts(case, dataclasses.replace(whole, changes=(without,)))
        for weight, (node, name) in enumerate(_operands(case)):
            without = NodeChange(node.name, _without(case, name), pointwise=True)
            written, given = formula(case, name), name in case.redo.given
            says = f"{node.op_type} '{node.name}' without '{name}'{written and ', which is '}{written}"
            is_taken_off = node.op_type == "Sub" and node.inputs[0] != name
            remedy = f"{'Take' if is_taken_off else 'Add'} {written or repr(name)} {'off' if is_taken_off else 'too'}."
            light = 1.05 + weight / 1000.0 + 0.02 * (not given)
            # Behind a difference that is not the result something else is done to it, mostly in another statement.
            line = lines.operators("-") if is_taken_off and node is not case.redo.nodes[-1] else lines.result
            found = self._hypothesis(says, {"bias": name}, without, light, pairs=given)
            whole = dataclasses.replace(found, remedy=remedy, line=line)
            yield whole
            yield from in_parts(case, whole)
        for name in added_inputs(case):
            says, change = f"the sum without '{name}'", constant_as(name, np.zeros_like)
            yield self._hypothesis(says, {"bias": name}, change, 1.0, pairs=True)
        for node in case.redo.node("Normalise"):
            normal = normalised(case, node)
            if normal is not None and normal.mean is not None:
                says = "a normalisation that takes no mean off what it divides"
                yield self._hypothesis(says, {"bias": node.inputs[1]}, normal.change(mean=None), 1.05)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: ModelEdit, weight: float, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Add the bias of the output channel to the sum.",
            parameters,
            (change,),
            line=lines.result,
            weight=weight,
            in_pairs=pairs,
        )


def _operands(case: FailingPass) -> Iterator[tuple[Node, str]]:
    """Sums and differences of the pass with a tensor that is no bias: the input of a block, a mean, a mask."""
    held = {bias.tensor for bias in biases(case)}
    for node in case.redo.nodes:
        if facts_of(node).adds or node.op_type == "Sub":
            names = [
                each for each in dict.fromkeys(node.inputs) if each not in held and case.redo.values[each].size > 1
            ]
            yield from ((node, name) for name in names if len(node.inputs) > 1 and not _is_twice(case, node, name))


def _is_twice(case: FailingPass, node: Node, name: str) -> bool:
    """Whether the pass adds the same numbers twice, neither of which it reads: one of them is a factor of 2."""
    others = [other for other in node.inputs if other != name and other not in case.redo.given]
    if name in case.redo.given or node.op_type == "Sub":
        return False
    return any(np.array_equal(case.redo.values[other], case.redo.values[name]) for other in others)


def _without(case: FailingPass, name: str):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        operands = [x if each != name or x is None else np.zeros_like(x)
                    for each, x in zip(node.inputs, inputs, strict=True)]  # fmt: skip
        return case.redo.run_node(node, operands)

    return change
