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
from texelscope.pipeline.diagnose.trial.hypothesis import ANOTHER, BEYOND, MORE_READ, Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


class BiasMissing(Rule):
    """The bias, or another tensor that belongs to the sum, is not added."""

    cause = "bias_missing"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        repaired_in="values",
        edits=("put in",),
        words=("bias",),
        leaves_out=True,
        is_of_sums=True,
        confirmed_by=frozenset(
            {
                "accumulator_not_reset",
                "bias_missing",
                "clamped_0_1",
                "dropped_lane",
                "filter_io_swap",
                "missing_channels",
                "missing_taps",
                "scale",
                "wrong_function",
            }
        ),
        denied_by_edits=frozenset({"epsilon"}),
        denied_by_reads=ANOTHER | BEYOND | MORE_READ | {"a bias twice"},
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes each addend of the pass; for all elements, then for the wrong parts."""
        for bias in biases(case):
            says = f"the sum without the bias '{bias.tensor}'"
            change = constant_as(bias.tensor, np.zeros_like)
            whole = self._hypothesis(says, {"bias": bias.tensor}, change, 1.0, pairs=True)
            yield whole
            without = NodeChange(bias.node.name, _without(case, bias.tensor))
            yield from in_parts(case, dataclasses.replace(whole, changes=(without,)))
        for weight, (node, name) in enumerate(_operands(case)):
            without = NodeChange(node.name, _without(case, name), pointwise=True)
            written, given = formula(case, name), name in case.model_slice.given
            says = f"{node.op_type} '{node.name}' without '{name}'{written and ', which is '}{written}"
            is_taken_off = node.op_type == "Sub" and node.inputs[0] != name
            remedy = f"{'Subtract' if is_taken_off else 'Add'} {written or repr(name)} too."
            light = 1.05 + weight / 1000.0 + 0.02 * (not given)
            # A difference that is not the result is used further on, mostly in another statement.
            line = lines.operators("-") if is_taken_off and node is not case.model_slice.nodes[-1] else lines.result
            found = self._hypothesis(says, {"bias": name}, without, light, pairs=given)
            whole = dataclasses.replace(found, remedy=remedy, line=line)
            yield whole
            yield from in_parts(case, whole)
        for name in added_inputs(case):
            says, change = f"the sum without '{name}'", constant_as(name, np.zeros_like)
            yield self._hypothesis(says, {"bias": name}, change, 1.0, pairs=True)
        for node in case.model_slice.node("Normalise"):
            normal = normalised(case, node)
            if normal is not None and normal.mean is not None:
                says = "a normalisation that does not subtract the mean before it divides"
                yield self._hypothesis(says, {"bias": node.inputs[1]}, normal.change(mean=None), 1.05)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: ModelEdit, prior: float, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Add the bias of the output channel to the sum.",
            parameters,
            (change,),
            line=lines.result,
            prior=prior,
            in_pairs=pairs,
        )


def _operands(case: FailingPass) -> Iterator[tuple[Node, str]]:
    """Yields sums and differences of the pass with a tensor that is no bias: a block's input, a mean, a mask."""
    held = {bias.tensor for bias in biases(case)}
    for node in case.model_slice.nodes:
        if facts_of(node).adds or node.op_type == "Sub":
            names = [
                each
                for each in dict.fromkeys(node.inputs)
                if each not in held and case.model_slice.values[each].size > 1
            ]
            yield from ((node, name) for name in names if len(node.inputs) > 1 and not _is_twice(case, node, name))


def _is_twice(case: FailingPass, node: Node, name: str) -> bool:
    """Whether the pass adds the same numbers twice without reading them: the shader may write a factor of 2."""
    others = [other for other in node.inputs if other != name and other not in case.model_slice.given]
    if name in case.model_slice.given or node.op_type == "Sub":
        return False
    return any(np.array_equal(case.model_slice.values[other], case.model_slice.values[name]) for other in others)


def _without(case: FailingPass, name: str):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        operands = [x if each != name or x is None else np.zeros_like(x)
                    for each, x in zip(node.inputs, inputs, strict=True)]  # fmt: skip
        return case.model_slice.run_node(node, operands)

    return change
