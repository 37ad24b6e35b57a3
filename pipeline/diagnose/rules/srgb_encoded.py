"""srgb_encoded: the wrong values are the right ones on the curve of sRGB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import texels_of_input, texels_of_output
from pipeline.diagnose.clues.pattern import listed
from pipeline.diagnose.mistakes.curves import curves
from pipeline.diagnose.redo.redo import Change, NodeChange, OutputChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function, constant_as, input_through, node_of
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
_REMEDY = "Use formats without sRGB and disable GL_FRAMEBUFFER_SRGB; tensors are no colours."


def _encode(y: Array) -> Array:
    """IEC 61966-2-1."""
    power = 1.055 * np.power(np.maximum(y, 0.0), 1.0 / 2.4) - 0.055
    return np.where(y <= 0.0031308, 12.92 * y, power)


def _decode(y: Array) -> Array:
    power = np.power(np.maximum((y + 0.055) / 1.055, 0.0), 2.4)
    return np.where(y <= 0.04045, y / 12.92, power)


def _in_bytes(function: Function) -> Function:
    """In a texture of 8 bits: what is encoded is rounded to 255 steps."""
    if function is _encode:
        return lambda y: np.rint(_encode(np.clip(y, 0.0, 1.0)) * 255.0) / 255.0
    return lambda y: _decode(np.rint(np.clip(y, 0.0, 1.0) * 255.0) / 255.0)


def _power(exponent: float) -> dict[str, Function]:
    text = {1.0 / 2.2: "1 / 2.2", 1.0 / 2.4: "1 / 2.4", 0.5: "1 / 2", 1.0 / 3.0: "1 / 3"}
    name = text.get(exponent, f"{exponent:g}")
    return {
        f"raised to {name}": lambda y: np.power(y, exponent),
        f"raised to {name}, signs kept,": lambda y: np.sign(y) * np.power(np.abs(y), exponent),
        f"raised to {name}, without their signs": lambda y: np.power(np.abs(y), exponent),
        f"cut at 0 and raised to {name}": lambda y: np.power(np.maximum(y, 0.0), exponent),
        f"capped to 0 … 1 and raised to {name}": lambda y: np.power(np.clip(y, 0.0, 1.0), exponent),
        f"raised to {name} and capped to 0 … 1": lambda y: np.clip(np.power(np.maximum(y, 0.0), exponent), 0.0, 1.0),
    }


_CURVES: dict[str, Function] = {
    "encoded as sRGB": _encode,
    "decoded from sRGB": _decode,
    "capped to 0 … 1 and encoded as sRGB": lambda y: _encode(np.clip(y, 0.0, 1.0)),
    "capped to 0 … 1 and decoded from sRGB": lambda y: _decode(np.clip(y, 0.0, 1.0)),
    "encoded as sRGB, signs kept,": lambda y: np.sign(y) * _encode(np.abs(y)),
    "decoded from sRGB, signs kept,": lambda y: np.sign(y) * _decode(np.abs(y)),
    "encoded as sRGB and cut at 0": lambda y: np.maximum(_encode(y), 0.0),
    "encoded as sRGB without the straight part": lambda y: 1.055 * np.power(np.maximum(y, 0.0), 1.0 / 2.4) - 0.055,
    "decoded from sRGB without the straight part": lambda y: np.power(np.maximum((y + 0.055) / 1.055, 0.0), 2.4),
    "decoded from sRGB by the straight part or by a power of what is negative": lambda y: np.where(
        y <= 0.04045, y / 12.92, np.power((y + 0.055) / 1.055, 2.4)
    ),
    "encoded as sRGB twice": lambda y: _encode(_encode(y)),
    "decoded from sRGB twice": lambda y: _decode(_decode(y)),
    **{name: each for exponent in (1.0 / 2.2, 2.2, 1.0 / 2.4, 2.4) for name, each in _power(exponent).items()},
}
# The same curves over another range, and fits of it that shaders are known to use.
_ELSEWHERE: dict[str, Function] = {
    "encoded as sRGB between 0 and 255": lambda y: 255.0 * _encode(y / 255.0),
    "decoded from sRGB between 0 and 255": lambda y: 255.0 * _decode(y / 255.0),
    "encoded as sRGB between -1 and 1": lambda y: 2.0 * _encode(0.5 * y + 0.5) - 1.0,
    "decoded from sRGB between -1 and 1": lambda y: 2.0 * _decode(0.5 * y + 0.5) - 1.0,
    "raised to 2.2 between 0 and 255": lambda y: 255.0 * np.power(y / 255.0, 2.2),
    "raised to 1 / 2.2 between 0 and 255": lambda y: 255.0 * np.power(y / 255.0, 1.0 / 2.2),
    "raised to 2.2 between -1 and 1": lambda y: 2.0 * np.power(0.5 * y + 0.5, 2.2) - 1.0,
    "raised to 1 / 2.2 between -1 and 1": lambda y: 2.0 * np.power(0.5 * y + 0.5, 1.0 / 2.2) - 1.0,
    "raised to 0.45": lambda y: np.power(y, 0.45),
    "raised to 0.4545": lambda y: np.power(y, 0.4545),
    "cut at 0 and raised to 0.45": lambda y: np.power(np.maximum(y, 0.0), 0.45),
    "cut at 0 and raised to 0.4545": lambda y: np.power(np.maximum(y, 0.0), 0.4545),
    "decoded from sRGB by a polynomial": lambda y: y * (y * (y * 0.305306011 + 0.682171111) + 0.012522878),
    "encoded as sRGB by a sum of roots": lambda y: (
        0.662002687 * y**0.5 + 0.684122060 * y**0.25 - 0.323583601 * y**0.125 - 0.0225411470 * y
    ),
}
# A part of the result has to have so many values between 0 and 1.
_FEWEST = 3


class SrgbEncoded(Rule):
    """Values went through the curve of sRGB, in a target, a sampler or the shader."""

    cause = "srgb_encoded"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """The curve both ways, with and without a cap, and powers that stand in for it; result and inputs.

        In four lanes the fourth is alpha, which stays as it is; parameters, what goes into an activation, sums before
        their bias; and a part of the result, where that is wrong.
        """
        place = lines.first(lines.called("pow"), lines.result)
        yield from curves(case, self.cause, _CURVES, _REMEDY, place)
        for says, function in (("encoded", _in_bytes(_encode)), ("decoded", _in_bytes(_decode))):
            of = {f"{says} as sRGB in bytes": function}
            yield from curves(case, self.cause, of, _REMEDY, place)
        yield from curves(case, self.cause, _ELSEWHERE, _REMEDY, place)
        for says, function in _CURVES.items():
            yield from self._but_alpha(case, says, function)
            yield from self._inside(case, says, function)
            yield from self._parameters(case, says, function)
            yield from self._all_inputs(case, says, function)
            yield from self._some(case, says, function)

    def _but_alpha(self, case: Case, says: str, function: Function) -> Iterator[Hypothesis]:
        turned = _colours(function)
        if case.output.layout.lanes == 4:
            text = f"the right values {says} but in the fourth lane"
            yield self._hypothesis(text, {"values": says}, texels_of_output(case, turned), 1.05)
        for read in case.activations():
            if read.values.stored.layout.lanes == 4:
                text = f"the input '{read.tensor}' {says} but in the fourth lane"
                parameters = {"values": says, "input": read.tensor}
                yield self._hypothesis(text, parameters, texels_of_input(read, turned), 2.05)

    def _parameters(self, case: Case, says: str, function: Function) -> Iterator[Hypothesis]:
        for read in case.evidence.reads:
            if read.values.stored.role == "constant" and read.tensor in case.redo.values:
                change = constant_as(read.tensor, _float(function))
                parameters = {"values": says, "input": read.tensor}
                yield self._hypothesis(f"the parameters '{read.tensor}' {says}", parameters, change, 2.5)

    def _inside(self, case: Case, says: str, function: Function) -> Iterator[Hypothesis]:
        for node in case.redo.tail():
            change_before = node_of(case, node, function, pointwise=facts_of(node).pointwise)
            text = f"what goes into {node.op_type} '{node.name}' {says}"
            yield self._hypothesis(text, {"values": says}, change_before, 2.6)
        for node in case.redo.nodes_with(lambda facts: facts.window is not None and facts.addend is not None):
            if len(node.inputs) > 2 and node.inputs[2]:
                text = f"the sum of {node.op_type} '{node.name}' before its bias {says}"
                yield self._hypothesis(text, {"values": says}, _before_bias(case, node, function), 2.7)

    def _all_inputs(self, case: Case, says: str, function: Function) -> Iterator[Hypothesis]:
        """One function reads them all."""
        names = tuple(dict.fromkeys(read.tensor for read in case.activations()))
        if len(names) > 1:
            changed = tuple(input_through(name, function) for name in names)
            quoted = [f"'{name}'" for name in names]
            text = f"the inputs {listed(quoted)} {says}"
            yield self._hypothesis(text, {"values": says}, changed, 2.8)

    def _some(self, case: Case, says: str, function: Function) -> Iterator[Hypothesis]:
        """Of the result what is wrong; most of it between 0 and 1, where a curve does more than a cap would."""
        between = case.wrong & (case.expected > 0.0) & (case.expected < 1.0)
        count, wrong = int(between.sum()), int(case.wrong.sum())
        if case.wrong.all() or count < max(_FEWEST, wrong / 2):
            return
        change = OutputChange(lambda y: np.where(case.wrong, function(y), y))
        yield self._hypothesis(f"a part of the right values {says}", {"values": says}, change, 3.0)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: Change | tuple[Change, ...], weight: float
    ) -> Hypothesis:
        place = lines.first(lines.called("pow"), lines.result)
        changes = change if isinstance(change, tuple) else (change,)
        return Hypothesis(self.cause, says, _REMEDY, parameters, changes, place=place, weight=weight)


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
