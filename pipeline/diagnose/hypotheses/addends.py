"""Proposes mistakes with a bias, or another addend: missing, doubled, of another channel, or after the activation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
from texelscope.pipeline.diagnose.fault_models.region import in_parts, with_parts
from texelscope.pipeline.diagnose.index_maps.classify import seen
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, NodeChange, OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, times
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class _Limits:
    """Bounds what is said of addends."""

    nodes: int = 4  # nesting of nodes that is written out
    letters: int = 80  # letters of the longest formula that is written out
    pairs: int = 4  # first maps of a bias, common enough to be one of two faults


_LIMITS = _Limits()


def formula(case: FailingPass, tensor: str) -> str:
    """Returns a formula such as `ReduceSum(dy · gamma) · 0.1`; empty for what the pass reads, and if it were long."""
    if tensor in case.model_slice.given or tensor not in case.model_slice.makers:
        return ""
    text = _written(case, tensor, _LIMITS.nodes, is_factor=False)
    return text if len(text) <= _LIMITS.letters else ""


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


_missing = partial(Hypothesis, causes.BIAS_MISSING, line=lines.result)


def _bias_missing(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes each addend of the pass; for all elements, then for the wrong parts."""
    for bias in biases(case):
        says, change = f"the sum without the bias '{bias.tensor}'", constant_as(bias.tensor, np.zeros_like)
        whole = _missing(says, (change,), {"bias": bias.tensor}, in_pairs=True)
        yield whole
        without = NodeChange(bias.node.name, _without(case, bias.tensor))
        yield from in_parts(case, dataclasses.replace(whole, changes=(without,)))
    for number, (node, name) in enumerate(_operands(case)):
        yield from with_parts(case, _without_operand(case, node, name, number))
    for name in added_inputs(case):
        change = constant_as(name, np.zeros_like)
        yield _missing(f"the sum without '{name}'", (change,), {"bias": name}, in_pairs=True)
    for node in case.model_slice.node("Normalise"):
        normal = normalised(case, node)
        if normal is not None and normal.mean is not None:
            says = "a normalisation that does not subtract the mean before it divides"
            yield _missing(says, (normal.change(mean=None),), {"bias": node.inputs[1]}, prior=1.05)


def _without_operand(case: FailingPass, node: Node, name: str, number: int) -> Hypothesis:
    written, is_given = formula(case, name), name in case.model_slice.given
    says = f"{node.op_type} '{node.name}' without '{name}'{written and ', which is '}{written}"
    is_taken_off = node.op_type == "Sub" and node.inputs[0] != name
    # A difference that is not the result is used further on, mostly in another statement.
    line = lines.operators("-") if is_taken_off and node is not case.model_slice.nodes[-1] else lines.result
    return _missing(
        says, (NodeChange(node.name, _without(case, name), pointwise=True),), {"bias": name}, line=line,
        remedy=f"{'Subtract' if is_taken_off else 'Add'} {written or repr(name)} too.",
        prior=1.05 + number / 1000.0 + 0.02 * (not is_given), in_pairs=is_given,
    )  # fmt: skip


def _operands(case: FailingPass) -> Iterator[tuple[Node, str]]:
    """Yields sums and differences of the pass with a tensor that is no bias: a block's input, a mean, a mask."""
    held = {bias.tensor for bias in biases(case)}
    for node in case.model_slice.nodes:
        if facts_of(node).adds or node.op_type == "Sub":
            others = (each for each in dict.fromkeys(node.inputs) if each not in held)
            names = [each for each in others if case.model_slice.values[each].size > 1]
            yield from ((node, name) for name in names if len(node.inputs) > 1 and not _is_twice(case, node, name))


def _is_twice(case: FailingPass, node: Node, name: str) -> bool:
    """Whether the pass adds the same numbers twice without reading them: the shader may write a factor of 2."""
    others = [other for other in node.inputs if other != name and other not in case.model_slice.given]
    if name in case.model_slice.given or node.op_type == "Sub":
        return False
    return any(np.array_equal(case.model_slice.values[other], case.model_slice.values[name]) for other in others)


def _without(case: FailingPass, name: str):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        operands = [
            x if each != name or x is None else np.zeros_like(x) for each, x in zip(node.inputs, inputs, strict=True)
        ]
        return case.model_slice.run_node(node, operands)

    return change


def _bias_doubled(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes two times, and as many times as the layer's loops have steps."""
    counts = [2, 3, 4]
    for window in case.windows():
        taps, channels = window.kernel[0] * window.kernel[1], window.channels.shape[1]
        groups_of_four = -(-channels // 4)
        counts += [taps, channels, groups_of_four, window.kernel[0], window.kernel[1]]
        counts += [taps * channels, taps * groups_of_four, taps + 1, channels + 1]
    doubled = partial(Hypothesis, causes.BIAS_DOUBLED)
    for node in case.model_slice.nodes_with(lambda facts: facts.adds):
        for tensor in node.inputs:
            if case.read_of(tensor) is not None and tensor not in {bias.tensor for bias in biases(case)}:
                says, change = f"'{tensor}' added 2 times", InputChange(tensor, times(2.0), node=node.name)
                yield doubled(says, (change,), {"count": 2}, remedy="Add it once.", line=lines.read(tensor))
    for bias in biases(case):
        for count in dict.fromkeys(count for count in counts if count > 1):
            says, change = f"the bias '{bias.tensor}' added {count} times", constant_as(bias.tensor, times(count))
            line, prior = lines.read(bias.tensor), 1.0 + count / 1e4
            yield doubled(says, (change,), {"count": count}, line=line, prior=prior, in_pairs=count == 2)


def _bias_offset(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes the most common index errors, where no probe could show which bias is added."""
    for bias in biases(case):
        # Where a texel holds four outputs, only the reads of all four together are known.
        if not case.reads_rightly(bias.tensor) or case.output.layout.lanes > 1:
            count = int(np.size(case.model_slice.values[bias.tensor]))
            yield from _offsets("for channel c the bias", bias.tensor, count)
    for name in added_inputs(case):
        yield from _offsets(f"for element i of '{name}' element", name, case.model_slice.given[name].size)


def _offsets(head: str, tensor: str, count: int) -> Iterator[Hypothesis]:
    for number, (says, parameters, taken) in enumerate(_maps(count)):
        change = constant_as(tensor, lambda value, taken=taken: value.reshape(-1)[taken])  # type: ignore[misc]
        yield Hypothesis(
            causes.BIAS_OFFSET, f"{head} {says}", (change,), parameters, line=lines.handed(tensor),
            prior=1.0 + number / 100.0, in_pairs=number < _LIMITS.pairs,
        )  # fmt: skip


def _maps(count: int) -> Iterator[tuple[str, dict[str, Any], Indices]]:
    """Yields for each of `count` biases the index read, as words, parameters and an array; simplest first."""
    index = np.arange(count)
    offsets = (1, -1) if count > 1 else ()
    for offset in offsets:
        says = f"c {'+' if offset > 0 else '-'} 1"
        yield says, {"offset": offset, "beyond": "clamped"}, np.clip(index + offset, 0, count - 1)
        yield says, {"offset": offset, "beyond": "wrapped"}, (index + offset) % count
    yield "0 for all channels", {"index": 0}, 0 * index
    yield "(count - 1) - c", {"index": "(count - 1) - c"}, index[::-1]


def _activation_before_bias(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes this order for each addend that an activation follows."""
    after = activations(case)
    if not after:
        return
    last, order = after[-1], [node.name for node in case.model_slice.nodes]
    for bias in biases(case):
        if order.index(bias.node.name) <= order.index(last.name):
            added = spread_by_channel(case, bias.tensor)
            if added is not None:
                yield _added_behind(last, f"the bias '{bias.tensor}'", constant_as(bias.tensor, np.zeros_like), added)
    for node in case.model_slice.nodes:  # or another tensor, of the result's shape
        if facts_of(node).adds and order.index(node.name) < order.index(last.name):
            for name in (name for name in node.inputs if case.read_of(name) is not None):
                own = case.model_slice.values[name]
                if own.size == case.actual.size:
                    without = InputChange(name, np.zeros_like, node=node.name)
                    yield _added_behind(last, f"'{name}'", without, own.reshape(case.dims), tensor=name)


def _added_behind(node: Node, what: str, without: ModelEdit, added: Array, tensor: str = "") -> Hypothesis:
    changes = (without, OutputChange(lambda y: y + added))
    parameters = {"activation": node.op_type, **({"tensor": tensor} if tensor else {})}
    return Hypothesis(
        causes.ACTIVATION_BEFORE_BIAS, f"{node.op_type} of the sum, then {what}", changes, parameters,
        remedy=f"Add {what} first, then apply {node.op_type}.", line=lines.read(tensor) if tensor else lines.activation,
    )  # fmt: skip


GENERATORS = (
    Generator(causes.BIAS_MISSING, Stage.PARTS, _bias_missing),
    Generator(causes.BIAS_DOUBLED, Stage.PARTS, _bias_doubled),
    Generator(causes.BIAS_OFFSET, Stage.DRAWING, lambda case: seen(case, causes.BIAS_OFFSET)),
    Generator(causes.BIAS_OFFSET, Stage.PARTS, _bias_offset),
    Generator(causes.ACTIVATION_BEFORE_BIAS, Stage.PARTS, _activation_before_bias),
)
