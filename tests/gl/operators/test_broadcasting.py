"""Functions of two and more elements: every pair of special values, and shapes that have to be repeated."""

from __future__ import annotations

import itertools

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, Array, NodeCase, assert_matches, normal
from texelscope.pipeline.operators.families.binary import OPERATORS as BINARY
from texelscope.pipeline.operators.families.variadic import OPERATORS as VARIADIC

SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 7.25, 100.5], dtype=np.float32)
OF_INTEGERS = ("BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor")
OF_TRUTH_VALUES = ("And", "Or", "Xor")
# onnx.reference multiplies even a zero by an infinite slope, which makes NaN where the definition says zero.
APART = ("PRelu",)
OF_FLOATS = [each.op_type for each in BINARY if each.op_type not in (*OF_INTEGERS, *OF_TRUTH_VALUES, *APART)]
ATTRIBUTES = {"Mod": {"fmod": 1}}


def pairs(values: Array) -> tuple[Array, Array]:
    """All pairs of `values`, as two arrays of one shape."""
    first, second = np.meshgrid(values, values)
    return first, second


@pytest.mark.parametrize("op_type", OF_FLOATS)
def test_every_pair_of_special_values_matches(op_type: str, gl: moderngl.Context) -> None:
    assert_matches(NodeCase(op_type, pairs(SPECIAL), ATTRIBUTES.get(op_type, {})), "channel_tiles", gl)


@pytest.mark.parametrize("op_type", ["Max", "Min"])
def test_the_greater_and_the_lesser_keep_a_nan(op_type: str, gl: moderngl.Context) -> None:
    (output,) = assert_matches(NodeCase(op_type, pairs(SPECIAL)), "row_major_rgba", gl)
    first, second = pairs(SPECIAL)
    np.testing.assert_array_equal(np.isnan(output), np.isnan(first) | np.isnan(second))


@pytest.mark.parametrize(
    ("op_type", "dtype"),
    [
        *itertools.product(["Add", "Div", "Mod", "Mul", "Sub"], [np.int8, np.int32, np.uint8, np.uint16]),
        ("Pow", np.int32),
    ],
)
def test_integers_wrap_and_round_as_their_type_does(op_type: str, dtype: type, gl: moderngl.Context) -> None:
    random = np.random.default_rng(1)
    low = 0 if op_type == "Pow" or np.issubdtype(dtype, np.unsignedinteger) else -100
    high = 4 if op_type == "Pow" else 100
    first: Array = random.integers(low, high, (4, 25)).astype(dtype)
    second: Array = random.integers(low, high, (4, 25)).astype(dtype)
    if op_type in ("Div", "Mod"):
        second[second == 0] = 3
    assert_matches(NodeCase(op_type, (first, second)), "channel_tiles", gl)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3, 4, 5), (5,)),
        ((3, 1, 1), (2, 3, 4, 5)),
        ((), (2, 3)),
        ((2, 1, 3, 1, 2), (4, 1, 5, 1)),
        ((1,), (1, 1, 1, 1, 1)),
    ],
    ids=str,
)
def test_shapes_meet_as_in_numpy(shapes: tuple[tuple[int, ...], ...], layout: str, gl: moderngl.Context) -> None:
    first, second = (normal(*shape, seed=i) for i, shape in enumerate(shapes))
    (output,) = assert_matches(NodeCase("Sub", (np.asarray(first), np.asarray(second))), layout, gl)
    np.testing.assert_array_equal(output, first - second)


def test_a_shape_of_an_old_opset_starts_at_its_axis(gl: moderngl.Context) -> None:
    first, second = normal(2, 3, 4), normal(3, seed=1)
    case = NodeCase("Add", (first, second), {"broadcast": 1, "axis": 1}, opset=6)
    (output,) = assert_matches(case, "channel_tiles", gl)
    np.testing.assert_array_equal(output, first + second[:, np.newaxis])


@pytest.mark.parametrize("entry", VARIADIC, ids=lambda entry: entry.op_type)
@pytest.mark.parametrize("count", [1, 2, 16, 37])
def test_any_number_of_inputs_meets(entry: object, count: int, gl: moderngl.Context) -> None:
    inputs = tuple(normal(2, 3, 4) if i % 3 else normal(3, 1, seed=i) for i in range(1, count + 1))
    assert_matches(NodeCase(getattr(entry, "op_type"), inputs), "channel_tiles_rgba", gl)  # noqa: B009


@pytest.mark.parametrize("layout", LAYOUTS)
def test_where_takes_from_either_side_with_repeats(layout: str, gl: moderngl.Context) -> None:
    condition = np.array([[True], [False], [True]])
    (output,) = assert_matches(NodeCase("Where", (condition, normal(2, 1, 4), normal(3, 4, seed=1))), layout, gl)
    np.testing.assert_array_equal(output, np.where(condition, normal(2, 1, 4), normal(3, 4, seed=1)))
