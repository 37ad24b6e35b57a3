"""Causes that are a bias's: missing, doubled, of another channel, or added after the activation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.layer_parts import (
    activations,
    added_inputs,
    biases,
    normalised,
    spread_by_channel,
)
from texelscope.pipeline.diagnose.fault_models.region import in_parts
from texelscope.pipeline.diagnose.index_maps.classify import ShapeRule
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, NodeChange, OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Rule,
    Stage,
)
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, times
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# The deepest nesting of nodes that is written out, and the longest formula in letters.
_DEEPEST, _LONGEST = 4, 80
Array = NDArray[Any]
Indices = NDArray[np.int64]
# The first maps are common enough to be one of two faults.
_IN_PAIRS = 4


def formula(case: FailingPass, tensor: str) -> str:
    """Returns a formula such as `ReduceSum(dy · gamma) · 0.1`; empty for what the pass reads, and if it were long."""
    if tensor in case.model_slice.given or tensor not in case.model_slice.makers:
        return ""
    text = _written(case, tensor, _DEEPEST, is_factor=False)
    return text if len(text) <= _LONGEST else ""


def _written(case: FailingPass, tensor: str, depth: int, *, is_factor: bool) -> str:
    node = case.model_slice.makers.get(tensor)
    if node is None or tensor in case.model_slice.given:
        value = case.model_slice.values.get(tensor)
        return f"{float(value.reshape(-1)[0]):.6g}" if value is not None and value.size == 1 else tensor
    if not depth:
        return tensor
    if facts_of(node).keeps_order:
        return _written(case, node.inputs[0], depth, is_factor=is_factor)
    sign, is_sum = _sign(node)
    if not sign:
        return f"{node.op_type}({', '.join(_written_operands(case, node, depth, is_factor=False))})"
    joined = sign.join(_written_operands(case, node, depth, is_factor=not is_sum))
    return f"({joined})" if is_factor and is_sum else joined


def _sign(node: Node) -> tuple[str, bool]:
    """Returns the sign between operands, empty for a function; and whether the node is a sum."""
    facts = facts_of(node)
    if facts.adds:
        return " + ", True
    if facts.neutral == (0.0,) and facts.is_ordered:
        return " − ", True
    return (" · " if facts.neutral == (1.0,) else " / " if node.op_type == "Div" else ""), False


def _written_operands(case: FailingPass, node: Node, depth: int, *, is_factor: bool) -> list[str]:
    """Returns the operands that are real numbers: axes and sizes are left out."""
    real = (name for name in node.inputs if name and case.model_slice.values[name].dtype.kind == "f")
    return [_written(case, name, depth - 1, is_factor=is_factor) for name in real]


class BiasMissing(Rule):
    """The bias, or another tensor that belongs to the sum, is not added."""

    cause = causes.BIAS_MISSING
    stage = Stage.PARTS

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


class BiasDoubled(Rule):
    """The bias is added more than once: at every step of a loop, or before and after it."""

    cause = causes.BIAS_DOUBLED
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes two times, and as many times as the layer's loops have steps."""
        counts = [2, 3, 4]
        for window in case.windows():
            taps, channels = window.kernel[0] * window.kernel[1], window.channels.shape[1]
            groups_of_four = -(-channels // 4)
            counts += [taps, channels, groups_of_four, window.kernel[0], window.kernel[1]]
            counts += [taps * channels, taps * groups_of_four, taps + 1, channels + 1]
        for node in case.model_slice.nodes:
            for tensor in node.inputs if facts_of(node).adds else ():
                if case.read_of(tensor) is not None and tensor not in {bias.tensor for bias in biases(case)}:
                    change = InputChange(tensor, times(2.0), node=node.name)
                    yield Hypothesis(
                        self.cause, f"'{tensor}' added 2 times", "Add it once.", {"count": 2}, (change,),
                        line=lines.read(tensor),
                    )  # fmt: skip
        for bias in biases(case):
            for count in dict.fromkeys(count for count in counts if count > 1):
                yield Hypothesis(
                    self.cause,
                    f"the bias '{bias.tensor}' added {count} times",
                    "Add the bias once, outside the loops.",
                    {"count": count},
                    (constant_as(bias.tensor, times(count)),),
                    line=lines.read(bias.tensor),
                    prior=1.0 + count / 1e4,
                    in_pairs=count == 2,
                )


class BiasOffset(ShapeRule):
    """Another channel's bias is added."""

    cause = causes.BIAS_OFFSET
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the most common index errors, where no probe could show which bias is added."""
        for bias in biases(case):
            # Where a texel holds four outputs, only the reads of all four together are known.
            if case.reads_rightly(bias.tensor) and case.output.layout.lanes == 1:
                continue
            for weight, (says, parameters, taken) in enumerate(
                _maps(int(np.size(case.model_slice.values[bias.tensor])))
            ):
                yield self._hypothesis(f"for channel c the bias {says}", parameters, bias.tensor, taken, weight)
        for name in added_inputs(case):
            for weight, (says, parameters, taken) in enumerate(_maps(case.model_slice.given[name].size)):
                yield self._hypothesis(f"for element i of '{name}' element {says}", parameters, name, taken, weight)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], tensor: str, taken: Indices, prior: float
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            self.cause.remedy,
            parameters,
            (constant_as(tensor, lambda value: value.reshape(-1)[taken]),),
            line=lines.handed(tensor),
            prior=1.0 + prior / 100.0,
            in_pairs=prior < _IN_PAIRS,
        )


def _maps(count: int) -> Iterator[tuple[str, dict[str, Any], Indices]]:
    """Yields for each of `count` biases the index read, as words, parameters and an array; simplest first."""
    index = np.arange(count)
    for offset in (1, -1) if count > 1 else ():
        says = f"c {'+' if offset > 0 else '-'} 1"
        yield says, {"offset": offset, "beyond": "clamped"}, np.clip(index + offset, 0, count - 1)
        yield says, {"offset": offset, "beyond": "wrapped"}, (index + offset) % count
    yield "0 for all channels", {"index": 0}, 0 * index
    yield "(count - 1) - c", {"index": "(count - 1) - c"}, index[::-1]


class ActivationBeforeBias(Rule):
    """The bias is added after the activation instead of before it."""

    cause = causes.ACTIVATION_BEFORE_BIAS
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes this order for each addend that an activation follows."""
        after = activations(case)
        order = [node.name for node in case.model_slice.nodes]
        for bias in biases(case):
            if not after or order.index(bias.node.name) > order.index(after[-1].name):
                continue
            added = spread_by_channel(case, bias.tensor)
            if added is None:
                continue
            yield self._hypothesis(
                after[-1], f"the bias '{bias.tensor}'", constant_as(bias.tensor, np.zeros_like), added
            )
        for node in case.model_slice.nodes:  # or another tensor, of the result's shape
            if after and facts_of(node).adds and order.index(node.name) < order.index(after[-1].name):
                for name in (name for name in node.inputs if case.read_of(name) is not None):
                    own = case.model_slice.values[name]
                    if own.size == case.actual.size:
                        without = InputChange(name, np.zeros_like, node=node.name)
                        yield self._hypothesis(after[-1], f"'{name}'", without, own.reshape(case.dims), tensor=name)

    def _hypothesis(self, node: Node, what: str, without: ModelEdit, added: Array, tensor: str = "") -> Hypothesis:
        return Hypothesis(
            self.cause,
            f"{node.op_type} of the sum, then {what}",
            f"Add {what} first, then apply {node.op_type}.",
            {"activation": node.op_type, **({"tensor": tensor} if tensor else {})},
            (without, OutputChange(lambda y: y + added)),
            line=lines.read(tensor) if tensor else lines.activation,
        )
