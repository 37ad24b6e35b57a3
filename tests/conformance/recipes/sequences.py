"""Operators of sequences and of optional values, with what makes and takes those around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper

from tests.conformance.recipes.recipe import Chain, Recipe, Recipes, numbers, one, whole

_A, _B = numbers(2, 3), numbers(2, 3, seed=1)
_MAKE = helper.make_node("SequenceConstruct", ["in0", "in1"], ["made"])


def _at(sequence: str, position: str, result: str = "seen") -> NodeProto:
    return helper.make_node("SequenceAt", [sequence, position], [result])


def _around(
    *names: str,
    inputs: tuple[np.ndarray, ...] = (_A, _B, one(1, np.int64)),
    before: tuple[NodeProto, ...] = (_MAKE,),
    after: tuple[NodeProto, ...] = (),
    results: tuple[str, ...] = ("out0",),
    outputs: int = 1,
    **attributes: Any,
) -> Recipe:
    """Places (in2) are known, so that the sequence is."""
    known = tuple(position for position, value in enumerate(inputs) if value.dtype.kind in "iub")
    return Recipe(inputs, attributes, outputs, known, chain=Chain(before, names, after, results))


def _optional(version: int) -> list[Recipe]:
    if version >= 18:
        return [_around("in0", inputs=(_A,), before=())]
    holds = helper.make_node("Optional", ["in0"], ["held"])
    return [_around("held", inputs=(_A,), before=(holds,))]


def _split(version: int) -> list[Recipe]:
    data, place = numbers(6, 4), one(1, np.int64)
    after = (_at("out0", "in2"),)
    found = [_around("in0", "in1", inputs=(data, sizes, place), before=(), after=after, results=("seen",))
             for sizes in (whole(2, 4), one(4, np.int64))]  # fmt: skip
    one_by_one = _around("in0", inputs=(data, _B, place), before=(), after=after, results=("seen",), keepdims=0)
    return [*found, one_by_one]


def _map(version: int) -> list[Recipe]:
    value = helper.make_tensor_value_info("each", TensorProto.FLOAT, [2, 3])
    result = helper.make_tensor_value_info("turned", TensorProto.FLOAT, [2, 3])
    body = helper.make_graph([helper.make_node("Neg", ["each"], ["turned"])], "body", [value], [result])
    return [_around("made", after=(_at("out0", "in2"),), results=("seen",), body=body)]


def _one(recipe: Recipe) -> Recipes:
    return lambda version: [recipe]


_TAKES = (_at("out0", "in2"),)
RECIPES: Mapping[str, Recipes] = {
    "ConcatFromSequence": lambda version: [_around("made", axis=0), _around("made", axis=1, new_axis=1)],
    "Optional": _one(_around("in0", inputs=(_A,), before=(), after=(
        helper.make_node("OptionalGetElement", ["out0"], ["seen"]),), results=("seen",))),
    "OptionalGetElement": _optional,
    "OptionalHasElement": _optional,
    "SequenceAt": _one(_around("made", "in2")),
    "SequenceConstruct": _one(_around("in0", "in1", before=(), after=_TAKES, results=("seen",))),
    "SequenceEmpty": _one(_around(before=(), after=(
        helper.make_node("SequenceInsert", ["out0", "in0"], ["held"]), _at("held", "in1")),
        inputs=(_A, one(0, np.int64)), results=("seen",))),
    "SequenceErase": _one(_around("made", "in2", after=(
        helper.make_node("ConcatFromSequence", ["out0"], ["seen"], axis=0),), results=("seen",))),
    "SequenceInsert": _one(_around("made", "in0", "in2", after=_TAKES, results=("seen",))),
    "SequenceLength": _one(_around("made")),
    "SequenceMap": _map,
    "SplitToSequence": _split,
}  # fmt: skip
