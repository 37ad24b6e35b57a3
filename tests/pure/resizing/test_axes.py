"""Tests that trials find the axes that belong together, and that these shrink together."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.reduce.making import OfModel
from texelscope.pipeline.resizing.axes import Cut, cut, groups
from texelscope.pipeline.resizing.subject import PassSubject, cut_out


def subject(made: onnx.ModelProto, **shapes: tuple[int, ...]) -> PassSubject:
    """Returns the model's only pass on ramps."""
    plan = pipeline.plan_of(made)
    tensors = {name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for name, shape in shapes.items()}
    return cut_out(plan, tensors, plan.passes[-1], plan.passes[-1].program)


def found(each: PassSubject) -> set[tuple[int, frozenset[str]]]:
    """Size and members of every group, as texts."""
    return {
        (group.size, frozenset(f"{member.owner}.{member.place}" for member in group.members))
        for group in groups(each, OfModel(each).is_valid)
    }


def conv(weights: dict[str, Any], inputs: str, **attributes: Any) -> onnx.ModelProto:
    return model([node("Conv", inputs, "y", "c", **attributes)], [value("x", (1, 6, 5, 7))], [value("y", None)],
                 weights=weights)  # fmt: skip


def test_a_convolution_has_channels_in_and_out_and_the_picture() -> None:
    each = subject(conv({"w": array(6, 6, 3, 3), "b": array(6)}, "x w b", kernel_shape=[3, 3]), x=(1, 6, 5, 7))
    assert found(each) == {
        (6, frozenset({"w.0", "b.0"})),
        (6, frozenset({"x.1", "w.1"})),
        (5, frozenset({"x.2"})),
        (7, frozenset({"x.3"})),
    }


def test_groups_of_a_depthwise_convolution_go_with_their_attribute() -> None:
    each = subject(conv({"w": array(6, 1, 3, 3)}, "x w", group=6, kernel_shape=[3, 3]), x=(1, 6, 5, 7))
    assert (6, frozenset({"x.1", "c.group"})) in found(each)


def test_a_batch_normalization_has_four_weights_a_channel() -> None:
    weights = {name: array(6) for name in "sbmv"}
    made = model([node("BatchNormalization", "x s b m v", "y", "n")], [value("x", (1, 6, 5, 7))], weights=weights)
    assert (6, frozenset({"x.1", "s.0", "b.0", "m.0", "v.0"})) in found(subject(made, x=(1, 6, 5, 7)))


def test_a_reshape_says_its_sizes_in_a_constant() -> None:
    made = model(
        [node("Reshape", "x s", "y", "r")], [value("x", (1, 6, 5, 7))], [value("y", None)],
        weights={"s": np.array([1, 6, 35])},
    )  # fmt: skip
    assert (6, frozenset({"x.1", "s.1"})) in found(subject(made, x=(1, 6, 5, 7)))


def test_a_cut_keeps_neighbours_and_cuts_weights_alike() -> None:
    each = subject(conv({"w": array(4, 6, 3, 3), "b": array(4)}, "x w b", kernel_shape=[3, 3]), x=(1, 6, 5, 7))
    by_label = {group.label: group for group in groups(each, OfModel(each).is_valid)}
    left = cut(each, {by_label["x[1], w[1]"]: Cut(2, 3), by_label["x[3]"]: Cut(4, 3)})
    assert np.array_equal(left.values["x"], each.values["x"][:, 3:5, :, 3:7])
    assert np.array_equal(left.values["w"], each.values["w"][:, 3:5])
    assert left.values["b"] is each.values["b"]


def test_what_was_not_computed_cannot_be_cut_out() -> None:
    plan = pipeline.plan_of(model([node("Relu", "x", "y", "act")]))
    with pytest.raises(TexelscopeError, match=r"'x', which was not computed. Reduce an earlier pass"):
        cut_out(plan, {}, plan.passes[0], plan.passes[0].program)
